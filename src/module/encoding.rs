//! Encodings that versions after 2.0 made valid, which `wasmparser` accepts: here they are refused.

use wasmparser::BinaryReader;

use super::refuse;
use crate::rejection::{Mode, Rejection};

/// Set in the alignment where an index of a memory follows (multi-memory).
const MEMORY_INDEX_FOLLOWS: u32 = 0x40;

/// Set in the flags where a limit has a maximum.
const HAS_MAXIMUM: u8 = 0x01;

/// The encoding of function types.
const FUNCTION_TYPE: u8 = 0x60;

/// Rejects the operator at `at`, which is valid today, unless 2.0 has it, or it is a tail call, and encodes it the same way
/// (spec 5.4): memory accesses name no memory and have offsets of 32 bits, the other memory operators have a zero byte.
///
/// Code that is not reached is not translated, so this is where an operator of a later version is found there.
pub fn check_operator(bytes: &[u8], at: u64) -> Result<(), Rejection> {
    let reader = &mut reader(bytes, at);
    match reader.read_u8().map_err(refuse)? {
        0x00..=0x05 | 0x0b..=0x13 | 0x1a..=0x1c | 0x20..=0x26 | 0x41..=0xc4 | 0xd0..=0xd2 => Ok(()),
        0x28..=0x3e => memory_argument(reader, at),
        0x3f | 0x40 => zero_byte(reader),
        0xfc => match reader.read_var_u32().map_err(refuse)? {
            8 => {
                reader.read_var_u32().map_err(refuse)?;
                zero_byte(reader)
            }
            10 => zero_byte(reader).and_then(|()| zero_byte(reader)),
            11 => zero_byte(reader),
            0..=17 => Ok(()),
            _ => Err(unsupported(at)),
        },
        0xfd => match reader.read_var_u32().map_err(refuse)? {
            0..=11 | 84..=93 => memory_argument(reader, at),
            12..=255 => Ok(()),
            _ => Err(unsupported(at)),
        },
        _ => Err(unsupported(at)),
    }
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
    let reader = &mut reader(bytes, at);
    let flags = reader.read_u8().map_err(refuse)?;
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

fn memory_argument(reader: &mut BinaryReader<'_>, at: u64) -> Result<(), Rejection> {
    let alignment = reader.read_var_u32().map_err(refuse)?;
    if alignment & MEMORY_INDEX_FOLLOWS != 0 {
        return Err(unsupported(at));
    }
    reader.read_var_u32().map_err(refuse).map(drop)
}

fn zero_byte(reader: &mut BinaryReader<'_>) -> Result<(), Rejection> {
    let at = reader.original_position();
    if reader.read_u8().map_err(refuse)? == 0 { Ok(()) } else { Err(Rejection::new(Mode::InvalidWasm, at as u32)) }
}

fn reader(bytes: &[u8], at: u64) -> BinaryReader<'_> {
    BinaryReader::new(&bytes[at as usize..], at)
}

#[cold]
fn unsupported(at: u64) -> Rejection {
    Rejection::new(Mode::Unsupported, at as u32)
}
