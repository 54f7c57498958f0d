//! The tool's own limits on components, all far above what compilers emit.
//!
//! Together with the request's size they keep validation and translation well within the component's heap, and linear in time.

use super::parse::id;
use crate::rejection::Mode;

/// Bytes of the type section.
const TYPE_SECTION_BYTES: usize = 1 << 20;
const TYPES: u32 = 1 << 16;
/// The same of elements, which take four times the memory.
const ELEMENT_SECTION_BYTES: usize = 1 << 22;
/// Functions.
pub const FUNCTIONS: u32 = 1 << 18;
const GLOBALS: u32 = 1 << 17;
const EXPORTS: u32 = 1 << 17;
const TABLES: u32 = 100_000;
/// Segments of data, and of elements.
const SEGMENTS: u32 = 100_000;

/// Parameters of a function, and results.
pub const VALUES: u32 = 1000;

/// Declared locals of all functions together: a few bytes may declare thousands, and each costs time.
pub const LOCALS: u64 = 1 << 24;

/// Values that calls, blocks and branches of all functions take and leave: two bytes may move thousands, and each costs time.
pub const MOVED_VALUES: u64 = 1 << 26;

/// Blocks inside blocks.
pub const NESTING: usize = 1 << 16;

/// Operands on the stack, in constant expressions and in code that cannot be reached; elsewhere the frame's size is the lower limit.
pub const OPERANDS: usize = 1 << 16;

/// 16-bit units of a function's code.
pub const CODE_UNITS: usize = 1 << 23;

/// The same of all functions together, 96 MiB: with all else that loading keeps it fits in the smallest heap.
pub const ALL_CODE_UNITS: usize = 3 << 24;

/// Branches forward in a function, each target of a `br_table` counted.
pub const FORWARD_BRANCHES: usize = 1 << 20;

/// Rejects a section that is over a limit, before it is read: of its id, with so many entries in so many bytes.
pub fn check(id: u8, count: u32, bytes: usize) -> Result<(), Mode> {
    let within = match id {
        id::TYPE => count <= TYPES && bytes <= TYPE_SECTION_BYTES,
        id::FUNCTION => count <= FUNCTIONS,
        id::TABLE => count <= TABLES,
        id::GLOBAL => count <= GLOBALS,
        id::EXPORT => count <= EXPORTS,
        id::ELEMENT => count <= SEGMENTS && bytes <= ELEMENT_SECTION_BYTES,
        id::DATA => count <= SEGMENTS,
        _ => true,
    };
    if within { Ok(()) } else { Err(Mode::Limit) }
}
