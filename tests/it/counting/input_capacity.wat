;; The input region is the whole capacity, pages 1 to 2, not the 3 bytes sent; page 3 is outside.
;; input: abc
(module
  (memory (export "memory") 4 4)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "input_ptr") (result i32) i32.const 65536)
  (func (export "input_bytes_cap") (result i32) i32.const 131072)
  (func (export "render") (param i32) (result i64)
    (drop (i32.load8_u (i32.const 131072)))
    (drop (i32.load8_u (i32.const 196608)))
    (i64.const 0)))
