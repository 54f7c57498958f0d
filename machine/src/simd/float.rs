//! Float arithmetic and comparison, lane by lane as [`num`] does it.

#[cfg(target_arch = "wasm32")]
use super::instruction;
use super::{V128, arithmetic, lanewise, lanewise_natively};
#[cfg(not(target_arch = "wasm32"))]
use crate::num;

lanewise! {
    f32x4_eq(a, b: f32) -> i32 = -i32::from(a == b);
    f32x4_ne(a, b: f32) -> i32 = -i32::from(a != b);
    f32x4_lt(a, b: f32) -> i32 = -i32::from(a < b);
    f32x4_gt(a, b: f32) -> i32 = -i32::from(a > b);
    f32x4_le(a, b: f32) -> i32 = -i32::from(a <= b);
    f32x4_ge(a, b: f32) -> i32 = -i32::from(a >= b);
    f64x2_eq(a, b: f64) -> i64 = -i64::from(a == b);
    f64x2_ne(a, b: f64) -> i64 = -i64::from(a != b);
    f64x2_lt(a, b: f64) -> i64 = -i64::from(a < b);
    f64x2_gt(a, b: f64) -> i64 = -i64::from(a > b);
    f64x2_le(a, b: f64) -> i64 = -i64::from(a <= b);
    f64x2_ge(a, b: f64) -> i64 = -i64::from(a >= b);
}

lanewise! {
    f32x4_pmin(a, b: f32) -> f32 = if b < a { b } else { a };
    f32x4_pmax(a, b: f32) -> f32 = if a < b { b } else { a };
    f64x2_pmin(a, b: f64) -> f64 = if b < a { b } else { a };
    f64x2_pmax(a, b: f64) -> f64 = if a < b { b } else { a };
}

arithmetic! {
    f32x4_ceil(a: f32) -> f32 = num::f32_ceil(a), f32x4_ceil;
    f32x4_floor(a: f32) -> f32 = num::f32_floor(a), f32x4_floor;
    f32x4_trunc(a: f32) -> f32 = num::f32_trunc(a), f32x4_trunc;
    f32x4_nearest(a: f32) -> f32 = num::f32_nearest(a), f32x4_nearest;
    f32x4_sqrt(a: f32) -> f32 = num::f32_sqrt(a), f32x4_sqrt;
    f32x4_add(a, b: f32) -> f32 = num::f32_add(a, b), f32x4_add;
    f32x4_sub(a, b: f32) -> f32 = num::f32_sub(a, b), f32x4_sub;
    f32x4_mul(a, b: f32) -> f32 = num::f32_mul(a, b), f32x4_mul;
    f32x4_div(a, b: f32) -> f32 = num::f32_div(a, b), f32x4_div;
    f32x4_min(a, b: f32) -> f32 = num::f32_min(a, b), f32x4_min;
    f32x4_max(a, b: f32) -> f32 = num::f32_max(a, b), f32x4_max;
    f64x2_ceil(a: f64) -> f64 = num::f64_ceil(a), f64x2_ceil;
    f64x2_floor(a: f64) -> f64 = num::f64_floor(a), f64x2_floor;
    f64x2_trunc(a: f64) -> f64 = num::f64_trunc(a), f64x2_trunc;
    f64x2_nearest(a: f64) -> f64 = num::f64_nearest(a), f64x2_nearest;
    f64x2_sqrt(a: f64) -> f64 = num::f64_sqrt(a), f64x2_sqrt;
    f64x2_add(a, b: f64) -> f64 = num::f64_add(a, b), f64x2_add;
    f64x2_sub(a, b: f64) -> f64 = num::f64_sub(a, b), f64x2_sub;
    f64x2_mul(a, b: f64) -> f64 = num::f64_mul(a, b), f64x2_mul;
    f64x2_div(a, b: f64) -> f64 = num::f64_div(a, b), f64x2_div;
    f64x2_min(a, b: f64) -> f64 = num::f64_min(a, b), f64x2_min;
    f64x2_max(a, b: f64) -> f64 = num::f64_max(a, b), f64x2_max;
}

lanewise_natively! {
    f32x4_abs(a: u32) -> u32 = num::f32_abs(a), f32x4_abs;
    f32x4_neg(a: u32) -> u32 = num::f32_neg(a), f32x4_neg;
    f64x2_abs(a: u64) -> u64 = num::f64_abs(a), f64x2_abs;
    f64x2_neg(a: u64) -> u64 = num::f64_neg(a), f64x2_neg;
}
