//! Conversions between lane types: narrowing, widening and its arithmetic, and between integers and floats.

#[cfg(target_arch = "wasm32")]
use super::instruction;
use super::{V128, arithmetic, lanewise, lanewise_natively};
#[cfg(not(target_arch = "wasm32"))]
use crate::num;

/// Defines the narrowing of the lanes of `a`, then those of `b`, each saturated to the narrow type.
macro_rules! narrow {
    ($($name:ident($wide:ident) -> $narrow:ident, $wasm:ident;)*) => {$(
        #[cfg(target_arch = "wasm32")]
        instruction! { $name(a: V128, b: V128) -> V128 = $wasm; }

        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[cfg(not(target_arch = "wasm32"))]
        #[inline]
        pub fn $name(a: V128, b: V128) -> V128 {
            let wide = [a, b].map(<[$wide; 16 / size_of::<$wide>()]>::from);
            let lanes: [$narrow; 16 / size_of::<$narrow>()] = core::array::from_fn(|i| {
                wide.as_flattened()[i].clamp($narrow::MIN.into(), $narrow::MAX.into()) as $narrow
            });
            lanes.into()
        }
    )*};
}

narrow! {
    i8x16_narrow_i16x8_s(i16) -> i8, i8x16_narrow_i16x8;
    i8x16_narrow_i16x8_u(i16) -> u8, u8x16_narrow_i16x8;
    i16x8_narrow_i32x4_s(i32) -> i16, i16x8_narrow_i32x4;
    i16x8_narrow_i32x4_u(i32) -> u16, u16x8_narrow_i32x4;
}

// The product of two lanes always fits a lane of twice the width.
lanewise_natively! {
    i16x8_extend_low_i8x16_s(a: i8[0..]) -> i16 = a.into(), i16x8_extend_low_i8x16;
    i16x8_extend_low_i8x16_u(a: u8[0..]) -> u16 = a.into(), i16x8_extend_low_u8x16;
    i16x8_extend_high_i8x16_s(a: i8[8..]) -> i16 = a.into(), i16x8_extend_high_i8x16;
    i16x8_extend_high_i8x16_u(a: u8[8..]) -> u16 = a.into(), i16x8_extend_high_u8x16;
    i32x4_extend_low_i16x8_s(a: i16[0..]) -> i32 = a.into(), i32x4_extend_low_i16x8;
    i32x4_extend_low_i16x8_u(a: u16[0..]) -> u32 = a.into(), i32x4_extend_low_u16x8;
    i32x4_extend_high_i16x8_s(a: i16[4..]) -> i32 = a.into(), i32x4_extend_high_i16x8;
    i32x4_extend_high_i16x8_u(a: u16[4..]) -> u32 = a.into(), i32x4_extend_high_u16x8;
    i64x2_extend_low_i32x4_s(a: i32[0..]) -> i64 = a.into(), i64x2_extend_low_i32x4;
    i64x2_extend_low_i32x4_u(a: u32[0..]) -> u64 = a.into(), i64x2_extend_low_u32x4;
    i64x2_extend_high_i32x4_s(a: i32[2..]) -> i64 = a.into(), i64x2_extend_high_i32x4;
    i64x2_extend_high_i32x4_u(a: u32[2..]) -> u64 = a.into(), i64x2_extend_high_u32x4;
    i16x8_extmul_low_i8x16_s(a, b: i8[0..]) -> i16 = i16::from(a) * i16::from(b), i16x8_extmul_low_i8x16;
    i16x8_extmul_low_i8x16_u(a, b: u8[0..]) -> u16 = u16::from(a) * u16::from(b), i16x8_extmul_low_u8x16;
    i16x8_extmul_high_i8x16_s(a, b: i8[8..]) -> i16 = i16::from(a) * i16::from(b), i16x8_extmul_high_i8x16;
    i16x8_extmul_high_i8x16_u(a, b: u8[8..]) -> u16 = u16::from(a) * u16::from(b), i16x8_extmul_high_u8x16;
    i32x4_extmul_low_i16x8_s(a, b: i16[0..]) -> i32 = i32::from(a) * i32::from(b), i32x4_extmul_low_i16x8;
    i32x4_extmul_low_i16x8_u(a, b: u16[0..]) -> u32 = u32::from(a) * u32::from(b), i32x4_extmul_low_u16x8;
    i32x4_extmul_high_i16x8_s(a, b: i16[4..]) -> i32 = i32::from(a) * i32::from(b), i32x4_extmul_high_i16x8;
    i32x4_extmul_high_i16x8_u(a, b: u16[4..]) -> u32 = u32::from(a) * u32::from(b), i32x4_extmul_high_u16x8;
    i64x2_extmul_low_i32x4_s(a, b: i32[0..]) -> i64 = i64::from(a) * i64::from(b), i64x2_extmul_low_i32x4;
    i64x2_extmul_low_i32x4_u(a, b: u32[0..]) -> u64 = u64::from(a) * u64::from(b), i64x2_extmul_low_u32x4;
    i64x2_extmul_high_i32x4_s(a, b: i32[2..]) -> i64 = i64::from(a) * i64::from(b), i64x2_extmul_high_i32x4;
    i64x2_extmul_high_i32x4_u(a, b: u32[2..]) -> u64 = u64::from(a) * u64::from(b), i64x2_extmul_high_u32x4;
}

/// Defines the sums of neighbouring lanes, widened first so that they always fit.
macro_rules! extadd_pairwise {
    ($($name:ident($narrow:ident) -> $wide:ident;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[inline]
        pub fn $name(a: V128) -> V128 {
            let a = <[$narrow; 16 / size_of::<$narrow>()]>::from(a).map($wide::from);
            let lanes: [$wide; 16 / size_of::<$wide>()] = core::array::from_fn(|i| a[2 * i] + a[2 * i + 1]);
            lanes.into()
        }
    )*};
}

extadd_pairwise! {
    i16x8_extadd_pairwise_i8x16_s(i8) -> i16;
    i16x8_extadd_pairwise_i8x16_u(u8) -> u16;
    i32x4_extadd_pairwise_i16x8_s(i16) -> i32;
    i32x4_extadd_pairwise_i16x8_u(u16) -> u32;
}

#[cfg(target_arch = "wasm32")]
instruction! { i32x4_dot_i16x8_s(a: V128, b: V128) -> V128 = i32x4_dot_i16x8; }

/// The operator `i32x4_dot_i16x8_s`; the sum wraps where all four lanes are the lowest.
#[cfg(not(target_arch = "wasm32"))]
#[inline]
pub fn i32x4_dot_i16x8_s(a: V128, b: V128) -> V128 {
    let [a, b] = [a, b].map(|lanes| <[i16; 8]>::from(lanes).map(i32::from));
    let lanes: [i32; 4] = core::array::from_fn(|i| (a[2 * i] * b[2 * i]).wrapping_add(a[2 * i + 1] * b[2 * i + 1]));
    lanes.into()
}

// `as` from float to integer saturates, and takes a NaN to zero.
lanewise! {
    i32x4_trunc_sat_f32x4_s(a: f32) -> i32 = a as i32;
    i32x4_trunc_sat_f32x4_u(a: f32) -> u32 = a as u32;
    f32x4_convert_i32x4_s(a: i32) -> f32 = a as f32;
    f32x4_convert_i32x4_u(a: u32) -> f32 = a as f32;
}

lanewise_natively! {
    f64x2_convert_low_i32x4_s(a: i32[0..]) -> f64 = a.into(), f64x2_convert_low_i32x4;
    f64x2_convert_low_i32x4_u(a: u32[0..]) -> f64 = a.into(), f64x2_convert_low_u32x4;
}

arithmetic! {
    f64x2_promote_low_f32x4(a: f32[0..]) -> f64 = num::f64_promote_f32(a), f64x2_promote_low_f32x4;
}

/// Defines conversions of two lanes to the lower two of four, with zeros above.
macro_rules! zero_above {
    ($($name:ident -> $result:ident, $wasm:ident;)*) => {$(
        #[cfg(target_arch = "wasm32")]
        instruction! { $name(a: V128) -> V128 = $wasm; }

        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[cfg(not(target_arch = "wasm32"))]
        #[inline]
        pub fn $name(a: V128) -> V128 {
            let [low, high] = <[f64; 2]>::from(a).map(|a| a as $result);
            [low, high, 0, 0].into()
        }
    )*};
}

zero_above! {
    i32x4_trunc_sat_f64x2_s_zero -> i32, i32x4_trunc_sat_f64x2_zero;
    i32x4_trunc_sat_f64x2_u_zero -> u32, u32x4_trunc_sat_f64x2_zero;
}

/// The operator `f32x4_demote_f64x2_zero`.
#[inline]
pub fn f32x4_demote_f64x2_zero(a: V128) -> V128 {
    #[cfg(target_arch = "wasm32")]
    return super::native::canonical::f32(core::arch::wasm32::f32x4_demote_f64x2_zero(a.into())).into();
    #[cfg(not(target_arch = "wasm32"))]
    {
        let [low, high] = <[f64; 2]>::from(a).map(num::f32_demote_f64);
        [low, high, 0.0, 0.0].into()
    }
}
