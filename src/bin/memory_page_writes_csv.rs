//! A QIP component: a form with another component in, its memory use by page as CSV out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::PerPage;
use qip_interpret::page_writes_csv as render_request;

const OUTPUT_TYPE: [u8; 8] = *b"text/csv";

/// Largest CSV in bytes: 2^16 pages, one row of at most 160 bytes for each, and the header.
const OUTPUT_CAP: usize = 11 << 20;

const ARENA: usize = component::heap::<PerPage>();

#[unsafe(no_mangle)]
extern "C" fn output_utf8_cap() -> i32 {
    OUTPUT_CAP as i32
}
