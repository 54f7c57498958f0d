//! A position in the request.

use super::Part;
use crate::{Mode, Rejection};

/// Reads `bytes`, which begin at the request's first byte, from `at` on.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// A cursor at the same place that ends at most `limit` bytes behind it.
    pub(super) fn limited(&self, limit: usize) -> Self {
        let end = self.bytes.len().min(self.at.saturating_add(limit));
        Self { bytes: &self.bytes[..end], at: self.at }
    }

    pub(super) fn offset(&self) -> u32 {
        self.at as u32
    }

    /// The rejection of the byte here, or of the request's end.
    pub(super) fn malformed(&self) -> Rejection {
        Rejection::new(Mode::MalformedRequest, self.offset())
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Reads exactly `wanted`; the first byte that differs is malformed.
    pub(super) fn expect(&mut self, wanted: &[u8]) -> Result<(), Rejection> {
        for &byte in wanted {
            if self.peek() != Some(byte) {
                return Err(self.malformed());
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Reads the bytes up to `end`, which is not before the cursor.
    pub(super) fn take_to(&mut self, end: usize) -> Part<'a> {
        let part = Part { body: &self.bytes[self.at..end], offset: self.offset() };
        self.at = end;
        part
    }

    /// Reads the longest run of bytes that satisfy `wanted`; it may be empty.
    pub(super) fn take_while(&mut self, mut wanted: impl FnMut(u8) -> bool) -> Part<'a> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.take_to(self.at + length)
    }
}
