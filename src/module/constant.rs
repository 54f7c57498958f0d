//! Constant expressions, extended ones included. Without imports each has its value at load time.

use wasmparser::ConstExpr;

use super::Module;
use super::encoding::byte;
use super::parse::refuse;
use crate::rejection::{Mode, Rejection};

/// The bits of a validated constant expression's value; references as [`super::Ref`].
pub(super) fn evaluate(module: &Module<'_>, expression: &ConstExpr<'_>) -> Result<u128, Rejection> {
    let mut stack = alloc::vec::Vec::new();
    let reader = &mut expression.get_binary_reader();
    loop {
        let offset = reader.original_position();
        let refusal = |mode| Rejection::new(mode, offset as u32);
        let code = byte(reader)?;
        let value = match code {
            0x0b => return Ok(stack.pop().unwrap_or(0)),
            0x23 => module.globals[reader.read_var_u32().map_err(refuse)? as usize].value,
            0x41 => u128::from(reader.read_var_i32().map_err(refuse)? as u32),
            0x42 => u128::from(reader.read_var_i64().map_err(refuse)? as u64),
            0x43 => u128::from(reader.read_u32().map_err(refuse)?),
            0x44 => u128::from(reader.read_u64().map_err(refuse)?),
            // Addition, subtraction and multiplication of either type of integer.
            0x6a..=0x6c | 0x7c..=0x7e => {
                let (b, a): (u128, u128) = (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
                let (b, a) = (b as u64, a as u64);
                let value = match code {
                    0x6a | 0x7c => a.wrapping_add(b),
                    0x6b | 0x7d => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                };
                u128::from(if code < 0x7c { u64::from(value as u32) } else { value })
            }
            0xd0 => byte(reader).map(|_| 0)?,
            0xd2 => u128::from(reader.read_var_u32().map_err(refuse)?) + 1,
            0xfd if reader.read_var_u32().map_err(refuse)? == 0x0c => {
                let bytes = reader.read_bytes(16).map_err(refuse)?;
                u128::from_le_bytes(bytes.try_into().expect("as many as were asked for"))
            }
            _ => return Err(refusal(Mode::Unsupported)),
        };
        stack.try_reserve(1).map_err(|_| refusal(Mode::OutOfMemory))?;
        stack.push(value);
    }
}
