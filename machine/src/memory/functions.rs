//! What is counted on a page by the function that executes the access.

use alloc::alloc::{alloc_zeroed, dealloc};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::Layout;

use super::count::{Count, PageCounts, PerPage, compiled_here};
use crate::fallible;
use crate::rejection::Mode;

/// Pairs of a page and a function that touches it, at most.
pub const MAX_TOUCHES: usize = 16_384;

/// The function is not known: control has moved, and no page was touched since.
const UNKNOWN: u32 = u32::MAX;

/// Counts reads, writes and distinct bytes written for each page and each function that touched it.
///
/// Calls and returns only make the function unknown. No page is open for that, so the next access leaves the loop's fast forms,
/// and the function is looked up by its instruction. From there on its accesses stay in the loop, on each page after the first.
///
/// Invariant: `touches` are live, each allocated here and listed once, by rising page and function.
pub struct PerFunction {
    /// The address of each function's code and its index, by rising address.
    starts: Vec<(usize, u32)>,
    /// The index of the function that executes, plus one, or `UNKNOWN`.
    current: u32,
    touches: Vec<*mut Touch>,
}

/// What a function did on a page.
pub struct Touch {
    /// The page's index.
    pub page: u32,
    /// The function's index.
    pub function: u32,
    /// Its reads and writes.
    pub counts: PageCounts,
}

/// The counters that a page's accesses go to. Invariant: `counts` is null or points into a touch of this page.
pub struct Open {
    /// The index of the function that they belong to, plus one; 0 if the page was never open.
    function: u32,
    counts: *mut PageCounts,
}

impl Default for PerFunction {
    fn default() -> Self {
        Self { starts: Vec::new(), current: UNKNOWN, touches: Vec::new() }
    }
}

impl PerFunction {
    /// All touches by rising page and function; each has a read or a write.
    pub fn touches(&self) -> impl ExactSizeIterator<Item = &Touch> {
        // SAFETY: by the invariant they are live; the loop, which writes to them, has borrowed `self` while it runs.
        self.touches.iter().map(|&touch| unsafe { &*touch })
    }

    /// The counters of a page and a function, allocated now if there are none. Fails with `OutOfMemory` beyond `MAX_TOUCHES` too.
    fn touch(&mut self, page: u32, function: u32) -> Result<*mut Touch, Mode> {
        // SAFETY: by the invariant the touches are live.
        let place = self
            .touches
            .binary_search_by_key(&(page, function), |&touch| unsafe { ((*touch).page, (*touch).function) });
        let place = match place {
            Ok(place) => return Ok(self.touches[place]),
            Err(_) if self.touches.len() == MAX_TOUCHES => return Err(Mode::OutOfMemory),
            Err(place) => place,
        };
        self.touches.try_reserve(1).map_err(|_| Mode::OutOfMemory)?;
        // SAFETY: a touch is larger than zero bytes, and zero bytes are a valid one.
        unsafe {
            let touch = alloc_zeroed(Layout::new::<Touch>()).cast::<Touch>();
            if touch.is_null() {
                return Err(Mode::OutOfMemory);
            }
            ((*touch).page, (*touch).function) = (page, function);
            self.touches.insert(place, touch);
            Ok(touch)
        }
    }
}

impl Drop for PerFunction {
    fn drop(&mut self) {
        for &touch in &self.touches {
            // SAFETY: by the invariant it was allocated with this layout and is listed once.
            unsafe { dealloc(touch.cast(), Layout::new::<Touch>()) };
        }
    }
}

// SAFETY: zero bytes are a page that is not open and has no counters. A page that was opened points into a touch, which is kept until
// `self` is dropped.
unsafe impl Count for PerFunction {
    type Page = Open;

    compiled_here!();

    fn place_functions(&mut self, code: &[Box<[u16]>]) -> Result<(), Mode> {
        self.starts = fallible::sorted(
            code.iter().enumerate().map(|(function, code)| (code.as_ptr() as usize, function as u32)),
        )?;
        Ok(())
    }

    #[inline(always)]
    fn change_function(&mut self) {
        self.current = UNKNOWN;
    }

    fn set_instruction(&mut self, at: *const u16) {
        if self.current == UNKNOWN {
            let behind = self.starts.partition_point(|&(start, _)| start <= at as usize);
            // What the host's call returns to lies in no function, and touches no page.
            self.current = behind.checked_sub(1).map_or(UNKNOWN, |place| self.starts[place].1 + 1);
        }
    }

    fn open(&mut self, index: u32, page: &mut Open) -> Result<(), Mode> {
        // Before the run, when no function executes, nothing is counted.
        if self.current != UNKNOWN && page.function != self.current {
            let touch = self.touch(index, self.current - 1)?;
            // SAFETY: the touch is live.
            *page = Open { function: self.current, counts: unsafe { &raw mut (*touch).counts } };
        }
        Ok(())
    }

    #[inline(always)]
    unsafe fn is_open(&self, page: *const Open) -> bool {
        // SAFETY: the caller vouches for `page`.
        unsafe { (*page).function == self.current }
    }

    #[inline(always)]
    unsafe fn load<const W: usize>(page: *mut Open, at: usize) {
        // SAFETY: the caller vouches for `page`; it is open, so it has live counters, which nothing else refers to now.
        unsafe { PerPage::load::<W>((*page).counts, at) }
    }

    #[inline(always)]
    unsafe fn store<const W: usize>(page: *mut Open, at: usize) {
        // SAFETY: as for `load`.
        unsafe { PerPage::store::<W>((*page).counts, at) }
    }

    #[inline(always)]
    unsafe fn write_short(page: *mut Open, at: usize, len: usize) {
        // SAFETY: as for `load`.
        unsafe { PerPage::write_short((*page).counts, at, len) }
    }

    #[inline(always)]
    fn read(page: &mut Open, len: usize) {
        // SAFETY: by the invariant; nothing else refers to the counters now.
        if let Some(counts) = unsafe { page.counts.as_mut() } {
            PerPage::read(counts, len);
        }
    }

    fn write(page: &mut Open, at: usize, len: usize) {
        // SAFETY: as for `read`.
        if let Some(counts) = unsafe { page.counts.as_mut() } {
            PerPage::write(counts, at, len);
        }
    }

    fn initialize(_: &mut Open, _: usize, _: bool) {}
}
