//! The system's allocator with the component's bound: a module may ask for more memory than this machine has.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Bytes that may be live: as much as the component has, and what the generator and libFuzzer need.
const LIMIT: usize = 512 << 20;

struct Bounded {
    live: AtomicUsize,
}

#[global_allocator]
static ALLOCATOR: Bounded = Bounded { live: AtomicUsize::new(0) };

impl Bounded {
    /// Gives what `allocate` gives for `size` more bytes, or null where they are too many.
    fn bounded(&self, size: usize, allocate: impl FnOnce() -> *mut u8) -> *mut u8 {
        if self.live.load(Relaxed).saturating_add(size) > LIMIT {
            return null_mut();
        }
        let pointer = allocate();
        if !pointer.is_null() {
            self.live.fetch_add(size, Relaxed);
        }
        pointer
    }
}

// SAFETY: the system's allocator keeps the contract; a null pointer says that there is no memory.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise for `layout` is passed on.
        self.bounded(layout.size(), || unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        self.bounded(layout.size(), || unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        self.live.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise for `pointer` and `layout` is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // For a moment there may be both.
        // SAFETY: the caller's promise for all three is passed on.
        let moved = self.bounded(new_size, || unsafe { System.realloc(pointer, layout, new_size) });
        if !moved.is_null() {
            self.live.fetch_sub(layout.size(), Relaxed);
        }
        moved
    }
}
