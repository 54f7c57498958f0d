//! A QIP component: a form with another component in, that component's output out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::Nothing;
use qip_interpret::output as render_request;

const OUTPUT_TYPE: [u8; 24] = *b"application/octet-stream";

const ARENA: usize = component::heap::<Nothing>();

/// An output is as large as the heap lets it be.
#[unsafe(no_mangle)]
extern "C" fn output_bytes_cap() -> i32 {
    ARENA as i32
}
