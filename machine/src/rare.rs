//! The operators that the loop's stepping form alone executes, and bulk operations where no other does. The table says what each is.

use super::Machine;
use super::cursor::Cursor;
use super::tables::range;
use crate::code::isa::Opcode;
use crate::code::isa::fields::Field;
use crate::code::isa::rare::for_each_rare_instruction;
use crate::memory::Count;
use crate::module::Ref;
use crate::rejection::Mode;

/// Bytes of a bulk operation on memory that one instruction of the budget pays for (docs/spec.md §3).
pub(super) const BYTES_PER_INSTRUCTION: u32 = 512;

/// Entries of a bulk operation on tables that one instruction of the budget pays for.
const ENTRIES_PER_INSTRUCTION: u32 = 128;

/// How the loop goes on after a rare operator.
pub(super) enum Flow {
    /// With the instruction that many units on.
    Next(usize),
    /// With the basic block behind the cost site that many units on.
    Block(usize),
    /// In the same frame, with another function; `to` and `base` are the link of the function it replaces.
    Tail { function: usize, to: *const u16, base: usize },
    /// Not at all: the host's call has returned.
    Halt,
}

impl Flow {
    /// Behind an instruction.
    const fn behind(op: Opcode) -> Self {
        let units = op.fixed_units();
        if let Some(Field::Cost) = op.fields().last() { Self::Block(units - 1) } else { Self::Next(units) }
    }
}

impl<C: Count> Machine<'_, C> {
    /// Executes the operator `op` at `ip`.
    ///
    /// # Safety
    /// As for [`super::execute::execute`], whose state must have been saved.
    #[inline(never)]
    pub(super) unsafe fn rare(&mut self, op: Opcode) -> Result<Flow, Mode> {
        macro_rules! execute {
            (
                bulk { $($(#[$_bd:meta])* $blk:ident $_bw:tt $_bs:ident $_bo:ident |$blk_c:pat_param, $blk_m:pat_param| $blk_f:expr;)* }
                rare { $($(#[$_rd:meta])* $rar:ident $_rw:tt |$rar_c:pat_param, $rar_m:pat_param| $rar_f:expr;)* }
                rare_end { $($(#[$_ed:meta])* $ren:ident $_ew:tt |$ren_c:pat_param, $ren_m:pat_param| $ren_f:expr;)* }
            ) => {
                // SAFETY: the translator emitted the fields that each operator has, with valid slots and indices.
                unsafe {
                    match op {
                        $(Opcode::$blk => {
                            let ($blk_c, $blk_m) = (Cursor::new(self.ip, self.fp), self);
                            $blk_f;
                            Ok(const { Flow::behind(Opcode::$blk) })
                        })*
                        $(Opcode::$rar => {
                            let ($rar_c, $rar_m) = (Cursor::new(self.ip, self.fp), self);
                            $rar_f;
                            Ok(const { Flow::behind(Opcode::$rar) })
                        })*
                        $(Opcode::$ren => {
                            let ($ren_c, $ren_m) = (Cursor::new(self.ip, self.fp), self);
                            Ok($ren_f)
                        })*
                        _ => unreachable!("the loop executes all other operators itself"),
                    }
                }
            };
        }
        for_each_rare_instruction!(execute)
    }

    fn copy_memory(&mut self, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        self.memory.check(u64::from(to), u64::from(len))?;
        self.memory.check(u64::from(from), u64::from(len))?;
        self.charge(len / BYTES_PER_INSTRUCTION)?;
        self.memory.copy(to, from, len)
    }

    fn fill_memory(&mut self, to: u32, value: u32, len: u32) -> Result<(), Mode> {
        self.memory.check(u64::from(to), u64::from(len))?;
        self.charge(len / BYTES_PER_INSTRUCTION)?;
        self.memory.fill(to, value as u8, len)
    }

    fn init_memory(&mut self, segment: usize, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        let data = &self.program.module().data[segment];
        let bytes = if self.dropped_data[segment] { &[] } else { data.bytes };
        let source = range(from, len, bytes.len()).map_err(|_| Mode::MemoryOutOfBounds)?;
        self.memory.check(u64::from(to), u64::from(len))?;
        self.charge(len / BYTES_PER_INSTRUCTION)?;
        self.memory.write(u64::from(to), &bytes[source])
    }

    fn fill_table(&mut self, table: usize, at: u32, value: Ref, len: u32) -> Result<(), Mode> {
        range(at, len, self.tables[table].entries().len())?;
        self.charge(len / ENTRIES_PER_INSTRUCTION)?;
        self.tables[table].fill(at, value, len)
    }

    fn copy_table(&mut self, to_table: usize, from_table: usize, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        let source = range(from, len, self.tables[from_table].entries().len())?;
        range(to, len, self.tables[to_table].entries().len())?;
        self.charge(len / ENTRIES_PER_INSTRUCTION)?;
        match self.tables.get_disjoint_mut([to_table, from_table]) {
            Ok([target, other]) => target.init(&other.entries()[source], to, 0, len),
            Err(_) => self.tables[to_table].copy_within(to, from, len),
        }
    }

    fn init_table(&mut self, table: usize, segment: usize, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        let dropped = self.dropped_elements[segment];
        let items: &[Ref] = if dropped { &[] } else { &self.program.module().elements[segment].items };
        range(from, len, items.len())?;
        range(to, len, self.tables[table].entries().len())?;
        self.charge(len / ENTRIES_PER_INSTRUCTION)?;
        self.tables[table].init(items, to, from, len)
    }
}

/// Moves the arguments of a tail call into the frame.
///
/// # Safety
/// The cursor is at an instruction whose first fields are `link base count`.
unsafe fn tail(cursor: Cursor, function: usize) -> Flow {
    // SAFETY: the arguments lie above the frame's start, and the link is read before one may take its place.
    unsafe {
        let (to, base) = cursor.link();
        cursor.move_slots(cursor.fp.cast(), cursor.slot(2), 3);
        Flow::Tail { function, to, base }
    }
}
