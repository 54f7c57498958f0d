;; The output is the 4 bytes returned, at 65,534, not the capacity: page 2 is outside.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 131072)
  (func (export "render") (param i32) (result i64)
    (i32.store (i32.const 65534) (i32.const 1))
    (i32.store8 (i32.const 131072) (i32.const 1))
    (i64.const 0x0000_fffe_0000_0004)))
