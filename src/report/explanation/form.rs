//! Requests that are not the form that is wanted.

use core::fmt::{self, Write};

use super::super::text::Text;
use super::words::Quoted;
use crate::Request;

const SEND: &str = "hint: send a form: qip run -F component=@FILE.wasm -F input=@FILE TOOL.wasm";

/// What a request may be instead of a form, by its first bytes.
const OTHERS: [(&[u8], &str); 4] = [
    (b"\0asm", "a raw Wasm file"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"(module", "WebAssembly's text format"),
    (b"{", "JSON"),
];

/// A request that is malformed at byte `at`.
pub fn malformed(text: &mut Text, request: &Request<'_>, at: usize) -> fmt::Result {
    let Request { body, boundary, .. } = *request;
    let boundary_text = core::str::from_utf8(boundary).unwrap_or_default();
    if body.is_empty() {
        writeln!(text, "the request is empty, and must be a form with a part \"component\"")?;
        return writeln!(text, "{SEND}");
    }
    if let Some((_, what)) = OTHERS.iter().find(|(start, _)| body.starts_with(start)) {
        writeln!(text, "the request is {what} of {} bytes, and must be a form with a part \"component\"", body.len())?;
        return writeln!(text, "{SEND}");
    }
    if !is_uuid(boundary) {
        writeln!(text, "the boundary is uuid-{}, and must be a UUID in lower case", Quoted(boundary))?;
        return writeln!(text, "hint: the host writes it into the tool's input content type before the run");
    }
    let first = b"--uuid-".len() + boundary.len();
    if at < first {
        let line = line_of(body, 0);
        if !body.starts_with(b"--") {
            writeln!(text, "the request starts with {}, and must be a form with a part \"component\"", Quoted(line))?;
            return writeln!(text, "{SEND}");
        }
        writeln!(
            text,
            "the form starts with {}, and must start with its boundary, --uuid-{boundary_text}",
            Quoted(line)
        )?;
        return writeln!(text, "hint: the boundary in the form must be the one that the host was told");
    }
    if let Some(end) = closing(body, boundary).filter(|&end| end <= at) {
        return writeln!(text, "{} bytes follow the form's closing delimiter, where one CRLF may", body.len() - end);
    }
    if at == body.len() {
        writeln!(text, "the form is cut off: it ends after {at} bytes without its closing delimiter")?;
        return writeln!(text, "hint: it must end with --uuid-{boundary_text}--");
    }
    writeln!(
        text,
        "a part's header is malformed at byte {at} of the request, in the line {}",
        Quoted(line_of(body, at))
    )?;
    writeln!(
        text,
        "hint: a header is lines of name: value, then an empty one, and names its part by Content-Disposition: form-data; name=\"component\""
    )
}

/// A form with a part that it may not have, by the name at byte `at`, or without the component, at its end.
pub fn parts(text: &mut Text, request: &Request<'_>, at: usize) -> fmt::Result {
    if at == request.body.len() {
        writeln!(text, "the form has no part \"component\"")?;
        return writeln!(text, "hint: -F component=@FILE.wasm sends one");
    }
    let name = name_at(request.body, at);
    if matches!(name, b"component" | b"input") {
        return writeln!(text, "the form has two parts {}", Quoted(name));
    }
    writeln!(
        text,
        "the form has a part {}, and may have \"component\", \"input\" and \"uniforms[<key>]\"",
        Quoted(name)
    )?;
    let hint = match name {
        b"module" | b"wasm" | b"file" => "hint: the target's part is \"component\"",
        b"uniform" | b"uniforms" => "hint: a uniform's part has its key in the name, as \"uniforms[width]\"",
        _ => return Ok(()),
    };
    writeln!(text, "{hint}")
}

/// The name of a part that starts at a byte, to its quote or the line's end.
pub fn name_at(body: &[u8], at: usize) -> &[u8] {
    let rest = &body[at..];
    let end = rest.iter().position(|byte| b"\"\r\n;".contains(byte));
    &rest[..end.unwrap_or(rest.len())]
}

fn line_of(body: &[u8], at: usize) -> &[u8] {
    let start = body[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1);
    let rest = &body[start..];
    let end = rest.iter().position(|byte| b"\r\n".contains(byte));
    &rest[..end.unwrap_or(rest.len())]
}

/// The end of the closing delimiter.
fn closing(body: &[u8], boundary: &[u8; 36]) -> Option<usize> {
    let length = boundary.len() + 2;
    let is_closing = |window: &[u8]| window.starts_with(boundary) && window.ends_with(b"--");
    body.windows(length).position(is_closing).map(|start| start + length)
}

fn is_uuid(boundary: &[u8; 36]) -> bool {
    boundary.iter().enumerate().all(|(index, byte)| match index {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    })
}
