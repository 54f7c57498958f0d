;; Bulk operations of few bytes count on a page that was touched as they do on one that was not.
(module
  (memory (export "memory") 1 1)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.fill (i32.const 100) (i32.const 1) (i32.const 20))
    (memory.fill (i32.const 110) (i32.const 2) (i32.const 20))
    (memory.copy (i32.const 105) (i32.const 100) (i32.const 57))
    (memory.copy (i32.const 0) (i32.const 100) (i32.const 58))
    (i64.const 0)))
