//! Bitwise operators, access to single lanes, permutations, and what vector loads make of the bytes they read.

use super::{V128, convert::*, lanewise, native::i8x16_swizzle};

lanewise! {
    v128_not(a: u64) -> u64 = !a;
    v128_and(a, b: u64) -> u64 = a & b;
    v128_andnot(a, b: u64) -> u64 = a & !b;
    v128_or(a, b: u64) -> u64 = a | b;
    v128_xor(a, b: u64) -> u64 = a ^ b;
    v128_bitselect(a, b, mask: u64) -> u64 = a & mask | b & !mask;
}

/// Defines the vector whose every lane is the low bits of a scalar.
macro_rules! splat {
    ($($name:ident($scalar:ident) -> $lane:ident, $wasm:ident;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`; takes the bits of a float.")]
        #[inline]
        pub fn $name(scalar: $scalar) -> V128 {
            #[cfg(target_arch = "wasm32")]
            return core::arch::wasm32::$wasm(scalar as $lane).into();
            #[cfg(not(target_arch = "wasm32"))]
            [scalar as $lane; 16 / size_of::<$lane>()].into()
        }
    )*};
}

splat! {
    i8x16_splat(u32) -> u8, u8x16_splat;
    i16x8_splat(u32) -> u16, u16x8_splat;
    i32x4_splat(u32) -> u32, u32x4_splat;
    i64x2_splat(u64) -> u64, u64x2_splat;
    f32x4_splat(u32) -> u32, u32x4_splat;
    f64x2_splat(u64) -> u64, u64x2_splat;
    v128_load8_splat(u64) -> u8, u8x16_splat;
    v128_load16_splat(u64) -> u16, u16x8_splat;
    v128_load32_splat(u64) -> u32, u32x4_splat;
    v128_load64_splat(u64) -> u64, u64x2_splat;
}

/// Defines the reading of one lane, extended as the lane's type says.
macro_rules! extract_lane {
    ($($name:ident($lane:ident) -> $scalar:ident;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`, for a lane that validation has found in range.")]
        #[inline]
        pub fn $name(a: V128, lane: u8) -> $scalar {
            let lanes = <[$lane; 16 / size_of::<$lane>()]>::from(a);
            lanes[usize::from(lane) % lanes.len()] as $scalar
        }
    )*};
}

extract_lane! {
    i8x16_extract_lane_s(i8) -> u32;
    i8x16_extract_lane_u(u8) -> u32;
    i16x8_extract_lane_s(i16) -> u32;
    i16x8_extract_lane_u(u16) -> u32;
    i32x4_extract_lane(u32) -> u32;
    i64x2_extract_lane(u64) -> u64;
    f32x4_extract_lane(u32) -> u32;
    f64x2_extract_lane(u64) -> u64;
    v128_store8_lane(u8) -> u64;
    v128_store16_lane(u16) -> u64;
    v128_store32_lane(u32) -> u64;
    v128_store64_lane(u64) -> u64;
}

/// Ones for a lane of `WIDTH` bytes, where it is read from 16 minus the lane's place on.
struct LaneMask<const WIDTH: usize>;

impl<const WIDTH: usize> LaneMask<WIDTH> {
    const BYTES: &'static [u8; 32] = &{
        let mut bytes = [0; 32];
        let mut at = 16;
        while at < 16 + WIDTH {
            bytes[at] = 0xff;
            at += 1;
        }
        bytes
    };

    #[inline(always)]
    fn at(lane: u8) -> V128 {
        let start = 16 - usize::from(lane) * WIDTH % 16;
        V128(*Self::BYTES[start..].first_chunk().expect("there are 16 more"))
    }
}

/// Defines the replacing of one lane with the low bits of a scalar. Written over the vector in memory, the lane would not be there
/// yet when the whole is read.
macro_rules! replace_lane {
    ($($name:ident($lane:ident, $scalar:ident) by $splat:ident;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`, for a lane that validation has found in range.")]
        #[inline]
        pub fn $name(a: V128, lane: u8, scalar: $scalar) -> V128 {
            v128_bitselect($splat(scalar), a, LaneMask::<{ size_of::<$lane>() }>::at(lane))
        }
    )*};
}

replace_lane! {
    i8x16_replace_lane(u8, u32) by i8x16_splat;
    i16x8_replace_lane(u16, u32) by i16x8_splat;
    i32x4_replace_lane(u32, u32) by i32x4_splat;
    i64x2_replace_lane(u64, u64) by i64x2_splat;
    f32x4_replace_lane(u32, u32) by f32x4_splat;
    f64x2_replace_lane(u64, u64) by f64x2_splat;
    v128_load8_lane(u8, u64) by v128_load8_splat;
    v128_load16_lane(u16, u64) by v128_load16_splat;
    v128_load32_lane(u32, u64) by v128_load32_splat;
    v128_load64_lane(u64, u64) by v128_load64_splat;
}

/// Defines what a load makes of the bytes that it read, which are the low ones of a vector of zeros.
macro_rules! load {
    ($($name:ident($low:ident) = $body:expr;)*) => {$(
        #[doc = concat!("The value of `", stringify!($name), "`, from the bytes read, zero-extended.")]
        #[inline]
        pub fn $name(bytes: u64) -> V128 {
            #[cfg(target_arch = "wasm32")]
            let $low = V128::from(core::arch::wasm32::u64x2(bytes, 0));
            #[cfg(not(target_arch = "wasm32"))]
            let $low = V128::from([bytes, 0]);
            $body
        }
    )*};
}

load! {
    v128_load8x8_s(low) = i16x8_extend_low_i8x16_s(low);
    v128_load8x8_u(low) = i16x8_extend_low_i8x16_u(low);
    v128_load16x4_s(low) = i32x4_extend_low_i16x8_s(low);
    v128_load16x4_u(low) = i32x4_extend_low_i16x8_u(low);
    v128_load32x2_s(low) = i64x2_extend_low_i32x4_s(low);
    v128_load32x2_u(low) = i64x2_extend_low_i32x4_u(low);
    v128_load32_zero(low) = low;
    v128_load64_zero(low) = low;
}

/// The operator `i8x16_shuffle`: the lanes of `a`, numbered from 0, and `b`, from 16, that `lanes` names.
#[inline]
pub fn i8x16_shuffle(a: V128, b: V128, lanes: [u8; 16]) -> V128 {
    // An index into the other operand is out of range, and so gives zero.
    v128_or(i8x16_swizzle(a, V128(lanes)), i8x16_swizzle(b, V128(lanes.map(|lane| lane.wrapping_sub(16)))))
}
