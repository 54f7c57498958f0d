;; Overlapping, the destination above the source: abcdef becomes aabcde. Reads are 5 bytes of the copy and 1 that checks it.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (data (i32.const 0) "abcdef")
  (func (export "render") (param i32) (result i64)
    (memory.copy (i32.const 1) (i32.const 0) (i32.const 5))
    (if (i32.ne (i32.load8_u (i32.const 5)) (i32.const 0x65)) (then unreachable))
    (i64.const 0)))
