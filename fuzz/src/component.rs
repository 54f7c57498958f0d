//! The built component in Wasmtime.

use qip_interpret::{MODES_PER_OFFSET, Mode, Rejection};
use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc};

/// One instance.
pub struct Component {
    store: Store<()>,
    memory: Memory,
    input: usize,
    set_budget: TypedFunc<i32, i32>,
    render: TypedFunc<i32, i64>,
    live: TypedFunc<(), i64>,
}

impl Component {
    /// An instance of the component that the environment variable `COMPONENT` names, which `make` builds.
    pub fn new() -> Self {
        let file = std::env::var("COMPONENT").expect("COMPONENT names the component to fuzz");
        let module = Module::from_file(&Engine::default(), file).expect("the component compiles");
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, &module, &[]).expect("the component has no imports");
        let memory = instance.get_memory(&mut store, "memory").expect("the component exports its memory");
        let input =
            instance.get_typed_func::<(), i32>(&mut store, "input_ptr").and_then(|get| get.call(&mut store, ()));
        let set_budget = instance.get_typed_func(&mut store, "uniform_set_instruction_budget");
        let render = instance.get_typed_func(&mut store, "render");
        let live = instance.get_typed_func(&mut store, "peakmark_probe_live");
        Self {
            memory,
            input: input.expect("the component has an input") as usize,
            set_budget: set_budget.expect("the component has a budget"),
            render: render.expect("the component exports `render`"),
            live: live.expect("the component has the allocator probe"),
            store,
        }
    }

    /// Renders a request on so many instructions.
    pub fn render(&mut self, request: &[u8], budget: u32) -> Result<Vec<u8>, Rejection> {
        self.memory.write(&mut self.store, self.input, request).expect("the request fits");
        self.set_budget.call(&mut self.store, budget as i32).expect("the component never traps");
        let result = self.render.call(&mut self.store, request.len() as i32).expect("the component never traps");
        let (size, pointer) = (result as u32, (result >> 32) as usize & 0x7fff_ffff);
        if result < 0 {
            assert_eq!(pointer, 0, "a rejection has no pointer");
            let mode = Mode::from_number((size % MODES_PER_OFFSET) as u8).expect("the mode has a name");
            return Err(Rejection::new(mode, size / MODES_PER_OFFSET));
        }
        Ok(self.memory.data(&self.store)[pointer..][..size as usize].to_vec())
    }

    /// Bytes that are allocated.
    pub fn live(&mut self) -> usize {
        self.live.call(&mut self.store, ()).expect("the component never traps") as usize
    }
}

impl Default for Component {
    fn default() -> Self {
        Self::new()
    }
}
