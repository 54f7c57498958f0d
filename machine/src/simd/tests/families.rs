//! One test for each family of operators, with values worked out by hand.

use super::*;

const NAN: u32 = 0x7fc0_0000;

/// The operator's result as lanes of the type that the assertion compares with.
macro_rules! check {
    ($op:ident($($arg:expr),+) = $lanes:expr) => {
        assert_eq!($op($(V128::from($arg)),+), V128::from($lanes), stringify!($op))
    };
}

#[test]
fn addition_wraps_or_saturates() {
    check!(i8x16_add([127i8; 16], [1i8; 16]) = [-128i8; 16]);
    check!(i8x16_add_sat_s([127i8; 16], [1i8; 16]) = [127i8; 16]);
    check!(i8x16_add_sat_u([250u8; 16], [10u8; 16]) = [255u8; 16]);
    check!(i8x16_sub_sat_s([-128i8; 16], [1i8; 16]) = [-128i8; 16]);
    check!(i8x16_sub_sat_u([5u8; 16], [10u8; 16]) = [0u8; 16]);
    check!(i16x8_add_sat_s([-32768i16; 8], [-1i16; 8]) = [-32768i16; 8]);
    check!(i16x8_sub_sat_u([5u16; 8], [10u16; 8]) = [0u16; 8]);
    check!(i32x4_add([i32::MAX, 1, -1, 0], [1, 2, 3, 0]) = [i32::MIN, 3, 2, 0]);
    check!(i64x2_sub([0i64, 5], [1i64, 7]) = [-1i64, -2]);
}

#[test]
fn multiplication_wraps_rounds_or_widens() {
    check!(i16x8_mul([300i16; 8], [300i16; 8]) = [24464i16; 8]);
    check!(i64x2_mul([1i64 << 40, -3], [1i64 << 40, 5]) = [0i64, -15]);
    check!(i16x8_q15mulr_sat_s([-32768i16; 8], [-32768i16; 8]) = [32767i16; 8]);
    check!(i16x8_q15mulr_sat_s([16384i16; 8], [1i16; 8]) = [1i16; 8]);
    check!(i16x8_q15mulr_sat_s([16383i16; 8], [1i16; 8]) = [0i16; 8]);
    check!(i32x4_extmul_low_i16x8_s([-2i16, 3, 4, 5, 0, 0, 0, 0], [7i16; 8]) = [-14i32, 21, 28, 35]);
    check!(
        i32x4_extmul_high_i16x8_u([0u16, 0, 0, 0, 65535, 1, 2, 3], [65535u16; 8]) =
            [4_294_836_225u32, 65535, 131_070, 196_605]
    );
    check!(i32x4_dot_i16x8_s([-32768i16; 8], [-32768i16; 8]) = [i32::MIN; 4]);
    check!(i32x4_dot_i16x8_s([1i16, 2, 3, 4, 5, 6, 7, 8], [1i16; 8]) = [3i32, 7, 11, 15]);
}

#[test]
fn comparison_gives_all_ones_by_the_order_of_the_sign() {
    check!(i8x16_lt_s([-1i8; 16], [1i8; 16]) = [-1i8; 16]);
    check!(i8x16_lt_u([-1i8; 16], [1i8; 16]) = [0i8; 16]);
    check!(i16x8_ge_u([-1i16; 8], [1i16; 8]) = [-1i16; 8]);
    check!(i32x4_eq([1i32, 2, 3, 4], [1i32, 0, 3, 0]) = [-1i32, 0, -1, 0]);
    check!(i64x2_gt_s([-1i64, 1], [0i64, 0]) = [0i64, -1]);
    check!(f32x4_lt([f32::NAN, 0.0, 1.0, -1.0], [1.0, -0.0, f32::NAN, 1.0]) = [0i32, 0, 0, -1]);
    check!(f64x2_ne([f64::NAN, 0.0], [f64::NAN, -0.0]) = [-1i64, 0]);
}

#[test]
fn extrema_averages_and_counts() {
    check!(i8x16_min_s([-1i8; 16], [1i8; 16]) = [-1i8; 16]);
    check!(i8x16_min_u([-1i8; 16], [1i8; 16]) = [1i8; 16]);
    check!(i32x4_max_u([-1i32; 4], [1i32; 4]) = [-1i32; 4]);
    check!(i8x16_avgr_u([255u8; 16], [254u8; 16]) = [255u8; 16]);
    check!(i16x8_avgr_u([65535u16; 8], [0u16; 8]) = [32768u16; 8]);
    check!(i8x16_abs([-128i8; 16]) = [-128i8; 16]);
    check!(i64x2_abs([-5i64, 5]) = [5i64, 5]);
    check!(i32x4_neg([i32::MIN, 1, -1, 0]) = [i32::MIN, -1, 1, 0]);
    check!(i8x16_popcnt([0xa7u8; 16]) = [5u8; 16]);
}

#[test]
fn shift_counts_are_taken_modulo_the_lane_width() {
    let a = V128::from([0x81u8; 16]);
    assert_eq!(i8x16_shl(a, 9), V128::from([0x02u8; 16]));
    assert_eq!(i8x16_shr_s(a, 1), V128::from([0xc0u8; 16]));
    assert_eq!(i8x16_shr_u(a, 8), a);
    assert_eq!(i32x4_shr_s(V128::from([-8i32; 4]), 33), V128::from([-4i32; 4]));
    assert_eq!(i64x2_shl(V128::from([1u64; 2]), u32::MAX), V128::from([1u64 << 63; 2]));
}

#[test]
fn bitwise_operators_see_no_lanes() {
    check!(v128_not([0u64, u64::MAX]) = [u64::MAX, 0]);
    check!(v128_andnot([0b1100u64, 0], [0b1010u64, 0]) = [0b0100u64, 0]);
    check!(v128_bitselect([0xaaaau64, 1], [0x5555u64, 2], [0xff00u64, 0]) = [0xaa55u64, 2]);
}

#[test]
fn tests_look_at_every_lane() {
    let last: [u8; 16] = core::array::from_fn(|i| if i == 15 { 0x80 } else { 0 });
    assert_eq!((v128_any_true(V128(last)), v128_any_true(V128([0; 16]))), (1, 0));
    assert_eq!(i8x16_bitmask(V128(last)), 0x8000);
    assert_eq!(i64x2_bitmask(V128(last)), 2);
    assert_eq!((i64x2_all_true(V128(last)), i64x2_all_true(V128::from([1u64, 2]))), (0, 1));
    assert_eq!((i8x16_all_true(V128(last)), i8x16_all_true(V128([1; 16]))), (0, 1));
}

#[test]
fn permutations_number_both_operands() {
    let a = V128(core::array::from_fn(|i| i as u8 + 100));
    let b = V128(core::array::from_fn(|i| i as u8 + 200));
    let lanes = [0, 31, 15, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22];
    let expected = [100, 215, 115, 200, 101, 201, 102, 202, 103, 203, 104, 204, 105, 205, 106, 206];
    assert_eq!(i8x16_shuffle(a, b, lanes), V128(expected));
    let indices = V128([15, 0, 16, 255, 128, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
    let expected = [115, 100, 0, 0, 0, 101, 101, 101, 101, 101, 101, 101, 101, 101, 101, 102];
    assert_eq!(i8x16_swizzle(a, indices), V128(expected));
}

#[test]
fn lanes_are_extended_on_the_way_out_and_cut_on_the_way_in() {
    let a = i8x16_splat(0x1234_56f0);
    assert_eq!(a, V128([0xf0; 16]));
    assert_eq!(i8x16_extract_lane_s(a, 3), -16i32 as u32);
    assert_eq!(i8x16_extract_lane_u(a, 3), 0xf0);
    assert_eq!(i16x8_extract_lane_s(a, 7), 0xffff_f0f0);
    assert_eq!(f64x2_extract_lane(f64x2_replace_lane(a, 1, 7), 1), 7);
    assert_eq!(
        i16x8_replace_lane(a, 0, 0xabcd_1234),
        V128::from([0x1234, 0xf0f0, 0xf0f0, 0xf0f0, 0xf0f0, 0xf0f0, 0xf0f0, 0xf0f0u16])
    );
    assert_eq!(v128_store32_lane(v128_load32_lane(a, 2, 0x8000_0001), 2), 0x8000_0001);
}

#[test]
fn loads_extend_repeat_or_zero() {
    assert_eq!(v128_load8x8_s(0x80), V128::from([-128i16, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(v128_load32x2_u(0xffff_ffff_0000_0001), V128::from([1u64, 0xffff_ffff]));
    assert_eq!(v128_load16_splat(0xbeef), V128::from([0xbeefu16; 8]));
    assert_eq!(v128_load32_zero(0xffff_ffff), V128::from([0xffff_ffffu64, 0]));
    assert_eq!(v128_load64_zero(u64::MAX), V128::from([u64::MAX, 0]));
}

#[test]
fn narrowing_saturates_and_widening_extends() {
    let wide = [300i16, -300, 127, -128, 128, 255, 256, -1];
    let signed = [127i8, -128, 127, -128, 127, 127, 127, -1];
    let unsigned = [255u8, 0, 127, 0, 128, 255, 255, 0];
    check!(i8x16_narrow_i16x8_s(wide, [0i16; 8]) = core::array::from_fn::<_, 16, _>(|i| *signed.get(i).unwrap_or(&0)));
    check!(
        i8x16_narrow_i16x8_u([0i16; 8], wide) =
            core::array::from_fn::<_, 16, _>(|i| if i < 8 { 0 } else { unsigned[i - 8] })
    );
    check!(i64x2_extend_high_i32x4_s([1i32, 2, -3, 4]) = [-3i64, 4]);
    check!(i64x2_extend_low_i32x4_u([-1i32, 2, 3, 4]) = [0xffff_ffffi64, 2]);
    check!(i16x8_extadd_pairwise_i8x16_s([-128i8; 16]) = [-256i16; 8]);
    check!(i32x4_extadd_pairwise_i16x8_u([65535u16; 8]) = [131_070u32; 4]);
}

#[test]
fn conversions_saturate_and_fill_with_zero() {
    check!(i32x4_trunc_sat_f32x4_s([f32::NAN, 3e9, -3e9, -1.9]) = [0, i32::MAX, i32::MIN, -1]);
    check!(i32x4_trunc_sat_f32x4_u([f32::NAN, 5e9, -1.0, 3e9]) = [0, u32::MAX, 0, 3_000_000_000]);
    check!(i32x4_trunc_sat_f64x2_s_zero([-1.5, 1e10]) = [-1, i32::MAX, 0, 0]);
    check!(i32x4_trunc_sat_f64x2_u_zero([-1.5, 1e10]) = [0, u32::MAX, 0, 0]);
    check!(f32x4_convert_i32x4_u([u32::MAX, 16_777_217, 0, 1]) = [4_294_967_296.0f32, 16_777_216.0, 0.0, 1.0]);
    check!(f64x2_convert_low_i32x4_s([-1i32, 2, 3, 4]) = [-1.0, 2.0]);
    check!(f32x4_demote_f64x2_zero([1e300, -f64::NAN]) = [f32::INFINITY.to_bits(), NAN, 0, 0]);
    check!(
        f64x2_promote_low_f32x4([0x7f80_0001u32, 0x3f80_0000, 7, 7]) =
            [0x7ff8_0000_0000_0000u64, 0x3ff0_0000_0000_0000]
    );
}

#[test]
fn float_arithmetic_canonicalises_and_the_pseudo_extrema_do_not() {
    let payload = 0xffc0_1234u32;
    let one = 1.0f32.to_bits();
    check!(f32x4_add([payload; 4], [one; 4]) = [NAN; 4]);
    check!(f32x4_min([one, payload, 0, 1 << 31], [payload, one, 1 << 31, 0]) = [NAN, NAN, 1 << 31, 1 << 31]);
    check!(f32x4_sqrt([-1.0f32, 4.0, -0.0, 2.25]) = [f32::from_bits(NAN), 2.0, -0.0, 1.5]);
    check!(f32x4_pmin([payload, one, 0, 1 << 31], [one, payload, 1 << 31, 0]) = [payload, one, 0, 1 << 31]);
    check!(f32x4_pmax([payload, one, 0, one], [one, payload, 1 << 31, NAN]) = [payload, one, 0, one]);
    check!(f32x4_neg([payload; 4]) = [payload ^ 1 << 31; 4]);
    check!(f32x4_abs([payload; 4]) = [payload & !(1 << 31); 4]);
    check!(f64x2_nearest([2.5, -0.5]) = [2.0, -0.0]);
    check!(f64x2_pmax([1.0, 2.0], [2.0, 1.0]) = [2.0, 2.0]);
}
