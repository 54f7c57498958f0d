//! Reads modules out of the npm packages that `package.json` beside this file names.

use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/real_modules");

/// How base64 text that encodes a module starts: `\0asm`, and the first bits of the version.
const ENCODED_MAGIC: &str = "AGFzb";

/// The module in `file` of the packages: the file itself, or the first one that a script holds in base64.
pub fn module(file: &str) -> Vec<u8> {
    let path = Path::new(FOLDER).join("node_modules").join(file);
    let bytes = std::fs::read(&path).unwrap_or_else(|error| {
        panic!("{}: {error}; `make test` fetches it, or `npm ci --ignore-scripts` in {FOLDER}", path.display())
    });
    if bytes.starts_with(b"\0asm") {
        return bytes;
    }
    let script = String::from_utf8(bytes).expect("a script is UTF-8");
    let start = script.find(ENCODED_MAGIC).expect("the script holds a module");
    decode_base64(&script[start..])
}

/// Decodes up to the first character that is not base64.
fn decode_base64(text: &str) -> Vec<u8> {
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for character in text.bytes() {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
