//! The exports of QIP's Content contract around one function, so that a component's own file says only what is its own.
//!
//! ```ignore
//! content_component::export! {
//!     input: input_utf8_cap = 1 << 20, "text/csv";
//!     output: output_utf8_cap = 2 << 20, "image/svg+xml";
//!     modes: 8;
//!     uniform: uniform_set_width = 640, 1..=4096;
//!     render: picture;
//! }
//! content_component::probed_heap!(8 << 20);
//! ```
//!
//! `input` and `output` say under which name which capacity in bytes is exported, and the content type; `form` as the input's type is
//! `multipart/form-data` with a boundary that the host may replace. `modes` is how many modes of failure share an offset. Each
//! `uniform` is a `u32`: the name of its setter, its default and its range. A value beyond the range is set to the nearest within,
//! the setter returns what it set, and that holds for one render.
//!
//! `render` is a function or a closure `(&[u8]) -> Result<Vec<u8>, u32>`, or with types that turn into those two: the output, or
//! `offset * modes + mode` where it rejects its input. After the input it takes the boundary's UUID as a `&[u8; 36]` if the input
//! is a form, then the uniforms in their order. It keeps its output within the capacity and its allocations within the heap. It is
//! never called with more than the input's capacity: that is the host's fault, and traps.

#![no_std]

#[doc(hidden)]
pub extern crate alloc;
#[doc(hidden)]
pub use static_arena;

use alloc::vec::Vec;

/// The content type of a form, with the boundary that holds where the host replaces none.
pub const FORM: &str = "multipart/form-data;boundary=uuid-00000000-0000-0000-0000-000000000000";

/// Both content types: one static, so that they lie in one data segment.
#[doc(hidden)]
#[repr(C)]
pub struct ContentTypes<const INPUT: usize, const OUTPUT: usize> {
    pub input: [u8; INPUT],
    pub output: [u8; OUTPUT],
}

impl<const INPUT: usize, const OUTPUT: usize> ContentTypes<INPUT, OUTPUT> {
    /// Two content types of these lengths.
    pub const fn new(input: &str, output: &str) -> Self {
        assert!(input.len() == INPUT && output.len() == OUTPUT);
        Self { input: *input.as_bytes().first_chunk().unwrap(), output: *output.as_bytes().first_chunk().unwrap() }
    }
}

/// The UUID at the end of a form's content type, as memory has it now, for the host may have written it.
///
/// # Safety
///
/// The content types may be read, and the input's is that of a form.
#[doc(hidden)]
pub unsafe fn boundary<const OUTPUT: usize>(types: *const ContentTypes<{ FORM.len() }, OUTPUT>) -> [u8; 36] {
    // SAFETY: the UUID is the last 36 bytes of the input's content type.
    unsafe { (&raw const (*types).input).cast::<u8>().add(FORM.len() - 36).cast::<[u8; 36]>().read_volatile() }
}

/// Keeps what a render has made, and packs the value by which it is returned: size and pointer, or bit 63 and the failure.
#[doc(hidden)]
pub fn answer(result: Result<impl Into<Vec<u8>>, impl Into<u32>>, output: &mut Vec<u8>) -> i64 {
    match result {
        Ok(bytes) => {
            *output = bytes.into();
            ((output.as_ptr() as i64) << 32) | output.len() as i64
        }
        Err(failure) => (1 << 63) | i64::from(failure.into()),
    }
}

/// Defines the contract's exports.
#[macro_export]
macro_rules! export {
    (input: $input_cap:ident = $input_bytes:expr, form; $($rest:tt)*) => {
        $crate::export! {
            // SAFETY: this is the content type of a form.
            @types $crate::FORM, unsafe { $crate::boundary(&raw const CONTENT_TYPES) };
            $input_cap = $input_bytes; $($rest)*
        }
    };
    (input: $input_cap:ident = $input_bytes:expr, $input_type:literal; $($rest:tt)*) => {
        $crate::export! { @types $input_type; $input_cap = $input_bytes; $($rest)* }
    };
    (
        @types $input_type:expr $(, $boundary:expr)?;
        $input_cap:ident = $input_bytes:expr;
        output: $output_cap:ident = $output_bytes:expr, $output_type:literal;
        modes: $modes:expr;
        $(uniform: $set:ident = $default:expr, $range:expr;)*
        render: $render:expr;
    ) => {
        const _: () = {
            static mut CONTENT_TYPES: $crate::ContentTypes<{ $input_type.len() }, { $output_type.len() }> =
                $crate::ContentTypes::new($input_type, $output_type);

            static mut INPUT: [u8; $input_bytes] = [0; $input_bytes];

            /// What the last render returned; the host reads it before the next one.
            static mut OUTPUT: $crate::alloc::vec::Vec<u8> = $crate::alloc::vec::Vec::new();

            /// By the names of their setters.
            struct Uniforms {
                $($set: u32,)*
            }

            const DEFAULTS: Uniforms = Uniforms { $($set: $default,)* };

            /// For the next render.
            static mut UNIFORMS: Uniforms = DEFAULTS;

            #[unsafe(no_mangle)]
            extern "C" fn input_ptr() -> i32 {
                (&raw const INPUT) as i32
            }

            #[unsafe(no_mangle)]
            extern "C" fn $input_cap() -> i32 {
                let bytes: usize = $input_bytes;
                bytes as i32
            }

            #[unsafe(no_mangle)]
            extern "C" fn input_content_type_ptr() -> i32 {
                (&raw const CONTENT_TYPES) as i32
            }

            #[unsafe(no_mangle)]
            extern "C" fn input_content_type_size() -> i32 {
                $input_type.len() as i32
            }

            #[unsafe(no_mangle)]
            extern "C" fn $output_cap() -> i32 {
                let bytes: usize = $output_bytes;
                bytes as i32
            }

            #[unsafe(no_mangle)]
            extern "C" fn output_content_type_ptr() -> i32 {
                (&raw const CONTENT_TYPES) as i32 + input_content_type_size()
            }

            #[unsafe(no_mangle)]
            extern "C" fn output_content_type_size() -> i32 {
                $output_type.len() as i32
            }

            #[unsafe(no_mangle)]
            extern "C" fn failure_modes_per_input_offset() -> i32 {
                let modes: u32 = $modes;
                modes as i32
            }

            $(
                #[unsafe(no_mangle)]
                extern "C" fn $set(value: i32) -> i32 {
                    let range: core::ops::RangeInclusive<u32> = $range;
                    let value = (value as u32).clamp(*range.start(), *range.end());
                    // SAFETY: the module has one thread.
                    unsafe { UNIFORMS.$set = value };
                    value as i32
                }
            )*

            #[unsafe(no_mangle)]
            extern "C" fn render(size: i32) -> i64 {
                // SAFETY: the module has one thread, `render` does not call itself, and the host has let go of the last output.
                let (input, output, uniforms) =
                    unsafe { (&*&raw const INPUT, &mut *&raw mut OUTPUT, (&raw mut UNIFORMS).replace(DEFAULTS)) };
                let Uniforms { $($set),* } = uniforms;
                *output = $crate::alloc::vec::Vec::new();
                let Some(input) = input.get(..size as u32 as usize) else {
                    // More than the declared capacity is the host's fault.
                    core::arch::wasm32::unreachable()
                };
                $crate::answer(($render)(input, $(&$boundary,)? $($set),*), output)
            }
        };
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

/// Makes a panic a trap, in a component without the standard library.
#[macro_export]
macro_rules! trap_on_panic {
    () => {
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo) -> ! {
            core::arch::wasm32::unreachable()
        }
    };
}
