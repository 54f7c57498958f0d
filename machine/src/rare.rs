//! The operators that the loop's stepping form alone executes, but for copies and fills of memory in `bulk.rs`.

use super::Machine;
use super::tables::range;
use crate::code::isa::Opcode;
use crate::memory::Count;
use crate::module::Ref;
use crate::rejection::Mode;

/// Bytes or entries of a bulk operation that one instruction of the budget pays for (docs/spec.md §3).
pub(super) const UNITS_PER_INSTRUCTION: u32 = 4096;

/// How the loop goes on after a rare operator.
pub(super) enum Flow {
    /// With the instruction that many units on.
    Next(usize),
    /// With the basic block behind this cost site.
    Block(*const u16),
    /// In the same frame, with another function; `to` and `base` are the link of the function it replaces.
    Tail { function: usize, to: *const u16, base: usize },
    /// Not at all: the host's call has returned.
    Halt,
}

impl<C: Count> Machine<'_, C> {
    /// Executes the operator `op` at `ip`.
    ///
    /// # Safety
    /// As for [`super::execute::execute`], whose state must have been saved.
    #[inline(never)]
    pub(super) unsafe fn rare(&mut self, op: Opcode) -> Result<Flow, Mode> {
        // SAFETY: the translator emitted the fields that each operator reads below, with valid slots and indices.
        unsafe { self.dispatch(op) }
    }

    unsafe fn dispatch(&mut self, op: Opcode) -> Result<Flow, Mode> {
        // SAFETY: `fields` and `slots` read what the operator's shape says (see `Opcode`).
        unsafe {
            match op {
                Opcode::Halt => Ok(Flow::Halt),
                Opcode::Unreachable => Err(Mode::Unreachable),
                Opcode::ReturnCall => {
                    let function = self.field32(4) as usize;
                    Ok(self.tail(function))
                }
                Opcode::ReturnCallIndirect => {
                    let function = self.indirect(self.get(4), self.field32(5), self.field32(7))?;
                    Ok(self.tail(function))
                }
                Opcode::MemorySize => {
                    self.set(1, self.memory.pages());
                    Ok(Flow::Next(2))
                }
                Opcode::MemoryGrow => {
                    let before = self.memory.grow(self.get(2)).unwrap_or(u32::MAX);
                    self.set(1, before);
                    Ok(Flow::Next(3))
                }
                Opcode::MemoryCopy => {
                    let (to, from, len) = (self.get::<u32>(1), self.get::<u32>(2), self.get(3));
                    self.memory.check(u64::from(to), u64::from(len))?;
                    self.memory.check(u64::from(from), u64::from(len))?;
                    self.charge(len / UNITS_PER_INSTRUCTION)?;
                    self.memory.copy(to, from, len)?;
                    self.block(4)
                }
                Opcode::MemoryFill => {
                    let (to, value, len) = (self.get::<u32>(1), self.get::<u32>(2), self.get(3));
                    self.memory.check(u64::from(to), u64::from(len))?;
                    self.charge(len / UNITS_PER_INSTRUCTION)?;
                    self.memory.fill(to, value as u8, len)?;
                    self.block(4)
                }
                Opcode::MemoryInit => {
                    let (to, from, len) = (self.get::<u32>(1), self.get(2), self.get(3));
                    let segment = self.field32(4) as usize;
                    let data = &self.program.module().data[segment];
                    let bytes = if self.dropped_data[segment] { &[] } else { data.bytes };
                    let source = range(from, len, bytes.len()).map_err(|_| Mode::MemoryOutOfBounds)?;
                    self.memory.check(u64::from(to), u64::from(len))?;
                    self.charge(len / UNITS_PER_INSTRUCTION)?;
                    self.memory.write(u64::from(to), &bytes[source])?;
                    self.block(6)
                }
                Opcode::DataDrop => {
                    let segment = self.field32(1) as usize;
                    self.dropped_data[segment] = true;
                    Ok(Flow::Next(3))
                }
                Opcode::TableGet => {
                    let value = self.tables[self.field32(3) as usize].get(self.get(2))?;
                    self.set(1, value);
                    Ok(Flow::Next(5))
                }
                Opcode::TableSet => {
                    let (index, value) = (self.get(1), self.get(2));
                    let table = self.field32(3) as usize;
                    self.tables[table].set(index, value)?;
                    Ok(Flow::Next(5))
                }
                Opcode::TableSize => {
                    self.set(1, self.tables[self.field32(2) as usize].entries().len() as u32);
                    Ok(Flow::Next(4))
                }
                Opcode::TableGrow => {
                    let (value, delta) = (self.get(2), self.get(3));
                    let table = self.field32(4) as usize;
                    let before = self.tables[table].grow(value, delta).unwrap_or(u32::MAX);
                    self.set(1, before);
                    Ok(Flow::Next(6))
                }
                Opcode::TableFill => {
                    let (at, value, len) = (self.get(1), self.get(2), self.get(3));
                    let table = self.field32(4) as usize;
                    range(at, len, self.tables[table].entries().len())?;
                    self.charge(len / UNITS_PER_INSTRUCTION)?;
                    self.tables[table].fill(at, value, len)?;
                    self.block(6)
                }
                Opcode::TableCopy => {
                    let (to, from, len) = (self.get(1), self.get(2), self.get(3));
                    self.copy_table(self.field32(4) as usize, self.field32(6) as usize, to, from, len)?;
                    self.block(8)
                }
                Opcode::TableInit => {
                    let (to, from, len) = (self.get(1), self.get(2), self.get(3));
                    let (table, segment) = (self.field32(4) as usize, self.field32(6) as usize);
                    let dropped = self.dropped_elements[segment];
                    let items: &[Ref] = if dropped { &[] } else { &self.program.module().elements[segment].items };
                    range(from, len, items.len())?;
                    range(to, len, self.tables[table].entries().len())?;
                    self.charge(len / UNITS_PER_INSTRUCTION)?;
                    self.tables[table].init(items, to, from, len)?;
                    self.block(8)
                }
                Opcode::ElemDrop => {
                    let segment = self.field32(1) as usize;
                    self.dropped_elements[segment] = true;
                    Ok(Flow::Next(3))
                }
                _ => unreachable!("the loop executes all other operators itself"),
            }
        }
    }

    fn copy_table(&mut self, to_table: usize, from_table: usize, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        let source = range(from, len, self.tables[from_table].entries().len())?;
        range(to, len, self.tables[to_table].entries().len())?;
        self.charge(len / UNITS_PER_INSTRUCTION)?;
        match self.tables.get_disjoint_mut([to_table, from_table]) {
            Ok([target, other]) => target.init(&other.entries()[source], to, 0, len),
            Err(_) => self.tables[to_table].copy_within(to, from, len),
        }
    }

    /// Moves the arguments of a tail call into the frame.
    unsafe fn tail(&mut self, function: usize) -> Flow {
        // SAFETY: the fields are `link base count`; the arguments lie above the frame's start, so ascending order reads
        // each before it is overwritten, and the link is read before them.
        unsafe {
            let link = self.fp.add(usize::from(*self.ip.add(1)));
            let (to, base) = (link.cast::<*const u16>().read(), link.add(8).cast::<usize>().read());
            let arguments = self.fp.add(usize::from(*self.ip.add(2))).cast::<u64>();
            for slot in 0..usize::from(*self.ip.add(3)) {
                self.fp.cast::<u64>().add(slot).write(arguments.add(slot).read());
            }
            Flow::Tail { function, to, base }
        }
    }

    unsafe fn block(&self, site: usize) -> Result<Flow, Mode> {
        // SAFETY: the caller names a unit of the instruction at `ip`.
        Ok(Flow::Block(unsafe { self.ip.add(site) }))
    }

    unsafe fn field32(&self, at: usize) -> u32 {
        // SAFETY: the caller names a field of the instruction at `ip`.
        unsafe { self.ip.add(at).cast::<u32>().read_unaligned() }
    }

    unsafe fn get<T>(&self, at: usize) -> T {
        // SAFETY: the caller names a slot field; slots are 8-byte aligned, which is less than a u128 asks for.
        unsafe { self.fp.add(usize::from(*self.ip.add(at))).cast::<T>().read_unaligned() }
    }

    unsafe fn set<T>(&mut self, at: usize, value: T) {
        // SAFETY: as for `get`.
        unsafe { self.fp.add(usize::from(*self.ip.add(at))).cast::<T>().write_unaligned(value) }
    }
}
