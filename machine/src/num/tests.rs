use super::*;
use Mode::{DivideByZero, IntegerOverflow, InvalidConversion};
extern crate std;
use std::vec::Vec;

/// NaNs of either sign: canonical, with another payload, and signalling.
const NANS_32: [u32; 5] = [NAN_32, 0xffc0_0000, 0x7fc0_1234, 0x7f80_0001, 0xffff_ffff];
const NANS_64: [u64; 5] = [NAN_64, 0xfff8_0000_0000_0000, 0x7ff8_0000_0000_1234, 0x7ff0_0000_0000_0001, u64::MAX];

/// Bit patterns spread over all of f32, every exponent with many fractions, and the neighbourhood of each power of two.
fn sample_32() -> Vec<f32> {
    let spread = (0..=u32::MAX).step_by(10_007);
    let powers = (0..512u32).flat_map(|high| (0..7).map(move |low| (high << 23).wrapping_add(low).wrapping_sub(3)));
    spread.chain(powers).map(f32::from_bits).collect()
}

fn sample_64() -> Vec<f64> {
    let spread = (0..=u64::MAX).step_by(10_007 << 32 | 4_321);
    let powers = (0..4096u64).flat_map(|high| (0..7).map(move |low| (high << 52).wrapping_add(low).wrapping_sub(3)));
    spread.chain(powers).map(f64::from_bits).collect()
}

/// Equal in every bit, or both NaN with ours canonical.
fn same_32(ours: f32, other: f32) -> bool {
    ours.to_bits() == if other.is_nan() { NAN_32 } else { other.to_bits() }
}

fn same_64(ours: f64, other: f64) -> bool {
    ours.to_bits() == if other.is_nan() { NAN_64 } else { other.to_bits() }
}

#[test]
fn division_traps_exactly_where_the_quotient_is_undefined() {
    assert_eq!(i32_div_s(-7, 2), Ok(-3));
    assert_eq!(i32_div_s(7, 0), Err(DivideByZero));
    assert_eq!(i32_div_s(i32::MIN, 0), Err(DivideByZero));
    assert_eq!(i32_div_s(i32::MIN, -1), Err(IntegerOverflow));
    assert_eq!(i32_div_s(i32::MIN, 1), Ok(i32::MIN));
    assert_eq!(i32_div_u(u32::MAX, 2), Ok(0x7fff_ffff));
    assert_eq!(i32_div_u(1, 0), Err(DivideByZero));
    assert_eq!(i64_div_s(-7, 2), Ok(-3));
    assert_eq!(i64_div_s(7, 0), Err(DivideByZero));
    assert_eq!(i64_div_s(i64::MIN, -1), Err(IntegerOverflow));
    assert_eq!(i64_div_s(i64::MIN, 1), Ok(i64::MIN));
    assert_eq!(i64_div_u(u64::MAX, 2), Ok(u64::MAX / 2));
    assert_eq!(i64_div_u(1, 0), Err(DivideByZero));
}

#[test]
fn remainder_takes_the_sign_of_the_dividend_and_never_overflows() {
    assert_eq!(i32_rem_s(-7, 2), Ok(-1));
    assert_eq!(i32_rem_s(7, -2), Ok(1));
    assert_eq!(i32_rem_s(i32::MIN, -1), Ok(0));
    assert_eq!(i32_rem_s(7, 0), Err(DivideByZero));
    assert_eq!(i32_rem_u(u32::MAX, 10), Ok(5));
    assert_eq!(i32_rem_u(7, 0), Err(DivideByZero));
    assert_eq!(i64_rem_s(-7, 2), Ok(-1));
    assert_eq!(i64_rem_s(i64::MIN, -1), Ok(0));
    assert_eq!(i64_rem_s(7, 0), Err(DivideByZero));
    assert_eq!(i64_rem_u(u64::MAX, 10), Ok(5));
    assert_eq!(i64_rem_u(7, 0), Err(DivideByZero));
}

/// The arithmetic operators on one or two operands.
const UNARY_32: [fn(f32) -> f32; 5] = [f32_ceil, f32_floor, f32_trunc, f32_nearest, f32_sqrt];
const UNARY_64: [fn(f64) -> f64; 5] = [f64_ceil, f64_floor, f64_trunc, f64_nearest, f64_sqrt];
const BINARY_32: [fn(f32, f32) -> f32; 6] = [f32_add, f32_sub, f32_mul, f32_div, f32_min, f32_max];
const BINARY_64: [fn(f64, f64) -> f64; 6] = [f64_add, f64_sub, f64_mul, f64_div, f64_min, f64_max];

#[test]
fn a_nan_operand_gives_the_canonical_nan() {
    for nan in NANS_32.map(f32::from_bits) {
        for op in UNARY_32 {
            assert_eq!(op(nan).to_bits(), NAN_32);
        }
        for op in BINARY_32 {
            for other in [1.0, -0.0, f32::INFINITY, nan] {
                assert_eq!(op(nan, other).to_bits(), NAN_32);
                assert_eq!(op(other, nan).to_bits(), NAN_32);
            }
        }
        assert_eq!(f64_promote_f32(nan).to_bits(), NAN_64);
    }
    for nan in NANS_64.map(f64::from_bits) {
        for op in UNARY_64 {
            assert_eq!(op(nan).to_bits(), NAN_64);
        }
        for op in BINARY_64 {
            for other in [1.0, -0.0, f64::INFINITY, nan] {
                assert_eq!(op(nan, other).to_bits(), NAN_64);
                assert_eq!(op(other, nan).to_bits(), NAN_64);
            }
        }
        assert_eq!(f32_demote_f64(nan).to_bits(), NAN_32);
    }
}

#[test]
fn an_undefined_result_is_the_canonical_nan() {
    let inf = f32::INFINITY;
    for nan in [
        f32_add(inf, -inf),
        f32_sub(inf, inf),
        f32_mul(0.0, inf),
        f32_div(0.0, 0.0),
        f32_div(inf, -inf),
        f32_sqrt(-1.0),
        f32_sqrt(-inf),
    ] {
        assert_eq!(nan.to_bits(), NAN_32);
    }
    let inf = f64::INFINITY;
    for nan in [
        f64_add(inf, -inf),
        f64_sub(inf, inf),
        f64_mul(0.0, inf),
        f64_div(0.0, 0.0),
        f64_div(inf, -inf),
        f64_sqrt(-1.0),
        f64_sqrt(-inf),
    ] {
        assert_eq!(nan.to_bits(), NAN_64);
    }
}

#[test]
fn rounding_and_square_root_agree_with_the_standard_library() {
    let theirs: [fn(f32) -> f32; 5] = [f32::ceil, f32::floor, f32::trunc, f32::round_ties_even, f32::sqrt];
    for (ours, theirs) in UNARY_32.into_iter().zip(theirs) {
        for a in sample_32() {
            assert!(same_32(ours(a), theirs(a)), "{a:?}: {:?}, not {:?}", ours(a), theirs(a));
        }
    }
    let theirs: [fn(f64) -> f64; 5] = [f64::ceil, f64::floor, f64::trunc, f64::round_ties_even, f64::sqrt];
    for (ours, theirs) in UNARY_64.into_iter().zip(theirs) {
        for a in sample_64() {
            assert!(same_64(ours(a), theirs(a)), "{a:?}: {:?}, not {:?}", ours(a), theirs(a));
        }
    }
}

#[test]
fn rounding_keeps_the_sign_of_zero_and_breaks_ties_to_even() {
    for (a, ceil, floor, nearest) in [
        (0.5f32, 1.0f32, 0.0f32, 0.0f32),
        (-0.5, -0.0, -1.0, -0.0),
        (1.5, 2.0, 1.0, 2.0),
        (2.5, 3.0, 2.0, 2.0),
        (-2.5, -2.0, -3.0, -2.0),
        (-0.0, -0.0, -0.0, -0.0),
        (8_388_607.5, 8_388_608.0, 8_388_607.0, 8_388_608.0),
        (f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY),
    ] {
        assert!(same_32(f32_ceil(a), ceil) && same_32(f32_floor(a), floor) && same_32(f32_nearest(a), nearest));
        let a = f64::from(a);
        assert!(same_64(f64_ceil(a), ceil.into()) && same_64(f64_floor(a), floor.into()));
        assert!(same_64(f64_nearest(a), nearest.into()));
    }
    assert!(same_32(f32_sqrt(-0.0), -0.0) && same_64(f64_sqrt(-0.0), -0.0));
}

#[test]
fn minimum_and_maximum_order_the_zeros() {
    assert!(same_32(f32_min(0.0, -0.0), -0.0) && same_32(f32_min(-0.0, 0.0), -0.0));
    assert!(same_32(f32_max(0.0, -0.0), 0.0) && same_32(f32_max(-0.0, 0.0), 0.0));
    assert!(same_32(f32_min(-0.0, -0.0), -0.0) && same_32(f32_max(-0.0, -0.0), -0.0));
    assert!(same_32(f32_min(-1.0, f32::INFINITY), -1.0) && same_32(f32_max(2.0, 1.0), 2.0));
    assert!(same_64(f64_min(0.0, -0.0), -0.0) && same_64(f64_min(-0.0, 0.0), -0.0));
    assert!(same_64(f64_max(0.0, -0.0), 0.0) && same_64(f64_max(-0.0, 0.0), 0.0));
    assert!(same_64(f64_min(-0.0, -0.0), -0.0) && same_64(f64_max(-0.0, -0.0), -0.0));
    assert!(same_64(f64_min(-1.0, f64::INFINITY), -1.0) && same_64(f64_max(2.0, 1.0), 2.0));
}

#[test]
fn sign_operators_keep_the_payload_of_a_nan() {
    for nan in NANS_32 {
        assert_eq!(f32_abs(nan), nan & 0x7fff_ffff);
        assert_eq!(f32_neg(nan), nan ^ 0x8000_0000);
        assert_eq!(f32_copysign(nan, 0x8000_0000), nan | 0x8000_0000);
        assert_eq!(f32_copysign(1.0f32.to_bits(), nan), 1.0f32.to_bits() | nan & 0x8000_0000);
    }
    for nan in NANS_64 {
        assert_eq!(f64_abs(nan), nan & 0x7fff_ffff_ffff_ffff);
        assert_eq!(f64_neg(nan), nan ^ 0x8000_0000_0000_0000);
        assert_eq!(f64_copysign(nan, 1 << 63), nan | 1 << 63);
        assert_eq!(f64_copysign(1.0f64.to_bits(), nan), 1.0f64.to_bits() | nan & 1 << 63);
    }
}

/// What a truncation yields, by way of 128-bit integers, which hold every integer in question exactly.
macro_rules! expected_truncation {
    ($a:expr, $int:ty) => {
        if $a.is_nan() { Err(InvalidConversion) } else { <$int>::try_from($a as i128).map_err(|_| IntegerOverflow) }
    };
}

#[test]
fn truncations_agree_with_exact_integers() {
    for a in sample_32() {
        assert_eq!(i32_trunc_f32_s(a), expected_truncation!(a, i32), "{a:?}");
        assert_eq!(i32_trunc_f32_u(a), expected_truncation!(a, u32), "{a:?}");
        assert_eq!(i64_trunc_f32_s(a), expected_truncation!(a, i64), "{a:?}");
        assert_eq!(i64_trunc_f32_u(a), expected_truncation!(a, u64), "{a:?}");
    }
    for a in sample_64() {
        assert_eq!(i32_trunc_f64_s(a), expected_truncation!(a, i32), "{a:?}");
        assert_eq!(i32_trunc_f64_u(a), expected_truncation!(a, u32), "{a:?}");
        assert_eq!(i64_trunc_f64_s(a), expected_truncation!(a, i64), "{a:?}");
        assert_eq!(i64_trunc_f64_u(a), expected_truncation!(a, u64), "{a:?}");
    }
}

#[test]
fn truncations_reach_the_last_value_in_range() {
    assert_eq!(i32_trunc_f32_s(2_147_483_520.0), Ok(2_147_483_520));
    assert_eq!(i32_trunc_f32_s(2_147_483_648.0), Err(IntegerOverflow));
    assert_eq!(i32_trunc_f32_s(-2_147_483_648.0), Ok(i32::MIN));
    assert_eq!(i32_trunc_f32_s(-2_147_483_904.0), Err(IntegerOverflow));
    assert_eq!(i32_trunc_f64_s(2_147_483_647.999_999_8), Ok(i32::MAX));
    assert_eq!(i32_trunc_f64_s(2_147_483_648.0), Err(IntegerOverflow));
    assert_eq!(i32_trunc_f64_s(-2_147_483_648.999_999_5), Ok(i32::MIN));
    assert_eq!(i32_trunc_f64_s(-2_147_483_649.0), Err(IntegerOverflow));
    assert_eq!(i32_trunc_f64_u(4_294_967_295.999_999_5), Ok(u32::MAX));
    assert_eq!(i32_trunc_f64_u(4_294_967_296.0), Err(IntegerOverflow));
    assert_eq!(i32_trunc_f64_u(-0.999_999_999), Ok(0));
    assert_eq!(i32_trunc_f64_u(-1.0), Err(IntegerOverflow));
    assert_eq!(i64_trunc_f64_s(9_223_372_036_854_774_784.0), Ok(9_223_372_036_854_774_784));
    assert_eq!(i64_trunc_f64_s(9_223_372_036_854_775_808.0), Err(IntegerOverflow));
    assert_eq!(i64_trunc_f64_s(-9_223_372_036_854_775_808.0), Ok(i64::MIN));
    assert_eq!(i64_trunc_f64_s(-9_223_372_036_854_777_856.0), Err(IntegerOverflow));
    assert_eq!(i64_trunc_f64_u(18_446_744_073_709_549_568.0), Ok(18_446_744_073_709_549_568));
    assert_eq!(i64_trunc_f64_u(18_446_744_073_709_551_616.0), Err(IntegerOverflow));
    assert_eq!(i32_trunc_f32_s(f32::NAN), Err(InvalidConversion));
    assert_eq!(i64_trunc_f64_u(f64::INFINITY), Err(IntegerOverflow));
    assert_eq!(i64_trunc_f64_s(f64::NEG_INFINITY), Err(IntegerOverflow));
}

#[test]
fn demotion_rounds_to_even_and_overflows_to_infinity() {
    assert_eq!(f32_demote_f64(1.0 + f64::powi(2.0, -24)), 1.0);
    assert_eq!(f32_demote_f64(1.0 + 3.0 * f64::powi(2.0, -24)), 1.0 + 2.0 * f32::EPSILON);
    assert_eq!(f32_demote_f64(f64::MAX), f32::INFINITY);
    assert!(same_32(f32_demote_f64(-f64::MIN_POSITIVE), -0.0));
    assert_eq!(f64_promote_f32(f32::MIN_POSITIVE), f64::powi(2.0, -126));
}
