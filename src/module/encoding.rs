//! What several sections encode alike (spec 5.3). What later versions have added is told from what is invalid.

use wasmparser::BinaryReader;

use super::{Ty, invalid, refuse, unsupported};
use crate::rejection::Rejection;

/// Reads a value type (spec 5.3.4). Rejects with `Unsupported` the references of later versions.
pub fn value_type(reader: &mut BinaryReader<'_>) -> Result<Ty, Rejection> {
    let mut behind = reader.clone();
    let ty = match byte(&mut behind)? {
        0x7f => Ty::I32,
        0x7e => Ty::I64,
        0x7d => Ty::F32,
        0x7c => Ty::F64,
        0x7b => Ty::V128,
        // With a heap type.
        0x63 | 0x64 => return Err(unsupported(reader.original_position())),
        _ => return reference_type(reader),
    };
    *reader = behind;
    Ok(ty)
}

/// Reads a reference type (spec 5.3.3), likewise, or the heap type of a null.
pub fn reference_type(reader: &mut BinaryReader<'_>) -> Result<Ty, Rejection> {
    let at = reader.original_position();
    match byte(reader)? {
        0x70 => Ok(Ty::FuncRef),
        0x6f => Ok(Ty::ExternRef),
        // Abstract heap types, shared ones, and indices of types.
        0x00..=0x3f | 0x65 | 0x68..=0x6e | 0x71..=0x75 => Err(unsupported(at)),
        _ => Err(invalid(at)),
    }
}

/// Reads a byte that must be zero: the index of a memory.
pub fn zero(reader: &mut BinaryReader<'_>) -> Result<(), Rejection> {
    let at = reader.original_position();
    if byte(reader)? == 0 { Ok(()) } else { Err(invalid(at)) }
}

/// Reads a byte.
pub fn byte(reader: &mut BinaryReader<'_>) -> Result<u8, Rejection> {
    reader.read_u8().map_err(refuse)
}
