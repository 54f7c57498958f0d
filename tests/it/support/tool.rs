//! The built components in Wasmtime.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use qip_interpret::{MODES_PER_OFFSET, Mode, Rejection};
use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc};

use super::{Component, Form, Outcome, PAGE_WRITES};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
const CONTENT_TYPE: &str = "multipart/form-data;boundary=uuid-00000000-0000-0000-0000-000000000000";
const UUID_LENGTH: usize = 36;

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
pub struct Tool {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    render: TypedFunc<i32, i64>,
    input: usize,
    uuid: usize,
}

impl Tool {
    /// An instance of the component that writes the page CSV.
    pub fn new() -> Self {
        Self::of(&PAGE_WRITES)
    }

    pub fn of(component: &Component) -> Self {
        let mut tool = Self::at(component.path);
        let content_type = tool.get("input_content_type_ptr") as usize;
        tool.uuid = content_type + CONTENT_TYPE.len() - UUID_LENGTH;
        let size = tool.get("input_content_type_size") as usize;
        assert_eq!(tool.read(content_type, size), CONTENT_TYPE.as_bytes());
        tool
    }

    /// An instance of a component that may take something else than a request.
    pub fn at(path: &'static str) -> Self {
        let module = artifact(path);
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, &module, &[]).expect("the component has no imports");
        let memory = instance.get_memory(&mut store, "memory").expect("the component exports its memory");
        let render = instance.get_typed_func(&mut store, "render").expect("the component exports `render`");
        let mut tool = Self { store, instance, memory, render, input: 0, uuid: 0 };
        tool.input = tool.get("input_ptr") as usize;
        tool
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
        self.set_boundary(boundary, body.len());
        self.render_input(body).map_err(|detail| {
            assert_eq!(self.get("failure_modes_per_input_offset") as u32, MODES_PER_OFFSET);
            rejection(i64::MIN | i64::from(detail)).expect("it is rejected")
        })
    }

    /// Renders an input that fits; a rejection gives its low half.
    pub fn render_input(&mut self, input: &[u8]) -> Result<Vec<u8>, u32> {
        self.memory.write(&mut self.store, self.input, input).unwrap();
        let result = self.render.call(&mut self.store, input.len() as i32).expect("the component never traps");
        let (size, pointer) = (result as u32, (result >> 32) as u32 & 0x7fff_ffff);
        if result < 0 {
            assert_eq!(pointer, 0, "a rejection has no pointer");
            return Err(size);
        }
        Ok(self.read(pointer as usize, size as usize))
    }

    /// Renders a request and returns the milliseconds of processor time that took.
    pub fn milliseconds(&mut self, body: &[u8], boundary: &[u8; 36]) -> f64 {
        self.set_boundary(boundary, body.len());
        self.memory.write(&mut self.store, self.input, body).unwrap();
        let start = thread_milliseconds();
        self.render.call(&mut self.store, body.len() as i32).expect("the component never traps");
        thread_milliseconds() - start
    }

    fn set_boundary(&mut self, boundary: &[u8; 36], length: usize) {
        assert!(length <= self.get("input_bytes_cap") as usize, "the request fits the input region");
        self.memory.write(&mut self.store, self.uuid, boundary).unwrap();
    }

    /// Sets the budget of the next render; returns the one applied.
    pub fn set_budget(&mut self, budget: u32) -> u32 {
        let set = self.instance.get_typed_func::<i32, i32>(&mut self.store, "uniform_set_instruction_budget");
        set.unwrap().call(&mut self.store, budget as i32).unwrap() as u32
    }

    /// A counter of the allocator probe: `live`, `peak`, `allocations` or `frees`.
    pub fn probe(&mut self, counter: &str) -> i64 {
        let export = format!("peakmark_probe_{counter}");
        self.instance.get_typed_func::<(), i64>(&mut self.store, &export).unwrap().call(&mut self.store, ()).unwrap()
    }

    /// The value of a static getter.
    pub fn get(&mut self, getter: &str) -> i32 {
        self.instance.get_typed_func::<(), i32>(&mut self.store, getter).unwrap().call(&mut self.store, ()).unwrap()
    }

    fn read(&self, start: usize, size: usize) -> Vec<u8> {
        self.memory.data(&self.store)[start..start + size].to_vec()
    }
}

/// The processor time of this thread. Wall time would count what else the machine does.
fn thread_milliseconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes to `time` alone.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "the system has a clock for each thread");
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
