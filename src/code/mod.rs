//! The interpreter's own code: a register code over the slots of a frame, made in one pass from each function's body.

mod control;
pub(crate) mod emit;
pub(crate) mod fields;
mod fuse;
mod listing;
pub mod op;
mod operands;
mod operator;
mod operators;
mod pair;
mod row;
pub(crate) mod table;
mod translate;
mod validate;
pub(crate) mod vector;
#[cfg(debug_assertions)]
mod verify;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::module::{self, Module, limits};
use crate::rejection::{Mode, Rejection};

pub use emit::{HEADER_UNITS, Watch};
pub use listing::Listing;
pub use operator::Operator;
use translate::Translator;
use validate::Validator;

/// Slots between a frame's locals and its operands that hold the return link: the caller's next instruction, and the
/// distance to the caller's frame.
pub const LINK_SLOTS: u32 = 2;

/// A module and the code of its functions, by function index.
pub struct Program<'a> {
    /// The module.
    pub module: Module<'a>,
    /// Each function's header and instructions.
    pub code: Vec<Box<[u16]>>,
}

impl<'a> Program<'a> {
    /// Validates and translates a component.
    ///
    /// Rejects like [`module::parse`], and with `Limit` a function whose frame would not fit 16-bit slot offsets.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Rejection> {
        let (mut translator, mut validator) = (Translator::new(), Validator::new());
        let (mut code, mut all_units) = (Vec::new(), 0);
        let module = module::parse(bytes, |module, function| {
            let start = module.functions[function as usize].start;
            let units = translator.function(module, function, Some(&mut validator), Watch::Nothing)?;
            all_units += units.len();
            if all_units > limits::ALL_CODE_UNITS {
                return Err(Rejection::new(Mode::Limit, start));
            }
            let out_of_memory = |_| Rejection::new(Mode::OutOfMemory, start);
            let mut exact = Vec::new();
            exact.try_reserve_exact(units.len()).map_err(out_of_memory)?;
            exact.extend_from_slice(units);
            code.try_reserve(1).map_err(out_of_memory)?;
            code.push(exact.into_boxed_slice());
            Ok(())
        })?;
        let program = Self { module, code };
        #[cfg(debug_assertions)]
        verify::verify(&program).expect("the translator keeps the loop's contract");
        Ok(program)
    }

    /// Translates a function again to find something out: the offset in the component that the watch names, or for
    /// `Watch::Site` the number of an instruction. 0 where the code has no such place; `None` where there is no memory for it.
    pub fn locate(&self, function: u32, watch: Watch) -> Option<u32> {
        let mut translator = Translator::new();
        translator.function(&self.module, function, None, watch).ok()?;
        Some(translator.found().unwrap_or(0))
    }
}
