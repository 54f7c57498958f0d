//! The target's output.

use alloc::vec::Vec;

use crate::content::Finished;
use crate::fallible;
use crate::memory::Count;
use crate::rejection::Rejection;

/// The bytes that the target returned. Rejects with `OutOfMemory`, at 0.
pub fn output<C: Count>(run: &Finished<'_, C>) -> Result<Vec<u8>, Rejection> {
    let (start, size) = (run.output.start as u32, (run.output.end - run.output.start) as u32);
    let mut output = fallible::with_capacity(size as usize).map_err(|mode| mode.at(0))?;
    run.machine.memory().peek(start, size, |piece| {
        output.extend_from_slice(piece);
        Ok::<(), Rejection>(())
    })?;
    Ok(output)
}
