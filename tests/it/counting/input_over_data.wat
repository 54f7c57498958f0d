;; The input may lie over a data segment: it is copied last, and both copies are initialized bytes.
;; input: xy
(module
  (memory (export "memory") 1 1)
  (data (i32.const 10) "abcdef")
  (func (export "input_ptr") (result i32) i32.const 12)
  (func (export "input_bytes_cap") (result i32) i32.const 8)
  (func (export "output_bytes_cap") (result i32) i32.const 8)
  (func (export "render") (param i32) (result i64)
    (if (i32.ne (i32.load (i32.const 11)) (i32.const 0x65797862)) (then unreachable))
    (i64.const 0)))
