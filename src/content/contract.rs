//! The static half of the contract: exports and getters, checked before the run.

use core::ops::Range;

use super::boundary::Slot;
use super::getters::{Getter, Getters};
use crate::code::Program;
use crate::memory::{Count, PAGE_BYTES};
use crate::module::{Export, ExportKind, Ty};
use crate::rejection::{Mode, Rejection};

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
    /// Where the input's content type is, if it has one.
    pub input_type: Option<Slot>,
    /// `failure_modes_per_input_offset`, if exported.
    pub failure_modes: Option<Getter>,
}

impl Contract {
    /// Checks the exports of a program of which no instance is alive.
    ///
    /// Rejects with `Contract` at the export that is at fault, or at 0 where one is missing, and like [`Getters::get`].
    pub fn check<C: Count>(program: &Program<'_>) -> Result<Self, Rejection> {
        let module = program.module();
        let mut getters = Getters::<C>::new(program);
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
        let (output, output_utf8) =
            capacity(&mut getters, "output_utf8_cap", "output_bytes_cap")?.ok_or(broken(None))?;
        let input = match (getters.get("input_ptr")?, capacity(&mut getters, "input_utf8_cap", "input_bytes_cap")?) {
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
        let failure_modes = getters.get("failure_modes_per_input_offset")?;
        let input_type = match (getters.get("input_content_type_ptr")?, getters.get("input_content_type_size")?) {
            (Some(start), Some(size)) => Some(Slot { start: start.value, size: size.value }),
            _ => None,
        };
        let (render, render_offset) = (render.index, render.offset);
        Ok(Self { render, render_offset, input, output, output_utf8, input_type, failure_modes })
    }
}

/// The capacity that one of two getters declares, and whether it was the first; both together are refused.
fn capacity<C: Count>(
    getters: &mut Getters<'_, C>,
    utf8: &str,
    bytes: &str,
) -> Result<Option<(Getter, bool)>, Rejection> {
    match (getters.get(utf8)?, getters.get(bytes)?) {
        (Some(_), Some(second)) => Err(Rejection::new(Mode::Contract, second.offset)),
        (Some(capacity), None) => Ok(Some((capacity, true))),
        (None, Some(capacity)) => Ok(Some((capacity, false))),
        (None, None) => Ok(None),
    }
}

fn broken(export: Option<&Export<'_>>) -> Rejection {
    Rejection::new(Mode::Contract, export.map_or(0, |export| export.offset))
}
