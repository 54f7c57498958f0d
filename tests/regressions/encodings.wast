;; Encodings that are valid in versions after 2.0.

;; An alignment that says that the index of a memory follows.
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0a\01\08\00" "\41\00" "\2d\40\00\00" "\1a\0b")
  "malformed memop flags")

;; The same in code that cannot be reached, and in a vector instruction.
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\09\01\07\00" "\00" "\35\40\00\00" "\0b")
  "malformed memop flags")
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0b\01\09\00" "\41\00" "\fd\00\40\00\00" "\1a\0b")
  "malformed memop flags")

;; An offset of more than 32 bits, and one of more than five bytes.
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0d\01\0b\00" "\41\00" "\2d\00\80\80\80\80\10" "\1a\0b")
  "integer too large")
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0f\01\0d\00" "\41\00" "\fd\00\00\80\80\80\80\80\00" "\1a\0b")
  "integer representation too long")

;; Zero bytes written as a longer zero.
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0e\01\0c\00" "\41\00\41\00\41\00" "\fc\0b\80\00" "\0b")
  "zero byte expected")
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0f\01\0d\00" "\41\00\41\00\41\00" "\fc\0a\80\00\00" "\0b")
  "zero byte expected")
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
    "\0a\0f\01\0d\00" "\41\00\41\00\41\00" "\fc\0a\00\80\00" "\0b")
  "zero byte expected")
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01" "\0c\01\01"
    "\0a\0f\01\0d\00" "\41\00\41\00\41\00" "\fc\08\00\80\00" "\0b" "\0b\03\01\01\00")
  "zero byte expected")

;; Limits of more than five bytes.
(assert_malformed
  (module binary "\00asm" "\01\00\00\00" "\04\09\01\70\00\80\80\80\80\80\00")
  "integer representation too long")

;; A function type as a final subtype, and a table of references written at length.
(assert_malformed
  (module binary "\00asm" "\01\00\00\00" "\01\06\01\4f\00\60\00\00")
  "malformed")
(assert_malformed
  (module binary "\00asm" "\01\00\00\00" "\04\05\01\63\70\00\01")
  "malformed")

;; What stays valid: longer forms of numbers that 2.0 calls u32.
(module binary
  "\00asm" "\01\00\00\00"
  "\01\04\01\60\00\00" "\03\02\01\00" "\05\03\01\00\01"
  "\0a\1f\01\1d\00" "\41\00" "\2d\80\00\80\80\00" "\1a" "\41\00\41\00\41\00" "\fc\8b\00\00" "\3f\00\1a" "\41\00\40\00\1a" "\0b")

;; A block of a later proposal in code that cannot be reached: its end is not the function's.
(assert_malformed
  (module binary
    "\00asm" "\01\00\00\00"
    "\01\04\01\60\00\00" "\03\02\01\00"
    "\0a\09\01\07\00" "\00" "\1f\40\00" "\0b\0b")
  "illegal opcode")
