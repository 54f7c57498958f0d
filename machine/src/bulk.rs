//! What most bulk operations are: `memory.copy` and `memory.fill` of less than 4 KiB within open pages, where a step in the loop's
//! stepping form would cost as much as the operation. Those of few bytes are executed by the loop, longer ones by the driver.

use super::Machine;
use super::cursor::Cursor;
use super::rare::UNITS_PER_INSTRUCTION;
use super::simd::{V128, v128_bitselect};
use crate::code::isa::Opcode;
use crate::memory::{Count, MAX_SHORT};

/// What the loop reads and writes for a short operation, whatever its length: no branch is to be predicted, and no call made.
pub(super) type Window = [V128; 4];

/// Its bytes.
pub(super) const WINDOW: usize = size_of::<Window>();
const _: () = assert!(MAX_SHORT <= WINDOW);

/// All ones in as many bytes from `WINDOW - len` on as are to be written.
static MASK: [u8; 2 * WINDOW] = {
    let mut mask = [0; 2 * WINDOW];
    let (ones, _) = mask.split_at_mut(WINDOW);
    ones.copy_from_slice(&[0xff; WINDOW]);
    mask
};

/// Writes the first `len` of a window's bytes, and the others as they are.
///
/// # Safety
/// `to` is valid for `WINDOW` bytes, and `len <= WINDOW`.
#[inline(always)]
pub(super) unsafe fn write_masked(to: *mut u8, bytes: Window, len: usize) {
    // SAFETY: as above; the mask has WINDOW bytes from each place up to WINDOW on.
    unsafe {
        let (to, mask) = (to.cast::<V128>(), (&raw const MASK).cast::<u8>().add(WINDOW - len).cast::<V128>());
        for (i, bytes) in bytes.into_iter().enumerate() {
            let before = to.add(i).read_unaligned();
            to.add(i).write_unaligned(v128_bitselect(bytes, before, mask.add(i).read_unaligned()));
        }
    }
}

impl<C: Count> Machine<'_, C> {
    /// Executes the `MemoryCopy` or `MemoryFill` at `ip` and enters the basic block behind it, if it costs nothing by size and
    /// touches no other page than open ones. Else it does nothing and returns false.
    ///
    /// # Safety
    /// As for [`super::execute::execute`]; `op` is the operator at `ip`, and one of the two.
    #[inline(never)]
    pub(super) unsafe fn bulk_if_open(&mut self, op: Opcode) -> bool {
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
                Opcode::MemoryCopy => self.memory.copy_if_open(to, other, len as usize),
                _ => self.memory.fill_if_open(to, other as u8, len as usize),
            };
            if done {
                (self.ip, self.fuel) = (site.add(1), fuel);
            }
            done
        }
    }
}
