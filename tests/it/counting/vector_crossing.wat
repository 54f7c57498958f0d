;; Vector loads across a page edge: 6 + 10, 3 + 5, 2 + 2, 1 + 7; vector stores: 15 + 1, 4 + 4.
(module
  (memory (export "memory") 3 3)
  (func (export "output_bytes_cap") (result i32) i32.const 0)
  (func (export "render") (param i32) (result i64)
    (drop (v128.load (i32.const 65530)))
    (drop (v128.load64_splat (i32.const 65533)))
    (drop (v128.load32_lane 0 (i32.const 65534) (v128.const i64x2 0 0)))
    (drop (v128.load8x8_s (i32.const 65535)))
    (v128.store (i32.const 65521) (v128.const i64x2 0 0))
    (v128.store64_lane 0 (i32.const 65532) (v128.const i64x2 0 0))
    (i64.const 0)))
