//! What a field of an instruction can be. From the fields of each operator (see [`Opcode::fields`]) follow the instruction's length,
//! the verifier and the listing.

use super::Opcode;

/// A field of an instruction, in the order of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A slot that is read, and so many slots from there on.
    Read(u8),
    /// A slot that is written, and so many slots from there on.
    Write(u8),
    /// How many slots the fields before it stand for.
    Count,
    /// The slot of the return link.
    Link,
    /// The first slot of a callee's frame.
    Base,
    /// A constant of so many units.
    Constant(u8),
    /// The number of a lane.
    Lane,
    /// The distance to a branch's target, in two units.
    Target,
    /// A cost site.
    Cost,
    /// A global's byte offset, in two units.
    Global,
    /// A function's index, in two units.
    Function,
    /// A table's index, in two units.
    Table,
    /// A type's canonical number, in two units.
    Type,
    /// A data segment's index, in two units.
    Data,
    /// An element segment's index, in two units.
    Element,
    /// The last entry's index, in two units, then the entries: each a target and a cost site.
    Entries,
}

impl Field {
    /// Units of the field; of [`Field::Entries`] without the entries behind the first.
    pub const fn units(self) -> usize {
        match self {
            Field::Read(_) | Field::Write(_) | Field::Count | Field::Link | Field::Base | Field::Lane | Field::Cost => {
                1
            }
            Field::Constant(units) => units as usize,
            Field::Target | Field::Global | Field::Function => 2,
            Field::Table | Field::Type | Field::Data | Field::Element => 2,
            Field::Entries => 2 + ENTRY_UNITS,
        }
    }
}

/// Units of an entry of a branch table.
pub const ENTRY_UNITS: usize = 3;

/// Units between a branch table's start and its last entry's index.
const LAST_ENTRY_AT: usize = 4;

/// [`Opcode::fixed_units`] by the operator's number.
static FIXED_UNITS: [u8; Opcode::COUNT] = {
    let mut units = [0; Opcode::COUNT];
    let mut number = 0;
    while number < Opcode::COUNT {
        if let Some(op) = Opcode::decode(number as u16) {
            units[number] = op.fixed_units() as u8;
        }
        number += 1;
    }
    units
};

impl Opcode {
    /// Units of the operator and its fields; of a branch table with one entry.
    pub const fn fixed_units(self) -> usize {
        let (fields, mut units, mut field) = (self.fields(), 1, 0);
        while field < fields.len() {
            units += fields[field].units();
            field += 1;
        }
        units
    }

    /// The instruction's length in units; `code` starts with it.
    pub fn units(self, code: &[u16]) -> usize {
        let units = usize::from(FIXED_UNITS[self as usize]);
        if self == Opcode::BrTable { units + ENTRY_UNITS * field_32(code, LAST_ENTRY_AT) as usize } else { units }
    }
}

/// A field of 32 bits.
pub fn field_32(code: &[u16], at: usize) -> u32 {
    u32::from(code[at]) | u32::from(code[at + 1]) << 16
}
