//! Writes text.

use alloc::vec::Vec;
use core::fmt;

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

/// The characters of a name as they are printed: the first 256 bytes, and no control characters, which terminals obey.
pub fn printable(name: &str) -> impl Iterator<Item = char> {
    let characters = name.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c });
    let mut bytes = 0;
    characters.take_while(move |c| {
        bytes += c.len_utf8();
        bytes <= NAME_BYTES
    })
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
        assert_eq!(print(&"x".repeat(257)), "x".repeat(256));
        assert_eq!(print(&("x".repeat(255) + "é")), "x".repeat(255));
    }
}
