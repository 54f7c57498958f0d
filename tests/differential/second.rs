//! The second engine, Wasmtime, set up to compile fast. (wasmi 2.0.0 runs `i32.eqz` before `select` wrongly.)

use qip_interpret::Mode;
use wasmtime::{
    AsContextMut, Config, Engine, Error, ExternRef, Instance, Module, OptLevel, Ref, RefType, RegallocAlgorithm,
    Result, Store, Trap, Val, ValType,
};

/// An engine whose NaNs are canonical, as the interpreter's are.
pub fn engine() -> Result<Engine> {
    let mut config = Config::new();
    config.cranelift_nan_canonicalization(true);
    config.cranelift_opt_level(OptLevel::None).cranelift_regalloc_algorithm(RegallocAlgorithm::SinglePass);
    config.generate_address_map(false).native_unwind_info(false).memory_init_cow(false);
    // Memories are small: they need no 4 GiB of address space each.
    config.memory_reservation(1 << 20).memory_guard_size(0);
    Engine::new(&config)
}

/// An instance.
pub struct Running {
    store: Store<()>,
    instance: Instance,
}

/// Why a call, or an instantiation, did not succeed.
#[derive(Debug)]
pub enum Failure {
    /// A trap, by the first engine's name.
    Trap(Mode),
    /// The stack does not suffice.
    Exhausted,
    /// Anything else.
    Other(Error),
}

impl Running {
    pub fn new(module: &Module) -> Result<Self, Failure> {
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, module, &[])?;
        Ok(Self { store, instance })
    }

    /// Calls an exported function with arguments as slots and returns its results' bits.
    pub fn call(&mut self, name: &str, slots: &[u64]) -> Result<Vec<u128>, Failure> {
        let results = call(&mut self.store, &self.instance, name, slots)?;
        Ok(results.iter().map(|value| self.bits(value)).collect())
    }

    /// The bits of an exported global.
    pub fn global(&mut self, name: &str) -> u128 {
        let global = self.instance.get_global(&mut self.store, name).expect("both engines know the exports");
        let value = global.get(&mut self.store);
        self.bits(&value)
    }

    /// The bytes of an exported memory.
    pub fn memory(&mut self, name: &str) -> &[u8] {
        let memory = self.instance.get_memory(&mut self.store, name).expect("both engines know the exports");
        memory.data(&self.store)
    }

    /// A value's bits; of a function, only whether it is one.
    fn bits(&self, value: &Val) -> u128 {
        match value {
            Val::I32(value) => u128::from(*value as u32),
            Val::I64(value) => u128::from(*value as u64),
            Val::F32(bits) => u128::from(*bits),
            Val::F64(bits) => u128::from(*bits),
            Val::V128(value) => value.as_u128(),
            Val::FuncRef(function) => u128::from(function.is_some()),
            Val::ExternRef(None) => 0,
            Val::ExternRef(Some(reference)) => {
                let data = reference.data(&self.store).expect("the reference is of this store");
                u128::from(*data.and_then(|data| data.downcast_ref::<u64>()).expect("every host value is a number"))
            }
            other => panic!("not a value of Wasm 2.0: {other:?}"),
        }
    }
}

/// Calls an exported function with arguments as slots, of which a vector takes two.
pub fn call(mut store: impl AsContextMut, instance: &Instance, name: &str, slots: &[u64]) -> Result<Vec<Val>, Failure> {
    let function = instance.get_func(&mut store, name).expect("both engines know the exports");
    let ty = function.ty(&store);
    let mut slots = slots.iter().copied();
    let mut arguments = Vec::new();
    for ty in ty.params() {
        arguments.push(value(&mut store, &ty, &mut slots)?);
    }
    let mut results = vec![Val::I32(0); ty.results().len()];
    function.call(store, &arguments, &mut results)?;
    Ok(results)
}

fn value(store: impl AsContextMut, ty: &ValType, slots: &mut impl Iterator<Item = u64>) -> Result<Val> {
    let mut slot = || slots.next().expect("a slot for each argument");
    Ok(match ty {
        ValType::I32 => Val::I32(slot() as i32),
        ValType::I64 => Val::I64(slot() as i64),
        ValType::F32 => Val::F32(slot() as u32),
        ValType::F64 => Val::F64(slot()),
        ValType::V128 => Val::V128((u128::from(slot()) | u128::from(slot()) << 64).into()),
        ValType::Ref(ty) => match slot() {
            0 => Ref::null(ty.heap_type()).into(),
            reference => {
                assert!(RefType::eq(ty, &RefType::EXTERNREF), "functions are not passed");
                Val::ExternRef(Some(ExternRef::new(store, reference)?))
            }
        },
    })
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Trap(match error.downcast_ref() {
            Some(Trap::UnreachableCodeReached) => Mode::Unreachable,
            Some(Trap::MemoryOutOfBounds) => Mode::MemoryOutOfBounds,
            Some(Trap::TableOutOfBounds) => Mode::TableOutOfBounds,
            Some(Trap::IndirectCallToNull) => Mode::UninitializedElement,
            Some(Trap::IntegerDivisionByZero) => Mode::DivideByZero,
            Some(Trap::IntegerOverflow) => Mode::IntegerOverflow,
            Some(Trap::BadConversionToInteger) => Mode::InvalidConversion,
            Some(Trap::BadSignature) => Mode::IndirectCallType,
            Some(Trap::StackOverflow) => return Failure::Exhausted,
            _ => return Failure::Other(error),
        })
    }
}
