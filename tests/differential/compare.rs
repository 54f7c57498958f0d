//! Runs a case in both engines and compares what can be seen.

use std::fmt;

use qip_interpret::Mode;
use qip_interpret::code::Program;
use qip_interpret::machine::Machine;
use qip_interpret::memory::PerPage;
use qip_interpret::module::{ExportKind, MemoryType, Module, Ty};
use wasmtime::Engine;

use crate::generate::Case;
use crate::random::Random;
use crate::second::{Failure, Running};

/// Instructions that the calls on one instance may execute together.
pub const BUDGET: u32 = 20_000;

/// Pages, and table entries, that a damaged module may declare and still be run.
const MAX_PAGES: u32 = 64;
const MAX_ENTRIES: u32 = 10_000;

/// What was compared.
#[derive(Default)]
pub struct Totals {
    pub modules: u64,
    /// Modules that both engines refuse.
    pub refused: u64,
    /// Damaged modules that use a proposal which only the second engine supports.
    pub unsupported: u64,
    /// Modules whose instantiation traps in both.
    pub not_instantiated: u64,
    /// Calls with equal results.
    pub returned: u64,
    /// Calls that trapped equally, by the number of their mode.
    pub trapped: [u64; Mode::ALL.len()],
    /// Calls that an engine's limits ended.
    pub exhausted: u64,
    /// Modules that are too large to run here.
    pub too_large: u64,
    /// Modules whose counters were compared.
    pub counted: u64,
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { modules, refused, unsupported, not_instantiated, returned, trapped, exhausted, too_large, counted } =
            self;
        let traps: u64 = trapped.iter().sum();
        write!(
            f,
            "{modules} modules ({refused} refused, {unsupported} unsupported here, {not_instantiated} trapped when instantiated), {} calls compared \
             ({returned} returned, {traps} trapped",
            returned + traps
        )?;
        for (mode, count) in Mode::ALL.iter().zip(trapped).filter(|&(_, &count)| count > 0) {
            write!(f, ", {mode:?} {count}")?;
        }
        write!(
            f,
            "), {counted} modules counted twice; inconclusive: {exhausted} calls exhausted, {too_large} modules too large"
        )
    }
}

/// Compares the engines on a case, and says where they differ.
pub fn compare(case: &Case, engine: &Engine, values: &mut Random, totals: &mut Totals) -> Result<(), String> {
    totals.modules += 1;
    let (program, second) = match (Program::new(&case.module), wasmtime::Module::new(engine, &case.module)) {
        (Ok(program), Ok(second)) => (program, second),
        (Err(rejection), _) if matches!(rejection.mode, Mode::Limit | Mode::OutOfMemory) => {
            totals.too_large += 1;
            return Ok(());
        }
        (Err(_), Err(_)) => {
            totals.refused += 1;
            return Ok(());
        }
        (Err(rejection), Ok(_)) if case.damaged && matches!(rejection.mode, Mode::Unsupported | Mode::Contract) => {
            totals.unsupported += 1;
            return Ok(());
        }
        (Ok(_), Err(error)) => return Err(format!("accepted, but the second engine refuses it: {error:?}")),
        (Err(rejection), Ok(_)) => {
            return Err(format!("refused as {:?} at {}", rejection.mode, rejection.offset));
        }
    };
    if !fits(program.module()) {
        totals.too_large += 1;
        return Ok(());
    }
    let mut instances = None;
    for (name, function) in functions(program.module()) {
        let arguments = arguments(program.module(), function, values);
        if instances.is_none() {
            instances = instantiate(&program, &second)?;
        }
        let Some((machine, running)) = &mut instances else {
            totals.not_instantiated += 1;
            return Ok(());
        };
        let here = |problem: String| format!("{name:?} of {arguments:#x?}: {problem}");
        let results = machine.call(function, &arguments).map(<[u64]>::to_vec);
        match results.map_err(|rejection| rejection.mode) {
            Err(Mode::Budget | Mode::CallStackExhausted | Mode::OutOfMemory) => {
                totals.exhausted += 1;
                instances = None;
                continue;
            }
            results => match (results, running.call(name, &arguments)) {
                (_, Err(Failure::Exhausted)) => {
                    totals.exhausted += 1;
                    instances = None;
                    continue;
                }
                (Ok(slots), Ok(others)) => {
                    let bits = bits(&program.module().function_type(function).results, &slots);
                    if bits != others {
                        return Err(here(format!("returned {bits:#x?}, in the second engine {others:#x?}")));
                    }
                    totals.returned += 1;
                }
                (Err(mode), Err(Failure::Trap(other))) if alike(mode, other) => totals.trapped[mode as usize] += 1,
                (_, Err(Failure::Other(error))) => return Err(here(format!("in the second engine: {error:?}"))),
                (result, other) => {
                    return Err(here(format!("ended with {result:#x?}, in the second engine with {other:#x?}")));
                }
            },
        }
        compare_state(program.module(), machine, running).map_err(here)?;
    }
    Ok(())
}

/// Instantiates in both. `None` if both trap.
fn instantiate<'p>(
    program: &'p Program<'p>,
    second: &wasmtime::Module,
) -> Result<Option<(Machine<'p, PerPage>, Running)>, String> {
    match (Machine::new(program, BUDGET), Running::new(second)) {
        (Ok(machine), Ok(mut running)) => {
            compare_state(program.module(), &machine, &mut running)
                .map_err(|problem| format!("at first: {problem}"))?;
            Ok(Some((machine, running)))
        }
        (Err(rejection), Err(Failure::Trap(other))) if alike(rejection.mode, other) => Ok(None),
        (machine, running) => {
            let (ours, other) = (machine.err().map(|rejection| rejection.mode), running.err());
            Err(format!("instantiation ends with {ours:?}, in the second engine with {other:?} (None is success)"))
        }
    }
}

fn compare_state(module: &Module<'_>, machine: &Machine<'_, PerPage>, running: &mut Running) -> Result<(), String> {
    for export in &module.exports {
        match export.kind {
            ExportKind::Global => {
                let value = machine.global_value(export.index);
                let ty = module.globals[export.index as usize].ty;
                let bits = bits(&[ty], &[value as u64, (value >> 64) as u64])[0];
                let other = running.global(export.name);
                if bits != other {
                    return Err(format!("global {} is {bits:#x}, in the second engine {other:#x}", export.index));
                }
            }
            ExportKind::Memory => {
                let other = running.memory(export.name);
                if machine.memory().bytes() != other.len() as u64 {
                    let bytes = machine.memory().bytes();
                    return Err(format!("memory has {bytes} bytes, in the second engine {}", other.len()));
                }
                let mut rest = other;
                machine.memory().peek(0, other.len() as u32, |piece| {
                    let (same, behind) = rest.split_at(piece.len());
                    if piece == same {
                        rest = behind;
                        return Ok(());
                    }
                    let at = piece.iter().zip(same).position(|(byte, other)| byte != other).unwrap_or(0);
                    let address = other.len() - rest.len() + at;
                    Err(format!("byte {address} is {}, in the second engine {}", piece[at], same[at]))
                })?;
            }
            ExportKind::Function | ExportKind::Table => {}
        }
    }
    Ok(())
}

/// The exported functions.
pub fn functions<'m>(module: &'m Module<'_>) -> impl Iterator<Item = (&'m str, u32)> {
    let functions = module.exports.iter().filter(|export| export.kind == ExportKind::Function);
    functions.map(|export| (export.name, export.index))
}

/// Arguments as slots, of which a vector takes two.
pub fn arguments(module: &Module<'_>, function: u32, values: &mut Random) -> Vec<u64> {
    let mut slots = Vec::new();
    for ty in &module.function_type(function).params {
        match ty {
            Ty::I32 | Ty::F32 => slots.push(u64::from(values.slot() as u32)),
            Ty::I64 | Ty::F64 => slots.push(values.slot()),
            Ty::V128 => slots.extend([values.slot(), values.slot()]),
            Ty::FuncRef => slots.push(0),
            Ty::ExternRef => slots.push(values.next() % 3),
        }
    }
    slots
}

/// Values' bits; of a function, only whether it is one.
fn bits(types: &[Ty], slots: &[u64]) -> Vec<u128> {
    let mut slots = slots.iter().map(|&slot| u128::from(slot));
    let mut slot = || slots.next().expect("a slot for each value");
    let value = |ty: &Ty| match ty {
        Ty::I64 | Ty::F64 => slot(),
        Ty::V128 => slot() | slot() << 64,
        Ty::FuncRef => u128::from(slot() as u32 != 0),
        Ty::I32 | Ty::F32 | Ty::ExternRef => u128::from(slot() as u32),
    };
    types.iter().map(value).collect()
}

/// Whether two traps are of one kind. The second engine does not tell an element that is not there from other accesses.
fn alike(mode: Mode, other: Mode) -> bool {
    mode == other || (mode, other) == (Mode::UndefinedElement, Mode::TableOutOfBounds)
}

fn fits(module: &Module<'_>) -> bool {
    let maximum = |memory: &MemoryType| memory.maximum.is_some_and(|pages| pages <= MAX_PAGES);
    module.memory.as_ref().is_none_or(maximum) && module.tables.iter().all(|table| table.maximum <= MAX_ENTRIES)
}
