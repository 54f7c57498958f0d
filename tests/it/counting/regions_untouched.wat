;; Pages that are not touched get no row: input at 0, stack in page 1, output in page 2.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 8)
  (global (mut i32) (i32.const 131072))
  (func (export "input_ptr") (result i32) i32.const 0)
  (func (export "input_bytes_cap") (result i32) i32.const 16)
  (func (export "render") (param i32) (result i64)
    (global.set 0 (i32.const 65536))
    (i64.const 0x0002_0000_0000_0008)))
