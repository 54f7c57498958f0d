;; Global 0 is an i64, so there is no stack.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (global (mut i64) (i64.const 131072))
  (func (export "render") (param i32) (result i64)
    (global.set 0 (i64.const 65536))
    (i32.store8 (i32.const 65536) (i32.const 1))
    (i64.const 0)))
