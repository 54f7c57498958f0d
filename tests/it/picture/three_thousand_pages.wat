;; Uses some 3,000 pages, each part of them in another way, for the picture of a large report.
(module
  (memory (export "memory") 8192 8192)
  ;; Three pages deep at most.
  (global $stack (mut i32) (i32.const 0x10_0000))
  ;; Tables that begin within a page and end within another, and constants far away.
  (data (i32.const 0x10_0100) "tables")
  (data (i32.const 0x12_0000) "more tables")
  (data (i32.const 0x1fff_f000) "constants")
  (func (export "input_ptr") (result i32) (i32.const 0x14_8000))
  (func (export "input_bytes_cap") (result i32) (i32.const 0x80_0000))
  (func (export "output_bytes_cap") (result i32) (i32.const 0x400_0000))

  ;; Reads a 32-bit word in every `$step` bytes from `$from` up to `$end`.
  (func $scan (param $from i32) (param $end i32) (param $step i32)
    (loop $next
      (drop (i32.load (local.get $from)))
      (br_if $next (i32.lt_u (local.tee $from (i32.add (local.get $from) (local.get $step))) (local.get $end)))))

  ;; Fills `$bytes` in every `$step` bytes from `$from` up to `$end`.
  (func $fill (param $from i32) (param $end i32) (param $step i32) (param $bytes i32)
    (loop $next
      (memory.fill (local.get $from) (i32.const 1) (local.get $bytes))
      (br_if $next (i32.lt_u (local.tee $from (i32.add (local.get $from) (local.get $step))) (local.get $end)))))

  ;; Calls itself with a frame of 1 KiB of which 16 bytes are used.
  (func $deep (param $calls i32)
    (global.set $stack (i32.sub (global.get $stack) (i32.const 1024)))
    (i64.store (global.get $stack) (i64.const 1))
    (i64.store offset=8 (global.get $stack) (i64.const 1))
    (if (local.get $calls) (then (call $deep (i32.sub (local.get $calls) (i32.const 1)))))
    (drop (i64.load (global.get $stack)))
    (global.set $stack (i32.add (global.get $stack) (i32.const 1024))))

  (func (export "render") (param $size i32) (result i64) (local $round i32) (local $page i32)
    ;; 16 times down the stack.
    (loop $again
      (call $deep (i32.const 179))
      (br_if $again (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 1))) (i32.const 16))))
    ;; The tables and the input, read once.
    (call $scan (i32.const 0x10_0100) (i32.const 0x14_0000) (i32.const 16))
    (call $scan (i32.const 0x14_8000) (i32.add (i32.const 0x14_8000) (local.get $size)) (i32.const 64))
    (drop (i64.load (i32.const 0x1fff_f000)))
    ;; A ring of 8 pages, written 50 times.
    (local.set $round (i32.const 0))
    (loop $again
      (call $fill (i32.const 0x100_0000) (i32.const 0x108_0000) (i32.const 0x1_0000) (i32.const 0x1_0000))
      (br_if $again (i32.lt_u (local.tee $round (i32.add (local.get $round) (i32.const 1))) (i32.const 50))))
    ;; A hash table of 1,024 pages, 3 entries on each.
    (call $fill (i32.const 0x200_0040) (i32.const 0x600_0000) (i32.const 0x5000) (i32.const 24))
    ;; A matrix of 512 pages: of each page 128 bytes more are written than of the one before; its first word is read.
    (loop $next
      (memory.fill
        (i32.add (i32.const 0x800_0000) (i32.shl (local.get $page) (i32.const 16)))
        (i32.const 1)
        (i32.shl (i32.add (local.get $page) (i32.const 1)) (i32.const 7)))
      (drop (i32.load offset=0x800_0000 (i32.shl (local.get $page) (i32.const 16))))
      (br_if $next (i32.lt_u (local.tee $page (i32.add (local.get $page) (i32.const 1))) (i32.const 512))))
    ;; Every third of 768 pages, one byte.
    (call $fill (i32.const 0xc00_0000) (i32.const 0xf00_0000) (i32.const 0x3_0000) (i32.const 1))
    ;; The output: 1,024 pages, written once, and the first half copied over the second.
    (call $fill (i32.const 0x1000_0000) (i32.const 0x1400_0000) (i32.const 0x1_0000) (i32.const 0x1_0000))
    (memory.copy (i32.const 0x1200_0000) (i32.const 0x1000_0000) (i32.const 0x200_0000))
    (i64.const 0x1000_0000_0400_0000)))
