//! A QIP component: a form with another component in, its memory use by page as CSV out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::PerPage;
use qip_interpret::{DEFAULT_BUDGET, MODES_PER_OFFSET, Request, page_writes_csv};

const ARENA: usize = component::heap::<PerPage>();

content_component::export! {
    input: input_bytes_cap = component::INPUT_CAP, form;
    // 2^16 pages, one row of at most 160 bytes for each, and the header.
    output: output_utf8_cap = 11 << 20, "text/csv";
    modes: MODES_PER_OFFSET;
    uniform: uniform_set_instruction_budget = DEFAULT_BUDGET, 1..=u32::MAX;
    render: |body, boundary, budget| page_writes_csv(&Request { body, boundary, budget });
}
