//! Requests, and the two builds of the tool that answer them.

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

/// The answer of both builds, which must agree. The component's instance serves all requests of a test.
pub fn render(form: &Form, budget: u32) -> Outcome {
    thread_local!(static TOOL: RefCell<Tool> = RefCell::new(Tool::new()));
    let native = render_natively(form, budget);
    let component = TOOL.with_borrow_mut(|tool| {
        tool.set_budget(budget);
        tool.render(form)
    });
    assert_eq!(native, component, "the native build and the component differ");
    native
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
