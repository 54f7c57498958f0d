//! The static half of the contract: exports and getters, checked before anything runs.

use core::ops::Range;

use crate::memory::PAGE_BYTES;
use crate::module::{Export, ExportKind, Module, Ty};
use crate::rejection::{Mode, Rejection};
use crate::wasm::{Operator, local_declaration};

/// A static getter: its value, and where it is exported.
#[derive(Clone, Copy)]
pub struct Getter {
    /// What it returns.
    pub value: u32,
    offset: u32,
}

/// Where the target takes its input.
pub struct InputRegion {
    /// `input_ptr`.
    pub start: u32,
    /// Capacity in bytes.
    pub capacity: u32,
    /// Whether the input must be UTF-8.
    pub utf8: bool,
}

impl InputRegion {
    /// The whole region, by capacity.
    pub fn range(&self) -> Range<u64> {
        u64::from(self.start)..u64::from(self.start) + u64::from(self.capacity)
    }
}

/// What the target promises.
pub struct Contract {
    /// Index of `render`.
    pub render: u32,
    /// Offset of `render`'s export.
    pub render_offset: u32,
    /// `None` for a generator.
    pub input: Option<InputRegion>,
    /// Output capacity in bytes.
    pub output: Getter,
    /// Whether the output must be UTF-8.
    pub output_utf8: bool,
    /// `failure_modes_per_input_offset`, if exported.
    pub failure_modes: Option<Getter>,
}

impl Contract {
    /// Checks the exports. A rejection is at the export that is at fault, or at 0 where one is missing.
    pub fn check(module: &Module<'_>) -> Result<Self, Rejection> {
        let memory = match module.export("memory") {
            Some(export) if export.kind == ExportKind::Memory => module.memory.filter(|ty| ty.maximum.is_some()),
            _ => None,
        };
        let Some(memory) = memory else { return Err(broken(module.export("memory"))) };
        let render = module.export("render");
        let Some(render) = render.filter(|export| {
            export.kind == ExportKind::Function && module.function_type(export.index).is(&[Ty::I32], &[Ty::I64])
        }) else {
            return Err(broken(render));
        };
        let (output, output_utf8) = capacity(module, "output_utf8_cap", "output_bytes_cap")?.ok_or(broken(None))?;
        let input = match (getter(module, "input_ptr")?, capacity(module, "input_utf8_cap", "input_bytes_cap")?) {
            (None, None) => None,
            (Some(start), Some((capacity, utf8))) => {
                let region = InputRegion { start: start.value, capacity: capacity.value, utf8 };
                if region.range().end > u64::from(memory.initial) * PAGE_BYTES as u64 {
                    return Err(Rejection::new(Mode::Contract, start.offset));
                }
                Some(region)
            }
            (start, capacity) => {
                let alone = start.or(capacity.map(|(getter, _)| getter));
                return Err(Rejection::new(Mode::Contract, alone.map_or(0, |getter| getter.offset)));
            }
        };
        let failure_modes = getter(module, "failure_modes_per_input_offset")?;
        let (render, render_offset) = (render.index, render.offset);
        Ok(Self { render, render_offset, input, output, output_utf8, failure_modes })
    }
}

/// The capacity that one of two getters declares, and whether it was the first; both together are refused.
fn capacity(module: &Module<'_>, utf8: &str, bytes: &str) -> Result<Option<(Getter, bool)>, Rejection> {
    match (getter(module, utf8)?, getter(module, bytes)?) {
        (Some(_), Some(second)) => Err(Rejection::new(Mode::Contract, second.offset)),
        (Some(capacity), None) => Ok(Some((capacity, true))),
        (None, Some(capacity)) => Ok(Some((capacity, false))),
        (None, None) => Ok(None),
    }
}

/// The value of a static getter, read from its code: one `i32.const`, or one `global.get` of a constant global.
fn getter(module: &Module<'_>, name: &str) -> Result<Option<Getter>, Rejection> {
    let Some(export) = module.export(name) else { return Ok(None) };
    if export.kind != ExportKind::Function || !module.function_type(export.index).is(&[], &[Ty::I32]) {
        return Err(broken(Some(export)));
    }
    let value = constant_body(module, export.index).ok_or(broken(Some(export)))?;
    Ok(Some(Getter { value, offset: export.offset }))
}

fn constant_body(module: &Module<'_>, function: u32) -> Option<u32> {
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

fn broken(export: Option<&Export<'_>>) -> Rejection {
    Rejection::new(Mode::Contract, export.map_or(0, |export| export.offset))
}
