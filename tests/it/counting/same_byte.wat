;; The same byte written 1,000 times.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (local.set 0 (i32.const 1000))
    (loop $again
      (i32.store8 (i32.const 65535) (local.get 0))
      (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))
    (i64.const 0)))
