//! What the components share: each runs the target of a request. What is its own stands in the crate's root: `OUTPUT_TYPE`, `ARENA`,
//! `render_request`, and the getter of its output's capacity.

extern crate alloc;

use alloc::vec::Vec;
use core::panic::PanicInfo;

use qip_interpret::memory::{Count, PAGE_BYTES, Page};
use qip_interpret::{DEFAULT_BUDGET, MODES_PER_OFFSET, Request};
use static_arena::{Arena, Bytes};

use crate::{ARENA, OUTPUT_TYPE, render_request};

/// Largest request in bytes: a component of 16 MiB and a large input together.
const INPUT_CAP: usize = 32 << 20;

/// Pages that a target may touch: 192 MiB.
const TOUCHED_PAGES: usize = (192 << 20) / PAGE_BYTES;

/// The heap beside those pages: a module and its code, tables, the call stack and the output.
const WORK: usize = 64 << 20;

/// Heap in bytes for a target of which `C` is counted, with what the allocator adds to each page. The linker adds the request,
/// the page table, the module's own stack and its data, and makes that the memory.
pub const fn heap<C: Count>() -> usize {
    TOUCHED_PAGES * (size_of::<Page<C>>() + 16) + WORK
}

/// The input type with a boundary that the host may replace, and the output type: one static, so that both lie in one data
/// segment.
#[repr(C)]
struct ContentTypes {
    input_prefix: [u8; 34],
    boundary: [u8; 36],
    output: [u8; OUTPUT_TYPE.len()],
}

static mut CONTENT_TYPES: ContentTypes = ContentTypes {
    input_prefix: *b"multipart/form-data;boundary=uuid-",
    boundary: *b"00000000-0000-0000-0000-000000000000",
    output: OUTPUT_TYPE,
};

static BYTES: Bytes<ARENA> = Bytes::new();

#[cfg(not(feature = "without-probe"))]
#[global_allocator]
static ALLOCATOR: peakmark_probe::Probe<Arena<ARENA>> = peakmark_probe::Probe::new(Arena::new(&BYTES));

#[cfg(feature = "without-probe")]
#[global_allocator]
static ALLOCATOR: Arena<ARENA> = Arena::new(&BYTES);

static mut INPUT: [u8; INPUT_CAP] = [0; INPUT_CAP];

/// How many instructions the next render may execute.
static mut BUDGET: u32 = DEFAULT_BUDGET;

/// The output of the last render; the host reads it before the next one.
static mut OUTPUT: Vec<u8> = Vec::new();

#[unsafe(no_mangle)]
extern "C" fn input_ptr() -> i32 {
    (&raw const INPUT) as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_bytes_cap() -> i32 {
    INPUT_CAP as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_content_type_ptr() -> i32 {
    (&raw const CONTENT_TYPES) as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_content_type_size() -> i32 {
    core::mem::offset_of!(ContentTypes, output) as i32
}

#[unsafe(no_mangle)]
extern "C" fn output_content_type_ptr() -> i32 {
    input_content_type_ptr() + input_content_type_size()
}

#[unsafe(no_mangle)]
extern "C" fn output_content_type_size() -> i32 {
    OUTPUT_TYPE.len() as i32
}

#[unsafe(no_mangle)]
extern "C" fn failure_modes_per_input_offset() -> i32 {
    MODES_PER_OFFSET as i32
}

/// Sets how many instructions the next render may execute, at least 1, and returns what it set.
#[unsafe(no_mangle)]
extern "C" fn uniform_set_instruction_budget(budget: i32) -> i32 {
    let budget = (budget as u32).max(1);
    // SAFETY: the module has one thread.
    unsafe { BUDGET = budget };
    budget as i32
}

#[unsafe(no_mangle)]
extern "C" fn render(size: i32) -> i64 {
    let input = &raw const INPUT;
    // SAFETY: the module has one thread, `render` does not call itself, and the host has let go of the last output. The
    // boundary is read as memory has it now, for the host may have written it.
    let (input, boundary, budget) = unsafe {
        OUTPUT = Vec::new();
        (&*input, (&raw const CONTENT_TYPES.boundary).read_volatile(), (&raw mut BUDGET).replace(DEFAULT_BUDGET))
    };
    // More than the declared capacity is the host's fault, and traps.
    let body = &input[..size as u32 as usize];
    match render_request(&Request { body, boundary: &boundary, budget }) {
        Ok(output) => {
            let result = ((output.as_ptr() as i64) << 32) | output.len() as i64;
            // SAFETY: as above.
            unsafe { OUTPUT = output };
            result
        }
        Err(rejection) => rejection.pack(),
    }
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
