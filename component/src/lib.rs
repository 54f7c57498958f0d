//! The exports of QIP's Content contract around one function, so that a component's own file says only what is its own.
//!
//! ```ignore
//! content_component::export! {
//!     input: input_utf8_cap = 1 << 20, "text/csv";
//!     output: output_utf8_cap = 2 << 20, "image/svg+xml";
//!     modes: 8;
//!     render: picture;
//! }
//! content_component::probed_heap!(8 << 20);
//! ```
//!
//! `render` is a `fn(&[u8]) -> Result<Vec<u8>, u32>`: the output, or `offset * modes + mode` where it rejects its input. It keeps
//! its output within the capacity and its allocations within the heap.

#![no_std]

#[doc(hidden)]
pub extern crate alloc;
#[doc(hidden)]
pub use static_arena;

/// Defines the contract's exports.
#[macro_export]
macro_rules! export {
    (
        input: $input_cap:ident = $input_bytes:expr, $input_type:expr;
        output: $output_cap:ident = $output_bytes:expr, $output_type:expr;
        modes: $modes:expr;
        render: $render:path;
    ) => {
        const INPUT_TYPE: &str = $input_type;
        const OUTPUT_TYPE: &str = $output_type;

        static mut INPUT: [u8; $input_bytes] = [0; $input_bytes];

        /// What the last render returned; the host reads it before the next one.
        static mut OUTPUT: $crate::alloc::vec::Vec<u8> = $crate::alloc::vec::Vec::new();

        #[unsafe(no_mangle)]
        extern "C" fn input_ptr() -> i32 {
            (&raw const INPUT) as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn $input_cap() -> i32 {
            $input_bytes
        }

        #[unsafe(no_mangle)]
        extern "C" fn input_content_type_ptr() -> i32 {
            INPUT_TYPE.as_ptr() as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn input_content_type_size() -> i32 {
            INPUT_TYPE.len() as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn $output_cap() -> i32 {
            $output_bytes
        }

        #[unsafe(no_mangle)]
        extern "C" fn output_content_type_ptr() -> i32 {
            OUTPUT_TYPE.as_ptr() as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn output_content_type_size() -> i32 {
            OUTPUT_TYPE.len() as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn failure_modes_per_input_offset() -> i32 {
            $modes
        }

        #[unsafe(no_mangle)]
        extern "C" fn render(size: i32) -> i64 {
            // SAFETY: the module has one thread, `render` does not call itself, and the host has let go of the last output.
            let (input, output) = unsafe { (&*&raw const INPUT, &mut *&raw mut OUTPUT) };
            *output = $crate::alloc::vec::Vec::new();
            let result = match input.get(..size as u32 as usize) {
                Some(input) => $render(input),
                // More than the declared capacity is rejected where that ends.
                None => Err(input.len() as u32 * $modes as u32),
            };
            match result {
                Ok(bytes) => {
                    *output = bytes;
                    ((output.as_ptr() as i64) << 32) | output.len() as i64
                }
                Err(failure) => (1 << 63) | i64::from(failure),
            }
        }
    };
}

/// Defines the allocator, over so many bytes.
#[macro_export]
macro_rules! heap {
    ($bytes:expr) => {
        static BYTES: $crate::static_arena::Bytes<{ $bytes }> = $crate::static_arena::Bytes::new();

        #[global_allocator]
        static ALLOCATOR: $crate::static_arena::Arena<{ $bytes }> = $crate::static_arena::Arena::new(&BYTES);
    };
}

/// Defines the allocator, over so many bytes, with the probe, whose exports are in the component as soon as it is linked. That is
/// why it is a dependency of the component's own.
#[macro_export]
macro_rules! probed_heap {
    ($bytes:expr) => {
        static BYTES: $crate::static_arena::Bytes<{ $bytes }> = $crate::static_arena::Bytes::new();

        #[global_allocator]
        static ALLOCATOR: ::peakmark_probe::Probe<$crate::static_arena::Arena<{ $bytes }>> =
            ::peakmark_probe::Probe::new($crate::static_arena::Arena::new(&BYTES));
    };
}
