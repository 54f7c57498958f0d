//! The code of a function as text, for whoever debugs the translator.

use core::fmt;

use super::Opcode;
use super::fields::{Field, field_32};
use crate::code::Header;

/// Prints a function's code, one instruction to a line: its unit, its operator, its fields. Slots are named by their
/// number, and branches by the unit they go to.
pub struct Listing<'a>(&'a [u16]);

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.0;
        let Header { cost, link, frame_bytes, .. } = Header::of(code);
        writeln!(f, "link %{}, {} slots, cost {cost}", link / 8, frame_bytes / 8)?;
        let mut at = Header::UNITS;
        while let Some(op) = code.get(at).and_then(|&unit| Opcode::decode(unit)) {
            write!(f, "{at:5}  {op:?}")?;
            let mut field_at = at + 1;
            for &field in op.fields() {
                self.field(f, field, at, field_at)?;
                field_at += field.units();
            }
            writeln!(f)?;
            at += op.units(&code[at..]);
        }
        Ok(())
    }
}

impl<'a> Listing<'a> {
    /// The listing of a function's header and instructions.
    pub fn new(code: &'a [u16]) -> Self {
        Self(code)
    }

    fn field(&self, f: &mut fmt::Formatter<'_>, field: Field, start: usize, at: usize) -> fmt::Result {
        let code = self.0;
        let target = |at| start as i64 + i64::from(field_32(code, at) as i32);
        match field {
            Field::Write(_) => write!(f, " %{} =", code[at] / 8),
            Field::Read(_) | Field::Link | Field::Base => write!(f, " %{}", code[at] / 8),
            Field::Count | Field::Lane => write!(f, " {}", code[at]),
            Field::Cost => write!(f, " cost {}", code[at]),
            Field::Target => write!(f, " -> {}", target(at)),
            Field::Constant(units) => {
                write!(f, " 0x")?;
                (0..usize::from(units)).rev().try_for_each(|unit| write!(f, "{:04x}", code[at + unit]))
            }
            Field::Entries => (0..=field_32(code, at) as usize).try_for_each(|entry| {
                let at = at + 2 + super::fields::ENTRY_UNITS * entry;
                write!(f, " -> {} cost {}", target(at), code[at + 2])
            }),
            _ => write!(f, " {field:?} {}", field_32(code, at)),
        }
    }
}
