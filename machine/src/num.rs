//! The numeric operators as pure functions (Wasm Core 2.0, section 4.3), in the deterministic profile: an arithmetic
//! float operator that yields a NaN yields the canonical one with the sign bit clear.
//!
//! Operators that Rust's own integer and float types have under the same rules (`wrapping_add`, comparisons, int to
//! float `as`, saturating float to int `as`) are not repeated here.

use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::rejection::Mode;

const NAN_32: u32 = 0x7fc0_0000;
const NAN_64: u64 = 0x7ff8_0000_0000_0000;
const SIGN_32: u32 = 1 << 31;
const SIGN_64: u64 = 1 << 63;

/// The canonical NaNs again, where a compiler cannot foresee them: so it keeps a branch around the load that is nearly never taken.
/// A choice between two values costs a host's compiler two branches that always are.
#[used]
static RARE_NAN_32: AtomicU32 = AtomicU32::new(NAN_32);
#[used]
static RARE_NAN_64: AtomicU64 = AtomicU64::new(NAN_64);

/// The bits of the canonical NaN of 32 bits, where a compiler cannot foresee them.
#[inline(always)]
pub(super) fn nan_32() -> u32 {
    RARE_NAN_32.load(Relaxed)
}

/// The same of 64 bits.
#[inline(always)]
pub(super) fn nan_64() -> u64 {
    RARE_NAN_64.load(Relaxed)
}

/// A float type whose NaN results can be made canonical.
pub(super) trait Float {
    /// The value itself, or the canonical NaN for any NaN.
    fn canonical(self) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn canonical(self) -> Self {
        if self.is_nan() { f32::from_bits(nan_32()) } else { self }
    }
}

impl Float for f64 {
    #[inline(always)]
    fn canonical(self) -> Self {
        if self.is_nan() { f64::from_bits(nan_64()) } else { self }
    }
}

/// Operators that are one wasm instruction, for which `core` has no stable scalar form: the vector form on one lane.
#[cfg(target_arch = "wasm32")]
mod intrinsic {
    use core::arch::wasm32::*;

    macro_rules! first_lane {
        ($splat:ident $extract:ident: $($name:ident($($arg:ident),+: $float:ident) = $op:ident;)*) => {$(
            #[inline(always)]
            pub fn $name($($arg: $float),+) -> $float {
                $extract::<0>($op($($splat($arg)),+))
            }
        )*};
    }

    first_lane! { f32x4_splat f32x4_extract_lane:
        f32_ceil(a: f32) = f32x4_ceil;
        f32_floor(a: f32) = f32x4_floor;
        f32_trunc(a: f32) = f32x4_trunc;
        f32_nearest(a: f32) = f32x4_nearest;
        f32_sqrt(a: f32) = f32x4_sqrt;
        f32_min(a, b: f32) = f32x4_min;
        f32_max(a, b: f32) = f32x4_max;
    }

    first_lane! { f64x2_splat f64x2_extract_lane:
        f64_ceil(a: f64) = f64x2_ceil;
        f64_floor(a: f64) = f64x2_floor;
        f64_trunc(a: f64) = f64x2_trunc;
        f64_nearest(a: f64) = f64x2_nearest;
        f64_sqrt(a: f64) = f64x2_sqrt;
        f64_min(a, b: f64) = f64x2_min;
        f64_max(a, b: f64) = f64x2_max;
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod intrinsic {
    pub use libm::{
        ceil as f64_ceil, ceilf as f32_ceil, floor as f64_floor, floorf as f32_floor, fmaximum as f64_max,
        fmaximumf as f32_max, fminimum as f64_min, fminimumf as f32_min, rint as f64_nearest, rintf as f32_nearest,
        sqrt as f64_sqrt, sqrtf as f32_sqrt, trunc as f64_trunc, truncf as f32_trunc,
    };
}

/// Defines `pub fn name(a, ...) -> result`.
macro_rules! operators {
    ($($name:ident($($arg:ident),+: $type:ident) -> $result:ty = $body:expr;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[inline(always)]
        pub fn $name($($arg: $type),+) -> $result {
            $body
        }
    )*};
}

operators! {
    i32_div_s(a, b: i32) -> Result<i32, Mode> = nonzero(b != 0).and_then(|()| a.checked_div(b).ok_or(Mode::IntegerOverflow));
    i32_div_u(a, b: u32) -> Result<u32, Mode> = a.checked_div(b).ok_or(Mode::DivideByZero);
    i32_rem_s(a, b: i32) -> Result<i32, Mode> = nonzero(b != 0).map(|()| a.wrapping_rem(b));
    i32_rem_u(a, b: u32) -> Result<u32, Mode> = a.checked_rem(b).ok_or(Mode::DivideByZero);
    i64_div_s(a, b: i64) -> Result<i64, Mode> = nonzero(b != 0).and_then(|()| a.checked_div(b).ok_or(Mode::IntegerOverflow));
    i64_div_u(a, b: u64) -> Result<u64, Mode> = a.checked_div(b).ok_or(Mode::DivideByZero);
    i64_rem_s(a, b: i64) -> Result<i64, Mode> = nonzero(b != 0).map(|()| a.wrapping_rem(b));
    i64_rem_u(a, b: u64) -> Result<u64, Mode> = a.checked_rem(b).ok_or(Mode::DivideByZero);
}

#[inline(always)]
fn nonzero(divisor_is_nonzero: bool) -> Result<(), Mode> {
    if divisor_is_nonzero { Ok(()) } else { Err(Mode::DivideByZero) }
}

operators! {
    f32_add(a, b: f32) -> f32 = (a + b).canonical();
    f32_sub(a, b: f32) -> f32 = (a - b).canonical();
    f32_mul(a, b: f32) -> f32 = (a * b).canonical();
    f32_div(a, b: f32) -> f32 = (a / b).canonical();
    f32_min(a, b: f32) -> f32 = intrinsic::f32_min(a, b).canonical();
    f32_max(a, b: f32) -> f32 = intrinsic::f32_max(a, b).canonical();
    f32_ceil(a: f32) -> f32 = intrinsic::f32_ceil(a).canonical();
    f32_floor(a: f32) -> f32 = intrinsic::f32_floor(a).canonical();
    f32_trunc(a: f32) -> f32 = intrinsic::f32_trunc(a).canonical();
    f32_nearest(a: f32) -> f32 = intrinsic::f32_nearest(a).canonical();
    f64_add(a, b: f64) -> f64 = (a + b).canonical();
    f64_sub(a, b: f64) -> f64 = (a - b).canonical();
    f64_mul(a, b: f64) -> f64 = (a * b).canonical();
    f64_div(a, b: f64) -> f64 = (a / b).canonical();
    f64_min(a, b: f64) -> f64 = intrinsic::f64_min(a, b).canonical();
    f64_max(a, b: f64) -> f64 = intrinsic::f64_max(a, b).canonical();
    f64_ceil(a: f64) -> f64 = intrinsic::f64_ceil(a).canonical();
    f64_floor(a: f64) -> f64 = intrinsic::f64_floor(a).canonical();
    f64_trunc(a: f64) -> f64 = intrinsic::f64_trunc(a).canonical();
    f64_nearest(a: f64) -> f64 = intrinsic::f64_nearest(a).canonical();
    f32_demote_f64(a: f64) -> f32 = (a as f32).canonical();
    f64_promote_f32(a: f32) -> f64 = f64::from(a).canonical();
}

/// Defines square roots. A NaN result is quiet, so masking it with the canonical NaN leaves just that.
///
/// LLVM takes the NaN of a square root for the canonical one and would drop the comparison in `canonical`.
macro_rules! square_roots {
    ($($name:ident($float:ident, $bits:ident, $nan:ident);)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[inline(always)]
        pub fn $name(a: $float) -> $float {
            let root = intrinsic::$name(a);
            $float::from_bits(root.to_bits() & if root.is_nan() { $nan } else { $bits::MAX })
        }
    )*};
}

square_roots! {
    f32_sqrt(f32, u32, NAN_32);
    f64_sqrt(f64, u64, NAN_64);
}

// These keep the payload of a NaN, so they work on bits.
operators! {
    f32_abs(a: u32) -> u32 = a & !SIGN_32;
    f32_neg(a: u32) -> u32 = a ^ SIGN_32;
    f32_copysign(a, b: u32) -> u32 = a & !SIGN_32 | b & SIGN_32;
    f64_abs(a: u64) -> u64 = a & !SIGN_64;
    f64_neg(a: u64) -> u64 = a ^ SIGN_64;
    f64_copysign(a, b: u64) -> u64 = a & !SIGN_64 | b & SIGN_64;
}

/// Defines truncations that trap.
///
/// The lowest integer is a power of two or zero, exact in either float type; the highest plus one is a power of two, and
/// the sum below is that power however the highest itself is rounded.
macro_rules! truncations {
    ($($name:ident($float:ident) -> $int:ident by $trunc:ident;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`; traps on a NaN and outside the result's range.")]
        #[inline(always)]
        pub fn $name(a: $float) -> Result<$int, Mode> {
            if a.is_nan() {
                return Err(Mode::InvalidConversion);
            }
            let whole = intrinsic::$trunc(a);
            if whole >= $int::MIN as $float && whole < $int::MAX as $float + 1.0 {
                Ok(whole as $int)
            } else {
                Err(Mode::IntegerOverflow)
            }
        }
    )*};
}

truncations! {
    i32_trunc_f32_s(f32) -> i32 by f32_trunc;
    i32_trunc_f32_u(f32) -> u32 by f32_trunc;
    i32_trunc_f64_s(f64) -> i32 by f64_trunc;
    i32_trunc_f64_u(f64) -> u32 by f64_trunc;
    i64_trunc_f32_s(f32) -> i64 by f32_trunc;
    i64_trunc_f32_u(f32) -> u64 by f32_trunc;
    i64_trunc_f64_s(f64) -> i64 by f64_trunc;
    i64_trunc_f64_u(f64) -> u64 by f64_trunc;
}

#[cfg(test)]
mod tests;
