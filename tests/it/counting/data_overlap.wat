;; Bytes copied count: two segments over the same two bytes count them twice.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (data (i32.const 0) "abcd")
  (data (i32.const 2) "wxyz")
  (func (export "render") (param i32) (result i64)
    (i64.const 0)))
