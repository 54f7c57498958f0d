//! The wasm32 build of the interpreter in Wasmtime: one instance of `guest` for each module.

use qip_interpret::{MODES_PER_OFFSET, Mode};
use wasmtime::{Memory, Module, Store};

use crate::instance::{Engine, Instance};

const GUEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wast/guest.wasm");

/// The wasm32 build.
pub struct Hosted {
    guest: Module,
}

impl Hosted {
    /// Compiles the build.
    pub fn new() -> Self {
        let guest = Module::from_file(&wasmtime::Engine::default(), GUEST);
        Self { guest: guest.unwrap_or_else(|error| panic!("{GUEST}: {error}. `make test` builds it first")) }
    }
}

struct HostedInstance {
    store: Store<()>,
    instance: wasmtime::Instance,
    memory: Memory,
    slots: usize,
}

impl HostedInstance {
    fn new(guest: &Module) -> wasmtime::Result<Self> {
        let mut store = Store::new(guest.engine(), ());
        let instance = wasmtime::Instance::new(&mut store, guest, &[])?;
        let memory = instance.get_memory(&mut store, "memory").expect("the guest exports its memory");
        let slots = instance.get_typed_func::<(), u32>(&mut store, "slots")?.call(&mut store, ())? as usize;
        Ok(Self { store, instance, memory, slots })
    }

    fn instantiate(&mut self, module: &[u8]) -> wasmtime::Result<i32> {
        let size = module.len() as u32;
        let allocate = self.instance.get_typed_func::<u32, u32>(&mut self.store, "allocate")?;
        let pointer = allocate.call(&mut self.store, size)?;
        self.memory.write(&mut self.store, pointer as usize, module)?;
        let instantiate = self.instance.get_typed_func::<(u32, u32), i32>(&mut self.store, "instantiate")?;
        instantiate.call(&mut self.store, (pointer, size))
    }

    fn run(&mut self, function: u32, arguments: &[u64]) -> wasmtime::Result<i32> {
        for (index, argument) in arguments.iter().enumerate() {
            self.memory.write(&mut self.store, self.slots + 8 * index, &argument.to_le_bytes())?;
        }
        let call = self.instance.get_typed_func::<(u32, u32), i32>(&mut self.store, "call")?;
        call.call(&mut self.store, (function, arguments.len() as u32))
    }

    fn read(&self, count: usize) -> Vec<u64> {
        let bytes = &self.memory.data(&self.store)[self.slots..self.slots + 8 * count];
        bytes.as_chunks().0.iter().map(|slot| u64::from_le_bytes(*slot)).collect()
    }
}

impl Engine for Hosted {
    fn name(&self) -> &'static str {
        "wasm32"
    }

    fn instantiate(&mut self, module: &[u8]) -> Result<Box<dyn Instance>, Mode> {
        let mut instance = HostedInstance::new(&self.guest).expect("the guest starts");
        accepted(instance.instantiate(module).expect("the guest does not trap"))?;
        Ok(Box::new(instance))
    }
}

impl Instance for HostedInstance {
    fn call(&mut self, function: u32, arguments: &[u64], result_slots: usize) -> Result<Vec<u64>, Mode> {
        accepted(self.run(function, arguments).expect("the guest does not trap"))?;
        Ok(self.read(result_slots))
    }

    fn global(&mut self, index: u32) -> u128 {
        let global = self.instance.get_typed_func::<u32, ()>(&mut self.store, "global").expect("the guest exports it");
        global.call(&mut self.store, index).expect("the guest does not trap");
        let slots = self.read(2);
        u128::from(slots[0]) | u128::from(slots[1]) << 64
    }
}

/// The mode that a call of the guest returned, if it did.
fn accepted(result: i32) -> Result<(), Mode> {
    match u8::try_from(result) {
        Err(_) => Ok(()),
        Ok(mode) => Err(Mode::from_number(mode).unwrap_or_else(|| panic!("no mode {mode} of {MODES_PER_OFFSET}"))),
    }
}
