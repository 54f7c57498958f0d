;; A memory of 4 GiB: its last 4 bytes, and 8 bytes across the edge before its last page.
(module
  (memory (export "memory") 65536 65536)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (i32.store (i32.const 0xfffffffc) (i32.const 1))
    (drop (i64.load offset=0xffff (i32.const 0xfffdfffc)))
    (i64.const 0)))
