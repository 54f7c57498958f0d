;; Returns its input with the uniform's character in front. The data is what a careless client or server breaks.
(module
  (memory (export "memory") 2 2)
  (data (i32.const 0) "\00\ff\0d\0a--\0d\0a\1a\e2\82 --uuid-")
  (func (export "input_ptr") (result i32) (i32.const 65537))
  (func (export "input_utf8_cap") (result i32) (i32.const 1000))
  (func (export "output_utf8_cap") (result i32) (i32.const 1001))
  (func (export "uniform_set_first") (param i32) (result i32)
    (i32.store8 (i32.const 65536) (local.get 0)) (local.get 0))
  (func (export "render") (param i32) (result i64)
    (i64.or (i64.const 281474976710656) (i64.extend_i32_u (i32.add (local.get 0) (i32.const 1))))))
