//! A QIP component: a form with another component in, its memory use by page and function as CSV out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::{MAX_TOUCHES, PerFunction, Touch};
use qip_interpret::page_functions_csv as render_request;

const OUTPUT_TYPE: [u8; 8] = *b"text/csv";

/// Largest CSV in bytes: a row for each pair, of which numbers take at most 120 bytes and a name, its quotes doubled, 514.
const OUTPUT_CAP: usize = MAX_TOUCHES * 640;

const ARENA: usize = component::heap::<PerFunction>() + MAX_TOUCHES * (size_of::<Touch>() + 16) + OUTPUT_CAP;

#[unsafe(no_mangle)]
extern "C" fn output_utf8_cap() -> i32 {
    OUTPUT_CAP as i32
}
