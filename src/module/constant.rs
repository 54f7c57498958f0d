//! Constant expressions, extended ones included. Without imports each has its value at load time.

use wasmparser::{ConstExpr, Operator};

use super::Module;
use super::parse::refuse;
use crate::rejection::{Mode, Rejection};

/// The bits of a validated constant expression's value; references as [`super::Ref`].
pub(super) fn evaluate(module: &Module<'_>, expression: &ConstExpr<'_>) -> Result<u128, Rejection> {
    let mut stack = alloc::vec::Vec::new();
    for operator in expression.get_operators_reader().into_iter_with_offsets() {
        let (operator, offset) = operator.map_err(refuse)?;
        let refusal = |mode| Rejection::new(mode, offset as u32);
        let mut operands = || (stack.pop().unwrap_or(0), stack.pop().unwrap_or(0));
        let value = match operator {
            Operator::I32Const { value } => u128::from(value as u32),
            Operator::I64Const { value } => u128::from(value as u64),
            Operator::F32Const { value } => u128::from(value.bits()),
            Operator::F64Const { value } => u128::from(value.bits()),
            Operator::V128Const { value } => value.i128() as u128,
            Operator::RefNull { .. } => 0,
            Operator::RefFunc { function_index } => u128::from(function_index) + 1,
            Operator::GlobalGet { global_index } => module.globals[global_index as usize].value,
            Operator::I32Add | Operator::I32Sub | Operator::I32Mul => {
                let (b, a) = operands();
                let (a, b) = (a as u32, b as u32);
                u128::from(match operator {
                    Operator::I32Add => a.wrapping_add(b),
                    Operator::I32Sub => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                })
            }
            Operator::I64Add | Operator::I64Sub | Operator::I64Mul => {
                let (b, a) = operands();
                let (a, b) = (a as u64, b as u64);
                u128::from(match operator {
                    Operator::I64Add => a.wrapping_add(b),
                    Operator::I64Sub => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                })
            }
            Operator::End => break,
            _ => return Err(refusal(Mode::Unsupported)),
        };
        stack.try_reserve(1).map_err(|_| refusal(Mode::OutOfMemory))?;
        stack.push(value);
    }
    Ok(stack.pop().unwrap_or(0))
}
