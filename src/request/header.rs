//! The header lines of one part.

use super::{Cursor, Part};
use crate::Rejection;

/// The most bytes in the headers of one part, the empty line after them included.
pub(super) const MAX_BYTES: usize = 16 * 1024;

/// Reads the headers at the cursor and the empty line after them; returns the part's name.
pub(super) fn parse<'a>(cursor: &mut Cursor<'a>) -> Result<Part<'a>, Rejection> {
    let mut lines = cursor.limited(MAX_BYTES);
    let mut name = None;
    while lines.peek() != Some(b'\r') {
        let line = lines.malformed();
        let header = token(&mut lines)?.body;
        lines.expect(b":")?;
        lines.take_while(is_blank);
        if !header.eq_ignore_ascii_case(b"content-disposition") {
            lines.take_while(is_text);
        } else if name.replace(disposition(&mut lines)?).is_some() {
            return Err(line);
        }
        lines.expect(b"\r\n")?;
    }
    let name = name.ok_or_else(|| lines.malformed())?;
    lines.expect(b"\r\n")?;
    cursor.at = lines.at;
    Ok(name)
}

/// `form-data; name="<name>"`, with any other parameters.
///
/// The name stays as it is written: an escape in it stands for a character that no part's name has.
fn disposition<'a>(line: &mut Cursor<'a>) -> Result<Part<'a>, Rejection> {
    let start = line.malformed();
    if !token(line)?.body.eq_ignore_ascii_case(b"form-data") {
        return Err(start);
    }
    let mut name = None;
    line.take_while(is_blank);
    while line.peek() == Some(b';') {
        line.expect(b";")?;
        line.take_while(is_blank);
        let start = line.malformed();
        let key = token(line)?.body;
        line.expect(b"=")?;
        let value = value(line)?;
        if key == b"name" && name.replace(value).is_some() {
            return Err(start);
        }
        line.take_while(is_blank);
    }
    name.ok_or_else(|| line.malformed())
}

/// The value of a parameter: a token, or a text in quotes, in which a backslash keeps a quote or a backslash behind it in the text.
fn value<'a>(line: &mut Cursor<'a>) -> Result<Part<'a>, Rejection> {
    if line.peek() != Some(b'"') {
        return token(line);
    }
    line.expect(b"\"")?;
    let mut escaped = false;
    let text = line.take_while(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        !ends && is_text(byte)
    });
    line.expect(b"\"")?;
    Ok(text)
}

/// A name of at least one character (RFC 9110 section 5.6.2).
fn token<'a>(line: &mut Cursor<'a>) -> Result<Part<'a>, Rejection> {
    let token = line.take_while(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte));
    if token.body.is_empty() { Err(line.malformed()) } else { Ok(token) }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Whether a header's value may contain `byte`: any but the control characters.
fn is_text(byte: u8) -> bool {
    byte == b'\t' || !byte.is_ascii_control()
}
