;; The lowest value may come in a setter.
;; uniform: depth=4
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (global (mut i32) (i32.const 131072))
  (func (export "uniform_set_depth") (param i32) (result i32)
    (global.set 0 (i32.sub (global.get 0) (local.get 0)))
    (global.set 0 (i32.const 131072))
    (local.get 0))
  (func (export "render") (param i32) (result i64)
    (i32.store8 (i32.const 131071) (i32.const 1))
    (i64.const 0)))
