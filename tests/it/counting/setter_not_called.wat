;; A setter without a uniform does not run.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "uniform_set_a") (param i32) (result i32)
    (i32.store (i32.const 0) (local.get 0))
    (local.get 0))
  (func (export "uniform_set_b") (param i32) (result i32)
    (if (i32.ne (i32.load (i32.const 0)) (i32.const 1)) (then unreachable))
    (i64.store (i32.const 8) (i64.const -1))
    (local.get 0))
  (func (export "render") (param i32) (result i64)
    (i64.const 0)))
