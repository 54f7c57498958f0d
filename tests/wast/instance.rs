//! What a script needs of the interpreter.

use qip_interpret::Mode;
use qip_interpret::code::Program;
use qip_interpret::machine::Machine;
use qip_interpret::memory::PerPage;

/// Makes instances of modules without imports.
pub trait Engine {
    /// A name for messages.
    fn name(&self) -> &'static str;

    /// Validates and instantiates. The mode says what is wrong.
    fn instantiate(&mut self, module: &[u8]) -> Result<Box<dyn Instance>, Mode>;
}

/// An instance.
pub trait Instance {
    /// Calls a function, with arguments and results as 64-bit slots, of which a vector takes two.
    fn call(&mut self, function: u32, arguments: &[u64], result_slots: usize) -> Result<Vec<u64>, Mode>;

    /// The bits of a global.
    fn global(&mut self, index: u32) -> u128;
}

/// The library, compiled for this machine.
pub struct Native;

/// A program lives as long as the test: the machine borrows it.
struct NativeInstance(Machine<'static, PerPage>);

impl Engine for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn instantiate(&mut self, module: &[u8]) -> Result<Box<dyn Instance>, Mode> {
        let program = Program::new(module.to_vec().leak()).map_err(|rejection| rejection.mode)?;
        let machine = Machine::new(Box::leak(Box::new(program)), u32::MAX).map_err(|rejection| rejection.mode)?;
        Ok(Box::new(NativeInstance(machine)))
    }
}

impl Instance for NativeInstance {
    fn call(&mut self, function: u32, arguments: &[u64], result_slots: usize) -> Result<Vec<u64>, Mode> {
        let results = self.0.call(function, arguments).map_err(|rejection| rejection.mode)?;
        assert_eq!(results.len(), result_slots);
        Ok(results.to_vec())
    }

    fn global(&mut self, index: u32) -> u128 {
        self.0.global_value(index)
    }
}
