//! Constant expressions, extended ones included (Wasm 3.3.10). Without imports each has its value at load time.
//!
//! Their operators are read like those of bodies: `wasmparser`'s `ConstExpr` knows where it ends by the operators of all proposals,
//! which is 26 KB of the component (docs/architecture.md).

use alloc::vec::Vec;

use wasmparser::BinaryReader;

use super::{Module, Ty, invalid, limits};
use crate::code::isa::Opcode;
use crate::fallible::push;
use crate::rejection::{Mode, Rejection};
use crate::wasm::Operator;

/// Reads a constant expression of a type and returns the bits of its value; references as [`super::Ref`].
///
/// Rejects with `InvalidWasm`, `Unsupported`, `Limit` or `OutOfMemory`.
pub(super) fn evaluate(module: &Module<'_>, reader: &mut BinaryReader<'_>, ty: Ty) -> Result<u128, Rejection> {
    let mut values: Vec<(Ty, u128)> = Vec::new();
    loop {
        let offset = reader.original_position() as u32;
        let value = match Operator::read(reader)? {
            Operator::End => match values[..] {
                [(found, value)] if found == ty => return Ok(value),
                _ => return Err(invalid(offset)),
            },
            Operator::GlobalGet(index) => {
                let global = module.globals.get(index as usize).filter(|global| !global.mutable);
                global.map(|global| (global.ty, global.value)).ok_or(invalid(offset))?
            }
            Operator::Const(ty, bits) => (ty, bits.into()),
            Operator::ConstVector(bytes) => (Ty::V128, u128::from_le_bytes(bytes)),
            Operator::RefNull(ty) => (ty, 0),
            Operator::RefFunc(function) if (function as usize) < module.functions.len() => {
                (Ty::FuncRef, u128::from(function) + 1)
            }
            Operator::Plain(row) => {
                let mut pop = || match values.pop() {
                    Some((found, value)) if found == row.operand => Ok(value as u64),
                    _ => Err(invalid(offset)),
                };
                let value = match row.op {
                    Opcode::I32Add | Opcode::I64Add => pop()?.wrapping_add(pop()?),
                    Opcode::I32Sub | Opcode::I64Sub => pop()?.wrapping_neg().wrapping_add(pop()?),
                    Opcode::I32Mul | Opcode::I64Mul => pop()?.wrapping_mul(pop()?),
                    _ => return Err(invalid(offset)),
                };
                (row.operand, u128::from(if row.operand == Ty::I32 { u64::from(value as u32) } else { value }))
            }
            _ => return Err(invalid(offset)),
        };
        if values.len() == limits::OPERANDS {
            return Err(Mode::Limit.at(offset));
        }
        push(&mut values, value).map_err(|mode| mode.at(offset))?;
    }
}
