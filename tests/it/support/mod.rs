//! Requests, and the two builds of each component that answer them.

pub mod binary;
mod tool;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;

use qip_interpret::{Rejection, Request};

pub use content_host::{Form, UUID};
pub use tool::{MODES, Tool, rejection};

/// What tests let a target execute where the budget is not the point: a hundredth of the default, which a target that runs on and on
/// takes long to spend in a build for tests.
pub const BUDGET: u32 = qip_interpret::DEFAULT_BUDGET / 100;

/// What the tool answers: the CSV or a rejection.
pub type Outcome = Result<String, Rejection>;

/// The header line of every CSV.
pub const HEADER: &str =
    "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// A component, and what the library renders for it.
pub struct Component {
    /// The built file, from the repository's root.
    pub path: &'static str,
    pub natively: Library,
}

/// Answers a request.
type Library = fn(&Request<'_>) -> Result<Vec<u8>, Rejection>;

pub const PAGE_WRITES: Component = Component {
    path: "application/wasm/qip-interpret-memory-page-writes-csv.wasm",
    natively: qip_interpret::page_writes_csv,
};

pub const PAGE_FUNCTIONS: Component = Component {
    path: "application/wasm/qip-interpret-memory-page-functions-csv.wasm",
    natively: qip_interpret::page_functions_csv,
};

pub const OUTPUT: Component =
    Component { path: "application/wasm/qip-content-interpreter.wasm", natively: qip_interpret::output };

pub const EXPLANATION: Component =
    Component { path: "application/wasm/qip-interpret-explain.wasm", natively: qip_interpret::explanation };

/// Every component that takes a request with a target.
pub const COMPONENTS: [&Component; 4] = [&PAGE_WRITES, &PAGE_FUNCTIONS, &OUTPUT, &EXPLANATION];

impl Component {
    /// The answer of the library as it runs natively.
    pub fn render_natively(&self, form: &Form, budget: u32) -> Result<Vec<u8>, Rejection> {
        (self.natively)(&Request { body: &form.body(), boundary: form.boundary(), budget })
    }

    /// The answer of the built component, whose memory is fixed. One instance serves all requests of a test, and nothing but
    /// the last answer stays allocated in it.
    pub fn render_built(&self, form: &Form, budget: u32) -> Result<Vec<u8>, Rejection> {
        thread_local!(static TOOLS: RefCell<BTreeMap<&'static str, Tool>> = const { RefCell::new(BTreeMap::new()) });
        TOOLS.with_borrow_mut(|tools| {
            let tool = tools.entry(self.path).or_insert_with(|| Tool::of(self));
            tool.set_budget(budget);
            let outcome = tool.render_bytes(form);
            assert_eq!(
                tool.counters().live,
                outcome.as_ref().map_or(0, Vec::len) as u64,
                "bytes live after {outcome:?}"
            );
            outcome
        })
    }

    /// The answer of both builds, which must agree.
    pub fn render(&self, form: &Form, budget: u32) -> Result<Vec<u8>, Rejection> {
        let native = self.render_natively(form, budget);
        assert_eq!(native, self.render_built(form, budget), "the native build and the component differ");
        native
    }

    /// The same for a component that returns text.
    pub fn render_text(&self, form: &Form, budget: u32) -> Outcome {
        self.render(form, budget).map(text)
    }
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the output is UTF-8")
}

/// The page CSV of both builds, which must agree.
pub fn render(form: &Form, budget: u32) -> Outcome {
    PAGE_WRITES.render_text(form, budget)
}

/// The page CSV of the component.
pub fn render_in_component(form: &Form, budget: u32) -> Outcome {
    PAGE_WRITES.render_built(form, budget).map(text)
}

/// Asserts that both builds refuse the request with this mode at this byte, and explain the same.
#[track_caller]
pub fn assert_refused(form: &Form, budget: u32, mode: qip_interpret::Mode, offset: u32) {
    assert_eq!(render(form, budget), Err(Rejection::new(mode, offset)));
    let explanation = EXPLANATION.render_text(form, budget).expect("a rejection is explained, not repeated");
    let lines = format!("\n\nmode: {}\noffset: {offset}\n", mode as u8);
    assert!(explanation.contains(&lines), "{explanation}instead of\n{lines}");
}

/// Assembles a module.
#[track_caller]
pub fn assemble(wat: &str) -> Vec<u8> {
    wat::parse_str(wat).unwrap_or_else(|error| panic!("{error}"))
}

/// From the repository's root, the component in C.
pub const WORD_COUNTS: &str = "text/plain/word-counts.wasm";

/// The component in C, or nothing where there is no clang, which is said.
pub fn word_counts() -> Option<Vec<u8>> {
    built_by_clang(WORD_COUNTS)
}

/// A component that is built by clang, by its path from the repository's root; the same.
pub fn built_by_clang(path: &str) -> Option<Vec<u8>> {
    let read = std::fs::read(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")));
    let there_is = |tool| Command::new(tool).arg("--version").output().is_ok();
    if read.is_err() && !(there_is("clang") && there_is("wasm-ld")) {
        // Not by a macro, whose output a test that passes keeps to itself.
        let skipped = format!("SKIPPED: {path} is not built, since there is no clang and wasm-ld\n");
        std::io::stderr().write_all(skipped.as_bytes()).unwrap();
        return None;
    }
    Some(read.expect("`make test` builds it first"))
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
