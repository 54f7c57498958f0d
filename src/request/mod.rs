//! The request: a `multipart/form-data` body with the target, its input and its uniforms (docs/spec.md §2).

mod cursor;
mod delimiter;
mod form;
mod header;
#[cfg(test)]
mod tests;
pub mod value;

use alloc::vec::Vec;

use crate::Rejection;
use cursor::Cursor;
use delimiter::Delimiter;
pub(crate) use delimiter::is_uuid;
use form::Form;

/// The body of one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The bytes between the part's headers and the next delimiter.
    pub body: &'a [u8],
    /// Offset of the body's first byte in the request.
    pub offset: u32,
}

/// One `uniforms[<key>]` part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform<'a> {
    /// The key, `[a-z][a-z0-9_]*`, 1 to 63 characters.
    pub key: &'a str,
    /// The value as it was sent; [`value`] reads it once the setter's type is known.
    pub value: &'a [u8],
    /// Offset of the key's first byte in the request.
    pub key_offset: u32,
    /// Offset of the value's first byte in the request.
    pub value_offset: u32,
}

/// The parts of a well-formed request.
#[derive(Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The target's Wasm binary.
    pub component: Part<'a>,
    /// The target's input, if one was sent.
    pub input: Option<Part<'a>>,
    /// At most 64 uniforms, by rising key bytes, each key once.
    pub uniforms: Vec<Uniform<'a>>,
}

/// Reads the request `body`, whose parts are separated by the boundary `uuid-<boundary>`.
///
/// Time is linear in the length of the body, which is under 4 GiB.
///
/// # Errors
///
/// `MalformedRequest` at the first byte that breaks the form, or at the end of the body if the form is cut off;
/// `BadPart` at the name of an unknown or repeated part, or at the end of the body if `component` is missing;
/// `BadUniform` at the first faulty byte of a key, or at the key if it is repeated or one too many.
/// The first fault in the order of the bytes is the one reported.
pub fn parse<'a>(body: &'a [u8], boundary: &[u8; 36]) -> Result<Parts<'a>, Rejection> {
    let mut cursor = Cursor::new(body);
    let delimiter = Delimiter::new(boundary).ok_or_else(|| cursor.malformed())?;
    let mut form = Form::default();
    cursor.expect(delimiter.without_line_break())?;
    while cursor.peek() != Some(b'-') {
        cursor.expect(b"\r\n")?;
        let field = form.field(header::parse(&mut cursor)?)?;
        let end = delimiter.find(body, cursor.at).unwrap_or(body.len());
        form.insert(field, cursor.take_to(end));
        cursor.expect(delimiter.bytes())?;
    }
    cursor.expect(b"--")?;
    if cursor.peek().is_some() {
        cursor.expect(b"\r\n")?;
    }
    if cursor.peek().is_some() {
        return Err(cursor.malformed());
    }
    form.finish(cursor.offset())
}
