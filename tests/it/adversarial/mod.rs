//! Requests that are made to harm: each is answered, nothing of it stays allocated, and the next one is answered as if it had
//! not been. What `failures` and the tests in `src/request` cover is not repeated here.

mod arity;
mod code;
mod counts;
mod exhaustion;
mod heap;
mod leb128;
mod order;
mod request;
mod run;
mod sections;
mod slow;
mod table;
mod uniforms;

use qip_interpret::{Mode, Rejection};

use crate::failures::target;
use crate::support::binary::PREAMBLE;
use crate::support::{BUDGET, Form, HEADER, Outcome, render, render_in_component};

const MIB: usize = 1 << 20;

/// Asserts that both builds refuse the request with this mode at this byte.
#[track_caller]
fn refused(case: &str, form: &Form, mode: Mode, offset: usize) {
    answers(case, render, form, BUDGET, Err(Rejection::new(mode, offset as u32)));
}

/// The same for a fault at byte `offset` of the component.
#[track_caller]
fn component_refused(case: &str, wasm: &[u8], mode: Mode, offset: usize) {
    let form = Form::component(wasm);
    refused(case, &form, mode, form.offset_of("component") as usize + offset);
}

/// The same where the component's own memory decides, which is fixed: the native build has more.
#[track_caller]
fn component_exhausted(case: &str, wasm: &[u8], budget: u32, offset: usize) {
    let form = Form::component(wasm);
    let offset = form.offset_of("component") + offset as u32;
    answers(case, render_in_component, &form, budget, Err(Rejection::new(Mode::OutOfMemory, offset)));
}

/// Asserts that both builds render the request, to these rows.
#[track_caller]
fn renders(case: &str, form: &Form, rows: &str) {
    answers(case, render, form, BUDGET, Ok(format!("{HEADER}{rows}")));
}

/// Asserts that the answer is this one, and that the next request on the same instance is answered too.
#[track_caller]
fn answers(case: &str, render: fn(&Form, u32) -> Outcome, form: &Form, budget: u32, expected: Outcome) {
    assert_eq!(render(form, budget), expected, "{case}");
    table::print(case, form, budget);
    let store = target("(i32.store8 (i32.const 1) (i32.const 2)) (i64.const 0)", "");
    let rows = "0,other,0,0,0,1,1,1,1.00\n1,input,3,0,0,0,0,0,\n";
    let next = render(&Form::component(&store).input(b"abc"), BUDGET);
    assert_eq!(next, Ok(format!("{HEADER}{rows}")), "the request after {case}");
}

/// A module of these sections, and where the last one begins.
fn module(sections: &[&[u8]]) -> (Vec<u8>, usize) {
    let wasm = [PREAMBLE, &sections.concat()].concat();
    let last = wasm.len() - sections.last().map_or(0, |section| section.len());
    (wasm, last)
}

/// A target that does nothing with one more section where it belongs, and where that begins. The target's own sections are
/// those of types, functions, the memory, exports and code.
fn target_with(section: &[u8]) -> (Vec<u8>, usize) {
    let place = |id: u8| order::SECTIONS.iter().position(|&other| other == id);
    let mut wasm = target("(i64.const 0)", "");
    let mut at = PREAMBLE.len();
    while at < wasm.len() && place(wasm[at]) <= place(section[0]) {
        let mut reader = wasmparser::BinaryReader::new(&wasm[at + 1..], 0);
        let size = reader.read_var_u32().expect("the target is valid") as usize;
        at += 1 + reader.original_position() as usize + size;
    }
    wasm.splice(at..at, section.iter().copied());
    (wasm, at)
}
