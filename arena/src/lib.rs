//! An allocator over a static byte array, for Wasm modules that must not grow their memory.
//!
//! ```text
//! static BYTES: Bytes<{ 16 << 20 }> = Bytes::new();
//!
//! #[global_allocator]
//! static ALLOCATOR: Arena<{ 16 << 20 }> = Arena::new(&BYTES);
//! ```
//!
//! The bytes are a static of their own because they are uninitialized: they take room in memory and none in the binary.

#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::cell::{Cell, UnsafeCell};
use core::mem::MaybeUninit;
use core::ptr::null_mut;

use dlmalloc::{Allocator, Dlmalloc};

/// `SIZE` uninitialized bytes for one [`Arena`].
#[repr(C, align(16))]
pub struct Bytes<const SIZE: usize> {
    bytes: UnsafeCell<MaybeUninit<[u8; SIZE]>>,
    given: Cell<bool>,
}

impl<const SIZE: usize> Bytes<SIZE> {
    /// Bytes that no arena has taken yet.
    pub const fn new() -> Self {
        Self { bytes: UnsafeCell::new(MaybeUninit::uninit()), given: Cell::new(false) }
    }
}

impl<const SIZE: usize> Default for Bytes<SIZE> {
    fn default() -> Self {
        Self::new()
    }
}

/// dlmalloc over [`Bytes`]: a request that does not fit fails, and freed memory is used again.
pub struct Arena<const SIZE: usize> {
    heap: UnsafeCell<Dlmalloc<Source<SIZE>>>,
}

impl<const SIZE: usize> Arena<SIZE> {
    /// An allocator over `bytes`. A second one over the same bytes has no memory.
    pub const fn new(bytes: &'static Bytes<SIZE>) -> Self {
        Self { heap: UnsafeCell::new(Dlmalloc::new_with_allocator(Source(bytes))) }
    }
}

#[cfg(all(target_family = "wasm", not(target_feature = "atomics")))]
mod single_thread {
    // SAFETY: a Wasm module without shared memory has one thread, and nothing in here calls back into its user.
    unsafe impl<const SIZE: usize> Sync for super::Bytes<SIZE> {}
    // SAFETY: as above.
    unsafe impl<const SIZE: usize> Sync for super::Arena<SIZE> {}
}

// SAFETY: dlmalloc fulfils the contract of `GlobalAlloc`. The heap is borrowed for one call at a time: `Arena` is shared
// between threads only where there are none.
unsafe impl<const SIZE: usize> GlobalAlloc for Arena<SIZE> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: nothing else has borrowed the heap.
        unsafe { (*self.heap.get()).malloc(layout.size(), layout.align()) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above; the caller has the pointer from this heap, with this layout.
        unsafe { (*self.heap.get()).free(pointer, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as for `dealloc`.
        unsafe { (*self.heap.get()).realloc(pointer, layout.size(), layout.align(), new_size) }
    }
}

/// Where dlmalloc gets its memory: all bytes at its first request, nothing after that.
struct Source<const SIZE: usize>(&'static Bytes<SIZE>);

// SAFETY: used by one thread at a time, like the arena it belongs to.
unsafe impl<const SIZE: usize> Send for Source<SIZE> {}

// SAFETY: the bytes are given out once, live as long as the program, and nothing else refers to them.
unsafe impl<const SIZE: usize> Allocator for Source<SIZE> {
    fn alloc(&self, size: usize) -> (*mut u8, usize, u32) {
        if size > SIZE || self.0.given.replace(true) {
            return (null_mut(), 0, 0);
        }
        (self.0.bytes.get().cast(), SIZE, 0)
    }

    fn remap(&self, _: *mut u8, _: usize, _: usize, _: bool) -> *mut u8 {
        null_mut()
    }

    fn free_part(&self, _: *mut u8, _: usize, _: usize) -> bool {
        false
    }

    fn free(&self, _: *mut u8, _: usize) -> bool {
        false
    }

    fn can_release_part(&self, _: u32) -> bool {
        false
    }

    fn allocates_zeros(&self) -> bool {
        false
    }

    fn page_size(&self) -> usize {
        64 * 1024
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use std::boxed::Box;
    use std::vec::Vec;

    const SIZE: usize = 1 << 20;
    const KIB: Layout = match Layout::from_size_align(1024, 8) {
        Ok(layout) => layout,
        Err(_) => panic!(),
    };

    fn arena() -> Arena<SIZE> {
        Arena::new(Box::leak(Box::default()))
    }

    /// Allocates KiB blocks until the arena is full.
    fn fill(arena: &Arena<SIZE>) -> Vec<*mut u8> {
        // SAFETY: the layout is not empty.
        core::iter::repeat_with(|| unsafe { arena.alloc(KIB) }).take_while(|block| !block.is_null()).collect()
    }

    #[test]
    fn blocks_lie_in_the_bytes_until_they_are_spent_and_come_back_when_freed() {
        let bytes: &Bytes<SIZE> = Box::leak(Box::default());
        let arena = Arena::new(bytes);
        let range = bytes.bytes.get().addr()..bytes.bytes.get().addr() + SIZE;

        let blocks = fill(&arena);
        assert!((SIZE / 1024 - 32..SIZE / 1024).contains(&blocks.len()));
        for block in &blocks {
            assert!(range.contains(&block.addr()) && range.contains(&(block.addr() + 1023)));
        }
        for &block in &blocks {
            // SAFETY: allocated above with this layout.
            unsafe { arena.dealloc(block, KIB) };
        }
        assert_eq!(fill(&arena).len(), blocks.len());
    }

    #[test]
    fn a_failed_request_leaves_the_arena_usable() {
        let arena = arena();
        let too_large = Layout::from_size_align(SIZE + 1, 8).unwrap();
        // SAFETY: the layouts are not empty and each pointer is used with its own.
        unsafe {
            assert!(arena.alloc(too_large).is_null());
            let block = arena.alloc(KIB);
            block.write_bytes(7, 1024);
            assert!(arena.realloc(block, KIB, SIZE).is_null());
            assert_eq!(*block.add(1023), 7);
            let grown = arena.realloc(block, KIB, SIZE / 2);
            assert_eq!(*grown.add(1023), 7);
        }
    }
}
