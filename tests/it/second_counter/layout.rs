//! What the target's binary says about its memory before it runs.

use std::ops::Range;

use wasmparser::{ConstExpr, DataKind, Operator, Parser, Payload};
use wasmtime::{Result, bail};

/// Active data segments, and the initial value of global 0 where that is a mutable i32.
#[derive(Default)]
pub struct Layout {
    pub segments: Vec<Range<u64>>,
    pub stack_top: Option<u32>,
}

impl Layout {
    pub fn read(component: &[u8]) -> Result<Self> {
        let mut layout = Self::default();
        let mut globals = Vec::new();
        for payload in Parser::new(0).parse_all(component) {
            match payload? {
                Payload::GlobalSection(section) => {
                    for (index, global) in section.into_iter().enumerate() {
                        let global = global?;
                        let is_i32 = global.ty.content_type == wasmparser::ValType::I32;
                        let value = if is_i32 { evaluate(&global.init_expr, &globals)? } else { 0 };
                        if index == 0 && is_i32 && global.ty.mutable {
                            layout.stack_top = Some(value);
                        }
                        globals.push(value);
                    }
                }
                Payload::DataSection(section) => {
                    for segment in section {
                        let segment = segment?;
                        if let DataKind::Active { offset_expr, .. } = segment.kind {
                            let start = u64::from(evaluate(&offset_expr, &globals)?);
                            layout.segments.push(start..start + segment.data.len() as u64);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(layout)
    }
}

/// The value of an i32 constant expression.
fn evaluate(expression: &ConstExpr<'_>, globals: &[u32]) -> Result<u32> {
    let mut stack: Vec<u32> = Vec::new();
    for operator in expression.get_operators_reader() {
        let operator = operator?;
        match operator {
            Operator::I32Const { value } => stack.push(value as u32),
            Operator::GlobalGet { global_index } => stack.push(globals[global_index as usize]),
            Operator::I32Add | Operator::I32Sub | Operator::I32Mul => {
                let (right, left) = (stack.pop().unwrap(), stack.pop().unwrap());
                stack.push(match operator {
                    Operator::I32Add => left.wrapping_add(right),
                    Operator::I32Sub => left.wrapping_sub(right),
                    _ => left.wrapping_mul(right),
                });
            }
            Operator::End => {}
            _ => bail!("not an i32 constant expression: {operator:?}"),
        }
    }
    Ok(stack.pop().unwrap())
}
