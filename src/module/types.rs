//! Value and function types.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;

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
    let (mut order, mut numbers) = (Vec::new(), Vec::new());
    order.try_reserve_exact(types.len()).map_err(|_| Mode::OutOfMemory)?;
    numbers.try_reserve_exact(types.len()).map_err(|_| Mode::OutOfMemory)?;
    order.extend(types.iter().enumerate().map(|(index, ty)| (ty.key(), index)));
    numbers.resize(types.len(), 0);
    // A heap sorts in place and in bounded time too, with a tenth of the code of `sort_unstable` in the component.
    let order = BinaryHeap::from(order).into_sorted_vec();
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
