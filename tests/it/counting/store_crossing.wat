;; A store across a page edge is one write of each page: bytes 3 + 1, 6 + 2, 1 + 3, 7 + 1, 1 + 1, 1 + 1, 2 + 2.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (i32.store (i32.const 65533) (i32.const -1))
    (i64.store (i32.const 65530) (i64.const -1))
    (f32.store (i32.const 65535) (f32.const -1))
    (f64.store (i32.const 65529) (f64.const -1))
    (i32.store16 (i32.const 65535) (i32.const -1))
    (i64.store16 (i32.const 65535) (i64.const -1))
    (i64.store32 (i32.const 65534) (i64.const -1))
    (i64.const 0)))
