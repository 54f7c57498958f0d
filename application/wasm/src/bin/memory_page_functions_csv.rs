//! A QIP component: a form with another component in, its memory use by page and function as CSV out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::{MAX_TOUCHES, PerFunction, Touch};
use qip_interpret::{DEFAULT_BUDGET, MODES_PER_OFFSET, Request, page_functions_csv};

/// Largest CSV in bytes: a row for each pair, of which numbers take at most 120 bytes and a name, its quotes doubled, 514.
const OUTPUT_CAP: usize = MAX_TOUCHES * 640;

const ARENA: usize = component::heap::<PerFunction>() + MAX_TOUCHES * (size_of::<Touch>() + 16) + OUTPUT_CAP;

content_component::export! {
    input: input_bytes_cap = component::INPUT_CAP, form;
    output: output_utf8_cap = OUTPUT_CAP, "text/csv";
    modes: MODES_PER_OFFSET;
    uniform: uniform_set_instruction_budget = DEFAULT_BUDGET, 1..=u32::MAX;
    render: |body, boundary, budget| page_functions_csv(&Request { body, boundary, budget });
}
