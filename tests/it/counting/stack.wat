;; Stack: from the lowest value of a mutable i32 global 0, here 131,056, up to its initial value. Pages 0 and 2 are outside.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (global (mut i32) (i32.const 131072))
  (func (export "render") (param i32) (result i64)
    (global.set 0 (i32.sub (global.get 0) (i32.const 16)))
    (i32.store (global.get 0) (i32.const 1))
    (global.set 0 (i32.const 131072))
    (i32.store8 (i32.const 0) (i32.const 1))
    (i32.store8 (i32.const 131072) (i32.const 1))
    (i64.const 0)))
