;; Global 0 never falls below its initial value, so there is no stack. Addresses are unsigned: -1 is high.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (global (mut i32) (i32.const 131072))
  (func (export "render") (param i32) (result i64)
    (global.set 0 (i32.const 131072))
    (global.set 0 (i32.const 131088))
    (global.set 0 (i32.const -1))
    (i32.store8 (i32.const 131071) (i32.const 1))
    (i32.store8 (i32.const 131072) (i32.const 1))
    (i64.const 0)))
