//! Uniforms that no setter takes.

use core::fmt::{self, Write};

use super::super::text::Text;
use super::form::name_at;
use super::words::{Exported, Quoted, Type};
use crate::Request;
use crate::module::{Module, Ty};
use crate::request::{Parts, Uniform, value};

const PREFIX: &str = "uniform_set_";

/// Setters that are named.
const SETTERS: usize = 16;

/// A key that is malformed at byte `at` of the request, repeated, or one too many.
pub fn key(text: &mut Text, request: &Request<'_>, at: usize) -> fmt::Result {
    const NAME: &[u8] = b"uniforms[";
    let start =
        request.body[..at].windows(NAME.len()).rposition(|bytes| bytes == NAME).map_or(at, |at| at + NAME.len());
    let name = name_at(request.body, start);
    let key = name.strip_suffix(b"]").unwrap_or(name);
    let index = at - start;
    write!(text, "the uniform's key {} ", Quoted(key))?;
    match key.get(index) {
        None => writeln!(text, "is empty")?,
        Some(_) if index >= 63 => writeln!(text, "has {} characters, and may have 63", key.len())?,
        Some(b'a'..=b'z') => {
            let before = &request.body[..start];
            let count = before.windows(NAME.len()).filter(|bytes| *bytes == NAME).count();
            if before.windows(name.len() + NAME.len()).any(|bytes| bytes.starts_with(NAME) && bytes.ends_with(name)) {
                return writeln!(text, "is there twice");
            }
            return writeln!(text, "is number {count}, and a request may have 64");
        }
        Some(b'_') if index > 0 && index + 1 == key.len() => writeln!(text, "ends with _")?,
        Some(b'_') if index > 0 => writeln!(text, "has two _ in a row")?,
        Some(b'_' | b'0'..=b'9') => writeln!(text, "starts with {}", char::from(key[index]))?,
        Some(byte) => writeln!(text, "has the byte 0x{byte:02x} at {index}")?,
    }
    writeln!(text, "hint: a key is a letter from a to z, then letters, digits and single _")
}

/// A uniform of a well-formed request that the target has no setter for, or whose value is not of the setter's type.
pub fn setter(text: &mut Text, parts: &Parts<'_>, module: &Module<'_>, at: u32) -> fmt::Result {
    let found = |uniform: &&Uniform<'_>| uniform.value_offset == at || uniform.key_offset == at;
    let Some(uniform) = parts.uniforms.iter().find(found) else { return Ok(()) };
    let setter = |name: &str| name.strip_prefix(PREFIX).is_some_and(|key| key == uniform.key);
    let Some(export) = module.exports.iter().find(|export| setter(export.name)) else {
        writeln!(text, "no export \"{PREFIX}{}\"", uniform.key)?;
        return setters(text, module);
    };
    if at == uniform.key_offset {
        let exported = Exported(module, export);
        return writeln!(
            text,
            "\"{PREFIX}{}\" is {exported}, must be (T) -> T with T one of i32, i64, f32, f64",
            uniform.key
        );
    }
    let Some(&ty) = module.function_type(export.index).params.first() else { return Ok(()) };
    writeln!(text, "uniform {} is {}, and must be {}", uniform.key, Quoted(uniform.value), range(ty))?;
    let trimmed = uniform.value.trim_ascii();
    if trimmed != uniform.value && reads(ty, trimmed) {
        return writeln!(text, "hint: there is white space around it");
    }
    if ty == Ty::I32 && value::i64(trimmed).is_some_and(|bits| i32::try_from(bits as i64).is_ok()) {
        let bits = value::i64(trimmed).unwrap_or_default() as u32;
        return writeln!(text, "hint: a negative number is sent by its 32 bits: 0x{bits:08x}");
    }
    Ok(())
}

/// The values of a setter of a type.
fn range(ty: Ty) -> &'static str {
    match ty {
        Ty::I32 => "an i32: 0 to 4294967295 in decimal, or 0x and hexadecimal digits",
        Ty::I64 => {
            "an i64: -9223372036854775808 to 9223372036854775807 in decimal, or 0x and up to 64 bits in hexadecimal"
        }
        Ty::F32 => "an f32: a finite decimal number, up to 3.4028235e38",
        _ => "an f64: a finite decimal number, up to 1.7976931348623157e308",
    }
}

fn reads(ty: Ty, text: &[u8]) -> bool {
    match ty {
        Ty::I32 => value::i32(text).is_some(),
        Ty::I64 => value::i64(text).is_some(),
        Ty::F32 => value::f32(text).is_some(),
        _ => value::f64(text).is_some(),
    }
}

/// The setters that there are.
fn setters(text: &mut Text, module: &Module<'_>) -> fmt::Result {
    let keys = || module.exports.iter().filter_map(|export| Some((export.name.strip_prefix(PREFIX)?, export)));
    let count = keys().count();
    if count == 0 {
        return writeln!(text, "hint: the component takes no uniforms");
    }
    text.write_str("hint: the component takes ")?;
    for (index, (key, export)) in keys().take(SETTERS).enumerate() {
        let separator = if index > 0 { ", " } else { "" };
        write!(text, "{separator}")?;
        super::super::text::printable(key).try_for_each(|c| text.write_char(c))?;
        match export.kind {
            crate::module::ExportKind::Function => match module.function_type(export.index).params[..] {
                [ty] => write!(text, " ({})", Type(ty))?,
                _ => write!(text, " {}", Exported(module, export))?,
            },
            _ => write!(text, " {}", Exported(module, export))?,
        }
    }
    match count.checked_sub(SETTERS).filter(|&more| more > 0) {
        Some(more) => writeln!(text, " and {more} more"),
        None => writeln!(text),
    }
}
