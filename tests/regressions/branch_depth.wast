;; The largest depth of a branch, plus one for the function's own block, is no number of 32 bits.
(assert_invalid (module binary
  "\00asm\01\00\00\00\01\04\01\60\00\00\03\02\01\00\0a\0a\01\08\00\0c\ff\ff\ff\ff\0f\0b") "unknown label")
(assert_invalid (module binary
  "\00asm\01\00\00\00\01\04\01\60\00\00\03\02\01\00\0a\0c\01\0a\00\41\00\0d\ff\ff\ff\ff\0f\0b") "unknown label")
(assert_invalid (module binary
  "\00asm\01\00\00\00\01\04\01\60\00\00\03\02\01\00\0a\0d\01\0b\00\41\00\0e\00\ff\ff\ff\ff\0f\0b") "unknown label")
(assert_invalid (module binary
  "\00asm\01\00\00\00\01\04\01\60\00\00\03\02\01\00\0a\0e\01\0c\00\41\00\0e\01\ff\ff\ff\ff\0f\00\0b") "unknown label")
