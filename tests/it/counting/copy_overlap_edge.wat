;; Overlapping across a page edge: 65,534 to 65,537 (2 + 2) to 65,535 to 65,538 (1 + 3); abcd becomes aabcd.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (data (i32.const 65534) "abcd")
  (func (export "render") (param i32) (result i64)
    (memory.copy (i32.const 65535) (i32.const 65534) (i32.const 4))
    (if (i32.ne (i32.load (i32.const 65535)) (i32.const 0x64636261)) (then unreachable))
    (i64.const 0)))
