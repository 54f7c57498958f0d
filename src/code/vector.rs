//! The one list of vector operators, from which their numbers, translation and dispatch are made.
//!
//! A vector takes two slots. The fields of the instructions, by group:
//!
//! | group | fields |
//! | --- | --- |
//! | unary, test, splat | `dst a` |
//! | binary, shift | `dst a b` |
//! | ternary | `dst a b c` |
//! | extract | `dst a lane` |
//! | replace | `dst a scalar lane` |
//! | shuffle | `dst a b lanes128` |
//! | load | `dst address offset32` |
//! | load_lane | `dst address offset32 vector lane` |
//! | store_lane | `vector address offset32 lane` |

use wasmparser::{MemArg, Operator};

use super::op::Op;
use super::translate::{Translator, pair};
use crate::module::Ty;
use crate::rejection::Mode;

/// Calls `$callback!` with every vector operator but `v128.load`, `v128.store` and `v128.const`, which know no lanes, behind
/// other tables if there are any.
///
/// The operators come in groups by the type of their function. Each is given as the name of its variant in
/// `wasmparser::Operator` and of its function in `machine::simd`, and in some groups a third thing that the group names.
macro_rules! for_each_simd_op {
    ($callback:ident $($before:tt)*) => {
        $callback! {
            $($before)*
            // `fn(V128) -> V128`
            unary {
                V128Not v128_not;
                I8x16Abs i8x16_abs;
                I8x16Neg i8x16_neg;
                I8x16Popcnt i8x16_popcnt;
                I16x8ExtAddPairwiseI8x16S i16x8_extadd_pairwise_i8x16_s;
                I16x8ExtAddPairwiseI8x16U i16x8_extadd_pairwise_i8x16_u;
                I16x8Abs i16x8_abs;
                I16x8Neg i16x8_neg;
                I16x8ExtendLowI8x16S i16x8_extend_low_i8x16_s;
                I16x8ExtendHighI8x16S i16x8_extend_high_i8x16_s;
                I16x8ExtendLowI8x16U i16x8_extend_low_i8x16_u;
                I16x8ExtendHighI8x16U i16x8_extend_high_i8x16_u;
                I32x4ExtAddPairwiseI16x8S i32x4_extadd_pairwise_i16x8_s;
                I32x4ExtAddPairwiseI16x8U i32x4_extadd_pairwise_i16x8_u;
                I32x4Abs i32x4_abs;
                I32x4Neg i32x4_neg;
                I32x4ExtendLowI16x8S i32x4_extend_low_i16x8_s;
                I32x4ExtendHighI16x8S i32x4_extend_high_i16x8_s;
                I32x4ExtendLowI16x8U i32x4_extend_low_i16x8_u;
                I32x4ExtendHighI16x8U i32x4_extend_high_i16x8_u;
                I64x2Abs i64x2_abs;
                I64x2Neg i64x2_neg;
                I64x2ExtendLowI32x4S i64x2_extend_low_i32x4_s;
                I64x2ExtendHighI32x4S i64x2_extend_high_i32x4_s;
                I64x2ExtendLowI32x4U i64x2_extend_low_i32x4_u;
                I64x2ExtendHighI32x4U i64x2_extend_high_i32x4_u;
                F32x4Ceil f32x4_ceil;
                F32x4Floor f32x4_floor;
                F32x4Trunc f32x4_trunc;
                F32x4Nearest f32x4_nearest;
                F32x4Abs f32x4_abs;
                F32x4Neg f32x4_neg;
                F32x4Sqrt f32x4_sqrt;
                F64x2Ceil f64x2_ceil;
                F64x2Floor f64x2_floor;
                F64x2Trunc f64x2_trunc;
                F64x2Nearest f64x2_nearest;
                F64x2Abs f64x2_abs;
                F64x2Neg f64x2_neg;
                F64x2Sqrt f64x2_sqrt;
                I32x4TruncSatF32x4S i32x4_trunc_sat_f32x4_s;
                I32x4TruncSatF32x4U i32x4_trunc_sat_f32x4_u;
                F32x4ConvertI32x4S f32x4_convert_i32x4_s;
                F32x4ConvertI32x4U f32x4_convert_i32x4_u;
                I32x4TruncSatF64x2SZero i32x4_trunc_sat_f64x2_s_zero;
                I32x4TruncSatF64x2UZero i32x4_trunc_sat_f64x2_u_zero;
                F64x2ConvertLowI32x4S f64x2_convert_low_i32x4_s;
                F64x2ConvertLowI32x4U f64x2_convert_low_i32x4_u;
                F32x4DemoteF64x2Zero f32x4_demote_f64x2_zero;
                F64x2PromoteLowF32x4 f64x2_promote_low_f32x4;
            }
            // `fn(V128, V128) -> V128`
            binary {
                I8x16Swizzle i8x16_swizzle;
                I8x16Eq i8x16_eq;
                I8x16Ne i8x16_ne;
                I8x16LtS i8x16_lt_s;
                I8x16LtU i8x16_lt_u;
                I8x16GtS i8x16_gt_s;
                I8x16GtU i8x16_gt_u;
                I8x16LeS i8x16_le_s;
                I8x16LeU i8x16_le_u;
                I8x16GeS i8x16_ge_s;
                I8x16GeU i8x16_ge_u;
                I16x8Eq i16x8_eq;
                I16x8Ne i16x8_ne;
                I16x8LtS i16x8_lt_s;
                I16x8LtU i16x8_lt_u;
                I16x8GtS i16x8_gt_s;
                I16x8GtU i16x8_gt_u;
                I16x8LeS i16x8_le_s;
                I16x8LeU i16x8_le_u;
                I16x8GeS i16x8_ge_s;
                I16x8GeU i16x8_ge_u;
                I32x4Eq i32x4_eq;
                I32x4Ne i32x4_ne;
                I32x4LtS i32x4_lt_s;
                I32x4LtU i32x4_lt_u;
                I32x4GtS i32x4_gt_s;
                I32x4GtU i32x4_gt_u;
                I32x4LeS i32x4_le_s;
                I32x4LeU i32x4_le_u;
                I32x4GeS i32x4_ge_s;
                I32x4GeU i32x4_ge_u;
                I64x2Eq i64x2_eq;
                I64x2Ne i64x2_ne;
                I64x2LtS i64x2_lt_s;
                I64x2GtS i64x2_gt_s;
                I64x2LeS i64x2_le_s;
                I64x2GeS i64x2_ge_s;
                F32x4Eq f32x4_eq;
                F32x4Ne f32x4_ne;
                F32x4Lt f32x4_lt;
                F32x4Gt f32x4_gt;
                F32x4Le f32x4_le;
                F32x4Ge f32x4_ge;
                F64x2Eq f64x2_eq;
                F64x2Ne f64x2_ne;
                F64x2Lt f64x2_lt;
                F64x2Gt f64x2_gt;
                F64x2Le f64x2_le;
                F64x2Ge f64x2_ge;
                V128And v128_and;
                V128AndNot v128_andnot;
                V128Or v128_or;
                V128Xor v128_xor;
                I8x16NarrowI16x8S i8x16_narrow_i16x8_s;
                I8x16NarrowI16x8U i8x16_narrow_i16x8_u;
                I8x16Add i8x16_add;
                I8x16AddSatS i8x16_add_sat_s;
                I8x16AddSatU i8x16_add_sat_u;
                I8x16Sub i8x16_sub;
                I8x16SubSatS i8x16_sub_sat_s;
                I8x16SubSatU i8x16_sub_sat_u;
                I8x16MinS i8x16_min_s;
                I8x16MinU i8x16_min_u;
                I8x16MaxS i8x16_max_s;
                I8x16MaxU i8x16_max_u;
                I8x16AvgrU i8x16_avgr_u;
                I16x8Q15MulrSatS i16x8_q15mulr_sat_s;
                I16x8NarrowI32x4S i16x8_narrow_i32x4_s;
                I16x8NarrowI32x4U i16x8_narrow_i32x4_u;
                I16x8Add i16x8_add;
                I16x8AddSatS i16x8_add_sat_s;
                I16x8AddSatU i16x8_add_sat_u;
                I16x8Sub i16x8_sub;
                I16x8SubSatS i16x8_sub_sat_s;
                I16x8SubSatU i16x8_sub_sat_u;
                I16x8Mul i16x8_mul;
                I16x8MinS i16x8_min_s;
                I16x8MinU i16x8_min_u;
                I16x8MaxS i16x8_max_s;
                I16x8MaxU i16x8_max_u;
                I16x8AvgrU i16x8_avgr_u;
                I16x8ExtMulLowI8x16S i16x8_extmul_low_i8x16_s;
                I16x8ExtMulHighI8x16S i16x8_extmul_high_i8x16_s;
                I16x8ExtMulLowI8x16U i16x8_extmul_low_i8x16_u;
                I16x8ExtMulHighI8x16U i16x8_extmul_high_i8x16_u;
                I32x4Add i32x4_add;
                I32x4Sub i32x4_sub;
                I32x4Mul i32x4_mul;
                I32x4MinS i32x4_min_s;
                I32x4MinU i32x4_min_u;
                I32x4MaxS i32x4_max_s;
                I32x4MaxU i32x4_max_u;
                I32x4DotI16x8S i32x4_dot_i16x8_s;
                I32x4ExtMulLowI16x8S i32x4_extmul_low_i16x8_s;
                I32x4ExtMulHighI16x8S i32x4_extmul_high_i16x8_s;
                I32x4ExtMulLowI16x8U i32x4_extmul_low_i16x8_u;
                I32x4ExtMulHighI16x8U i32x4_extmul_high_i16x8_u;
                I64x2Add i64x2_add;
                I64x2Sub i64x2_sub;
                I64x2Mul i64x2_mul;
                I64x2ExtMulLowI32x4S i64x2_extmul_low_i32x4_s;
                I64x2ExtMulHighI32x4S i64x2_extmul_high_i32x4_s;
                I64x2ExtMulLowI32x4U i64x2_extmul_low_i32x4_u;
                I64x2ExtMulHighI32x4U i64x2_extmul_high_i32x4_u;
                F32x4Add f32x4_add;
                F32x4Sub f32x4_sub;
                F32x4Mul f32x4_mul;
                F32x4Div f32x4_div;
                F32x4Min f32x4_min;
                F32x4Max f32x4_max;
                F32x4PMin f32x4_pmin;
                F32x4PMax f32x4_pmax;
                F64x2Add f64x2_add;
                F64x2Sub f64x2_sub;
                F64x2Mul f64x2_mul;
                F64x2Div f64x2_div;
                F64x2Min f64x2_min;
                F64x2Max f64x2_max;
                F64x2PMin f64x2_pmin;
                F64x2PMax f64x2_pmax;
            }
            // `fn(V128, V128, V128) -> V128`
            ternary {
                V128Bitselect v128_bitselect;
            }
            // `fn(V128, count: u32) -> V128`
            shift {
                I8x16Shl i8x16_shl;
                I8x16ShrS i8x16_shr_s;
                I8x16ShrU i8x16_shr_u;
                I16x8Shl i16x8_shl;
                I16x8ShrS i16x8_shr_s;
                I16x8ShrU i16x8_shr_u;
                I32x4Shl i32x4_shl;
                I32x4ShrS i32x4_shr_s;
                I32x4ShrU i32x4_shr_u;
                I64x2Shl i64x2_shl;
                I64x2ShrS i64x2_shr_s;
                I64x2ShrU i64x2_shr_u;
            }
            // `fn(V128) -> u32`
            test {
                V128AnyTrue v128_any_true;
                I8x16AllTrue i8x16_all_true;
                I8x16Bitmask i8x16_bitmask;
                I16x8AllTrue i16x8_all_true;
                I16x8Bitmask i16x8_bitmask;
                I32x4AllTrue i32x4_all_true;
                I32x4Bitmask i32x4_bitmask;
                I64x2AllTrue i64x2_all_true;
                I64x2Bitmask i64x2_bitmask;
            }
            // `fn(scalar) -> V128`, with the type of the scalar
            splat {
                I8x16Splat i8x16_splat u32;
                I16x8Splat i16x8_splat u32;
                I32x4Splat i32x4_splat u32;
                I64x2Splat i64x2_splat u64;
                F32x4Splat f32x4_splat u32;
                F64x2Splat f64x2_splat u64;
            }
            // `fn(V128, lane: u8) -> scalar`, with the type of the scalar
            extract {
                I8x16ExtractLaneS i8x16_extract_lane_s u32;
                I8x16ExtractLaneU i8x16_extract_lane_u u32;
                I16x8ExtractLaneS i16x8_extract_lane_s u32;
                I16x8ExtractLaneU i16x8_extract_lane_u u32;
                I32x4ExtractLane i32x4_extract_lane u32;
                I64x2ExtractLane i64x2_extract_lane u64;
                F32x4ExtractLane f32x4_extract_lane u32;
                F64x2ExtractLane f64x2_extract_lane u64;
            }
            // `fn(V128, lane: u8, scalar) -> V128`, with the type of the scalar
            replace {
                I8x16ReplaceLane i8x16_replace_lane u32;
                I16x8ReplaceLane i16x8_replace_lane u32;
                I32x4ReplaceLane i32x4_replace_lane u32;
                I64x2ReplaceLane i64x2_replace_lane u64;
                F32x4ReplaceLane f32x4_replace_lane u32;
                F64x2ReplaceLane f64x2_replace_lane u64;
            }
            // `fn(V128, V128, lanes: [u8; 16]) -> V128`
            shuffle {
                I8x16Shuffle i8x16_shuffle;
            }
            // `fn(bytes: u64) -> V128`, with the number of bytes read
            load {
                V128Load8x8S v128_load8x8_s 8;
                V128Load8x8U v128_load8x8_u 8;
                V128Load16x4S v128_load16x4_s 8;
                V128Load16x4U v128_load16x4_u 8;
                V128Load32x2S v128_load32x2_s 8;
                V128Load32x2U v128_load32x2_u 8;
                V128Load8Splat v128_load8_splat 1;
                V128Load16Splat v128_load16_splat 2;
                V128Load32Splat v128_load32_splat 4;
                V128Load64Splat v128_load64_splat 8;
                V128Load32Zero v128_load32_zero 4;
                V128Load64Zero v128_load64_zero 8;
            }
            // `fn(V128, lane: u8, bytes: u64) -> V128`, with the number of bytes read
            load_lane {
                V128Load8Lane v128_load8_lane 1;
                V128Load16Lane v128_load16_lane 2;
                V128Load32Lane v128_load32_lane 4;
                V128Load64Lane v128_load64_lane 8;
            }
            // `fn(V128, lane: u8) -> bytes: u64`, with the number of bytes written
            store_lane {
                V128Store8Lane v128_store8_lane 1;
                V128Store16Lane v128_store16_lane 2;
                V128Store32Lane v128_store32_lane 4;
                V128Store64Lane v128_store64_lane 8;
            }
        }
    };
}
pub(crate) use for_each_simd_op;

/// The value type of a scalar operand.
macro_rules! scalar {
    (u32) => {
        Ty::I32
    };
    (u64) => {
        Ty::I64
    };
}
macro_rules! define {
    (
        unary { $($una:ident $una_f:ident;)* }
        binary { $($bin:ident $bin_f:ident;)* }
        ternary { $($ter:ident $ter_f:ident;)* }
        shift { $($shi:ident $shi_f:ident;)* }
        test { $($tes:ident $tes_f:ident;)* }
        splat { $($spl:ident $spl_f:ident $spl_t:ident;)* }
        extract { $($ext:ident $ext_f:ident $ext_t:ident;)* }
        replace { $($rep:ident $rep_f:ident $rep_t:ident;)* }
        shuffle { $($shu:ident $shu_f:ident;)* }
        load { $($loa:ident $loa_f:ident $loa_n:literal;)* }
        load_lane { $($lol:ident $lol_f:ident $lol_n:literal;)* }
        store_lane { $($stl:ident $stl_f:ident $stl_n:literal;)* }
    ) => {
        impl Translator {
            /// A vector instruction, or one of a proposal that is not supported.
            pub(super) fn vector_operator(&mut self, operator: &Operator<'_>) -> Result<(), Mode> {
                use Operator as O;
                match *operator {
                    O::V128Load { memarg } => self.load(Op::Load128, Ty::V128, memarg),
                    O::V128Store { memarg } => self.store(Op::Store128, memarg),
                    O::V128Const { value } => self.constant_vector(value.i128() as u128),
                    $(O::$una => self.vector(Op::$una, 1, Ty::V128, &[]),)*
                    $(O::$bin => self.vector(Op::$bin, 2, Ty::V128, &[]),)*
                    $(O::$ter => self.vector(Op::$ter, 3, Ty::V128, &[]),)*
                    $(O::$shi => self.vector(Op::$shi, 2, Ty::V128, &[]),)*
                    $(O::$tes => self.vector(Op::$tes, 1, Ty::I32, &[]),)*
                    $(O::$spl => self.vector(Op::$spl, 1, Ty::V128, &[]),)*
                    $(O::$ext { lane } => self.vector(Op::$ext, 1, scalar!($ext_t), &[lane.into()]),)*
                    $(O::$rep { lane } => self.vector(Op::$rep, 2, Ty::V128, &[lane.into()]),)*
                    $(O::$shu { lanes } => {
                        let (pairs, _) = lanes.as_chunks();
                        let units: [u16; 8] = core::array::from_fn(|i| u16::from_le_bytes(pairs[i]));
                        self.vector(Op::$shu, 2, Ty::V128, &units)
                    })*
                    $(O::$loa { memarg } => self.load(Op::$loa, Ty::V128, memarg),)*
                    $(O::$lol { memarg, lane } => self.load_lane(Op::$lol, memarg, lane),)*
                    $(O::$stl { memarg, lane } => self.store_lane(Op::$stl, memarg, lane),)*
                    _ => Err(Mode::Unsupported),
                }
            }
        }
    };
}

for_each_simd_op!(define);

impl Translator {
    fn constant_vector(&mut self, value: u128) -> Result<(), Mode> {
        let units: [u16; 8] = core::array::from_fn(|i| (value >> (16 * i)) as u16);
        self.emit_push(Ty::V128, Op::Const128, &units)
    }

    /// `operands` slots, then units that are given.
    fn vector(&mut self, op: Op, operands: usize, result: Ty, immediates: &[u16]) -> Result<(), Mode> {
        let mut fields = [0; 10];
        for index in (0..operands).rev() {
            let operand = self.frame.pop();
            fields[index] = self.slot(operand)?;
        }
        let count = operands + immediates.len();
        fields[operands..count].copy_from_slice(immediates);
        self.emit_push(result, op, &fields[..count])
    }

    fn load_lane(&mut self, op: Op, memarg: MemArg, lane: u8) -> Result<(), Mode> {
        let (vector, address) = (self.frame.pop(), self.frame.pop());
        let (vector, address) = (self.slot(vector)?, self.slot(address)?);
        let [low, high] = pair(memarg.offset as u32);
        self.emit_push(Ty::V128, op, &[address, low, high, vector, lane.into()])
    }

    fn store_lane(&mut self, op: Op, memarg: MemArg, lane: u8) -> Result<(), Mode> {
        let (vector, address) = (self.frame.pop(), self.frame.pop());
        let (vector, address) = (self.slot(vector)?, self.slot(address)?);
        let [low, high] = pair(memarg.offset as u32);
        self.emitter.emit(op, &[vector, address, low, high, lane.into()])
    }
}
