;; Two decimals, rounded half up on the exact fraction: 201 / 200 = 1.005, 401 / 400 = 1.0025, 1 / 1.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.fill (i32.const 0) (i32.const 7) (i32.const 200))
    (i32.store8 (i32.const 199) (i32.const 1))
    (memory.fill (i32.const 65536) (i32.const 7) (i32.const 400))
    (i32.store8 (i32.const 65536) (i32.const 1))
    (i32.store8 (i32.const 131072) (i32.const 0))
    (i64.const 0)))
