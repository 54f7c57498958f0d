//! A QIP component: the form for the page CSV in, what became of it in words out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::explanation as render_request;
use qip_interpret::memory::PerPage;

const OUTPUT_TYPE: [u8; 10] = *b"text/plain";

/// Largest text in bytes: two names of at most 256, and some 20 lines.
const OUTPUT_CAP: usize = 4 << 10;

/// As much as for the page CSV, so that memory is spent at the same instruction.
const ARENA: usize = component::heap::<PerPage>();

#[unsafe(no_mangle)]
extern "C" fn output_utf8_cap() -> i32 {
    OUTPUT_CAP as i32
}
