//! Writes modules byte by byte, also those that no assembler would.

use wasm_encoder::Encode;

/// The magic number and the version.
pub const PREAMBLE: &[u8] = b"\0asm\x01\0\0\0";

/// The type of functions without parameters and results.
pub const EMPTY_TYPE: &[u8] = b"\x60\0\0";

/// The body of a function that does nothing, with its size.
pub const EMPTY_BODY: &[u8] = b"\x02\0\x0b";

/// A number as an unsigned LEB128.
pub fn leb128(number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    number.encode(&mut bytes);
    bytes
}

/// Bytes behind their number.
pub fn sized(bytes: &[u8]) -> Vec<u8> {
    [&leb128(bytes.len() as u32), bytes].concat()
}

/// A section with these contents.
pub fn raw_section(id: u8, contents: &[u8]) -> Vec<u8> {
    [&[id], &sized(contents)[..]].concat()
}

/// A section of `count` entries.
pub fn section(id: u8, count: u32, mut entry: impl FnMut(u32) -> Vec<u8>) -> Vec<u8> {
    let mut contents = leb128(count);
    (0..count).for_each(|index| contents.extend(entry(index)));
    raw_section(id, &contents)
}

/// A section of `count` equal entries.
pub fn repeated(id: u8, count: u32, entry: &[u8]) -> Vec<u8> {
    raw_section(id, &[&leb128(count), &entry.repeat(count as usize)[..]].concat())
}

/// A function's body without locals, with its size.
pub fn body(instructions: &[u8]) -> Vec<u8> {
    sized(&[b"\0", instructions, b"\x0b"].concat())
}
