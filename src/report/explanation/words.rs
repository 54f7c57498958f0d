//! How types, exports and bytes are written in a sentence.

use core::fmt::{self, Display, Formatter, Write};

use super::super::text::printable;
use crate::module::{Export, ExportKind, FuncType, Module, Ty};

/// A value type in the standard's spelling.
pub struct Type(pub Ty);

impl Display for Type {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        text.write_str(match self.0 {
            Ty::I32 => "i32",
            Ty::I64 => "i64",
            Ty::F32 => "f32",
            Ty::F64 => "f64",
            Ty::V128 => "v128",
            Ty::FuncRef => "funcref",
            Ty::ExternRef => "externref",
        })
    }
}

/// A function type as `(i32) -> i64`; several results, and none, stand in brackets too.
pub struct Signature<'a>(pub &'a FuncType);

impl Display for Signature<'_> {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        list(text, &self.0.params)?;
        text.write_str(" -> ")?;
        match self.0.results[..] {
            [result] => Type(result).fmt(text),
            ref results => list(text, results),
        }
    }
}

/// Types that are written out; a function may have a thousand.
const TYPES: usize = 8;

fn list(text: &mut Formatter<'_>, types: &[Ty]) -> fmt::Result {
    text.write_char('(')?;
    for (index, &ty) in types.iter().take(TYPES).enumerate() {
        write!(text, "{}{}", if index > 0 { ", " } else { "" }, Type(ty))?;
    }
    text.write_str(if types.len() > TYPES { ", ...)" } else { ")" })
}

/// What an export is: a function with its type, or the kind of something else.
pub struct Exported<'a>(pub &'a Module<'a>, pub &'a Export<'a>);

impl Display for Exported<'_> {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        text.write_str(match self.1.kind {
            ExportKind::Function => return Signature(self.0.function_type(self.1.index)).fmt(text),
            ExportKind::Table => "a table",
            ExportKind::Memory => "a memory",
            ExportKind::Global => "a global",
        })
    }
}

/// A text of the request's in quotes: its start, without what a terminal would obey.
pub struct Quoted<'a>(pub &'a [u8]);

/// Bytes of a text that are quoted.
const QUOTED: usize = 64;

impl Display for Quoted<'_> {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        let cut = &self.0[..self.0.len().min(QUOTED)];
        text.write_char('"')?;
        for chunk in cut.utf8_chunks() {
            printable(chunk.valid()).try_for_each(|c| text.write_char(c))?;
            if !chunk.invalid().is_empty() {
                text.write_char(char::REPLACEMENT_CHARACTER)?;
            }
        }
        text.write_str(if cut.len() < self.0.len() { "...\"" } else { "\"" })
    }
}
