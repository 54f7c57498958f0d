//! The calls that a run was in when it trapped.

use alloc::vec::Vec;

use super::Machine;
use crate::code::isa::Opcode;
use crate::code::{Header, Program, Watch};
use crate::fallible;
use crate::memory::Count;
use crate::rejection::Mode;

/// A call: the function, and where in its code it is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The function's index.
    pub function: u32,
    unit: usize,
    /// Whether it is the innermost: the others are at the cost site behind a call.
    innermost: bool,
}

impl Frame {
    /// The offset in the component of the instruction that trapped or called, if there is memory to find it.
    pub fn offset(&self, program: &Program<'_>) -> Option<u32> {
        let unit = if self.innermost { self.unit } else { self.call(program)? };
        program.locate(self.function, Watch { instruction: Some(unit), unpaid: None })?.instruction
    }

    /// The unit where the call starts whose last unit is the cost site.
    fn call(&self, program: &Program<'_>) -> Option<usize> {
        let code = program.code().get(self.function as usize)?;
        let mut start = Header::UNITS;
        while start < self.unit {
            let end = start + Opcode::decode(code[start])?.units(&code[start..]);
            if end == self.unit + 1 {
                return Some(start);
            }
            start = end;
        }
        None
    }
}

/// Calls from the innermost on.
pub struct Frames<'m> {
    /// Where each function's code starts, by rising address.
    starts: Vec<(usize, u32)>,
    program: &'m Program<'m>,
    stack: &'m [u64],
    at: usize,
    /// The frame, as a byte of the stack.
    frame: usize,
    innermost: bool,
}

impl<C: Count> Machine<'_, C> {
    /// The calls of a run that has trapped. Fails with `OutOfMemory`.
    ///
    /// Links are read as numbers, so that after anything else than a trap the answer is wrong at worst.
    pub fn frames(&self) -> Result<Frames<'_>, Mode> {
        let starts = self.entry_points.iter().enumerate().map(|(function, start)| (*start as usize, function as u32));
        Ok(Frames {
            starts: fallible::sorted(starts)?,
            program: self.program,
            stack: &self.stack,
            at: self.ip as usize,
            frame: (self.fp as usize).wrapping_sub(self.stack.as_ptr() as usize),
            innermost: true,
        })
    }
}

impl Iterator for Frames<'_> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        let index = self.starts.partition_point(|&(start, _)| start <= self.at).checked_sub(1)?;
        let (start, function) = self.starts[index];
        let code = &self.program.code()[function as usize];
        let unit = (self.at - start) / 2;
        if unit >= code.len() {
            return None;
        }
        let link = self.frame.checked_add(Header::of(code).link.into())? / 8;
        let (to, base) = (*self.stack.get(link)? as usize, *self.stack.get(link + 1)? as usize);
        let frame = Frame { function, unit, innermost: self.innermost };
        // The outermost function's frame is at the start, and returns to no function.
        (self.at, self.frame) = if base == 0 { (0, 0) } else { (to, self.frame.checked_sub(base)?) };
        self.innermost = false;
        Some(frame)
    }
}
