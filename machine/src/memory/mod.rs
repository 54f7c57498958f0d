//! The target's linear memory, in pages that exist once they are touched, and what is counted on each.

mod count;
mod functions;
mod page_table;

use alloc::alloc::{alloc_zeroed, dealloc};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;

use crate::rejection::Mode;

pub use count::{Count, MAX_SHORT, Nothing, PageCounts, PerPage};
pub use functions::{MAX_TOUCHES, PerFunction, Touch};
use page_table::{ENTRIES, Entry, PageTable};

/// Bytes of a WebAssembly page.
pub const PAGE_BYTES: usize = 1 << 16;

/// The most pages a 32-bit memory can have.
pub const MAX_PAGES: u32 = 1 << 16;

/// A touched page: its bytes, and behind them its counters, so that both are constant distances from one pointer.
#[repr(C)]
pub struct Page<C: Count> {
    /// The page's bytes.
    pub data: [u8; PAGE_BYTES],
    /// What was counted on it.
    pub counts: C::Page,
}

/// The effective address of an access, 33 bits wide; the one place where it is computed.
#[inline(always)]
pub const fn effective_address(base: u32, offset: u32) -> u64 {
    base as u64 + offset as u64
}

/// A linear memory of `pages()` pages, of which only the touched ones take space.
///
/// Invariant: entry `i` of the table is null, or points to a `Page<C>` that this memory allocated, with
/// `i < self.pages`, and `i` is in `touched` once.
pub struct Memory<C: Count> {
    table: PageTable,
    touched: Vec<u32>,
    pages: u32,
    maximum: u32,
    /// What is counted beside the counters of each page, which may point into it (see [`Count`]): it is replaced only once there
    /// are no pages.
    count: C,
}

impl<C: Count> Memory<C> {
    /// A memory of `pages` zero pages that may grow to `maximum` (both at most [`MAX_PAGES`]).
    ///
    /// Fails with `Mode::Limit` on wasm32 while another memory is alive: there is one page table.
    pub(crate) fn new(pages: u32, maximum: u32) -> Result<Self, Mode> {
        assert!(pages <= MAX_PAGES && maximum <= MAX_PAGES);
        let table = PageTable::new().ok_or(Mode::Limit)?;
        Ok(Self { table, touched: Vec::new(), pages, maximum, count: C::default() })
    }

    /// The page table.
    #[inline(always)]
    fn entries(&self) -> *mut Entry {
        self.table.entries()
    }

    /// The page of an access of `width` bytes that lies on one open page, where on it, and the page's counters; `None` for any
    /// other access.
    ///
    /// # Safety
    /// `address` must be below 2^33.
    #[inline(always)]
    pub(crate) unsafe fn on_open_page(&self, address: u64, width: usize) -> Option<(*mut u8, usize, *mut C::Page)> {
        // SAFETY: the table has an entry for each page below 2^33; where it is not null it points to a live page.
        unsafe {
            let page = *self.entries().add((address >> 16) as usize);
            let at = address as usize % PAGE_BYTES;
            if page.is_null()
                || at > PAGE_BYTES - width
                || !self.count.is_open(&raw const (*page.cast::<Page<C>>()).counts)
            {
                return None;
            }
            Some((page, at, &raw mut (*page.cast::<Page<C>>()).counts))
        }
    }

    /// Its size in pages.
    pub fn pages(&self) -> u32 {
        self.pages
    }

    /// Its size in bytes, at most 2^32.
    pub fn bytes(&self) -> u64 {
        u64::from(self.pages) * PAGE_BYTES as u64
    }

    /// What was counted beside the counters of each page.
    #[inline(always)]
    pub fn count(&self) -> &C {
        &self.count
    }

    /// Takes in where the code of each function lies (see [`Count::place_functions`]).
    pub(crate) fn place_functions(&mut self, code: &[Box<[u16]>]) -> Result<(), Mode> {
        self.count.place_functions(code)
    }

    /// Control has come to a function, or back to one.
    #[inline(always)]
    pub(crate) fn change_function(&mut self) {
        self.count.change_function();
    }

    /// The instruction at this place in the code is next.
    #[inline(always)]
    pub(crate) fn set_instruction(&mut self, at: *const u16) {
        self.count.set_instruction(at);
    }

    /// Grows by `delta` pages and returns the size before, or `None` beyond the maximum.
    pub(crate) fn grow(&mut self, delta: u32) -> Option<u32> {
        let before = self.pages;
        self.pages = before.checked_add(delta).filter(|&pages| pages <= self.maximum)?;
        Some(before)
    }

    /// Loads `W` bytes at an effective address, across pages too, and counts them on each page.
    pub(crate) fn load<const W: usize>(&mut self, address: u64) -> Result<[u8; W], Mode> {
        let mut bytes = [0; W];
        self.read(address, &mut bytes)?;
        Ok(bytes)
    }

    // One for all widths: it is rare.
    #[inline(never)]
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<(), Mode> {
        self.check(address, bytes.len() as u64)?;
        self.each_page(address, bytes.len(), |page, at, done, len| {
            bytes[done..done + len].copy_from_slice(&page.data[at..at + len]);
            C::read(&mut page.counts, len);
        })
    }

    /// Stores `W` bytes at an effective address, across pages too, and counts them on each page.
    pub(crate) fn store<const W: usize>(&mut self, address: u64, bytes: [u8; W]) -> Result<(), Mode> {
        self.write(address, &bytes)
    }

    /// `memory.init`: copies `bytes` to `address`.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Mode> {
        self.check(address, bytes.len() as u64)?;
        self.each_page(address, bytes.len(), |page, at, done, len| {
            page.data[at..at + len].copy_from_slice(&bytes[done..done + len]);
            C::write(&mut page.counts, at, len);
        })
    }

    /// `memory.fill`: sets `len` bytes from `address` on to `value`.
    pub(crate) fn fill(&mut self, address: u32, value: u8, len: u32) -> Result<(), Mode> {
        self.check(u64::from(address), u64::from(len))?;
        self.each_page(u64::from(address), len as usize, |page, at, _, len| {
            page.data[at..at + len].fill(value);
            C::write(&mut page.counts, at, len);
        })
    }

    /// `memory.copy`: moves `len` bytes, which may overlap. One read of each source page, one write of each other.
    pub(crate) fn copy(&mut self, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        self.check(u64::from(to), u64::from(len))?;
        self.check(u64::from(from), u64::from(len))?;
        let len = len as usize;
        self.each_page(u64::from(from), len, |page, _, _, len| C::read(&mut page.counts, len))?;
        self.each_page(u64::from(to), len, |page, at, _, len| C::write(&mut page.counts, at, len))?;
        // In pieces that lie on one page at both ends; from the end backwards where the destination is behind the source.
        let (mut done, backward) = (0, to > from);
        while done < len {
            let (to, from, piece) = if backward {
                let (to, from) = (to as usize + (len - done - 1), from as usize + (len - done - 1));
                let piece = (to % PAGE_BYTES + 1).min(from % PAGE_BYTES + 1).min(len - done);
                (to + 1 - piece, from + 1 - piece, piece)
            } else {
                let (to, from) = (to as usize + done, from as usize + done);
                (to, from, (PAGE_BYTES - to % PAGE_BYTES).min(PAGE_BYTES - from % PAGE_BYTES).min(len - done))
            };
            let source = self.touch(from / PAGE_BYTES)?.cast::<u8>();
            let target = self.touch(to / PAGE_BYTES)?.cast::<u8>();
            // SAFETY: both pages are alive, a page starts with its PAGE_BYTES data bytes, and the piece lies within them.
            unsafe { core::ptr::copy(source.add(from % PAGE_BYTES), target.add(to % PAGE_BYTES), piece) };
            done += piece;
        }
        Ok(())
    }

    /// `memory.copy` where both ends lie on one open page each; elsewhere nothing, and false.
    pub(crate) fn copy_if_open(&mut self, to: u32, from: u32, len: usize) -> bool {
        let (to_at, from_at) = (to as usize % PAGE_BYTES, from as usize % PAGE_BYTES);
        let pages = (self.open_page(to as usize / PAGE_BYTES), self.open_page(from as usize / PAGE_BYTES));
        let (Some(target), Some(source)) = pages else { return false };
        if len == 0 || len > PAGE_BYTES - to_at.max(from_at) {
            return false;
        }
        // SAFETY: both pages are live; no other reference to their counters exists while `self` is borrowed, and the first is
        // gone before the second is made. A page starts with its PAGE_BYTES data bytes, and both ranges lie within them.
        unsafe {
            C::read(&mut (*source).counts, len);
            C::write(&mut (*target).counts, to_at, len);
            core::ptr::copy(source.cast::<u8>().add(from_at), target.cast::<u8>().add(to_at), len);
        }
        true
    }

    /// `memory.fill`, by the low byte of `value`, where all lies on one open page; elsewhere nothing, and false.
    // Not inlined for what that does to the place of the loop's vector form behind its caller (benches/README.md).
    #[inline(never)]
    pub(crate) fn fill_if_open(&mut self, address: u32, value: u32, len: usize) -> bool {
        let at = address as usize % PAGE_BYTES;
        let page = self.open_page(address as usize / PAGE_BYTES);
        let Some(page) = page.filter(|_| 0 < len && len <= PAGE_BYTES - at) else { return false };
        // SAFETY: the page is live, and no other reference to it exists while `self` is borrowed.
        let page = unsafe { &mut *page };
        page.data[at..at + len].fill(value as u8);
        C::write(&mut page.counts, at, len);
        true
    }

    /// The page `index`, if it was touched and is open.
    #[inline(always)]
    fn open_page(&self, index: usize) -> Option<*mut Page<C>> {
        assert!(index < ENTRIES);
        // SAFETY: the index is within the table, and a non-null entry points to a live page.
        unsafe {
            let page: *mut Page<C> = (*self.entries().add(index)).cast();
            (!page.is_null() && self.count.is_open(&raw const (*page).counts)).then_some(page)
        }
    }

    /// Fails with `Mode::MemoryOutOfBounds` unless `len` bytes from `address` on lie within memory.
    pub fn check(&self, address: u64, len: u64) -> Result<(), Mode> {
        let last = self.bytes().checked_sub(len);
        if last.is_some_and(|last| address <= last) { Ok(()) } else { Err(Mode::MemoryOutOfBounds) }
    }

    /// Copies `bytes` in before the run, from an active data segment or from the request's input.
    pub(crate) fn initialize(&mut self, address: u32, bytes: &[u8], segment: bool) -> Result<(), Mode> {
        self.check(u64::from(address), bytes.len() as u64)?;
        self.each_page(u64::from(address), bytes.len(), |page, at, done, len| {
            page.data[at..at + len].copy_from_slice(&bytes[done..done + len]);
            C::initialize(&mut page.counts, len, segment);
        })
    }

    /// Replaces bytes without counting that.
    pub(crate) fn replace(&mut self, address: u32, bytes: &[u8]) -> Result<(), Mode> {
        self.check(u64::from(address), bytes.len() as u64)?;
        self.each_page(u64::from(address), bytes.len(), |page, at, done, len| {
            page.data[at..at + len].copy_from_slice(&bytes[done..done + len]);
        })
    }

    /// Calls `piece` with the bytes of the range, in order and in pieces, without counting. Untouched pages and what lies
    /// beyond memory (see [`Memory::check`]) read as zero. Ends with the first error of `piece`.
    pub fn peek<E>(&self, address: u32, len: u32, mut piece: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        // Short, because it lies in the component's file.
        const ZERO: &[u8] = &[0; 256];
        let (mut address, end) = (u64::from(address), u64::from(address) + u64::from(len));
        while address < end {
            let at = address as usize % PAGE_BYTES;
            let len = (PAGE_BYTES - at).min((end - address) as usize);
            let data = match self.page((address >> 16) as usize) {
                Some(page) => &page.data[at..at + len],
                None => &ZERO[..len.min(ZERO.len())],
            };
            piece(data)?;
            address += data.len() as u64;
        }
        Ok(())
    }

    /// The touched pages by rising index.
    pub fn touched_pages(&self) -> impl Iterator<Item = (u32, &Page<C>)> {
        (0..self.pages).filter_map(|index| Some((index, self.page(index as usize)?)))
    }

    /// Gives back all touched pages, which read as zero from here on, and what was counted.
    pub(crate) fn clear(&mut self) {
        for index in self.touched.drain(..) {
            // SAFETY: by the invariant the entry is a page from `alloc_zeroed` with this layout, and it is listed once.
            unsafe {
                let entry = self.table.entries().add(index as usize);
                dealloc(*entry, Layout::new::<Page<C>>());
                *entry = core::ptr::null_mut();
            }
        }
        self.count = C::default();
    }

    fn page(&self, index: usize) -> Option<&Page<C>> {
        assert!(index < ENTRIES);
        // SAFETY: the index is within the table; a non-null entry points to a live page, borrowed as long as `self`.
        unsafe { (*self.entries().add(index)).cast::<Page<C>>().as_ref() }
    }

    /// The page `index`, allocated now if it was untouched, and prepared to be counted on.
    ///
    /// Fails with `Mode::MemoryOutOfBounds` beyond memory and with `Mode::OutOfMemory` where the tool's memory is spent.
    #[inline]
    pub(crate) fn touch(&mut self, index: usize) -> Result<*mut Page<C>, Mode> {
        match self.open_page(index) {
            Some(page) => Ok(page),
            None => self.open(index),
        }
    }

    /// The same where the page is untouched or not prepared.
    #[inline(never)]
    fn open(&mut self, index: usize) -> Result<*mut Page<C>, Mode> {
        if index >= self.pages as usize {
            return Err(Mode::MemoryOutOfBounds);
        }
        // SAFETY: pages <= MAX_PAGES, so the index is within the table.
        let entry = unsafe { &mut *self.entries().add(index) };
        if entry.is_null() {
            self.touched.try_reserve(1).map_err(|_| Mode::OutOfMemory)?;
            // SAFETY: a page is larger than zero bytes. Zero bytes are valid data and counters (see `Count::Page`).
            let page = unsafe { alloc_zeroed(Layout::new::<Page<C>>()) };
            if page.is_null() {
                return Err(Mode::OutOfMemory);
            }
            *entry = page;
            self.touched.push(index as u32);
        }
        let page: *mut Page<C> = entry.cast();
        // SAFETY: the entry points to a live page, and no other reference to it exists while `self` is borrowed.
        self.count.open(index as u32, unsafe { &mut (*page).counts })?;
        Ok(page)
    }

    /// Calls `visit(page, at, done, len)` for each page that `len` bytes from `address` on touch: the share starts at
    /// `at` within the page, is `len` bytes long, and `done` bytes lie before it.
    fn each_page(
        &mut self,
        address: u64,
        len: usize,
        mut visit: impl FnMut(&mut Page<C>, usize, usize, usize),
    ) -> Result<(), Mode> {
        let mut done = 0;
        while done < len {
            let address = address + done as u64;
            let at = address as usize % PAGE_BYTES;
            let share = (PAGE_BYTES - at).min(len - done);
            let page = self.touch((address >> 16) as usize)?;
            // SAFETY: `touch` returned a live page, and no other reference to it exists while `self` is borrowed.
            visit(unsafe { &mut *page }, at, done, share);
            done += share;
        }
        Ok(())
    }
}

impl<C: Count> Drop for Memory<C> {
    fn drop(&mut self) {
        self.clear();
    }
}
