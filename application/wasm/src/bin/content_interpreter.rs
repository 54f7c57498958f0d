//! A QIP component: a form with another component in, that component's output out.

#![no_std]
#![no_main]

mod component;

use qip_interpret::memory::Nothing;
use qip_interpret::{DEFAULT_BUDGET, MODES_PER_OFFSET, Request, output};

const ARENA: usize = component::heap::<Nothing>();

content_component::export! {
    input: input_bytes_cap = component::INPUT_CAP, form;
    // An output is as large as the heap lets it be.
    output: output_bytes_cap = ARENA, "application/octet-stream";
    modes: MODES_PER_OFFSET;
    uniform: uniform_set_instruction_budget = DEFAULT_BUDGET, 1..=u32::MAX;
    render: |body, boundary, budget| output(&Request { body, boundary, budget });
}
