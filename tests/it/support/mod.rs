//! Requests, and the two builds of the tool that answer them.

pub mod binary;
mod form;
mod tool;

use std::cell::RefCell;

use qip_interpret::Rejection;

pub use form::{Form, UUID};
pub use tool::{MODES, Tool};

/// What the tool answers: the CSV or a rejection.
pub type Outcome = Result<String, Rejection>;

/// The header line of every CSV.
pub const HEADER: &str =
    "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// The answer of the library as it runs natively.
pub fn render_natively(form: &Form, budget: u32) -> Outcome {
    qip_interpret::render(&form.body(), form.boundary(), budget)
        .map(|csv| String::from_utf8(csv).expect("CSV is UTF-8"))
}

/// The answer of both builds, which must agree.
pub fn render(form: &Form, budget: u32) -> Outcome {
    let native = render_natively(form, budget);
    assert_eq!(native, render_in_component(form, budget), "the native build and the component differ");
    native
}

/// The answer of the component, whose memory is fixed. One instance serves all requests of a test, and nothing but the last
/// CSV stays allocated in it.
pub fn render_in_component(form: &Form, budget: u32) -> Outcome {
    thread_local!(static TOOL: RefCell<Tool> = RefCell::new(Tool::new()));
    TOOL.with_borrow_mut(|tool| {
        tool.set_budget(budget);
        let outcome = tool.render(form);
        assert_eq!(tool.probe("live"), outcome.as_ref().map_or(0, String::len) as i64, "bytes live after {outcome:?}");
        outcome
    })
}

/// Asserts that both builds refuse the request with this mode at this byte.
#[track_caller]
pub fn assert_refused(form: &Form, budget: u32, mode: qip_interpret::Mode, offset: u32) {
    assert_eq!(render(form, budget), Err(Rejection::new(mode, offset)));
}

/// Assembles a module.
#[track_caller]
pub fn assemble(wat: &str) -> Vec<u8> {
    wat::parse_str(wat).unwrap_or_else(|error| panic!("{error}"))
}

/// The offsets in `wasm` of all instructions, function by function.
pub fn operator_offsets(wasm: &[u8]) -> Vec<u32> {
    let mut offsets = Vec::new();
    for payload in wasmparser::Parser::new(0).parse_all(wasm) {
        if let wasmparser::Payload::CodeSectionEntry(body) = payload.unwrap() {
            let operators = body.get_operators_reader().unwrap().into_iter_with_offsets();
            offsets.extend(operators.map(|operator| operator.unwrap().1 as u32));
        }
    }
    offsets
}
