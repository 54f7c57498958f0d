;; Two pages' length from byte 1, which is in three pages, to the start of page 4.
(module
  (memory (export "memory") 6 6)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.copy (i32.const 262144) (i32.const 1) (i32.const 131072))
    (i64.const 0)))
