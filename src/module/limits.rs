//! The tool's own limits on components, all far above what compilers emit.
//!
//! Together with the request's size they keep validation and translation well within the component's heap, and linear in time.

use wasmparser::Payload;

use crate::rejection::Mode;

/// Bytes of the type section.
const TYPE_SECTION_BYTES: u64 = 1 << 20;
const TYPES: u32 = 1 << 16;
/// The same of elements, which take four times the memory.
const ELEMENT_SECTION_BYTES: u64 = 1 << 22;
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

/// The same of all functions together, 96 MiB. With all else that loading keeps it leaves some in the smallest heap, for
/// `wasmparser` allocates its errors without a way to fail.
pub const ALL_CODE_UNITS: usize = 3 << 24;

/// Branches forward in a function, each target of a `br_table` counted.
pub const FORWARD_BRANCHES: usize = 1 << 20;

/// Rejects a section that is over a limit, before it is validated.
pub fn check(payload: &Payload<'_>) -> Result<(), Mode> {
    let within = match payload {
        Payload::TypeSection(section) => {
            let range = section.range();
            section.count() <= TYPES && range.end - range.start <= TYPE_SECTION_BYTES
        }
        Payload::FunctionSection(section) => section.count() <= FUNCTIONS,
        Payload::GlobalSection(section) => section.count() <= GLOBALS,
        Payload::ExportSection(section) => section.count() <= EXPORTS,
        Payload::TableSection(section) => section.count() <= TABLES,
        Payload::ElementSection(section) => {
            let range = section.range();
            section.count() <= SEGMENTS && range.end - range.start <= ELEMENT_SECTION_BYTES
        }
        Payload::DataSection(section) => section.count() <= SEGMENTS,
        _ => true,
    };
    if within { Ok(()) } else { Err(Mode::Limit) }
}
