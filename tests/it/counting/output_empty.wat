;; An output of size zero, at 65,537, labels nothing.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 8)
  (func (export "render") (param i32) (result i64)
    (i32.store (i32.const 65536) (i32.const 1))
    (i64.const 0x0001_0001_0000_0000)))
