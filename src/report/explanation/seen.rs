//! What is noted of a run that is rejected, before its instance goes.

use crate::content::{Unfinished, utf8};
use crate::machine::Machine;
use crate::machine::frames::Frame;
use crate::memory::Count;
use crate::module::Ty;
use crate::rejection::Mode;

/// Frames that are written.
pub const FRAMES: usize = 32;

/// Bytes of functions that are translated again to find where they call.
const TRANSLATED: u32 = 16 << 20;

/// What the instance had when the run ended.
#[derive(Default)]
pub struct Seen {
    /// Bytes of its memory.
    pub memory_bytes: u64,
    /// The first byte of an output that is not UTF-8: its index and value.
    pub bad_utf8: Option<(u32, u8)>,
    /// The innermost calls of a run that trapped: functions, and the bytes of the component where they are.
    pub calls: [Option<(u32, Option<u32>)>; FRAMES],
    /// How far global 0, where LLVM keeps its stack pointer, is below address 0.
    pub below_zero: u32,
    /// How many there were in all.
    pub depth: usize,
}

impl Seen {
    /// Notes it.
    pub fn fill<C: Count>(&mut self, machine: &Machine<'_, C>, why: &Unfinished) {
        let memory = machine.memory();
        self.memory_bytes = memory.bytes();
        let global = machine.program().module().globals.first();
        if global.is_some_and(|global| global.mutable && global.ty == Ty::I32 && global.value as i32 > 0) {
            self.below_zero = (machine.global_value(0) as i32).min(0).unsigned_abs();
        }
        if why.rejection.mode as u8 >= Mode::Unreachable as u8 {
            self.note_calls(machine);
        }
        let Some(result) = why.result.filter(|result| result >> 63 == 0) else { return };
        let (size, pointer) = (result as u32, (result >> 32) as u32);
        if memory.check(pointer.into(), size.into()).is_ok() {
            self.bad_utf8 = bad_utf8(machine, pointer, size);
        }
    }

    fn note_calls<C: Count>(&mut self, machine: &Machine<'_, C>) {
        let (program, mut left) = (machine.program(), TRANSLATED);
        let Ok(frames) = machine.frames() else { return };
        let mut last: Option<(Frame, Option<u32>)> = None;
        for frame in frames {
            if let Some(call) = self.calls.get_mut(self.depth) {
                let offset = match last {
                    // A recursion is in one place again and again.
                    Some((before, offset)) if before == frame => offset,
                    _ => {
                        let function = program.module().functions[frame.function as usize];
                        let size = function.end - function.start;
                        left.checked_sub(size).and_then(|rest| {
                            left = rest;
                            frame.offset(program)
                        })
                    }
                };
                last = Some((frame, offset));
                *call = Some((frame.function, offset));
            }
            self.depth += 1;
        }
    }
}

fn bad_utf8<C: Count>(machine: &Machine<'_, C>, pointer: u32, size: u32) -> Option<(u32, u8)> {
    let mut validator = utf8::Validator::new();
    let (mut index, mut start) = (0, 0);
    let valid = machine.memory().peek(pointer, size, |piece| {
        piece.iter().try_for_each(|byte| {
            if validator.pending() == 0 {
                start = index;
            }
            index += 1;
            validator.feed(core::slice::from_ref(byte))
        })
    });
    if valid.is_ok() && validator.pending() == 0 {
        return None;
    }
    let mut found = 0;
    let _ = machine.memory().peek(pointer + start, 1, |piece| {
        found = piece[0];
        Ok::<(), ()>(())
    });
    Some((start, found))
}
