//! The built component in Wasmtime.

use content_host::Instance;
use qip_interpret::{MODES_PER_OFFSET, Mode, Rejection};

/// One instance.
pub struct Component(Instance);

impl Component {
    /// An instance of the component that the environment variable `COMPONENT` names, which `make` builds.
    pub fn new() -> Self {
        let file = std::env::var("COMPONENT").expect("COMPONENT names the component to fuzz");
        Self(Instance::from_file(file).expect("the component compiles"))
    }

    /// Renders a request on so many instructions.
    pub fn render(&mut self, request: &[u8], budget: u32) -> Result<Vec<u8>, Rejection> {
        self.0.set_uniform("instruction_budget", &budget.to_string()).expect("the component has a budget");
        let answer = self.0.render(request).expect("the component never traps");
        answer.map_err(|rejected| {
            assert_eq!(rejected.modes, MODES_PER_OFFSET);
            let (offset, mode) = rejected.place().expect("there are modes");
            Rejection::new(Mode::from_number(mode as u8).expect("the mode has a name"), offset)
        })
    }

    /// Bytes that are allocated.
    pub fn live(&mut self) -> usize {
        self.0.counters().unwrap().expect("the component has the allocator probe").live as usize
    }
}

impl Default for Component {
    fn default() -> Self {
        Self::new()
    }
}
