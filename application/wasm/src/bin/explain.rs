//! A QIP component: the form for the page CSV in, what became of it in words out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::PerPage;
use qip_interpret::{DEFAULT_BUDGET, MODES_PER_OFFSET, Request, explanation};

/// As much as for the page CSV, so that memory is spent at the same instruction.
const ARENA: usize = component::heap::<PerPage>();

content_component::export! {
    input: input_bytes_cap = component::INPUT_CAP, form;
    // 40 names of at most 256 bytes, three to a character that is not printed, and some 60 lines.
    output: output_utf8_cap = 32 << 10, "text/plain";
    modes: MODES_PER_OFFSET;
    uniform: uniform_set_instruction_budget = DEFAULT_BUDGET, 1..=u32::MAX;
    render: |body, boundary, budget| explanation(&Request { body, boundary, budget });
}
