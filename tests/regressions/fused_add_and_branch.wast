;; An addition that is fused with the branch on its sum must come before copies of the local it sets.
(module
  (func (export "if") (param i32) (result i32)
    (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
    (local.get 0)
    (local.get 0)
    (if (then (local.set 0 (i32.const 100))))
    (i32.add (local.get 0)))
  (func (export "br_if") (param i32) (result i32)
    (block (result i32)
      (local.set 0 (i32.add (local.get 0) (i32.const 7)))
      (local.get 0)
      (br_if 0 (local.get 0))
      (drop)
      (i32.const -1))))

(assert_return (invoke "if" (i32.const 1)) (i32.const 0))
(assert_return (invoke "if" (i32.const 5)) (i32.const 104))
(assert_return (invoke "br_if" (i32.const 1)) (i32.const 8))
(assert_return (invoke "br_if" (i32.const -7)) (i32.const -1))

;; Nor may a copy overwrite the slot that the addition reads.
(module
  (func (export "reused") (param i32 i32) (result i32)
    (local $sum i32)
    (block (result i32)
      (local.set $sum (i32.add (i32.mul (local.get 0) (local.get 0)) (i32.const 1)))
      (local.get 1)
      (if (result i32) (local.get $sum) (then (local.get $sum)) (else (i32.const 0)))
      (i32.mul))))

(assert_return (invoke "reused" (i32.const 3) (i32.const 7)) (i32.const 70))

;; A comparison of 64-bit integers keeps the order of its operands, whichever was made last.
(module
  (memory 1)
  (func (export "order") (param i64) (result i32)
    (i64.store (i32.const 8) (i64.const 5))
    (if (result i32) (i64.lt_u (local.get 0) (i64.load (i32.const 8))) (then (i32.const 1)) (else (i32.const 2)))))

(assert_return (invoke "order" (i64.const 4)) (i32.const 1))
(assert_return (invoke "order" (i64.const 6)) (i32.const 2))
