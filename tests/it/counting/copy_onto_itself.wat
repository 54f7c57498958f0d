;; A copy onto itself is a read and a write like any other.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.copy (i32.const 10) (i32.const 10) (i32.const 7))
    (i64.const 0)))
