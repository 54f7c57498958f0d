;; A capacity of zero labels nothing.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "input_ptr") (result i32) i32.const 65536)
  (func (export "input_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (i32.store8 (i32.const 65536) (i32.const 1))
    (i64.const 0)))
