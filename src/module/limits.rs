//! The tool's own limits on components, all far above what compilers emit.
//!
//! `wasmparser` allocates for types, exports and open blocks without a way to fail, so what it may need is bounded here: together
//! with the request's size these limits keep validation and translation well within the component's heap.

use wasmparser::{BlockType, FuncValidator, Operator, Payload, ValidatorResources};

use super::Module;
use crate::rejection::Mode;

/// Bytes of the type section.
const TYPE_SECTION_BYTES: u64 = 1 << 20;
const TYPES: u32 = 1 << 16;
/// Functions.
pub const FUNCTIONS: u32 = 1 << 18;
const GLOBALS: u32 = 1 << 17;
const EXPORTS: u32 = 1 << 17;

/// Declared locals of all functions together: a few bytes may declare thousands, and each costs time.
pub const LOCALS: u32 = 1 << 24;

/// Values that calls, blocks and branches of all functions take and leave: two bytes may move thousands, and each costs time.
pub const MOVED_VALUES: u64 = 1 << 26;

/// Blocks inside blocks.
pub const NESTING: u32 = 1 << 16;

/// Operands on the stack, in code that cannot be reached; elsewhere the frame's size is the lower limit.
pub const OPERANDS: u32 = 1 << 16;

/// 16-bit units of a function's code.
pub const CODE_UNITS: usize = 1 << 23;

/// The same of all functions together, 128 MiB: so much that the parser, which allocates as it goes on, always finds memory.
pub const ALL_CODE_UNITS: usize = 1 << 26;

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
        _ => true,
    };
    if within { Ok(()) } else { Err(Mode::Limit) }
}

/// How many values an instruction takes and leaves, of those that may take or leave any number (see [`MOVED_VALUES`]). Asked
/// before the instruction is validated.
pub fn moved_values(
    module: &Module<'_>,
    validator: &FuncValidator<ValidatorResources>,
    operator: &Operator<'_>,
) -> u64 {
    let of_type = |index: u32| module.types.get(index as usize).map_or(0, |ty| ty.params.len() + ty.results.len());
    let of_block = |ty: BlockType| if let BlockType::FuncType(index) = ty { of_type(index) } else { 0 };
    let of_label =
        |depth: u32| validator.get_control_frame(depth as usize).map_or(0, |frame| of_block(frame.block_type));
    let (labels, values) = match *operator {
        Operator::Call { function_index } | Operator::ReturnCall { function_index } => {
            (1, module.functions.get(function_index as usize).map_or(0, |function| of_type(function.type_index)))
        }
        Operator::CallIndirect { type_index, .. } | Operator::ReturnCallIndirect { type_index, .. } => {
            (1, of_type(type_index))
        }
        Operator::Block { blockty } | Operator::Loop { blockty } | Operator::If { blockty } => (1, of_block(blockty)),
        Operator::Else | Operator::End => (1, of_label(0)),
        Operator::Br { relative_depth } | Operator::BrIf { relative_depth } => (1, of_label(relative_depth)),
        Operator::BrTable { ref targets } => (u64::from(targets.len()) + 1, of_label(targets.default())),
        Operator::Return => (1, of_label(validator.control_stack_height().saturating_sub(1))),
        _ => return 0,
    };
    labels * values as u64
}
