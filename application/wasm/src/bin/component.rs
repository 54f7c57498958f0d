//! What the components share: each runs the target of a request. `ARENA`, the bytes of its heap, stands in the crate's root.

use qip_interpret::memory::{Count, PAGE_BYTES, Page};

use crate::ARENA;

/// Largest request in bytes: a component of 16 MiB and a large input together.
pub const INPUT_CAP: usize = 32 << 20;

/// Pages that a target may touch: 192 MiB.
const TOUCHED_PAGES: usize = (192 << 20) / PAGE_BYTES;

/// The heap beside those pages: a module and its code, tables, the call stack and the output.
const WORK: usize = 64 << 20;

/// Heap in bytes for a target of which `C` is counted, with what the allocator adds to each page. The linker adds the request,
/// the page table, the module's own stack and its data, and makes that the memory.
pub const fn heap<C: Count>() -> usize {
    TOUCHED_PAGES * (size_of::<Page<C>>() + 16) + WORK
}

#[cfg(not(feature = "without-probe"))]
content_component::probed_heap!(ARENA);

#[cfg(feature = "without-probe")]
content_component::heap!(ARENA);

content_component::trap_on_panic!();
