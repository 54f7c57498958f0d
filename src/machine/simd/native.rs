//! The few operators that LLVM does not turn into a vector instruction by itself.

pub use form::*;

#[cfg(target_arch = "wasm32")]
mod form {
    use super::super::V128;
    use core::arch::wasm32::{self, u64x2, u64x2_extract_lane, v128};

    impl From<V128> for v128 {
        #[inline(always)]
        fn from(vector: V128) -> Self {
            let [low, high] = vector.into();
            u64x2(low, high)
        }
    }

    impl From<v128> for V128 {
        #[inline(always)]
        fn from(vector: v128) -> Self {
            [u64x2_extract_lane::<0>(vector), u64x2_extract_lane::<1>(vector)].into()
        }
    }

    /// The operator `i8x16_swizzle`: the lanes of `a` that `lanes` names, zero for an index above 15.
    #[inline]
    pub fn i8x16_swizzle(a: V128, lanes: V128) -> V128 {
        wasm32::i8x16_swizzle(a.into(), lanes.into()).into()
    }

    macro_rules! bitmask {
        ($($name:ident)*) => {$(
            #[doc = concat!("The operator `", stringify!($name), "`: bit `i` is the sign bit of lane `i`.")]
            #[inline]
            pub fn $name(a: V128) -> u32 {
                wasm32::$name(a.into()).into()
            }
        )*};
    }

    bitmask! { i8x16_bitmask i16x8_bitmask i32x4_bitmask i64x2_bitmask }
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
