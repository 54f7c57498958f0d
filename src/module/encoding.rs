//! Encodings of version 2.0 (spec 5.3) that later ones have extended. `wasmparser` accepts the extensions: here they are refused.

use wasmparser::BinaryReader;

use super::{Ty, refuse};
use crate::rejection::{Mode, Rejection};

/// Set in the flags where a limit has a maximum.
const HAS_MAXIMUM: u8 = 0x01;

/// The encoding of function types.
const FUNCTION_TYPE: u8 = 0x60;

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
        _ => Err(Rejection::new(Mode::InvalidWasm, at as u32)),
    }
}

/// Reads a byte that must be zero: the index of a memory.
pub fn zero(reader: &mut BinaryReader<'_>) -> Result<(), Rejection> {
    let at = reader.original_position();
    if byte(reader)? == 0 { Ok(()) } else { Err(Rejection::new(Mode::InvalidWasm, at as u32)) }
}

/// Reads a byte.
pub fn byte(reader: &mut BinaryReader<'_>) -> Result<u8, Rejection> {
    reader.read_u8().map_err(refuse)
}

/// Rejects the table type at `at` unless it is one byte for the references' type, then limits (spec 5.3.9).
pub fn check_table(bytes: &[u8], at: u64) -> Result<(), Rejection> {
    match bytes[at as usize] {
        0x6f | 0x70 => check_limits(bytes, at + 1),
        _ => Err(unsupported(at)),
    }
}

/// Rejects the limits at `at` unless they are of 32 bits (spec 5.3.7).
pub fn check_limits(bytes: &[u8], at: u64) -> Result<(), Rejection> {
    let reader = &mut BinaryReader::new(&bytes[at as usize..], at);
    let flags = byte(reader)?;
    reader.read_var_u32().map_err(refuse)?;
    if flags & HAS_MAXIMUM != 0 {
        reader.read_var_u32().map_err(refuse)?;
    }
    Ok(())
}

/// Rejects the type at `at` unless it is written as a function's (spec 5.3.6).
pub fn check_type(bytes: &[u8], at: u64) -> Result<(), Rejection> {
    if bytes[at as usize] == FUNCTION_TYPE { Ok(()) } else { Err(unsupported(at)) }
}

#[cold]
fn unsupported(at: u64) -> Rejection {
    Rejection::new(Mode::Unsupported, at as u32)
}
