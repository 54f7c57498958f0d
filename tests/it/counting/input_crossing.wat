;; An input across a page edge initializes 2 + 3 bytes.
;; input: hello
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "input_ptr") (result i32) i32.const 65534)
  (func (export "input_bytes_cap") (result i32) i32.const 8)
  (func (export "render") (param i32) (result i64)
    (i64.const 0)))
