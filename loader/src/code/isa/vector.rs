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

/// Calls `$next!` with every vector operator but `v128.load`, `v128.store` and `v128.const`, which know no lanes, behind other groups
/// of the table if there are any.
///
/// The operators come in groups by the type of their function. Each is given as its number behind the prefix 0xfd, the name of its
/// instruction and of its function in `machine::simd`, and what its group names beyond that.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_simd_op {
    ($($next:ident)::+ $(; $($before:tt)*)?) => {
        $($next)::+! {
            $($($before)*)?
            // `fn(V128) -> V128`
            unary {
                0x4d V128Not v128_not;
                0x60 I8x16Abs i8x16_abs;
                0x61 I8x16Neg i8x16_neg;
                0x62 I8x16Popcnt i8x16_popcnt;
                0x7c I16x8ExtAddPairwiseI8x16S i16x8_extadd_pairwise_i8x16_s;
                0x7d I16x8ExtAddPairwiseI8x16U i16x8_extadd_pairwise_i8x16_u;
                0x80 I16x8Abs i16x8_abs;
                0x81 I16x8Neg i16x8_neg;
                0x87 I16x8ExtendLowI8x16S i16x8_extend_low_i8x16_s;
                0x88 I16x8ExtendHighI8x16S i16x8_extend_high_i8x16_s;
                0x89 I16x8ExtendLowI8x16U i16x8_extend_low_i8x16_u;
                0x8a I16x8ExtendHighI8x16U i16x8_extend_high_i8x16_u;
                0x7e I32x4ExtAddPairwiseI16x8S i32x4_extadd_pairwise_i16x8_s;
                0x7f I32x4ExtAddPairwiseI16x8U i32x4_extadd_pairwise_i16x8_u;
                0xa0 I32x4Abs i32x4_abs;
                0xa1 I32x4Neg i32x4_neg;
                0xa7 I32x4ExtendLowI16x8S i32x4_extend_low_i16x8_s;
                0xa8 I32x4ExtendHighI16x8S i32x4_extend_high_i16x8_s;
                0xa9 I32x4ExtendLowI16x8U i32x4_extend_low_i16x8_u;
                0xaa I32x4ExtendHighI16x8U i32x4_extend_high_i16x8_u;
                0xc0 I64x2Abs i64x2_abs;
                0xc1 I64x2Neg i64x2_neg;
                0xc7 I64x2ExtendLowI32x4S i64x2_extend_low_i32x4_s;
                0xc8 I64x2ExtendHighI32x4S i64x2_extend_high_i32x4_s;
                0xc9 I64x2ExtendLowI32x4U i64x2_extend_low_i32x4_u;
                0xca I64x2ExtendHighI32x4U i64x2_extend_high_i32x4_u;
                0x67 F32x4Ceil f32x4_ceil;
                0x68 F32x4Floor f32x4_floor;
                0x69 F32x4Trunc f32x4_trunc;
                0x6a F32x4Nearest f32x4_nearest;
                0xe0 F32x4Abs f32x4_abs;
                0xe1 F32x4Neg f32x4_neg;
                0xe3 F32x4Sqrt f32x4_sqrt;
                0x74 F64x2Ceil f64x2_ceil;
                0x75 F64x2Floor f64x2_floor;
                0x7a F64x2Trunc f64x2_trunc;
                0x94 F64x2Nearest f64x2_nearest;
                0xec F64x2Abs f64x2_abs;
                0xed F64x2Neg f64x2_neg;
                0xef F64x2Sqrt f64x2_sqrt;
                0xf8 I32x4TruncSatF32x4S i32x4_trunc_sat_f32x4_s;
                0xf9 I32x4TruncSatF32x4U i32x4_trunc_sat_f32x4_u;
                0xfa F32x4ConvertI32x4S f32x4_convert_i32x4_s;
                0xfb F32x4ConvertI32x4U f32x4_convert_i32x4_u;
                0xfc I32x4TruncSatF64x2SZero i32x4_trunc_sat_f64x2_s_zero;
                0xfd I32x4TruncSatF64x2UZero i32x4_trunc_sat_f64x2_u_zero;
                0xfe F64x2ConvertLowI32x4S f64x2_convert_low_i32x4_s;
                0xff F64x2ConvertLowI32x4U f64x2_convert_low_i32x4_u;
                0x5e F32x4DemoteF64x2Zero f32x4_demote_f64x2_zero;
                0x5f F64x2PromoteLowF32x4 f64x2_promote_low_f32x4;
            }
            // `fn(V128, V128) -> V128`
            binary {
                0x0e I8x16Swizzle i8x16_swizzle;
                0x23 I8x16Eq i8x16_eq;
                0x24 I8x16Ne i8x16_ne;
                0x25 I8x16LtS i8x16_lt_s;
                0x26 I8x16LtU i8x16_lt_u;
                0x27 I8x16GtS i8x16_gt_s;
                0x28 I8x16GtU i8x16_gt_u;
                0x29 I8x16LeS i8x16_le_s;
                0x2a I8x16LeU i8x16_le_u;
                0x2b I8x16GeS i8x16_ge_s;
                0x2c I8x16GeU i8x16_ge_u;
                0x2d I16x8Eq i16x8_eq;
                0x2e I16x8Ne i16x8_ne;
                0x2f I16x8LtS i16x8_lt_s;
                0x30 I16x8LtU i16x8_lt_u;
                0x31 I16x8GtS i16x8_gt_s;
                0x32 I16x8GtU i16x8_gt_u;
                0x33 I16x8LeS i16x8_le_s;
                0x34 I16x8LeU i16x8_le_u;
                0x35 I16x8GeS i16x8_ge_s;
                0x36 I16x8GeU i16x8_ge_u;
                0x37 I32x4Eq i32x4_eq;
                0x38 I32x4Ne i32x4_ne;
                0x39 I32x4LtS i32x4_lt_s;
                0x3a I32x4LtU i32x4_lt_u;
                0x3b I32x4GtS i32x4_gt_s;
                0x3c I32x4GtU i32x4_gt_u;
                0x3d I32x4LeS i32x4_le_s;
                0x3e I32x4LeU i32x4_le_u;
                0x3f I32x4GeS i32x4_ge_s;
                0x40 I32x4GeU i32x4_ge_u;
                0xd6 I64x2Eq i64x2_eq;
                0xd7 I64x2Ne i64x2_ne;
                0xd8 I64x2LtS i64x2_lt_s;
                0xd9 I64x2GtS i64x2_gt_s;
                0xda I64x2LeS i64x2_le_s;
                0xdb I64x2GeS i64x2_ge_s;
                0x41 F32x4Eq f32x4_eq;
                0x42 F32x4Ne f32x4_ne;
                0x43 F32x4Lt f32x4_lt;
                0x44 F32x4Gt f32x4_gt;
                0x45 F32x4Le f32x4_le;
                0x46 F32x4Ge f32x4_ge;
                0x47 F64x2Eq f64x2_eq;
                0x48 F64x2Ne f64x2_ne;
                0x49 F64x2Lt f64x2_lt;
                0x4a F64x2Gt f64x2_gt;
                0x4b F64x2Le f64x2_le;
                0x4c F64x2Ge f64x2_ge;
                0x4e V128And v128_and;
                0x4f V128AndNot v128_andnot;
                0x50 V128Or v128_or;
                0x51 V128Xor v128_xor;
                0x65 I8x16NarrowI16x8S i8x16_narrow_i16x8_s;
                0x66 I8x16NarrowI16x8U i8x16_narrow_i16x8_u;
                0x6e I8x16Add i8x16_add;
                0x6f I8x16AddSatS i8x16_add_sat_s;
                0x70 I8x16AddSatU i8x16_add_sat_u;
                0x71 I8x16Sub i8x16_sub;
                0x72 I8x16SubSatS i8x16_sub_sat_s;
                0x73 I8x16SubSatU i8x16_sub_sat_u;
                0x76 I8x16MinS i8x16_min_s;
                0x77 I8x16MinU i8x16_min_u;
                0x78 I8x16MaxS i8x16_max_s;
                0x79 I8x16MaxU i8x16_max_u;
                0x7b I8x16AvgrU i8x16_avgr_u;
                0x82 I16x8Q15MulrSatS i16x8_q15mulr_sat_s;
                0x85 I16x8NarrowI32x4S i16x8_narrow_i32x4_s;
                0x86 I16x8NarrowI32x4U i16x8_narrow_i32x4_u;
                0x8e I16x8Add i16x8_add;
                0x8f I16x8AddSatS i16x8_add_sat_s;
                0x90 I16x8AddSatU i16x8_add_sat_u;
                0x91 I16x8Sub i16x8_sub;
                0x92 I16x8SubSatS i16x8_sub_sat_s;
                0x93 I16x8SubSatU i16x8_sub_sat_u;
                0x95 I16x8Mul i16x8_mul;
                0x96 I16x8MinS i16x8_min_s;
                0x97 I16x8MinU i16x8_min_u;
                0x98 I16x8MaxS i16x8_max_s;
                0x99 I16x8MaxU i16x8_max_u;
                0x9b I16x8AvgrU i16x8_avgr_u;
                0x9c I16x8ExtMulLowI8x16S i16x8_extmul_low_i8x16_s;
                0x9d I16x8ExtMulHighI8x16S i16x8_extmul_high_i8x16_s;
                0x9e I16x8ExtMulLowI8x16U i16x8_extmul_low_i8x16_u;
                0x9f I16x8ExtMulHighI8x16U i16x8_extmul_high_i8x16_u;
                0xae I32x4Add i32x4_add;
                0xb1 I32x4Sub i32x4_sub;
                0xb5 I32x4Mul i32x4_mul;
                0xb6 I32x4MinS i32x4_min_s;
                0xb7 I32x4MinU i32x4_min_u;
                0xb8 I32x4MaxS i32x4_max_s;
                0xb9 I32x4MaxU i32x4_max_u;
                0xba I32x4DotI16x8S i32x4_dot_i16x8_s;
                0xbc I32x4ExtMulLowI16x8S i32x4_extmul_low_i16x8_s;
                0xbd I32x4ExtMulHighI16x8S i32x4_extmul_high_i16x8_s;
                0xbe I32x4ExtMulLowI16x8U i32x4_extmul_low_i16x8_u;
                0xbf I32x4ExtMulHighI16x8U i32x4_extmul_high_i16x8_u;
                0xce I64x2Add i64x2_add;
                0xd1 I64x2Sub i64x2_sub;
                0xd5 I64x2Mul i64x2_mul;
                0xdc I64x2ExtMulLowI32x4S i64x2_extmul_low_i32x4_s;
                0xdd I64x2ExtMulHighI32x4S i64x2_extmul_high_i32x4_s;
                0xde I64x2ExtMulLowI32x4U i64x2_extmul_low_i32x4_u;
                0xdf I64x2ExtMulHighI32x4U i64x2_extmul_high_i32x4_u;
                0xe4 F32x4Add f32x4_add;
                0xe5 F32x4Sub f32x4_sub;
                0xe6 F32x4Mul f32x4_mul;
                0xe7 F32x4Div f32x4_div;
                0xe8 F32x4Min f32x4_min;
                0xe9 F32x4Max f32x4_max;
                0xea F32x4PMin f32x4_pmin;
                0xeb F32x4PMax f32x4_pmax;
                0xf0 F64x2Add f64x2_add;
                0xf1 F64x2Sub f64x2_sub;
                0xf2 F64x2Mul f64x2_mul;
                0xf3 F64x2Div f64x2_div;
                0xf4 F64x2Min f64x2_min;
                0xf5 F64x2Max f64x2_max;
                0xf6 F64x2PMin f64x2_pmin;
                0xf7 F64x2PMax f64x2_pmax;
            }
            // `fn(V128, V128, V128) -> V128`
            ternary {
                0x52 V128Bitselect v128_bitselect;
            }
            // `fn(V128, count: u32) -> V128`
            shift {
                0x6b I8x16Shl i8x16_shl;
                0x6c I8x16ShrS i8x16_shr_s;
                0x6d I8x16ShrU i8x16_shr_u;
                0x8b I16x8Shl i16x8_shl;
                0x8c I16x8ShrS i16x8_shr_s;
                0x8d I16x8ShrU i16x8_shr_u;
                0xab I32x4Shl i32x4_shl;
                0xac I32x4ShrS i32x4_shr_s;
                0xad I32x4ShrU i32x4_shr_u;
                0xcb I64x2Shl i64x2_shl;
                0xcc I64x2ShrS i64x2_shr_s;
                0xcd I64x2ShrU i64x2_shr_u;
            }
            // `fn(V128) -> u32`
            test {
                0x53 V128AnyTrue v128_any_true;
                0x63 I8x16AllTrue i8x16_all_true;
                0x64 I8x16Bitmask i8x16_bitmask;
                0x83 I16x8AllTrue i16x8_all_true;
                0x84 I16x8Bitmask i16x8_bitmask;
                0xa3 I32x4AllTrue i32x4_all_true;
                0xa4 I32x4Bitmask i32x4_bitmask;
                0xc3 I64x2AllTrue i64x2_all_true;
                0xc4 I64x2Bitmask i64x2_bitmask;
            }
            // `fn(scalar) -> V128`, with the scalar's type in Rust and in Wasm
            splat {
                0x0f I8x16Splat i8x16_splat u32 I32;
                0x10 I16x8Splat i16x8_splat u32 I32;
                0x11 I32x4Splat i32x4_splat u32 I32;
                0x12 I64x2Splat i64x2_splat u64 I64;
                0x13 F32x4Splat f32x4_splat u32 F32;
                0x14 F64x2Splat f64x2_splat u64 F64;
            }
            // `fn(V128, lane: u8) -> scalar`, with the same and the number of lanes
            extract {
                0x15 I8x16ExtractLaneS i8x16_extract_lane_s u32 I32 16;
                0x16 I8x16ExtractLaneU i8x16_extract_lane_u u32 I32 16;
                0x18 I16x8ExtractLaneS i16x8_extract_lane_s u32 I32 8;
                0x19 I16x8ExtractLaneU i16x8_extract_lane_u u32 I32 8;
                0x1b I32x4ExtractLane i32x4_extract_lane u32 I32 4;
                0x1d I64x2ExtractLane i64x2_extract_lane u64 I64 2;
                0x1f F32x4ExtractLane f32x4_extract_lane u32 F32 4;
                0x21 F64x2ExtractLane f64x2_extract_lane u64 F64 2;
            }
            // `fn(V128, lane: u8, scalar) -> V128`, likewise
            replace {
                0x17 I8x16ReplaceLane i8x16_replace_lane u32 I32 16;
                0x1a I16x8ReplaceLane i16x8_replace_lane u32 I32 8;
                0x1c I32x4ReplaceLane i32x4_replace_lane u32 I32 4;
                0x1e I64x2ReplaceLane i64x2_replace_lane u64 I64 2;
                0x20 F32x4ReplaceLane f32x4_replace_lane u32 F32 4;
                0x22 F64x2ReplaceLane f64x2_replace_lane u64 F64 2;
            }
            // `fn(V128, V128, lanes: [u8; 16]) -> V128`
            shuffle {
                0x0d I8x16Shuffle i8x16_shuffle;
            }
            // `fn(bytes: u64) -> V128`, with the number of bytes read
            load {
                0x01 V128Load8x8S v128_load8x8_s 8;
                0x02 V128Load8x8U v128_load8x8_u 8;
                0x03 V128Load16x4S v128_load16x4_s 8;
                0x04 V128Load16x4U v128_load16x4_u 8;
                0x05 V128Load32x2S v128_load32x2_s 8;
                0x06 V128Load32x2U v128_load32x2_u 8;
                0x07 V128Load8Splat v128_load8_splat 1;
                0x08 V128Load16Splat v128_load16_splat 2;
                0x09 V128Load32Splat v128_load32_splat 4;
                0x0a V128Load64Splat v128_load64_splat 8;
                0x5c V128Load32Zero v128_load32_zero 4;
                0x5d V128Load64Zero v128_load64_zero 8;
            }
            // `fn(V128, lane: u8, bytes: u64) -> V128`, with the number of bytes read
            load_lane {
                0x54 V128Load8Lane v128_load8_lane 1;
                0x55 V128Load16Lane v128_load16_lane 2;
                0x56 V128Load32Lane v128_load32_lane 4;
                0x57 V128Load64Lane v128_load64_lane 8;
            }
            // `fn(V128, lane: u8) -> bytes: u64`, with the number of bytes written
            store_lane {
                0x58 V128Store8Lane v128_store8_lane 1;
                0x59 V128Store16Lane v128_store16_lane 2;
                0x5a V128Store32Lane v128_store32_lane 4;
                0x5b V128Store64Lane v128_store64_lane 8;
            }
        }
    };
}
pub use for_each_simd_op;
