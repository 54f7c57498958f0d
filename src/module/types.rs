//! Value and function types.

use alloc::vec::Vec;

use crate::fallible;
use crate::rejection::Mode;

/// A value type of Wasm 2.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Ty {
    I32,
    I64,
    F32,
    F64,
    V128,
    FuncRef,
    ExternRef,
}

impl Ty {
    /// Whether it is a reference type.
    pub fn is_reference(self) -> bool {
        matches!(self, Ty::FuncRef | Ty::ExternRef)
    }

    /// Frame slots of 8 bytes that a value takes.
    pub fn slots(self) -> u32 {
        if self == Ty::V128 { 2 } else { 1 }
    }

    /// Whether a value takes only the low half of its slot.
    pub fn is_32_bits(self) -> bool {
        matches!(self, Ty::I32 | Ty::F32 | Ty::FuncRef | Ty::ExternRef)
    }
}

/// A function type.
#[derive(Debug)]
pub struct FuncType {
    /// Parameter types.
    pub params: Vec<Ty>,
    /// Result types.
    pub results: Vec<Ty>,
    /// The lowest index of an equal type: equal types have equal numbers.
    pub canonical: u32,
}

impl FuncType {
    fn key(&self) -> (&[Ty], &[Ty]) {
        (&self.params, &self.results)
    }

    /// Whether this is `(params) -> results`.
    pub fn is(&self, params: &[Ty], results: &[Ty]) -> bool {
        self.key() == (params, results)
    }

    /// Frame slots of the parameters.
    pub fn param_slots(&self) -> u32 {
        self.params.iter().map(|ty| ty.slots()).sum()
    }
}

/// Numbers equal types alike.
pub(super) fn canonicalize(types: &mut [FuncType]) -> Result<(), Mode> {
    let order = fallible::sorted(types.iter().enumerate().map(|(index, ty)| (ty.key(), index)))?;
    let mut numbers = fallible::filled(types.len(), 0)?;
    let mut first = 0;
    for (position, &(key, index)) in order.iter().enumerate() {
        if order[first].0 != key {
            first = position;
        }
        numbers[index] = order[first].1 as u32;
    }
    for (ty, number) in types.iter_mut().zip(numbers) {
        ty.canonical = number;
    }
    Ok(())
}
