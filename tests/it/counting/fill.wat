;; memory.fill is one write of each page: 2 + 4 bytes, then 65,536 bytes of page 2 twice.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (memory.fill (i32.const 65534) (i32.const 1) (i32.const 6))
    (memory.fill (i32.const 131072) (i32.const 2) (i32.const 65536))
    (memory.fill (i32.const 131072) (i32.const 3) (i32.const 65536))
    (i64.const 0)))
