//! Constant expressions, extended ones included (spec 3.3.10). Without imports each has its value at load time.

use alloc::vec::Vec;

use wasmparser::BinaryReader;

use super::encoding::{byte, reference_type};
use super::parse::refuse;
use super::{Module, Ty, limits};
use crate::rejection::{Mode, Rejection};

/// Reads a constant expression of a type and returns the bits of its value; references as [`super::Ref`].
///
/// Rejects with `InvalidWasm`, `Unsupported`, `Limit` or `OutOfMemory`.
pub(super) fn evaluate(module: &Module<'_>, reader: &mut BinaryReader<'_>, ty: Ty) -> Result<u128, Rejection> {
    let (mut types, mut values): (Vec<Ty>, Vec<u128>) = (Vec::new(), Vec::new());
    loop {
        let offset = reader.original_position();
        let refusal = |mode| Rejection::new(mode, offset as u32);
        let code = byte(reader)?;
        let (found, value) = match code {
            0x0b => match (&types[..], &values[..]) {
                ([found], [value]) if *found == ty => return Ok(*value),
                _ => return Err(refusal(Mode::InvalidWasm)),
            },
            0x23 => {
                let index = reader.read_var_u32().map_err(refuse)?;
                let global = module.globals.get(index as usize).filter(|global| !global.mutable);
                global.map(|global| (global.ty, global.value)).ok_or(refusal(Mode::InvalidWasm))?
            }
            0x41 => (Ty::I32, u128::from(reader.read_var_i32().map_err(refuse)? as u32)),
            0x42 => (Ty::I64, u128::from(reader.read_var_i64().map_err(refuse)? as u64)),
            0x43 => (Ty::F32, u128::from(reader.read_u32().map_err(refuse)?)),
            0x44 => (Ty::F64, u128::from(reader.read_u64().map_err(refuse)?)),
            // Addition, subtraction and multiplication.
            0x6a..=0x6c | 0x7c..=0x7e => {
                let ty = if code < 0x7c { Ty::I32 } else { Ty::I64 };
                let mut pop = || match (types.pop(), values.pop()) {
                    (Some(found), Some(value)) if found == ty => Ok(value as u64),
                    _ => Err(refusal(Mode::InvalidWasm)),
                };
                let (b, a) = (pop()?, pop()?);
                let value = match code {
                    0x6a | 0x7c => a.wrapping_add(b),
                    0x6b | 0x7d => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                };
                (ty, u128::from(if ty == Ty::I32 { u64::from(value as u32) } else { value }))
            }
            0xd0 => (reference_type(reader)?, 0),
            0xd2 => {
                let function = reader.read_var_u32().map_err(refuse)?;
                let exists = (function as usize) < module.functions.len();
                exists.then_some((Ty::FuncRef, u128::from(function) + 1)).ok_or(refusal(Mode::InvalidWasm))?
            }
            0xfb => return Err(refusal(Mode::Unsupported)),
            0xfd if reader.read_var_u32().map_err(refuse)? == 0x0c => {
                let bytes = reader.read_bytes(16).map_err(refuse)?;
                (Ty::V128, u128::from_le_bytes(bytes.try_into().expect("as many as were asked for")))
            }
            _ => return Err(refusal(Mode::InvalidWasm)),
        };
        if types.len() == limits::OPERANDS {
            return Err(refusal(Mode::Limit));
        }
        types.try_reserve(1).map_err(|_| refusal(Mode::OutOfMemory))?;
        values.try_reserve(1).map_err(|_| refusal(Mode::OutOfMemory))?;
        types.push(found);
        values.push(value);
    }
}
