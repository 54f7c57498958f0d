;; Every vector store counts the bytes that it moves: 16 + 1 + 2 + 4 + 8, all over the same 16.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (v128.store (i32.const 0) (v128.const i64x2 0 0))
    (v128.store8_lane 15 (i32.const 0) (v128.const i64x2 0 0))
    (v128.store16_lane 7 (i32.const 0) (v128.const i64x2 0 0))
    (v128.store32_lane 3 (i32.const 0) (v128.const i64x2 0 0))
    (v128.store64_lane 1 (i32.const 0) (v128.const i64x2 0 0))
    (i64.const 0)))
