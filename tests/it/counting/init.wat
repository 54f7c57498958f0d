;; memory.init is one write of each page, 4 + 2 bytes; its segment is not in memory, so nothing is read and no page is `data`.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (data $passive "abcdefgh")
  (func (export "render") (param i32) (result i64)
    (memory.init $passive (i32.const 65532) (i32.const 1) (i32.const 6))
    (i64.const 0)))
