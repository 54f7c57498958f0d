#![doc = include_str!("../README.md")]
#![no_std]
#![deny(unsafe_op_in_unsafe_fn)]
#![warn(missing_docs, clippy::undocumented_unsafe_blocks)]

use core::alloc::{GlobalAlloc, Layout};
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

// The counters of all probes in the module: relaxed atomics, which are plain loads and stores in a Wasm module without threads.
static LIVE: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static FREES: AtomicU64 = AtomicU64::new(0);

/// Bytes requested through all probes and not yet freed.
#[no_mangle]
pub extern "C" fn peakmark_probe_live() -> i64 {
    LIVE.load(Relaxed) as i64
}

/// The highest that [`peakmark_probe_live`] was, in bytes.
#[no_mangle]
pub extern "C" fn peakmark_probe_peak() -> i64 {
    PEAK.load(Relaxed) as i64
}

/// Requests that succeeded, each realloc once.
#[no_mangle]
pub extern "C" fn peakmark_probe_allocations() -> i64 {
    ALLOCATIONS.load(Relaxed) as i64
}

/// Frees, each realloc once.
#[no_mangle]
pub extern "C" fn peakmark_probe_frees() -> i64 {
    FREES.load(Relaxed) as i64
}

/// The version of the five exports: 1.
#[no_mangle]
pub extern "C" fn peakmark_probe_version() -> i32 {
    1
}

/// An allocator that passes each request on to `A` and counts it.
pub struct Probe<A>(A);

impl<A> Probe<A> {
    /// Counts what is requested from `inner`.
    pub const fn new(inner: A) -> Self {
        Self(inner)
    }
}

/// Counts a block that has come, or one that had `old` bytes and has `new`.
fn allocated(old: usize, new: usize) {
    let more = (new as u64).wrapping_sub(old as u64);
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    PEAK.fetch_max(live, Relaxed);
    ALLOCATIONS.fetch_add(1, Relaxed);
}

// Not inlined, or the counting would lie in a module's file at each place that allocates.
// SAFETY: every request goes to the inner allocator unchanged and its answer comes back unchanged.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Probe<A> {
    #[inline(never)]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise for `layout` is passed on.
        let pointer = unsafe { self.0.alloc(layout) };
        if !pointer.is_null() {
            allocated(0, layout.size());
        }
        pointer
    }

    #[inline(never)]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        let pointer = unsafe { self.0.alloc_zeroed(layout) };
        if !pointer.is_null() {
            allocated(0, layout.size());
        }
        pointer
    }

    #[inline(never)]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise for `pointer` and `layout` is passed on. Until then the block is there, and a block has at
        // least one byte, which need not be initialized.
        unsafe {
            // LLVM 22 takes a free whose pointer is not used for one of no valid pointer, and drops the code around it. So the
            // pointer is used here, whether the inner allocator does or, like many that never free, does not.
            pointer.cast::<MaybeUninit<u8>>().read_volatile();
            self.0.dealloc(pointer, layout);
        }
        LIVE.fetch_sub(layout.size() as u64, Relaxed);
        FREES.fetch_add(1, Relaxed);
    }

    #[inline(never)]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promise for all three is passed on.
        let moved = unsafe { self.0.realloc(pointer, layout, new_size) };
        if !moved.is_null() {
            allocated(layout.size(), new_size);
            FREES.fetch_add(1, Relaxed);
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::alloc::System;
    use std::sync::{Mutex, MutexGuard, PoisonError};

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

    /// Sets all counters to zero, and keeps other tests from counting meanwhile.
    fn alone() -> MutexGuard<'static, ()> {
        static TEST: Mutex<()> = Mutex::new(());
        let guard = TEST.lock().unwrap_or_else(PoisonError::into_inner);
        for counter in [&LIVE, &PEAK, &ALLOCATIONS, &FREES] {
            counter.store(0, Relaxed);
        }
        guard
    }

    /// live, peak, allocations, frees
    fn counters() -> [i64; 4] {
        [peakmark_probe_live(), peakmark_probe_peak(), peakmark_probe_allocations(), peakmark_probe_frees()]
    }

    #[test]
    fn counts_requested_bytes_without_padding() {
        let _alone = alone();
        let probe = Probe::new(System);
        // SAFETY: each pointer is freed once with the layout it was allocated with.
        unsafe {
            let a = probe.alloc(bytes(3));
            let b = probe.alloc_zeroed(bytes(100));
            assert_eq!(counters(), [103, 103, 2, 0]);
            assert_eq!(core::slice::from_raw_parts(b, 100), [0; 100]);
            probe.dealloc(a, bytes(3));
            let c = probe.alloc(bytes(2));
            assert_eq!(counters(), [102, 103, 3, 1]);
            probe.dealloc(b, bytes(100));
            probe.dealloc(c, bytes(2));
        }
        assert_eq!(counters(), [0, 103, 3, 3]);
    }

    #[test]
    fn realloc_counts_the_difference_and_one_of_each() {
        let _alone = alone();
        let probe = Probe::new(System);
        // SAFETY: the pointer is freed once with the layout of its last realloc.
        unsafe {
            let a = probe.alloc(bytes(10));
            let a = probe.realloc(a, bytes(10), 1000);
            assert_eq!(counters(), [1000, 1000, 2, 1]);
            let a = probe.realloc(a, bytes(1000), 40);
            assert_eq!(counters(), [40, 1000, 3, 2]);
            let a = probe.realloc(a, bytes(40), 40);
            assert_eq!(counters(), [40, 1000, 4, 3]);
            probe.dealloc(a, bytes(40));
        }
        assert_eq!(counters(), [0, 1000, 4, 4]);
    }

    #[test]
    fn failed_requests_count_nothing() {
        let _alone = alone();
        let probe = Probe::new(Full);
        let mut one = 0u64;
        // SAFETY: `Full` uses neither pointer nor layout.
        unsafe {
            assert!(probe.alloc(bytes(8)).is_null());
            assert!(probe.alloc_zeroed(bytes(8)).is_null());
            assert!(probe.realloc((&mut one as *mut u64).cast(), bytes(8), 16).is_null());
        }
        assert_eq!(counters(), [0, 0, 0, 0]);
    }

    #[test]
    fn several_probes_add_up() {
        let _alone = alone();
        let (one, other) = (Probe::new(System), Probe::new(System));
        // SAFETY: both pointers are freed once with their layouts, by the probe that gave them.
        unsafe {
            let a = one.alloc(bytes(5));
            let b = other.alloc(bytes(6));
            assert_eq!(counters(), [11, 11, 2, 0]);
            one.dealloc(a, bytes(5));
            assert_eq!(counters(), [6, 11, 2, 1]);
            other.dealloc(b, bytes(6));
        }
        assert_eq!(peakmark_probe_version(), 1);
    }
}
