//! The built components in Wasmtime.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use content_host::{Counters, Engine, Instance, Module};
use qip_interpret::{MODES_PER_OFFSET, Mode, Rejection};

use super::{Component, Form, Outcome, PAGE_WRITES};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
const CONTENT_TYPE: &str = "multipart/form-data;boundary=uuid-00000000-0000-0000-0000-000000000000";

/// Every mode, in the order of the numbers by which hosts print them.
pub const MODES: [Mode; 22] = [
    Mode::MalformedRequest,
    Mode::BadPart,
    Mode::BadUniform,
    Mode::InvalidWasm,
    Mode::Unsupported,
    Mode::Limit,
    Mode::Contract,
    Mode::BadInput,
    Mode::BadOutput,
    Mode::Budget,
    Mode::TargetRejected,
    Mode::OutOfMemory,
    Mode::Unreachable,
    Mode::DivideByZero,
    Mode::IntegerOverflow,
    Mode::InvalidConversion,
    Mode::MemoryOutOfBounds,
    Mode::TableOutOfBounds,
    Mode::UndefinedElement,
    Mode::UninitializedElement,
    Mode::IndirectCallType,
    Mode::CallStackExhausted,
];

/// The rejection that `render` has returned, if it is one.
pub fn rejection(result: i64) -> Option<Rejection> {
    (result < 0).then(|| {
        let (detail, pointer) = (result as u32, (result >> 32) as u32 & 0x7fff_ffff);
        assert_eq!(pointer, 0, "a rejection has no pointer");
        Rejection::new(MODES[(detail % MODES_PER_OFFSET) as usize], detail / MODES_PER_OFFSET)
    })
}

/// A component's artifact, compiled once for all tests.
fn artifact(path: &'static str) -> Module {
    static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::default);
    static MODULES: Mutex<BTreeMap<&str, Module>> = Mutex::new(BTreeMap::new());
    let compile = || {
        let path = Path::new(FOLDER).join(path);
        assert!(path.exists(), "{} is missing: run `make test`, which builds it first", path.display());
        Module::from_file(&ENGINE, path).expect("the artifact compiles")
    };
    MODULES.lock().unwrap().entry(path).or_insert_with(compile).clone()
}

/// One instance of a component.
pub struct Tool(Instance);

impl Tool {
    /// An instance of the component that writes the page CSV.
    pub fn new() -> Self {
        Self::of(&PAGE_WRITES)
    }

    /// An instance of a component that takes a request.
    pub fn of(component: &Component) -> Self {
        let mut tool = Self::at(component.path);
        assert_eq!(tool.get("failure_modes_per_input_offset"), MODES_PER_OFFSET);
        assert_eq!(tool.0.content_type("input").unwrap(), CONTENT_TYPE);
        tool
    }

    /// An instance of a component that may take something else than a request.
    pub fn at(path: &'static str) -> Self {
        Self(Instance::new(&artifact(path)).expect("the component starts in a host without imports"))
    }

    /// Renders a request with the budget set before; the answer is text.
    pub fn render(&mut self, form: &Form) -> Outcome {
        self.render_bytes(form).map(|text| String::from_utf8(text).expect("the output is UTF-8"))
    }

    /// Renders a request with the budget set before.
    pub fn render_bytes(&mut self, form: &Form) -> Result<Vec<u8>, Rejection> {
        self.render_body(&form.body(), form.boundary())
    }

    /// The same for a request's bytes.
    pub fn render_body(&mut self, body: &[u8], boundary: &[u8; 36]) -> Result<Vec<u8>, Rejection> {
        self.0.set_boundary(boundary).unwrap();
        self.render_input(body).map_err(|detail| rejection(i64::MIN | i64::from(detail)).expect("it is rejected"))
    }

    /// Renders an input that fits; a rejection gives its low half.
    pub fn render_input(&mut self, input: &[u8]) -> Result<Vec<u8>, u32> {
        let answer = self.0.render(input).expect("the component never traps");
        answer.map_err(|rejected| rejected.detail)
    }

    /// Milliseconds of processor time that the last render took.
    pub fn milliseconds(&self) -> f64 {
        self.0.milliseconds()
    }

    /// Sets the budget of the next render; returns the one applied.
    pub fn set_budget(&mut self, budget: u32) -> u32 {
        let applied = self.0.set_uniform("instruction_budget", &budget.to_string()).unwrap();
        applied.expect("the setter returns what it applies").unwrap_i32() as u32
    }

    /// What the allocator probe counted.
    pub fn counters(&mut self) -> Counters {
        self.0.counters().unwrap().expect("the component has a probe")
    }

    /// The value of a static getter.
    pub fn get(&mut self, getter: &str) -> u32 {
        self.0.get(getter).unwrap()
    }
}
