;; Memory that the run adds counts like any other; memory.size and memory.grow touch nothing.
(module
  (memory (export "memory") 1 4)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (if (i32.ne (memory.grow (i32.const 2)) (i32.const 1)) (then unreachable))
    (if (i32.ne (memory.grow (i32.const 2)) (i32.const -1)) (then unreachable))
    (if (i32.ne (memory.size) (i32.const 3)) (then unreachable))
    (i64.store (i32.const 131068) (i64.const 1))
    (i64.const 0)))
