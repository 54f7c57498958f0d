//! Vectors as wasm32 has them, and operators whose text has nothing in common with their instruction.

pub use form::*;

#[cfg(target_arch = "wasm32")]
mod form {
    use super::super::{V128, instruction};
    use core::arch::wasm32::v128;
    use core::mem::transmute;

    impl From<V128> for v128 {
        #[inline(always)]
        fn from(vector: V128) -> Self {
            // SAFETY: any 16 bytes are a vector.
            unsafe { transmute(vector) }
        }
    }

    impl From<v128> for V128 {
        #[inline(always)]
        fn from(vector: v128) -> Self {
            // SAFETY: a vector is 16 bytes. Taken apart by lanes, it would be stored lane by lane.
            unsafe { transmute(vector) }
        }
    }

    /// A vector itself, or with its NaNs replaced by canonical ones.
    pub mod canonical {
        use crate::num::{nan_32, nan_64};
        use core::arch::wasm32::*;

        macro_rules! canonical {
            ($($name:ident $not_equal:ident $splat:ident $nan:ident;)*) => {$(
                #[doc = concat!("For lanes of `", stringify!($name), "`.")]
                #[inline(always)]
                pub fn $name(vector: v128) -> v128 {
                    let nans = $not_equal(vector, vector);
                    if v128_any_true(nans) { v128_bitselect($splat($nan()), vector, nans) } else { vector }
                }
            )*};
        }

        canonical! {
            f32 f32x4_ne u32x4_splat nan_32;
            f64 f64x2_ne u64x2_splat nan_64;
        }
    }

    instruction! {
        i8x16_swizzle(a: V128, lanes: V128) -> V128 = i8x16_swizzle;
        i8x16_bitmask(a: V128) -> u32 = i8x16_bitmask;
        i16x8_bitmask(a: V128) -> u32 = i16x8_bitmask;
        i32x4_bitmask(a: V128) -> u32 = i32x4_bitmask;
        i64x2_bitmask(a: V128) -> u32 = i64x2_bitmask;
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod form {
    use super::super::V128;

    /// The operator `i8x16_swizzle`: the lanes of `a` that `lanes` names, zero for an index above 15.
    #[inline]
    pub fn i8x16_swizzle(a: V128, lanes: V128) -> V128 {
        V128(lanes.0.map(|lane| a.0.get(usize::from(lane)).copied().unwrap_or(0)))
    }

    macro_rules! bitmask {
        ($($name:ident($lane:ident x $count:literal);)*) => {$(
            #[doc = concat!("The operator `", stringify!($name), "`: bit `i` is the sign bit of lane `i`.")]
            #[inline]
            pub fn $name(a: V128) -> u32 {
                let lanes: [$lane; $count] = a.into();
                lanes.into_iter().rev().fold(0, |mask, lane| mask << 1 | u32::from(lane < 0))
            }
        )*};
    }

    bitmask! {
        i8x16_bitmask(i8 x 16);
        i16x8_bitmask(i16 x 8);
        i32x4_bitmask(i32 x 4);
        i64x2_bitmask(i64 x 2);
    }
}
