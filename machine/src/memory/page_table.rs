//! The page table: one entry for each 64 KiB page of the 33-bit effective address space.

/// Entries of the table. Effective addresses are 33 bits wide, so a look-up needs no other bound; the upper half stays
/// null and sends its accesses to the slow path, which reports them out of bounds.
pub const ENTRIES: usize = 1 << 17;

/// A pointer to a touched page, or null for a page that is untouched or beyond memory.
pub type Entry = *mut u8;

/// On wasm32 the table lies at a fixed address, which the loop folds into its loads.
#[cfg(target_arch = "wasm32")]
mod storage {
    use core::cell::UnsafeCell;
    use core::marker::PhantomData;
    use core::sync::atomic::{AtomicBool, Ordering};

    use super::{ENTRIES, Entry};

    /// Not all zero at the start, so that it comes before the large statics that are: a host that relies on guard pages still
    /// checks accesses whose constant offset is beyond those (32 MiB in Wasmtime), and every access looks an entry up.
    #[repr(C)]
    struct Static {
        entries: UnsafeCell<[Entry; ENTRIES]>,
        is_free: AtomicBool,
    }

    // SAFETY: the entries are reached through the one `PageTable` alone, which stays with its thread.
    unsafe impl Sync for Static {}

    static TABLE: Static =
        Static { entries: UnsafeCell::new([core::ptr::null_mut(); ENTRIES]), is_free: AtomicBool::new(true) };

    /// The one table; it can be held once at a time.
    pub struct PageTable(PhantomData<*mut Entry>);

    impl PageTable {
        /// The table with every entry null, or `None` while another memory holds it.
        pub fn new() -> Option<Self> {
            TABLE.is_free.swap(false, Ordering::Acquire).then_some(Self(PhantomData))
        }

        /// The first entry.
        #[inline(always)]
        pub fn entries(&self) -> *mut Entry {
            TABLE.entries.get().cast()
        }
    }

    impl Drop for PageTable {
        fn drop(&mut self) {
            TABLE.is_free.store(true, Ordering::Release);
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod storage {
    use super::{ENTRIES, Entry};
    use alloc::boxed::Box;

    /// A table of its own for each memory.
    pub struct PageTable(*mut [Entry; ENTRIES]);

    impl PageTable {
        /// A table with every entry null.
        pub fn new() -> Option<Self> {
            // SAFETY: null pointers are all-zero bytes.
            Some(Self(Box::into_raw(unsafe { Box::<[Entry; ENTRIES]>::new_zeroed().assume_init() })))
        }

        /// The first entry.
        #[inline(always)]
        pub fn entries(&self) -> *mut Entry {
            self.0.cast()
        }
    }

    impl Drop for PageTable {
        fn drop(&mut self) {
            // SAFETY: the pointer came from `Box::into_raw` and is dropped once.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

pub use storage::PageTable;
