//! What all components here share: the exports of QIP's Content contract.

/// Exports the contract around a function `fn(&[u8]) -> Vec<u8>`.
#[macro_export]
macro_rules! component {
    ($render:path) => {
        /// Largest input and output in bytes.
        const CAP: usize = 1 << 20;
        const ARENA: usize = 8 << 20;

        static BYTES: static_arena::Bytes<ARENA> = static_arena::Bytes::new();

        #[global_allocator]
        static ALLOCATOR: static_arena::Arena<ARENA> = static_arena::Arena::new(&BYTES);

        static mut INPUT: [u8; CAP] = [0; CAP];

        /// What the last render returned; the host reads it before the next one.
        static mut OUTPUT: Vec<u8> = Vec::new();

        #[unsafe(no_mangle)]
        extern "C" fn input_ptr() -> i32 {
            (&raw const INPUT) as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn input_bytes_cap() -> i32 {
            CAP as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn output_bytes_cap() -> i32 {
            CAP as i32
        }

        #[unsafe(no_mangle)]
        extern "C" fn render(size: i32) -> i64 {
            // SAFETY: the module has one thread, `render` does not call itself, and the host has let go of the last output.
            let (input, output) = unsafe { (&*&raw const INPUT, &mut *&raw mut OUTPUT) };
            *output = Vec::new();
            *output = $render(&input[..size as u32 as usize]);
            ((output.as_ptr() as i64) << 32) | output.len() as i64
        }
    };
}

/// The count that an input states: a little-endian u32, or 0 where there is none.
pub fn count(input: &[u8]) -> u32 {
    input.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}
