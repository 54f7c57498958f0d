;; Code that is not executed counts nothing.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (block (br 0) (i32.store (i32.const 0) (i32.const 1)))
    (if (i32.const 0) (then (i32.store (i32.const 0) (i32.const 1))))
    (i64.const 0)))
