//! The interpreter's own code: a register code over the slots of a frame, made in one pass from each function's body.

mod header;
pub mod isa;
mod translate;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::fallible;
use crate::module::{self, Module, limits};
use crate::rejection::{Mode, Rejection};
use crate::wasm::Validator;

pub use header::Header;
pub use isa::Listing;
use translate::Translator;
pub use translate::{Found, Local, Watch};

/// Bytes between the values of two globals.
pub const GLOBAL_BYTES: u32 = 16;

/// Slots between a frame's locals and its operands that hold the return link: the caller's next instruction, and the
/// distance to the caller's frame.
pub const LINK_SLOTS: u32 = 2;

/// A module and the code of its functions, by function index.
///
/// The machine trusts both, so nothing changes them:
///
/// ```compile_fail,E0616
/// # use loader::code::Program;
/// fn jump_anywhere(program: &mut Program<'_>) {
///     program.code[0].fill(0xffff);
/// }
/// ```
pub struct Program<'a> {
    module: Module<'a>,
    /// Each function's header and instructions.
    code: Vec<Box<[u16]>>,
}

impl<'a> Program<'a> {
    /// Validates and translates a component.
    ///
    /// Rejects like [`module::parse`], and with `Limit` a function whose frame would not fit 16-bit slot offsets.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Rejection> {
        let (mut translator, mut validator) = (Translator::new(), Validator::default());
        let (mut code, mut all_units) = (Vec::new(), 0);
        let module = module::parse(bytes, |module, function| {
            let start = module.functions[function as usize].start;
            let units = translator.function(module, function, Some(&mut validator), Watch::default())?;
            all_units += units.len();
            if all_units > limits::ALL_CODE_UNITS {
                return Err(Rejection::new(Mode::Limit, start));
            }
            fallible::collect(units.iter().copied())
                .and_then(|units| fallible::push(&mut code, units.into_boxed_slice()))
                .map_err(|mode| mode.at(start))
        })?;
        let program = Self { module, code };
        #[cfg(debug_assertions)]
        isa::verify(&program).expect("the translator keeps the loop's contract");
        Ok(program)
    }

    /// The module.
    pub fn module(&self) -> &Module<'a> {
        &self.module
    }

    /// A function's code as text. Panics beyond the module's functions.
    pub fn listing(&self, function: u32) -> Listing<'_> {
        Listing::new(&self.code[function as usize])
    }

    /// Each function's header and instructions.
    pub fn code(&self) -> &[Box<[u16]>] {
        &self.code
    }

    /// The same, for tests that write code of their own.
    ///
    /// # Safety
    /// The program is run only while its code is such as the translator makes, which [`isa::verify`] checks.
    pub unsafe fn code_mut(&mut self) -> &mut [Box<[u16]>] {
        &mut self.code
    }

    /// Translates a function again to find something out. `None` where there is no memory for that.
    pub fn locate(&self, function: u32, watch: Watch) -> Option<Found> {
        let mut translator = Translator::new();
        translator.function(&self.module, function, None, watch).ok()?;
        Some(translator.found())
    }
}
