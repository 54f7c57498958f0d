//! Components that are not WebAssembly, or not valid.

use core::fmt::{self, Write};

use super::super::text::Text;
use super::words::Quoted;
use crate::module::Landmark;

const MAGIC: &[u8] = b"\0asm";

/// What a file may be that is not WebAssembly's binary format, by its first bytes; what to do about it.
const OTHERS: [(&[u8], &str, &str); 9] = [
    (b"\x1f\x8b", "compressed by gzip", "decompress it: gunzip"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", "decompress it: zstd -d"),
    (b"PK\x03\x04", "a zip archive", "unpack it"),
    (b"\x7fELF", "an ELF file for another machine", "build it for wasm32"),
    (b"!<arch>", "a static library", "link it to a module"),
    (b"(module", "WebAssembly's text format", "assemble it: wat2wasm, or wasm-tools parse"),
    (b"(component", "WebAssembly's text format", "assemble it: wasm-tools parse"),
    (b";;", "WebAssembly's text format", "assemble it: wat2wasm, or wasm-tools parse"),
    (b"<", "HTML or XML", "see what was downloaded in its place"),
];

/// A component that is invalid at byte `at`.
pub fn invalid(text: &mut Text, component: &[u8], at: usize) -> fmt::Result {
    let size = component.len();
    if component.is_empty() {
        writeln!(text, "the part \"component\" is empty")?;
        return writeln!(text, "hint: -F component=@FILE.wasm sends a file; see that it has any bytes");
    }
    if !component.starts_with(MAGIC) {
        return no_wasm(text, component);
    }
    match component.get(4..8) {
        None => {
            writeln!(
                text,
                "the component is cut off: it has {size} bytes, and {} of its header are missing",
                8 - size
            )?;
            return writeln!(text, "hint: write or download the file again");
        }
        Some([_, _, 1, 0]) => {
            writeln!(text, "the component is one of the Component Model, and must be a core module")?;
            return writeln!(
                text,
                "hint: build it without wasm-tools component new or cargo component, for wasm32-unknown-unknown"
            );
        }
        Some([1, 0, 0, 0]) => {}
        Some(version) => {
            let version = version.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
            return writeln!(text, "the component has version {version}, and must have version 1");
        }
    }
    let landmark = Landmark::at(component, at as u64);
    if let Some(missing) = missing(component) {
        let section = landmark.section.unwrap_or("last");
        writeln!(text, "the component is cut off: {missing} bytes are missing of its {section} section")?;
        return writeln!(text, "hint: write or download the file again; it has {size} bytes");
    }
    match landmark {
        Landmark { instruction: Some(instruction), function: Some(function), .. } => {
            writeln!(text, "the component is not valid WebAssembly at byte {at}: {instruction} in function {function}")?
        }
        Landmark { function: Some(function), .. } => {
            writeln!(text, "the component is not valid WebAssembly at byte {at}, in function {function}")?
        }
        Landmark { section: Some(section), .. } => {
            writeln!(text, "the component is not valid WebAssembly at byte {at}, in its {section} section")?
        }
        _ => writeln!(text, "the component is not valid WebAssembly at byte {at}")?,
    }
    writeln!(text, "hint: wasm-tools validate FILE says what is expected there")
}

fn no_wasm(text: &mut Text, component: &[u8]) -> fmt::Result {
    let start = component.trim_ascii_start();
    if let Some((_, what, hint)) = OTHERS.iter().find(|(bytes, ..)| start.starts_with(bytes)) {
        writeln!(text, "the component is {what}, and must be WebAssembly's binary format")?;
        return writeln!(text, "hint: {hint}");
    }
    let is_line = !component.iter().any(|byte| byte.is_ascii_control());
    if component.ends_with(b".wasm") && is_line {
        writeln!(text, "the component is the text {}, and must be a file's bytes", Quoted(component))?;
        let path = component.strip_prefix(b"@").unwrap_or(component);
        return writeln!(text, "hint: with an @ before the path the file is sent: -F component=@{}", Path(path));
    }
    writeln!(text, "the component starts with {}, and must start with WebAssembly's \"\\0asm\"", Quoted(component))?;
    writeln!(text, "hint: see that -F component=@FILE names a .wasm file, with the @")
}

/// A path without quotes.
struct Path<'a>(&'a [u8]);

impl fmt::Display for Path<'_> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = core::str::from_utf8(self.0).unwrap_or("FILE.wasm");
        super::super::text::printable(path).try_for_each(|c| text.write_char(c))
    }
}

/// How many bytes are missing of the last section, if any.
fn missing(component: &[u8]) -> Option<u64> {
    let mut at = 8;
    while at < component.len() as u64 {
        let rest = &component[at as usize + 1..];
        // A size that is cut off itself lacks a byte at least.
        let Some((size, length)) = leb128(rest) else { return (rest.len() < 5).then_some(1) };
        at += 1 + length + u64::from(size);
    }
    at.checked_sub(component.len() as u64).filter(|&missing| missing > 0)
}

/// An unsigned number of 32 bits and its length.
fn leb128(bytes: &[u8]) -> Option<(u32, u64)> {
    let length = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
    let value = bytes[..length].iter().rev().fold(0u64, |value, byte| value << 7 | u64::from(byte & 0x7f));
    Some((u32::try_from(value).ok()?, length as u64))
}
