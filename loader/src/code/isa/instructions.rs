//! The table of the interpreter's own operators, each defined once.
//!
//! An instruction is a sequence of 16-bit units: the operator, then its fields. A slot field is the byte offset of a
//! frame slot; a field of 32 bits takes two units, low half first, at any alignment. The shapes, with the units after
//! the operator:
//!
//! | shape | fields |
//! | --- | --- |
//! | unary | `dst a` |
//! | binary | `dst a b`; with an immediate `dst a imm32`; with a constant of a float's full width `dst a imm` |
//! | branch on a comparison | `a b target32 cost cost`; with an immediate `a imm32 target32 cost cost` |
//! | load | `dst address offset32` |
//! | store | `address value offset32`; with an immediate `address imm32 offset32` |
//! | indexed load | `dst a b offset32`: the address is the sum of two slots |
//! | tree | `dst a b c`: two operators, the first on `a` and `b`; with an immediate `dst a imm32 c` |
//! | branch on a load | `address offset32 b target32 cost cost`; with an immediate, `imm32` for `b` |
//!
//! `target32` counts units from the branch's own first unit. The first `cost` is charged where the branch is taken, the
//! second where it falls through (see `translate::emit`). The instructions of [`super::basic`] and [`super::rare`] have their fields in
//! their rows.

/// Calls `$then!` with the whole table: these rows, then those of [`super::basic`], [`super::vector`] and [`super::rare`].
///
/// Rows, by group:
/// - `binary`: slot form, immediate form, operand type, semantics.
/// - `opposite`: slot form, the operator that does the same with the immediate's negative, operand type, semantics.
/// - `partial` (traps on some operands): the same, semantics returning a `Result`.
/// - `float`: slot form, form with a constant, operand type, semantics.
/// - `compare`: slot form, immediate form, branch, branch with immediate, the inverse's slot form, operand type, semantics.
/// - `float_compare`: operand type, semantics.
/// - `unary`, `partial_unary`: operand type, result type, semantics.
/// - `load`: type in memory, type in the slot, which is extended to 64 bits: one load serves `i32` and `i64`.
/// - `store`: slot form, immediate form, type in the slot, of which it may be the low half, and type in memory.
/// - `indexed`: indexed load, the load that it fuses, type in memory, type in the slot.
/// - `tree`: the operator inside, the one outside, on which of its sides the inside's result may be, operand type, semantics.
/// - `tree_immediate`: the same with an immediate as the inside's second operand; the outside is commutative.
/// - `pair`: the operator that this one is, and the one behind it that it executes too (see [`super::pair`]).
/// - `pair_end`: the same, where the second enters a basic block.
/// - `carry`, `carry_end`: the same, where the first's result is an operand of the second; and the unit of that operand's field,
///   which is 2 where the second's operands may change places.
/// - `load_branch`: slot form, immediate form, the load and the comparison that it fuses, type in memory, operand type,
///   semantics.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_instruction {
    ($then:ident) => {
        $crate::for_each_basic_instruction! {
            $crate::for_each_simd_op;
            $crate::for_each_rare_instruction;
            $then;
            binary {
                I32Add I32AddI i32 |a, b| a.wrapping_add(b);
                I32Mul I32MulI i32 |a, b| a.wrapping_mul(b);
                I32And I32AndI i32 |a, b| a & b;
                I32Or I32OrI i32 |a, b| a | b;
                I32Xor I32XorI i32 |a, b| a ^ b;
                I32Shl I32ShlI i32 |a, b| a.wrapping_shl(b as u32);
                I32ShrS I32ShrSI i32 |a, b| a.wrapping_shr(b as u32);
                I32ShrU I32ShrUI u32 |a, b| a.wrapping_shr(b);
                I32Rotl I32RotlI u32 |a, b| a.rotate_left(b & 31);
                I64Add I64AddI i64 |a, b| a.wrapping_add(b);
                I64Mul I64MulI i64 |a, b| a.wrapping_mul(b);
                I64And I64AndI i64 |a, b| a & b;
                I64Or I64OrI i64 |a, b| a | b;
                I64Xor I64XorI i64 |a, b| a ^ b;
                I64Shl I64ShlI i64 |a, b| a.wrapping_shl(b as u32);
                I64ShrS I64ShrSI i64 |a, b| a.wrapping_shr(b as u32);
                I64ShrU I64ShrUI u64 |a, b| a.wrapping_shr(b as u32);
                I64Rotl I64RotlI u64 |a, b| a.rotate_left(b as u32 & 63);
            }
            opposite {
                I32Sub I32Add i32 |a, b| a.wrapping_sub(b);
                I64Sub I64Add i64 |a, b| a.wrapping_sub(b);
                I32Rotr I32Rotl u32 |a, b| a.rotate_right(b & 31);
                I64Rotr I64Rotl u64 |a, b| a.rotate_right(b as u32 & 63);
            }
            partial {
                I32DivS I32DivSI i32 num::i32_div_s;
                I32DivU I32DivUI u32 num::i32_div_u;
                I32RemS I32RemSI i32 num::i32_rem_s;
                I32RemU I32RemUI u32 num::i32_rem_u;
                I64DivS I64DivSI i64 num::i64_div_s;
                I64DivU I64DivUI u64 num::i64_div_u;
                I64RemS I64RemSI i64 num::i64_rem_s;
                I64RemU I64RemUI u64 num::i64_rem_u;
            }
            float {
                F32Add F32AddC f32 num::f32_add;
                F32Sub F32SubC f32 num::f32_sub;
                F32Mul F32MulC f32 num::f32_mul;
                F32Div F32DivC f32 num::f32_div;
                F32Min F32MinC f32 num::f32_min;
                F32Max F32MaxC f32 num::f32_max;
                F32Copysign F32CopysignC u32 num::f32_copysign;
                F64Add F64AddC f64 num::f64_add;
                F64Sub F64SubC f64 num::f64_sub;
                F64Mul F64MulC f64 num::f64_mul;
                F64Div F64DivC f64 num::f64_div;
                F64Min F64MinC f64 num::f64_min;
                F64Max F64MaxC f64 num::f64_max;
                F64Copysign F64CopysignC u64 num::f64_copysign;
            }
            compare {
                I32Eq I32EqI BrI32Eq BrI32EqI I32Ne i32 |a, b| a == b;
                I32Ne I32NeI BrI32Ne BrI32NeI I32Eq i32 |a, b| a != b;
                I32LtS I32LtSI BrI32LtS BrI32LtSI I32GeS i32 |a, b| a < b;
                I32LtU I32LtUI BrI32LtU BrI32LtUI I32GeU u32 |a, b| a < b;
                I32GtS I32GtSI BrI32GtS BrI32GtSI I32LeS i32 |a, b| a > b;
                I32GtU I32GtUI BrI32GtU BrI32GtUI I32LeU u32 |a, b| a > b;
                I32LeS I32LeSI BrI32LeS BrI32LeSI I32GtS i32 |a, b| a <= b;
                I32LeU I32LeUI BrI32LeU BrI32LeUI I32GtU u32 |a, b| a <= b;
                I32GeS I32GeSI BrI32GeS BrI32GeSI I32LtS i32 |a, b| a >= b;
                I32GeU I32GeUI BrI32GeU BrI32GeUI I32LtU u32 |a, b| a >= b;
                I64Eq I64EqI BrI64Eq BrI64EqI I64Ne i64 |a, b| a == b;
                I64Ne I64NeI BrI64Ne BrI64NeI I64Eq i64 |a, b| a != b;
                I64LtS I64LtSI BrI64LtS BrI64LtSI I64GeS i64 |a, b| a < b;
                I64LtU I64LtUI BrI64LtU BrI64LtUI I64GeU u64 |a, b| a < b;
                I64GtS I64GtSI BrI64GtS BrI64GtSI I64LeS i64 |a, b| a > b;
                I64GtU I64GtUI BrI64GtU BrI64GtUI I64LeU u64 |a, b| a > b;
                I64LeS I64LeSI BrI64LeS BrI64LeSI I64GtS i64 |a, b| a <= b;
                I64LeU I64LeUI BrI64LeU BrI64LeUI I64GtU u64 |a, b| a <= b;
                I64GeS I64GeSI BrI64GeS BrI64GeSI I64LtS i64 |a, b| a >= b;
                I64GeU I64GeUI BrI64GeU BrI64GeUI I64LtU u64 |a, b| a >= b;
            }
            float_compare {
                F32Eq f32 |a, b| a == b;
                F32Ne f32 |a, b| a != b;
                F32Lt f32 |a, b| a < b;
                F32Gt f32 |a, b| a > b;
                F32Le f32 |a, b| a <= b;
                F32Ge f32 |a, b| a >= b;
                F64Eq f64 |a, b| a == b;
                F64Ne f64 |a, b| a != b;
                F64Lt f64 |a, b| a < b;
                F64Gt f64 |a, b| a > b;
                F64Le f64 |a, b| a <= b;
                F64Ge f64 |a, b| a >= b;
            }
            unary {
                I32Clz u32 u32 |a| a.leading_zeros();
                I32Ctz u32 u32 |a| a.trailing_zeros();
                I32Popcnt u32 u32 |a| a.count_ones();
                I64Clz u64 u64 |a| u64::from(a.leading_zeros());
                I64Ctz u64 u64 |a| u64::from(a.trailing_zeros());
                I64Popcnt u64 u64 |a| u64::from(a.count_ones());
                I32Extend8S i32 i32 |a| i32::from(a as i8);
                I32Extend16S i32 i32 |a| i32::from(a as i16);
                I64Extend8S i64 i64 |a| i64::from(a as i8);
                I64Extend16S i64 i64 |a| i64::from(a as i16);
                I64Extend32S i64 i64 |a| i64::from(a as i32);
                I32WrapI64 u64 u32 |a| a as u32;
                I64ExtendI32S i32 i64 |a| i64::from(a);
                I64ExtendI32U u32 u64 |a| u64::from(a);
                F32Abs u32 u32 num::f32_abs;
                F32Neg u32 u32 num::f32_neg;
                F32Ceil f32 f32 num::f32_ceil;
                F32Floor f32 f32 num::f32_floor;
                F32Trunc f32 f32 num::f32_trunc;
                F32Nearest f32 f32 num::f32_nearest;
                F32Sqrt f32 f32 num::f32_sqrt;
                F64Abs u64 u64 num::f64_abs;
                F64Neg u64 u64 num::f64_neg;
                F64Ceil f64 f64 num::f64_ceil;
                F64Floor f64 f64 num::f64_floor;
                F64Trunc f64 f64 num::f64_trunc;
                F64Nearest f64 f64 num::f64_nearest;
                F64Sqrt f64 f64 num::f64_sqrt;
                F32ConvertI32S i32 f32 |a| a as f32;
                F32ConvertI32U u32 f32 |a| a as f32;
                F32ConvertI64S i64 f32 |a| a as f32;
                F32ConvertI64U u64 f32 |a| a as f32;
                F64ConvertI32S i32 f64 |a| f64::from(a);
                F64ConvertI32U u32 f64 |a| f64::from(a);
                F64ConvertI64S i64 f64 |a| a as f64;
                F64ConvertI64U u64 f64 |a| a as f64;
                F32DemoteF64 f64 f32 num::f32_demote_f64;
                F64PromoteF32 f32 f64 num::f64_promote_f32;
                I32TruncSatF32S f32 i32 |a| a as i32;
                I32TruncSatF32U f32 u32 |a| a as u32;
                I32TruncSatF64S f64 i32 |a| a as i32;
                I32TruncSatF64U f64 u32 |a| a as u32;
                I64TruncSatF32S f32 i64 |a| a as i64;
                I64TruncSatF32U f32 u64 |a| a as u64;
                I64TruncSatF64S f64 i64 |a| a as i64;
                I64TruncSatF64U f64 u64 |a| a as u64;
            }
            partial_unary {
                I32TruncF32S f32 i32 num::i32_trunc_f32_s;
                I32TruncF32U f32 u32 num::i32_trunc_f32_u;
                I32TruncF64S f64 i32 num::i32_trunc_f64_s;
                I32TruncF64U f64 u32 num::i32_trunc_f64_u;
                I64TruncF32S f32 i64 num::i64_trunc_f32_s;
                I64TruncF32U f32 u64 num::i64_trunc_f32_u;
                I64TruncF64S f64 i64 num::i64_trunc_f64_s;
                I64TruncF64U f64 u64 num::i64_trunc_f64_u;
            }
            load {
                Load32 u32 u64;
                Load64 u64 u64;
                Load8S i8 i64;
                Load8U u8 u64;
                Load16S i16 i64;
                Load16U u16 u64;
                Load32S i32 i64;
            }
            store {
                Store32 Store32I u32 u32;
                Store64 Store64I u64 u64;
                Store8 Store8I u32 u8;
                Store16 Store16I u32 u16;
            }
            indexed {
                Load32X Load32 u32 u64;
                Load64X Load64 u64 u64;
                Load8UX Load8U u8 u64;
                Load16UX Load16U u16 u64;
            }
            tree {
                I32AddAdd I32Add I32Add either i32 |a, b, c| a.wrapping_add(b).wrapping_add(c);
                I32AndXor I32And I32Xor either i32 |a, b, c| (a & b) ^ c;
                I32XorAnd I32Xor I32And either i32 |a, b, c| (a ^ b) & c;
                I32XorXor I32Xor I32Xor either i32 |a, b, c| a ^ b ^ c;
                I64AddXor I64Add I64Xor either i64 |a, b, c| a.wrapping_add(b) ^ c;
                I64XorAdd I64Xor I64Add either i64 |a, b, c| (a ^ b).wrapping_add(c);
                F32MulAdd F32Mul F32Add either f32 |a, b, c| num::f32_add(a * b, c);
                F32MulSub F32Mul F32Sub left f32 |a, b, c| num::f32_sub(a * b, c);
                F32MulSubFrom F32Mul F32Sub right f32 |a, b, c| num::f32_sub(c, a * b);
                F64AddAdd F64Add F64Add either f64 |a, b, c| num::f64_add(a + b, c);
                F64MulAdd F64Mul F64Add either f64 |a, b, c| num::f64_add(a * b, c);
                F64MulMul F64Mul F64Mul either f64 |a, b, c| num::f64_mul(a * b, c);
                F64MulSub F64Mul F64Sub left f64 |a, b, c| num::f64_sub(a * b, c);
                F64MulSubFrom F64Mul F64Sub right f64 |a, b, c| num::f64_sub(c, a * b);
            }
            tree_immediate {
                I32MulAdd I32MulI I32Add i32 |a, b, c| a.wrapping_mul(b).wrapping_add(c);
                I32RotlXor I32RotlI I32Xor u32 |a, b, c| a.rotate_left(b & 31) ^ c;
                I32ShlOr I32ShlI I32Or u32 |a, b, c| a.wrapping_shl(b) | c;
                I32ShrUXor I32ShrUI I32Xor u32 |a, b, c| a.wrapping_shr(b) ^ c;
                I64RotlXor I64RotlI I64Xor u64 |a, b, c| a.rotate_left(b as u32 & 63) ^ c;
                I64ShrUXor I64ShrUI I64Xor u64 |a, b, c| a.wrapping_shr(b as u32) ^ c;
            }
            load_branch {
                BrLoad32Eq BrLoad32EqI Load32 I32Eq u32 u32 |a, b| a == b;
                BrLoad32Ne BrLoad32NeI Load32 I32Ne u32 u32 |a, b| a != b;
                BrLoad8Eq BrLoad8EqI Load8U I32Eq u8 u32 |a, b| a == b;
                BrLoad8Ne BrLoad8NeI Load8U I32Ne u8 u32 |a, b| a != b;
            }
            pair {
                I32AddIThenI32AddI I32AddI I32AddI;
                I32AddThenI32Add I32Add I32Add;
                I32AddThenI32AddI I32Add I32AddI;
                I32AddThenI32RotlI I32Add I32RotlI;
                I64RotlXorThenI64RotlI I64RotlXor I64RotlI;
                F64MulSubFromThenF64MulC F64MulSubFrom F64MulC;
                F64MulCThenF64Mul F64MulC F64Mul;
                F64MulThenF64Sub F64Mul F64Sub;
                F64AddThenF64MulC F64Add F64MulC;
                Copy32ThenCopy32 Copy32 Copy32;
                Const32ThenConst32 Const32 Const32;
                StackEnterThenLoad32 StackEnter Load32;
                Load32ThenLoad32 Load32 Load32;
                Store8ThenStore8 Store8 Store8;
                Store8ThenStore8I Store8 Store8I;
            }
            pair_end {
                Store32ThenBrI32EqI Store32 BrI32EqI;
                I32AddIThenI32AddBrNonzero I32AddI I32AddBrNonzero;
                Copy32ThenBr Copy32 Br;
                Copy32ThenCall Copy32 Call;
                StackLeaveThenReturn StackLeave Return;
            }
            carry {
                I32RotlIIntoI32RotlXor I32RotlI I32RotlXor 5;
                I32RotlIIntoI32Add I32RotlI I32Add 2;
                I32AddIIntoLoad32 I32AddI Load32 2;
                I32XorIntoI32RotlI I32Xor I32RotlI 2;
                I64XorIntoI64RotlI I64Xor I64RotlI 2;
                F64MulCIntoF64MulSubFrom F64MulC F64MulSubFrom 2;
                Const64IntoI64Mul Const64 I64Mul 2;
                I32AddIntoI32AddI I32Add I32AddI 2;
                I32XorIntoI32Add I32Xor I32Add 2;
                I32ShrUIIntoI32AndI I32ShrUI I32AndI 2;
                I32RotlXorIntoI32RotlXor I32RotlXor I32RotlXor 5;
                Load32IntoI32Xor Load32 I32Xor 2;
                I32AndIIntoI32ShlI I32AndI I32ShlI 2;
                Load64IntoI64Xor Load64 I64Xor 2;
                I32XorAndIntoI32Xor I32XorAnd I32Xor 2;
                I64AddIntoI64Add I64Add I64Add 2;
                I64RotlIIntoI64Add I64RotlI I64Add 2;
                I64AddIntoI64Xor I64Add I64Xor 2;
                I32AndIIntoLoad32 I32AndI Load32 2;
                I32AddIntoI32Xor I32Add I32Xor 2;
                I32RotlXorIntoI32ShrUXor I32RotlXor I32ShrUXor 5;
                I32AddIIntoI32RotlI I32AddI I32RotlI 2;
                I32AddIntoI32RotlI I32Add I32RotlI 2;
                F64MulCIntoF64Add F64MulC F64Add 2;
                I64AddIntoI64RotlI I64Add I64RotlI 2;
                Load32IntoI32Add Load32 I32Add 2;
                I32AddIntoI32XorAnd I32Add I32XorAnd 4;
                I32AddIIntoStore32 I32AddI Store32 2;
                I32AddIntoI32Add I32Add I32Add 2;
                Load64IntoStore64 Load64 Store64 2;
                I64MulIntoI64Add I64Mul I64Add 2;
                F64MulAddIntoF64Add F64MulAdd F64Add 2;
                I32MulAddIntoLoad32 I32MulAdd Load32 2;
                I32AndXorIntoI32Add I32AndXor I32Add 2;
                F64MulSubFromIntoF64MulC F64MulSubFrom F64MulC 2;
                F64MulCIntoF64Mul F64MulC F64Mul 2;
                I64ShrUIIntoI32WrapI64 I64ShrUI I32WrapI64 2;
                I32WrapI64IntoI32AndI I32WrapI64 I32AndI 2;
                I32RotlXorIntoI32Add I32RotlXor I32Add 2;
                I32XorAndIntoI32AndXor I32XorAnd I32AndXor 4;
                Load32IntoI32GtU Load32 I32GtU 3;
                I32SubIntoI32AndI I32Sub I32AndI 2;
                I32GtUIntoI32Sub I32GtU I32Sub 3;
                I32ShlIIntoLoad32 I32ShlI Load32 2;
                I32AddIntoLoad8U I32Add Load8U 2;
                I64XorIntoI64Xor I64Xor I64Xor 2;
                F64SubIntoF64MulAdd F64Sub F64MulAdd 2;
                F64SubIntoF64MulC F64Sub F64MulC 2;
                F64SubIntoF64Mul F64Sub F64Mul 2;
                Const64IntoF64Div Const64 F64Div 2;
                F64SqrtIntoF64Mul F64Sqrt F64Mul 2;
                I32MulIIntoI32AddI I32MulI I32AddI 2;
                I32AddIIntoI32LtUI I32AddI I32LtUI 2;
                I32LtUIIntoSelect32 I32LtUI Select32 2;
                I32ShrUXorIntoI32AddAdd I32ShrUXor I32AddAdd 2;
                Load32IntoStore32 Load32 Store32 2;
                F64MulCIntoF64MulAdd F64MulC F64MulAdd 2;
                I32ShrUXorIntoI32Add I32ShrUXor I32Add 2;
                I32AddIIntoI32ShrUI I32AddI I32ShrUI 2;
                I64AndIntoI64Xor I64And I64Xor 2;
                I32AddIIntoI32Add I32AddI I32Add 2;
                Const32IntoLoad32 Const32 Load32 2;
                F64DivIntoF64Mul F64Div F64Mul 2;
                I32GtUIntoI32Add I32GtU I32Add 2;
                I32AddIIntoLoad8U I32AddI Load8U 2;
                I64RotlXorIntoI64Add I64RotlXor I64Add 2;
                I64RotlIIntoI64RotlXor I64RotlI I64RotlXor 5;
                Load32IntoLoad32 Load32 Load32 2;
                I32DivUIIntoI32MulI I32DivUI I32MulI 2;
                I32AndIntoI32AddI I32And I32AddI 2;
                I32ShrUIIntoI32RemU I32ShrUI I32RemU 2;
                Load8UIntoI32AddI Load8U I32AddI 2;
                Load8UIntoI32OrI Load8U I32OrI 2;
                I32AddIntoStore8 I32Add Store8 2;
            }
            carry_end {
                I32AndIIntoBrI32EqI I32AndI BrI32EqI 1;
                I32AddIIntoBrI32Ne I32AddI BrI32Ne 2;
                Load32IntoBrI32GeU Load32 BrI32GeU 2;
                I32AddIIntoBrI32LtU I32AddI BrI32LtU 1;
                Load8UIntoBrTable Load8U BrTable 1;
                I32AndIntoBrTable I32And BrTable 1;
                I32MulIIntoBrI32Ne I32MulI BrI32Ne 2;
                I32AddIntoBrI32GeUI I32Add BrI32GeUI 1;
                I32AddIIntoBrI32NeI I32AddI BrI32NeI 1;
            }
        }
    };
}
pub use for_each_instruction;
