//! Counts what a module requests from its allocator.
//!
//! [`Probe`] wraps any [`GlobalAlloc`] and [`export!`] gives a Wasm module the five exports by which a report reads the
//! counters (docs/spec.md §5):
//!
//! ```
//! # use std::alloc::System;
//! use peakmark_probe::Probe;
//!
//! #[global_allocator]
//! static ALLOCATOR: Probe<System> = Probe::new(System);
//!
//! peakmark_probe::export!(ALLOCATOR);
//!
//! let before = ALLOCATOR.allocations();
//! drop(Box::new(1u64));
//! assert!(ALLOCATOR.allocations() > before);
//! ```
//!
//! | counter | meaning |
//! | --- | --- |
//! | live | bytes requested and not yet freed |
//! | peak | the highest live |
//! | allocations | requests that succeeded, each realloc once |
//! | frees | frees, each realloc once |
//!
//! Bytes are those that were requested, without padding or headers. A realloc changes live by the difference of the
//! sizes. A failed request counts nothing.

#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// An allocator that counts the requests it passes on to `A`.
///
/// The counters are relaxed atomics, which a Wasm module without threads executes as plain loads and stores.
pub struct Probe<A> {
    inner: A,
    live: AtomicU64,
    peak: AtomicU64,
    allocations: AtomicU64,
    frees: AtomicU64,
}

impl<A> Probe<A> {
    /// Wraps `inner` with all counters at zero.
    pub const fn new(inner: A) -> Self {
        Self {
            inner,
            live: AtomicU64::new(0),
            peak: AtomicU64::new(0),
            allocations: AtomicU64::new(0),
            frees: AtomicU64::new(0),
        }
    }

    /// Bytes requested and not yet freed.
    pub fn live(&self) -> u64 {
        self.live.load(Relaxed)
    }

    /// The highest [`live`](Self::live) so far, in bytes.
    pub fn peak(&self) -> u64 {
        self.peak.load(Relaxed)
    }

    /// Requests that succeeded, each realloc once.
    pub fn allocations(&self) -> u64 {
        self.allocations.load(Relaxed)
    }

    /// Frees, each realloc once.
    pub fn frees(&self) -> u64 {
        self.frees.load(Relaxed)
    }

    fn grow(&self, bytes: usize) {
        let bytes = bytes as u64;
        let live = self.live.fetch_add(bytes, Relaxed) + bytes;
        self.peak.fetch_max(live, Relaxed);
    }

    fn shrink(&self, bytes: usize) {
        self.live.fetch_sub(bytes as u64, Relaxed);
    }

    fn allocated(&self, pointer: *mut u8, size: usize) -> *mut u8 {
        if !pointer.is_null() {
            self.grow(size);
            self.allocations.fetch_add(1, Relaxed);
        }
        pointer
    }
}

// Not inlined, or the counting would lie in a module's file at each place that allocates.
// SAFETY: every request goes to `inner` unchanged and its answer comes back unchanged.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Probe<A> {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise for `layout` is passed on.
        let pointer = unsafe { self.inner.alloc(layout) };
        self.allocated(pointer, layout.size())
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let pointer = unsafe { self.inner.alloc_zeroed(layout) };
        self.allocated(pointer, layout.size())
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise for `pointer` and `layout` is passed on.
        unsafe { self.inner.dealloc(pointer, layout) };
        self.shrink(layout.size());
        self.frees.fetch_add(1, Relaxed);
    }

    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise for all three is passed on.
        let moved = unsafe { self.inner.realloc(pointer, layout, new_size) };
        if !moved.is_null() {
            match new_size.checked_sub(layout.size()) {
                Some(more) => self.grow(more),
                None => self.shrink(layout.size() - new_size),
            }
            self.allocations.fetch_add(1, Relaxed);
            self.frees.fetch_add(1, Relaxed);
        }
        moved
    }
}

/// Defines the module exports `peakmark_probe_live`, `_peak`, `_allocations`, `_frees` (each `() -> i64`) and
/// `peakmark_probe_version` (`() -> i32`, 1) for a static [`Probe`].
#[macro_export]
macro_rules! export {
    ($probe:path) => {
        /// Bytes requested and not yet freed.
        #[unsafe(no_mangle)]
        pub extern "C" fn peakmark_probe_live() -> i64 {
            $probe.live() as i64
        }

        /// The highest live, in bytes.
        #[unsafe(no_mangle)]
        pub extern "C" fn peakmark_probe_peak() -> i64 {
            $probe.peak() as i64
        }

        /// Requests that succeeded, each realloc once.
        #[unsafe(no_mangle)]
        pub extern "C" fn peakmark_probe_allocations() -> i64 {
            $probe.allocations() as i64
        }

        /// Frees, each realloc once.
        #[unsafe(no_mangle)]
        pub extern "C" fn peakmark_probe_frees() -> i64 {
            $probe.frees() as i64
        }

        /// The version of these five exports.
        #[unsafe(no_mangle)]
        pub extern "C" fn peakmark_probe_version() -> i32 {
            1
        }
    };
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::alloc::System;

    /// An allocator that refuses every request.
    struct Full;

    // SAFETY: null is the answer for "no memory"; `dealloc` never receives a pointer, for none was given out.
    unsafe impl GlobalAlloc for Full {
        unsafe fn alloc(&self, _: Layout) -> *mut u8 {
            core::ptr::null_mut()
        }
        unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
    }

    fn bytes(size: usize) -> Layout {
        Layout::from_size_align(size, 8).unwrap()
    }

    /// live, peak, allocations, frees
    fn counters<A>(probe: &Probe<A>) -> [u64; 4] {
        [probe.live(), probe.peak(), probe.allocations(), probe.frees()]
    }

    #[test]
    fn counts_requested_bytes_without_padding() {
        let probe = Probe::new(System);
        assert_eq!(counters(&probe), [0, 0, 0, 0]);
        // SAFETY: each pointer is freed once with the layout it was allocated with.
        unsafe {
            let a = probe.alloc(bytes(3));
            let b = probe.alloc_zeroed(bytes(100));
            assert_eq!(counters(&probe), [103, 103, 2, 0]);
            assert_eq!(core::slice::from_raw_parts(b, 100), [0; 100]);
            probe.dealloc(a, bytes(3));
            let c = probe.alloc(bytes(2));
            assert_eq!(counters(&probe), [102, 103, 3, 1]);
            probe.dealloc(b, bytes(100));
            probe.dealloc(c, bytes(2));
        }
        assert_eq!(counters(&probe), [0, 103, 3, 3]);
    }

    #[test]
    fn realloc_counts_the_difference_and_one_of_each() {
        let probe = Probe::new(System);
        // SAFETY: the pointer is freed once with the layout of its last realloc.
        unsafe {
            let a = probe.alloc(bytes(10));
            let a = probe.realloc(a, bytes(10), 1000);
            assert_eq!(counters(&probe), [1000, 1000, 2, 1]);
            let a = probe.realloc(a, bytes(1000), 40);
            assert_eq!(counters(&probe), [40, 1000, 3, 2]);
            let a = probe.realloc(a, bytes(40), 40);
            assert_eq!(counters(&probe), [40, 1000, 4, 3]);
            probe.dealloc(a, bytes(40));
        }
        assert_eq!(counters(&probe), [0, 1000, 4, 4]);
    }

    #[test]
    fn failed_requests_count_nothing() {
        let probe = Probe::new(Full);
        let mut one = 0u64;
        // SAFETY: `Full` uses neither pointer nor layout.
        unsafe {
            assert!(probe.alloc(bytes(8)).is_null());
            assert!(probe.alloc_zeroed(bytes(8)).is_null());
            let pointer = (&raw mut one).cast();
            assert!(probe.realloc(pointer, bytes(8), 16).is_null());
        }
        assert_eq!(counters(&probe), [0, 0, 0, 0]);
    }

    static EXPORTED: Probe<System> = Probe::new(System);
    crate::export!(EXPORTED);

    #[test]
    fn exports_read_the_counters() {
        // SAFETY: both pointers are freed once with their layouts.
        unsafe {
            let a = EXPORTED.alloc(bytes(5));
            let b = EXPORTED.alloc(bytes(6));
            let c = EXPORTED.alloc(bytes(7));
            EXPORTED.dealloc(b, bytes(6));
            EXPORTED.dealloc(c, bytes(7));
            assert_eq!(peakmark_probe_live(), 5);
            assert_eq!(peakmark_probe_peak(), 18);
            assert_eq!(peakmark_probe_allocations(), 3);
            assert_eq!(peakmark_probe_frees(), 2);
            assert_eq!(peakmark_probe_version(), 1);
            EXPORTED.dealloc(a, bytes(5));
        }
    }
}
