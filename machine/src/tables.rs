//! Tables of references (Wasm 4.4.6).

use alloc::vec::Vec;

use crate::fallible;
use crate::module::{Ref, TableType};
use crate::rejection::Mode;

/// A table.
pub(super) struct Table {
    entries: Vec<Ref>,
    maximum: u32,
}

impl Table {
    /// A table of nulls.
    pub fn new(ty: &TableType) -> Result<Self, Mode> {
        let mut table = Self { entries: Vec::new(), maximum: ty.maximum };
        table.grow(0, ty.initial).ok_or(Mode::OutOfMemory)?;
        Ok(table)
    }

    pub fn entries(&self) -> &[Ref] {
        &self.entries
    }

    pub fn get(&self, index: u32) -> Result<Ref, Mode> {
        self.entries.get(index as usize).copied().ok_or(Mode::TableOutOfBounds)
    }

    pub fn set(&mut self, index: u32, value: Ref) -> Result<(), Mode> {
        *self.entries.get_mut(index as usize).ok_or(Mode::TableOutOfBounds)? = value;
        Ok(())
    }

    /// Grows by `delta` entries and returns the size before; `None` beyond the maximum or the tool's memory.
    pub fn grow(&mut self, value: Ref, delta: u32) -> Option<u32> {
        let before = self.entries.len() as u32;
        let size = before.checked_add(delta).filter(|&size| size <= self.maximum)?;
        fallible::resize(&mut self.entries, size as usize, value).ok()?;
        Some(before)
    }

    /// Gives its memory back.
    pub fn clear(&mut self) {
        self.entries = Vec::new();
    }

    pub fn fill(&mut self, at: u32, value: Ref, len: u32) -> Result<(), Mode> {
        let range = range(at, len, self.entries.len())?;
        self.entries[range].fill(value);
        Ok(())
    }

    pub fn init(&mut self, items: &[Ref], to: u32, from: u32, len: u32) -> Result<(), Mode> {
        let source = range(from, len, items.len())?;
        let target = range(to, len, self.entries.len())?;
        self.entries[target].copy_from_slice(&items[source]);
        Ok(())
    }

    /// Copies within this table.
    pub fn copy_within(&mut self, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        let source = range(from, len, self.entries.len())?;
        range(to, len, self.entries.len())?;
        self.entries.copy_within(source, to as usize);
        Ok(())
    }
}

/// The range of `len` from `at` on, within `size`; computed in 64 bits.
pub(super) fn range(at: u32, len: u32, size: usize) -> Result<core::ops::Range<usize>, Mode> {
    let end = u64::from(at) + u64::from(len);
    if end <= size as u64 { Ok(at as usize..end as usize) } else { Err(Mode::TableOutOfBounds) }
}
