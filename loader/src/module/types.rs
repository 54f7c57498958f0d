//! Value and function types, and how value types are read.

use alloc::vec::Vec;

use wasmparser::{AbstractHeapType, BinaryReader, HeapType, RefType, ValType};

use super::{invalid, unsupported};

use crate::fallible;
use crate::rejection::{Mode, Rejection};

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
    /// Reads a value type (Wasm 5.3.4).
    ///
    /// Rejects with `Unsupported`, at the type, a reference of a later version, also where it says at length what `funcref` is short
    /// for.
    pub fn read(reader: &mut BinaryReader<'_>) -> Result<Self, Rejection> {
        const WITH_HEAP_TYPE: [u8; 2] = [0x63, 0x64];
        let at = reader.original_position() as u32;
        if WITH_HEAP_TYPE.contains(&reader.clone().read_u8()?) {
            return Err(unsupported(at));
        }
        match reader.read()? {
            ValType::I32 => Ok(Ty::I32),
            ValType::I64 => Ok(Ty::I64),
            ValType::F32 => Ok(Ty::F32),
            ValType::F64 => Ok(Ty::F64),
            ValType::V128 => Ok(Ty::V128),
            ValType::Ref(RefType::FUNCREF) => Ok(Ty::FuncRef),
            ValType::Ref(RefType::EXTERNREF) => Ok(Ty::ExternRef),
            ValType::Ref(_) => Err(unsupported(at)),
        }
    }

    /// Reads a reference type (Wasm 5.3.3), likewise.
    pub(super) fn read_reference(reader: &mut BinaryReader<'_>) -> Result<Self, Rejection> {
        let at = reader.original_position() as u32;
        Self::read(reader).and_then(|ty| if ty.is_reference() { Ok(ty) } else { Err(invalid(at)) })
    }

    /// Reads the heap type of a null, likewise.
    pub fn read_heap(reader: &mut BinaryReader<'_>) -> Result<Self, Rejection> {
        let at = reader.original_position() as u32;
        match reader.read()? {
            HeapType::Abstract { shared: false, ty: AbstractHeapType::Func } => Ok(Ty::FuncRef),
            HeapType::Abstract { shared: false, ty: AbstractHeapType::Extern } => Ok(Ty::ExternRef),
            _ => Err(unsupported(at)),
        }
    }

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
