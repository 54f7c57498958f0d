;; Bytes 65,530 to 65,539 (6 + 4) to 131,070 to 131,079 (2 + 8).
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.copy (i32.const 131070) (i32.const 65530) (i32.const 10))
    (i64.const 0)))
