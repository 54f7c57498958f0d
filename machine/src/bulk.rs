//! What most bulk operations are: `memory.copy` and `memory.fill` within open pages, where a step in the loop's stepping form would
//! cost as much as the operation. Those of few bytes are executed by the loop, longer ones by the driver.

use super::Machine;
use super::cursor::Cursor;
use super::rare::BYTES_PER_INSTRUCTION;
use super::simd::{V128, i8x16_splat, v128_bitselect};
use crate::code::isa::Opcode;
use crate::code::isa::rare::for_each_rare_instruction;
use crate::memory::{Count, MAX_SHORT, effective_address};

/// What the loop reads and writes for a short operation, whatever its length: no branch is to be predicted, and no call made.
type Window = [V128; 4];

/// Its bytes.
const WINDOW: usize = size_of::<Window>();
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
unsafe fn write_masked(to: *mut u8, bytes: Window, len: usize) {
    // SAFETY: as above; the mask has WINDOW bytes from each place up to WINDOW on.
    unsafe {
        let (to, mask) = (to.cast::<V128>(), (&raw const MASK).cast::<u8>().add(WINDOW - len).cast::<V128>());
        for (i, bytes) in bytes.into_iter().enumerate() {
            let before = to.add(i).read_unaligned();
            to.add(i).write_unaligned(v128_bitselect(bytes, before, mask.add(i).read_unaligned()));
        }
    }
}

/// How many bytes an operation of this length writes, if it is short.
#[inline(always)]
fn short(len: u32) -> Option<usize> {
    let len = len as usize;
    (len.wrapping_sub(1) < MAX_SHORT).then_some(len)
}

impl<C: Count> Machine<'_, C> {
    /// Executes the `MemoryCopy` at a cursor if it is short and there is room for a window on its pages: all of a window is written,
    /// if only with what is there. Else it does nothing and returns false.
    ///
    /// # Safety
    /// As for [`super::execute::execute`].
    #[inline(always)]
    pub(super) unsafe fn copy_short(&mut self, cursor: Cursor) -> bool {
        // SAFETY: by the caller's promise the fields are there, and both pages have room for a window.
        unsafe {
            let Some(len) = short(cursor.get(3)) else { return false };
            let source = self.memory.on_open_page(effective_address(cursor.get(2), 0), WINDOW);
            let Some((source, from, read)) = source else { return false };
            let target = self.memory.on_open_page(effective_address(cursor.get(1), 0), WINDOW);
            let Some((target, to, written)) = target else { return false };
            // All is read before any is written, since they may overlap.
            let bytes = source.add(from).cast::<Window>().read_unaligned();
            C::read(&mut *read, len);
            C::write_short(written, to, len);
            write_masked(target.add(to), bytes, len);
            true
        }
    }

    /// The same for a `MemoryFill`.
    ///
    /// # Safety
    /// As for [`super::execute::execute`].
    #[inline(always)]
    pub(super) unsafe fn fill_short(&mut self, cursor: Cursor) -> bool {
        // SAFETY: as for `copy_short`.
        unsafe {
            let Some(len) = short(cursor.get(3)) else { return false };
            let target = self.memory.on_open_page(effective_address(cursor.get(1), 0), WINDOW);
            let Some((target, to, written)) = target else { return false };
            C::write_short(written, to, len);
            write_masked(target.add(to), [i8x16_splat(cursor.get(2)); _], len);
            true
        }
    }

    /// Executes the bulk operation `op` at `ip` and enters the basic block behind it, if there is fuel for both and it touches no other
    /// page than open ones. Else it does nothing and returns false.
    ///
    /// # Safety
    /// As for [`super::execute::execute`]; `op` is the operator at `ip`.
    #[inline(never)]
    pub(super) unsafe fn bulk_if_open(&mut self, op: Opcode) -> bool {
        let cursor = Cursor::new(self.ip, self.fp);
        // SAFETY: all these have three operands and a cost site, and the block's first instruction is behind that.
        unsafe {
            let (to, other, len, site) = (cursor.get(1), cursor.get(2), cursor.get::<u32>(3), cursor.unit(4));
            // The operation, or what follows, may cost more than there is.
            let fuel = self.fuel - (len / BYTES_PER_INSTRUCTION) as i32 - i32::from(*site);
            if fuel < 0 {
                return false;
            }
            macro_rules! execute {
                (
                    bulk { $($(#[$_d:meta])* $op:ident $_w:tt $_s:ident $method:ident |$_c:pat_param, $_m:pat_param| $_f:expr;)* }
                    $($_rest:tt)*
                ) => {
                    match op {
                        $(Opcode::$op => self.memory.$method(to, other, len as usize),)*
                        _ => false,
                    }
                };
            }
            let done = for_each_rare_instruction!(execute);
            if done {
                (self.ip, self.fuel) = (site.add(1), fuel);
            }
            done
        }
    }
}
