//! Writes text.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use crate::fallible;
use crate::rejection::{Mode, Rejection};

/// Bytes of a name that are printed: what compilers call a function may take kilobytes.
const NAME_BYTES: usize = 256;

/// Text that fails to grow instead of aborting.
pub struct Text(Vec<u8>);

impl Text {
    /// The text that `write` writes, in as many bytes as it needs. Rejects with `OutOfMemory`, at 0.
    pub fn write(write: impl FnOnce(&mut Self) -> fmt::Result) -> Result<Vec<u8>, Rejection> {
        let mut text = Self(Vec::new());
        write(&mut text).map_err(|fmt::Error| Rejection::new(Mode::OutOfMemory, 0))?;
        text.0.shrink_to_fit();
        Ok(text.0)
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        fallible::extend(&mut self.0, text.as_bytes()).map_err(|_| fmt::Error)
    }
}

/// The characters of a name as they are printed: the first 256 bytes, without what terminals and browsers obey.
pub fn printable(name: &str) -> impl Iterator<Item = char> {
    let mut bytes = 0;
    name.chars().map(harmless).take_while(move |c| {
        bytes += c.len_utf8();
        bytes <= NAME_BYTES
    })
}

/// A character, or the replacement of one that changes the lines or the direction of what is around it.
fn harmless(c: char) -> char {
    match c {
        // Marks, line and paragraph separators, embeddings, overrides and isolates.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Writes a function's name: printable, and one that rustc made as it is in the source.
pub fn function_name(text: &mut impl Write, name: &str) -> fmt::Result {
    let mut printed = Printed { text, left: NAME_BYTES, failed: false };
    // Its hash is left out.
    let written = match rustc_demangle::try_demangle(name) {
        Ok(name) => write!(printed, "{name:#}"),
        Err(_) => printed.write_str(name),
    };
    if printed.failed { written } else { Ok(()) }
}

/// Passes on what is printable, and fails where a name is long enough.
struct Printed<'t, W> {
    text: &'t mut W,
    left: usize,
    /// Whether it was the text that failed.
    failed: bool,
}

impl<W: Write> Write for Printed<'_, W> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        for c in piece.chars().map(harmless) {
            self.left = self.left.checked_sub(c.len_utf8()).ok_or(fmt::Error)?;
            self.text.write_char(c).inspect_err(|_| self.failed = true)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn names_are_printed_without_control_characters_and_cut_between_characters() {
        let print = |name: &str| printable(name).collect::<String>();
        assert_eq!(
            print("a b\u{1b}[31m\r\n\0\u{7f}\u{9b}é,\""),
            "a b\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}é,\""
        );
        assert_eq!(print("a\u{202e}b\u{2028}c\u{2066}d\u{200f}"), "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}");
        assert_eq!(print(&"x".repeat(257)), "x".repeat(256));
        assert_eq!(print(&("x".repeat(255) + "é")), "x".repeat(255));
    }
    #[test]
    fn names_that_rustc_made_are_those_of_the_source() {
        let long = "x".repeat(300);
        for (name, expected) in [
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
            ("_RNvC6_123foo3bar", "123foo::bar"),
            ("markdown.render", "markdown.render"),
            ("_ZN", "_ZN"),
            (&long, &long[..256]),
        ] {
            let mut printed = String::new();
            function_name(&mut printed, name).unwrap();
            assert_eq!(printed, expected);
        }
    }
}
