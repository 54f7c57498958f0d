//! Writes text.

use alloc::vec::Vec;
use core::fmt;

use crate::rejection::{Mode, Rejection};

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
        self.0.try_reserve(text.len()).map_err(|_| fmt::Error)?;
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
