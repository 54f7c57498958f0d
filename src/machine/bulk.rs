//! `memory.copy` and `memory.fill`, which the driver executes where the loop leaves at them: programs that move blocks do it often,
//! and a step in the loop's stepping form would cost as much as a short block.

use super::Machine;
use super::cursor::Cursor;
use super::execute::Exit;
use super::rare::UNITS_PER_INSTRUCTION;
use crate::code::op::Op;
use crate::memory::Count;
use crate::rejection::Mode;

impl<C: Count> Machine<'_, C> {
    /// Executes the `MemoryCopy` or `MemoryFill` at `ip` and enters the basic block behind it.
    ///
    /// # Safety
    /// As for [`super::execute::execute`]; the operator at `ip` is one of the two.
    pub(super) unsafe fn bulk(&mut self, op: Op) -> Exit {
        let cursor = Cursor::new(self.ip, self.fp);
        // SAFETY: both operators have these fields.
        let (to, other, len, site) = unsafe { (cursor.get(1), cursor.get::<u32>(2), cursor.get(3), cursor.unit(4)) };
        let done = match op {
            Op::MemoryCopy => self.copy(to, other, len),
            _ => self.fill(to, other as u8, len),
        };
        if let Err(mode) = done {
            return Exit::Trapped(mode);
        }
        // SAFETY: the block's first instruction is behind its cost site.
        unsafe {
            self.ip = site.add(1);
            self.fuel -= i32::from(*site);
        }
        if self.fuel < 0 {
            self.site = site;
            return Exit::Fuel;
        }
        Exit::Stepped
    }

    fn copy(&mut self, to: u32, from: u32, len: u32) -> Result<(), Mode> {
        self.memory.check(to.into(), len.into())?;
        self.memory.check(from.into(), len.into())?;
        self.charge(len / UNITS_PER_INSTRUCTION)?;
        self.memory.copy(to, from, len)
    }

    fn fill(&mut self, to: u32, value: u8, len: u32) -> Result<(), Mode> {
        self.memory.check(to.into(), len.into())?;
        self.charge(len / UNITS_PER_INSTRUCTION)?;
        self.memory.fill(to, value, len)
    }
}
