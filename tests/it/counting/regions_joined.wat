;; All regions of a page, in their order: data 4 bytes, input 2, stack 48 to 63, output 128 to 129.
;; input: hi
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 2)
  (global (mut i32) (i32.const 64))
  (data (i32.const 0) "abcd")
  (func (export "input_ptr") (result i32) i32.const 16)
  (func (export "input_bytes_cap") (result i32) i32.const 16)
  (func (export "render") (param i32) (result i64)
    (global.set 0 (i32.const 48))
    (i32.store16 (i32.const 128) (i32.load16_u (i32.const 16)))
    (i64.const 0x80_0000_0002)))
