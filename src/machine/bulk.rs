//! What most bulk operations are: `memory.copy` and `memory.fill` of few bytes, on pages that are touched. A step in the loop's
//! stepping form would cost as much as the operation itself.

use super::Machine;
use super::cursor::Cursor;
use super::rare::UNITS_PER_INSTRUCTION;
use crate::code::op::Op;
use crate::memory::Count;

impl<C: Count> Machine<'_, C> {
    /// Executes the `MemoryCopy` or `MemoryFill` at `ip` and enters the basic block behind it, if it costs nothing by size and
    /// touches no other page than open ones. Else it does nothing and returns false.
    ///
    /// # Safety
    /// As for [`super::execute::execute`]; `op` is the operator at `ip`, and one of the two.
    #[inline(never)]
    pub(super) unsafe fn short_bulk(&mut self, op: Op) -> bool {
        let cursor = Cursor::new(self.ip, self.fp);
        // SAFETY: both operators have these fields, and the block's first instruction is behind its cost site.
        unsafe {
            let (to, other, len, site) = (cursor.get(1), cursor.get::<u32>(2), cursor.get::<u32>(3), cursor.unit(4));
            // What follows may cost more than there is.
            let fuel = self.fuel - i32::from(*site);
            if len >= UNITS_PER_INSTRUCTION || fuel < 0 {
                return false;
            }
            let done = match op {
                Op::MemoryCopy => self.memory.copy_if_open(to, other, len as usize),
                _ => self.memory.fill_if_open(to, other as u8, len as usize),
            };
            if done {
                (self.ip, self.fuel) = (site.add(1), fuel);
            }
            done
        }
    }
}
