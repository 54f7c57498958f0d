;; A segment across a page edge, 2 + 3 bytes, and one that starts a page.
(module
  (memory (export "memory") 4 4)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (data (i32.const 65534) "abcde")
  (data (i32.const 131072) "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")
  (func (export "render") (param i32) (result i64)
    (i64.const 0)))
