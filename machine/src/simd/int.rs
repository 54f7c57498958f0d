//! Integer arithmetic, comparison, shifts and tests.

#[cfg(target_arch = "wasm32")]
use super::instruction;
use super::{V128, lanewise, lanewise_natively};

// A comparison yields all ones, which is -1, or zero.
lanewise! {
    i8x16_eq(a, b: i8) -> i8 = -i8::from(a == b);
    i8x16_ne(a, b: i8) -> i8 = -i8::from(a != b);
    i8x16_lt_s(a, b: i8) -> i8 = -i8::from(a < b);
    i8x16_lt_u(a, b: u8) -> i8 = -i8::from(a < b);
    i8x16_gt_s(a, b: i8) -> i8 = -i8::from(a > b);
    i8x16_gt_u(a, b: u8) -> i8 = -i8::from(a > b);
    i8x16_le_s(a, b: i8) -> i8 = -i8::from(a <= b);
    i8x16_le_u(a, b: u8) -> i8 = -i8::from(a <= b);
    i8x16_ge_s(a, b: i8) -> i8 = -i8::from(a >= b);
    i8x16_ge_u(a, b: u8) -> i8 = -i8::from(a >= b);
    i16x8_eq(a, b: i16) -> i16 = -i16::from(a == b);
    i16x8_ne(a, b: i16) -> i16 = -i16::from(a != b);
    i16x8_lt_s(a, b: i16) -> i16 = -i16::from(a < b);
    i16x8_lt_u(a, b: u16) -> i16 = -i16::from(a < b);
    i16x8_gt_s(a, b: i16) -> i16 = -i16::from(a > b);
    i16x8_gt_u(a, b: u16) -> i16 = -i16::from(a > b);
    i16x8_le_s(a, b: i16) -> i16 = -i16::from(a <= b);
    i16x8_le_u(a, b: u16) -> i16 = -i16::from(a <= b);
    i16x8_ge_s(a, b: i16) -> i16 = -i16::from(a >= b);
    i16x8_ge_u(a, b: u16) -> i16 = -i16::from(a >= b);
    i32x4_eq(a, b: i32) -> i32 = -i32::from(a == b);
    i32x4_ne(a, b: i32) -> i32 = -i32::from(a != b);
    i32x4_lt_s(a, b: i32) -> i32 = -i32::from(a < b);
    i32x4_lt_u(a, b: u32) -> i32 = -i32::from(a < b);
    i32x4_gt_s(a, b: i32) -> i32 = -i32::from(a > b);
    i32x4_gt_u(a, b: u32) -> i32 = -i32::from(a > b);
    i32x4_le_s(a, b: i32) -> i32 = -i32::from(a <= b);
    i32x4_le_u(a, b: u32) -> i32 = -i32::from(a <= b);
    i32x4_ge_s(a, b: i32) -> i32 = -i32::from(a >= b);
    i32x4_ge_u(a, b: u32) -> i32 = -i32::from(a >= b);
    i64x2_eq(a, b: i64) -> i64 = -i64::from(a == b);
    i64x2_ne(a, b: i64) -> i64 = -i64::from(a != b);
    i64x2_lt_s(a, b: i64) -> i64 = -i64::from(a < b);
    i64x2_gt_s(a, b: i64) -> i64 = -i64::from(a > b);
    i64x2_le_s(a, b: i64) -> i64 = -i64::from(a <= b);
    i64x2_ge_s(a, b: i64) -> i64 = -i64::from(a >= b);
}

lanewise! {
    i8x16_abs(a: i8) -> i8 = a.wrapping_abs();
    i8x16_neg(a: i8) -> i8 = a.wrapping_neg();
    i8x16_popcnt(a: u8) -> u8 = a.count_ones() as u8;
    i8x16_add(a, b: i8) -> i8 = a.wrapping_add(b);
    i8x16_add_sat_s(a, b: i8) -> i8 = a.saturating_add(b);
    i8x16_add_sat_u(a, b: u8) -> u8 = a.saturating_add(b);
    i8x16_sub(a, b: i8) -> i8 = a.wrapping_sub(b);
    i8x16_sub_sat_s(a, b: i8) -> i8 = a.saturating_sub(b);
    i8x16_sub_sat_u(a, b: u8) -> u8 = a.saturating_sub(b);
    i8x16_min_s(a, b: i8) -> i8 = a.min(b);
    i8x16_min_u(a, b: u8) -> u8 = a.min(b);
    i8x16_max_s(a, b: i8) -> i8 = a.max(b);
    i8x16_max_u(a, b: u8) -> u8 = a.max(b);
    i8x16_avgr_u(a, b: u8) -> u8 = ((u32::from(a) + u32::from(b) + 1) >> 1) as u8;
    i16x8_abs(a: i16) -> i16 = a.wrapping_abs();
    i16x8_neg(a: i16) -> i16 = a.wrapping_neg();
    i16x8_add(a, b: i16) -> i16 = a.wrapping_add(b);
    i16x8_add_sat_s(a, b: i16) -> i16 = a.saturating_add(b);
    i16x8_add_sat_u(a, b: u16) -> u16 = a.saturating_add(b);
    i16x8_sub(a, b: i16) -> i16 = a.wrapping_sub(b);
    i16x8_sub_sat_s(a, b: i16) -> i16 = a.saturating_sub(b);
    i16x8_sub_sat_u(a, b: u16) -> u16 = a.saturating_sub(b);
    i16x8_mul(a, b: i16) -> i16 = a.wrapping_mul(b);
    i16x8_min_s(a, b: i16) -> i16 = a.min(b);
    i16x8_min_u(a, b: u16) -> u16 = a.min(b);
    i16x8_max_s(a, b: i16) -> i16 = a.max(b);
    i16x8_max_u(a, b: u16) -> u16 = a.max(b);
    i16x8_avgr_u(a, b: u16) -> u16 = ((u32::from(a) + u32::from(b) + 1) >> 1) as u16;
    i32x4_abs(a: i32) -> i32 = a.wrapping_abs();
    i32x4_neg(a: i32) -> i32 = a.wrapping_neg();
    i32x4_add(a, b: i32) -> i32 = a.wrapping_add(b);
    i32x4_sub(a, b: i32) -> i32 = a.wrapping_sub(b);
    i32x4_mul(a, b: i32) -> i32 = a.wrapping_mul(b);
    i32x4_min_s(a, b: i32) -> i32 = a.min(b);
    i32x4_min_u(a, b: u32) -> u32 = a.min(b);
    i32x4_max_s(a, b: i32) -> i32 = a.max(b);
    i32x4_max_u(a, b: u32) -> u32 = a.max(b);
    i64x2_abs(a: i64) -> i64 = a.wrapping_abs();
    i64x2_neg(a: i64) -> i64 = a.wrapping_neg();
    i64x2_add(a, b: i64) -> i64 = a.wrapping_add(b);
    i64x2_sub(a, b: i64) -> i64 = a.wrapping_sub(b);
    i64x2_mul(a, b: i64) -> i64 = a.wrapping_mul(b);
}

lanewise_natively! {
    i16x8_q15mulr_sat_s(a, b: i16) -> i16 = q15mulr_sat(a, b), i16x8_q15mulr_sat;
}

/// The product of two fractions of 15 bits, rounded; only -1 times -1 is out of range.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn q15mulr_sat(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b) + 0x4000) >> 15).min(i16::MAX.into()) as i16
}

/// Defines shifts by a count taken modulo the width of a lane.
macro_rules! shifts {
    ($($name:ident($lane:ident) = $shift:ident, $wasm:ident;)*) => {$(
        #[cfg(target_arch = "wasm32")]
        instruction! { $name(a: V128, count: u32) -> V128 = $wasm; }

        #[doc = concat!("The operator `", stringify!($name), "`; `count` is taken modulo the width of a lane.")]
        #[cfg(not(target_arch = "wasm32"))]
        #[inline]
        pub fn $name(a: V128, count: u32) -> V128 {
            <[$lane; 16 / size_of::<$lane>()]>::from(a).map(|a| a.$shift(count)).into()
        }
    )*};
}

shifts! {
    i8x16_shl(u8) = wrapping_shl, i8x16_shl;
    i8x16_shr_s(i8) = wrapping_shr, i8x16_shr;
    i8x16_shr_u(u8) = wrapping_shr, u8x16_shr;
    i16x8_shl(u16) = wrapping_shl, i16x8_shl;
    i16x8_shr_s(i16) = wrapping_shr, i16x8_shr;
    i16x8_shr_u(u16) = wrapping_shr, u16x8_shr;
    i32x4_shl(u32) = wrapping_shl, i32x4_shl;
    i32x4_shr_s(i32) = wrapping_shr, i32x4_shr;
    i32x4_shr_u(u32) = wrapping_shr, u32x4_shr;
    i64x2_shl(u64) = wrapping_shl, i64x2_shl;
    i64x2_shr_s(i64) = wrapping_shr, i64x2_shr;
    i64x2_shr_u(u64) = wrapping_shr, u64x2_shr;
}

/// The operator `v128_any_true`: 1 if any bit is set, else 0.
#[inline]
pub fn v128_any_true(a: V128) -> u32 {
    (a.0 != [0; 16]).into()
}

/// Defines the tests of every lane.
macro_rules! all_true {
    ($($name:ident($lane:ident);)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`: 1 if no lane is zero, else 0.")]
        #[inline]
        pub fn $name(a: V128) -> u32 {
            let lanes = <[$lane; 16 / size_of::<$lane>()]>::from(a);
            lanes.into_iter().fold(true, |all, lane| all & (lane != 0)).into()
        }
    )*};
}

all_true! {
    i8x16_all_true(u8);
    i16x8_all_true(u16);
    i32x4_all_true(u32);
    i64x2_all_true(u64);
}
