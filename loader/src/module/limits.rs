//! The tool's own limits on components, all far above what compilers emit.
//!
//! Together with the request's size they keep validation and translation well within the component's heap, and linear in time.
//! `wasmparser` has one of its own, which is the tool's too: a name has at most 100,000 bytes.

use crate::rejection::Mode;

/// Bytes of the type section.
pub const TYPE_SECTION_BYTES: u64 = 1 << 20;
/// Types.
pub const TYPES: u32 = 1 << 16;
/// Bytes of the element section, whose entries take four times the memory.
pub const ELEMENT_SECTION_BYTES: u64 = 1 << 22;
/// Functions.
pub const FUNCTIONS: u32 = 1 << 18;
/// Globals.
pub const GLOBALS: u32 = 1 << 17;
/// Exports.
pub const EXPORTS: u32 = 1 << 17;
/// Tables.
pub const TABLES: u32 = 100_000;
/// Segments of data, and of elements.
pub const SEGMENTS: u32 = 100_000;

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

/// 16-bit units of the code of all functions together, 96 MiB: with all else that loading keeps it fits in the smallest heap.
pub const ALL_CODE_UNITS: usize = 3 << 24;

/// Branches forward in a function, each target of a `br_table` counted.
pub const FORWARD_BRANCHES: usize = 1 << 20;

/// Fails with `Mode::Limit` unless a component is within a limit.
pub fn check(within: bool) -> Result<(), Mode> {
    if within { Ok(()) } else { Err(Mode::Limit) }
}

/// Whether an error of `wasmparser`'s is for its limit. It has no kind for that, only words.
pub fn is_limit(error: &wasmparser::Error) -> bool {
    error.message() == "string size out of bounds"
}
