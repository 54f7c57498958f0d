//! Constant expressions, extended ones included (spec 3.3.10). Without imports each has its value at load time.

use alloc::vec::Vec;

use super::encoding::heap_type;
use super::{Module, Reader, Ty, limits};
use crate::fallible::push;
use crate::rejection::{Mode, Rejection};

/// Reads a constant expression of a type and returns the bits of its value; references as [`super::Ref`].
///
/// Rejects with `InvalidWasm`, `Unsupported`, `Limit` or `OutOfMemory`.
pub(super) fn evaluate(module: &Module<'_>, reader: &mut Reader<'_>, ty: Ty) -> Result<u128, Rejection> {
    let (mut types, mut values): (Vec<Ty>, Vec<u128>) = (Vec::new(), Vec::new());
    loop {
        let offset = reader.offset();
        let refusal = |mode| Rejection::new(mode, offset);
        let code = reader.byte()?;
        let (found, value) = match code {
            0x0b => match (&types[..], &values[..]) {
                ([found], [value]) if *found == ty => return Ok(*value),
                _ => return Err(refusal(Mode::InvalidWasm)),
            },
            0x23 => {
                let index = reader.number()?;
                let global = module.globals.get(index as usize).filter(|global| !global.mutable);
                global.map(|global| (global.ty, global.value)).ok_or(refusal(Mode::InvalidWasm))?
            }
            0x41 => (Ty::I32, u128::from(reader.signed(32)? as u32)),
            0x42 => (Ty::I64, u128::from(reader.signed(64)? as u64)),
            0x43 => (Ty::F32, u128::from(u32::from_le_bytes(reader.array()?))),
            0x44 => (Ty::F64, u128::from(u64::from_le_bytes(reader.array()?))),
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
            0xd0 => (heap_type(reader)?, 0),
            0xd2 => {
                let function = reader.number()?;
                let exists = (function as usize) < module.functions.len();
                exists.then_some((Ty::FuncRef, u128::from(function) + 1)).ok_or(refusal(Mode::InvalidWasm))?
            }
            0xfb => return Err(refusal(Mode::Unsupported)),
            0xfd if reader.number()? == 0x0c => (Ty::V128, u128::from_le_bytes(reader.array()?)),
            _ => return Err(refusal(Mode::InvalidWasm)),
        };
        if types.len() == limits::OPERANDS {
            return Err(refusal(Mode::Limit));
        }
        push(&mut types, found).map_err(refusal)?;
        push(&mut values, value).map_err(refusal)?;
    }
}
