;; Operations on tables touch no memory.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (table $t 4 funcref)
  (func $f)
  (elem $e func $f)
  (func (export "render") (param i32) (result i64)
    (table.set $t (i32.const 0) (ref.func $f))
    (table.fill $t (i32.const 1) (ref.func $f) (i32.const 2))
    (table.copy $t $t (i32.const 2) (i32.const 0) (i32.const 2))
    (table.init $t $e (i32.const 0) (i32.const 0) (i32.const 1))
    (call_indirect (i32.const 3))
    (i64.const 0)))
