;; Global 0 is immutable, so there is no stack; a mutable global 1 is none either.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (global i32 (i32.const 131072))
  (global (mut i32) (i32.const 131072))
  (func (export "render") (param i32) (result i64)
    (global.set 1 (i32.const 0))
    (i32.store8 (i32.const 65536) (i32.const 1))
    (i64.const 0)))
