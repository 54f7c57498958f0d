//! What several sections encode alike (spec 5.3). What later versions have added is told from what is invalid.

use super::{Reader, Ty, invalid, unsupported};
use crate::rejection::Rejection;

/// Reads a value type (spec 5.3.4).
///
/// Rejects with `Unsupported` the references of later versions: with a heap type, and in one byte.
pub fn value_type(reader: &mut Reader<'_>) -> Result<Ty, Rejection> {
    let at = reader.offset();
    match reader.byte()? {
        0x7f => Ok(Ty::I32),
        0x7e => Ok(Ty::I64),
        0x7d => Ok(Ty::F32),
        0x7c => Ok(Ty::F64),
        0x7b => Ok(Ty::V128),
        0x70 => Ok(Ty::FuncRef),
        0x6f => Ok(Ty::ExternRef),
        0x63 | 0x64 | 0x68..=0x6e | 0x71..=0x75 => Err(unsupported(at)),
        _ => Err(invalid(at)),
    }
}

/// Reads a reference type (spec 5.3.3), likewise.
pub fn reference_type(reader: &mut Reader<'_>) -> Result<Ty, Rejection> {
    let at = reader.offset();
    value_type(reader).and_then(|ty| if ty.is_reference() { Ok(ty) } else { Err(invalid(at)) })
}

/// Reads the heap type of a null: that of a reference type, or in later versions others, shared ones and indices of types.
pub fn heap_type(reader: &mut Reader<'_>) -> Result<Ty, Rejection> {
    let at = reader.offset();
    match reader.clone().byte()? {
        0x40..=0x64 | 0x66 | 0x67 | 0x76..=0x7f => Err(invalid(at)),
        0x00..=0x3f | 0x65 => Err(unsupported(at)),
        0x80.. => reader.signed(33).and_then(|index| Err(if index < 0 { invalid(at) } else { unsupported(at) })),
        _ => reference_type(reader),
    }
}

/// Reads a declaration of locals (spec 5.5.13): how many, and their type.
pub fn local_declaration(reader: &mut Reader<'_>) -> Result<(u32, Ty), Rejection> {
    Ok((reader.number()?, value_type(reader)?))
}

/// Reads a byte that must be zero: the index of a memory.
pub fn zero(reader: &mut Reader<'_>) -> Result<(), Rejection> {
    let at = reader.offset();
    if reader.byte()? == 0 { Ok(()) } else { Err(invalid(at)) }
}
