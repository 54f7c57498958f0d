;; memory.copy is one read of its source and one write of its destination, on the same page too.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.copy (i32.const 100) (i32.const 0) (i32.const 50))
    (i64.const 0)))
