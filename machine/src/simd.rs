//! The fixed-width vector operators of Wasm 2.0 as pure functions (Wasm Core 2.0, sections 4.3 and 4.4.3).
//!
//! Loops over arrays of lanes, which LLVM turns into vector instructions for wasm32 and for the host. Where it does not for
//! wasm32, the instruction's name stands beside them: lanes that are stored one by one are not there yet when the next operator
//! loads them as a whole. Integers and the bits of floats go in and out as `u32` and `u64`, so no payload of a NaN is lost.
//! The table in [`crate::code::isa::vector`] lists the operators by the shape of their operands.

mod convert;
mod float;
mod int;
mod lane;
mod native;

pub use convert::*;
pub use float::*;
pub use int::*;
pub use lane::*;
pub use native::*;

/// A 128-bit vector: its 16 bytes as they lie in linear memory, lane 0 first, each lane little-endian.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct V128(pub [u8; 16]);

/// Converts between a vector and its lanes.
macro_rules! lanes {
    ($($lane:ident x $count:literal)*) => {$(
        impl From<V128> for [$lane; $count] {
            #[inline(always)]
            fn from(vector: V128) -> Self {
                let (bytes, _) = vector.0.as_chunks();
                core::array::from_fn(|i| $lane::from_le_bytes(bytes[i]))
            }
        }

        impl From<[$lane; $count]> for V128 {
            #[inline(always)]
            fn from(lanes: [$lane; $count]) -> Self {
                let mut vector = V128([0; 16]);
                let (bytes, _) = vector.0.as_chunks_mut();
                for (bytes, lane) in bytes.iter_mut().zip(lanes) {
                    *bytes = lane.to_le_bytes();
                }
                vector
            }
        }
    )*};
}

lanes! {
    i8 x 16 i16 x 8 i32 x 4 i64 x 2
    u8 x 16 u16 x 8 u32 x 4 u64 x 2
    f32 x 4 f64 x 2
}

/// Defines operators whose result's lane `i` depends on lane `i` of each operand, or with `[n..]` on lane `n + i`.
macro_rules! lanewise {
    ($($name:ident($($arg:ident),+: $lane:ident $([$first:literal..])?) -> $result:ident = $body:expr;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[inline]
        pub fn $name($($arg: V128),+) -> V128 {
            const FIRST: usize = 0 $(+ $first)?;
            $(let $arg = <[$lane; 16 / size_of::<$lane>()]>::from($arg);)+
            let lanes: [$result; 16 / size_of::<$result>()] = core::array::from_fn(|i| {
                $(let $arg = $arg[FIRST + i];)+
                $body
            });
            lanes.into()
        }
    )*};
}
use lanewise;

/// The same for operators whose one instruction LLVM does not find by itself; `$wasm` is its name in `core::arch::wasm32`.
macro_rules! lanewise_natively {
    ($($name:ident($($arg:ident),+: $lane:ident $([$first:literal..])?) -> $result:ident = $body:expr, $wasm:ident;)*) => {$(
        #[cfg(not(target_arch = "wasm32"))]
        lanewise! { $name($($arg),+: $lane $([$first..])?) -> $result = $body; }

        #[cfg(target_arch = "wasm32")]
        instruction! { $name($($arg: V128),+) -> V128 = $wasm; }
    )*};
}
use lanewise_natively;

/// The same for operators that make NaNs canonical, which is one test for all lanes of what the instruction yields.
macro_rules! arithmetic {
    ($($name:ident($($arg:ident),+: $lane:ident $([$first:literal..])?) -> $result:ident = $body:expr, $wasm:ident;)*) => {$(
        #[cfg(not(target_arch = "wasm32"))]
        lanewise! { $name($($arg),+: $lane $([$first..])?) -> $result = $body; }

        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[cfg(target_arch = "wasm32")]
        #[inline]
        pub fn $name($($arg: V128),+) -> V128 {
            super::native::canonical::$result(core::arch::wasm32::$wasm($($arg.into()),+)).into()
        }
    )*};
}
use arithmetic;

/// Defines functions that are one instruction.
#[cfg(target_arch = "wasm32")]
macro_rules! instruction {
    ($($name:ident($($arg:ident: $ty:ty),+) -> $result:ty = $wasm:ident;)*) => {$(
        #[doc = concat!("The operator `", stringify!($name), "`.")]
        #[inline]
        pub fn $name($($arg: $ty),+) -> $result {
            core::arch::wasm32::$wasm($($arg.into()),+).into()
        }
    )*};
}
#[cfg(target_arch = "wasm32")]
use instruction;

#[cfg(test)]
mod tests;
