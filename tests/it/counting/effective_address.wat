;; The address is the sum of base and offset: 65,530 + 7 is in page 1; a base of 0 and an offset may cross, 131,068 + 8.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (drop (i32.load offset=7 (i32.const 65530)))
    (i64.store offset=131068 (i32.const 0) (i64.const 1))
    (i64.const 0)))
