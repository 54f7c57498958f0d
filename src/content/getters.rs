//! The values of getters: read from their code where that is one constant, else from an execution.

use crate::code::Program;
use crate::machine::Machine;
use crate::memory::Count;
use crate::module::{Export, ExportKind, Module, Ty};
use crate::rejection::{Mode, Rejection};
use crate::wasm::{Operator, local_declaration};

/// Instructions that a getter may execute; the request's budget is not charged for them.
const BUDGET: u32 = 10_000;

/// A getter: its value, and where it is exported.
#[derive(Clone, Copy)]
pub struct Getter {
    /// What it returns.
    pub value: u32,
    /// Offset of its export.
    pub offset: u32,
}

/// The getters of a program.
pub struct Getters<'p, C: Count> {
    program: &'p Program<'p>,
    /// The instance that getters are executed on, made for the first that is. No other may be alive on wasm32, and with this one all
    /// goes that they do.
    machine: Option<Machine<'p, C>>,
}

impl<'p, C: Count> Getters<'p, C> {
    /// The getters of a program of which no instance is alive.
    pub fn new(program: &'p Program<'p>) -> Self {
        Self { program, machine: None }
    }

    /// The value of the getter with this name, or `None` where that is not exported.
    ///
    /// Rejects with `Contract` at the export if it is no function `() -> i32`, if it traps, or if it executes too many instructions.
    /// If it has to be executed it rejects like [`Machine::new`] too, and with `OutOfMemory`.
    pub fn get(&mut self, name: &str) -> Result<Option<Getter>, Rejection> {
        let module = self.program.module();
        let Some(export) = module.export(name) else { return Ok(None) };
        if export.kind != ExportKind::Function || !module.function_type(export.index).is(&[], &[Ty::I32]) {
            return Err(Mode::Contract.at(export.offset));
        }
        let value = match constant(module, export.index) {
            Some(value) => value,
            None => self.execute(export)?,
        };
        Ok(Some(Getter { value, offset: export.offset }))
    }

    fn execute(&mut self, export: &Export<'_>) -> Result<u32, Rejection> {
        let machine = match &mut self.machine {
            Some(machine) => machine,
            none => none.insert(Machine::new(self.program, 0)?),
        };
        machine.set_budget(BUDGET);
        match machine.call(export.index, &[]) {
            Ok(results) => Ok(results[0] as u32),
            Err(rejection) if rejection.mode == Mode::OutOfMemory => Err(rejection),
            Err(_) => Err(Mode::Contract.at(export.offset)),
        }
    }
}

/// What a function returns whose body is one `i32.const`, or one `global.get` of a constant global.
fn constant(module: &Module<'_>, function: u32) -> Option<u32> {
    let mut reader = module.body(function);
    for _ in 0..reader.read_var_u32().ok()? {
        local_declaration(&mut reader).ok()?;
    }
    let value = match Operator::read(&mut reader).ok()? {
        Operator::Const(Ty::I32, bits) => bits as u32,
        Operator::GlobalGet(index) => {
            let global = module.globals[index as usize];
            (!global.mutable).then_some(global.value as u32)?
        }
        _ => return None,
    };
    matches!(Operator::read(&mut reader).ok()?, Operator::End).then_some(value)
}
