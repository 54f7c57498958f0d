//! Checks what the loop relies on: see the contract of `machine::execute`. Debug builds, and so all tests and fuzzing, run it
//! on every program.

use alloc::format;
use alloc::string::String;

use super::fields::{ENTRY_UNITS, Field, pair};
use super::op::Op;
use super::operators::GLOBAL_BYTES;
use super::{HEADER_UNITS, LINK_SLOTS, Program};
use crate::module::Module;

/// Bytes of a frame slot.
const SLOT_BYTES: usize = 8;

/// Says what is wrong with the code of a program, if anything is.
pub fn verify(program: &Program<'_>) -> Result<(), String> {
    for (index, code) in program.code.iter().enumerate() {
        let function = Function::new(code, &program.module);
        function.verify().map_err(|problem| format!("function {index}: {problem}"))?;
    }
    Ok(())
}

struct Function<'a> {
    code: &'a [u16],
    module: &'a Module<'a>,
    /// The return link's slot, as a byte offset in the frame.
    link: usize,
    frame_bytes: usize,
}

impl<'a> Function<'a> {
    fn new(code: &'a [u16], module: &'a Module<'a>) -> Self {
        Self { code, module, link: code[1].into(), frame_bytes: pair(code, 4) as usize }
    }

    fn link_end(&self) -> usize {
        self.link + LINK_SLOTS as usize * SLOT_BYTES
    }

    fn verify(&self) -> Result<(), String> {
        let clear = usize::from(self.code[2]) + usize::from(self.code[3]) * SLOT_BYTES;
        check(self.link_end() <= self.frame_bytes && clear <= self.link, "the header")?;
        let mut starts = alloc::vec![false; self.code.len()];
        let (mut at, mut last) = (HEADER_UNITS, None);
        while at < self.code.len() {
            let op = Op::decode(self.code[at]).ok_or_else(|| format!("no operator at {at}"))?;
            starts[at] = true;
            last = Some((at, op));
            at += op.units(&self.code[at..]);
        }
        check(at == self.code.len(), "an instruction is cut off")?;
        check(last.is_some_and(|(_, op)| ends(op)), "control runs off the end")?;
        for at in (HEADER_UNITS..self.code.len()).filter(|&at| starts[at]) {
            self.instruction(at, &starts).map_err(|problem| format!("{problem} at {at}"))?;
        }
        Ok(())
    }

    fn instruction(&self, start: usize, starts: &[bool]) -> Result<(), String> {
        let op = Op::decode(self.code[start]).expect("it was decoded before");
        if op != op.first() {
            let next = Op::decode(self.code[start + op.units(&self.code[start..])]);
            check(
                next.and_then(|next| op.first().pair(next.first())) == Some(op),
                "another instruction than the pair's",
            )?;
        }
        // A count is of the slots that the fields before it name.
        let (mut count, mut at) = (self.count(start, op), start + 1);
        for &field in op.fields() {
            let slot = usize::from(self.code[at]);
            let slots = |slots: u8| count.unwrap_or(slots.into());
            match field {
                Field::Read(n) | Field::Write(n) => {
                    let end = slot + slots(n) * SLOT_BYTES;
                    check(slot.is_multiple_of(SLOT_BYTES) && end <= self.frame_bytes, "a slot beyond the frame")?;
                    check(end <= self.link || slot >= self.link_end(), "the link as an operand")?;
                }
                Field::Link => check(slot == self.link, "another link")?,
                Field::Base => {
                    let end = slot + count.unwrap_or(0) * SLOT_BYTES;
                    check(
                        slot.is_multiple_of(SLOT_BYTES) && slot >= self.link_end(),
                        "a callee's frame over this one",
                    )?;
                    check(end <= self.frame_bytes, "arguments beyond the frame")?;
                }
                Field::Lane => check(slot < 16, "a lane beyond the vector")?,
                Field::Target => self.target(start, at, starts)?,
                Field::Entries => {
                    for entry in 0..=pair(self.code, at) as usize {
                        self.target(start, at + 2 + ENTRY_UNITS * entry, starts)?;
                    }
                }
                Field::Global => check(self.index(at) < self.module.globals.len() * GLOBAL_BYTES as usize, "a global")?,
                Field::Function => check(self.index(at) < self.module.functions.len(), "a function")?,
                Field::Table => check(self.index(at) < self.module.tables.len(), "a table")?,
                Field::Type => check(self.index(at) < self.module.types.len(), "a type")?,
                Field::Data => check(self.index(at) < self.module.data.len(), "a data segment")?,
                Field::Element => check(self.index(at) < self.module.elements.len(), "an element segment")?,
                Field::Count => count = None,
                Field::Constant(_) | Field::Cost => {}
            }
            at += field.units();
        }
        Ok(())
    }

    fn index(&self, at: usize) -> usize {
        pair(self.code, at) as usize
    }

    /// The value of the instruction's count, if it has one.
    fn count(&self, start: usize, op: Op) -> Option<usize> {
        let before = op.fields().iter().position(|&field| field == Field::Count)?;
        let at: usize = op.fields()[..before].iter().map(|field| field.units()).sum();
        Some(self.code[start + 1 + at].into())
    }

    /// Checks the distance at `at` of the branch at `start`.
    fn target(&self, start: usize, at: usize, starts: &[bool]) -> Result<(), String> {
        let target = start as i64 + i64::from(pair(self.code, at) as i32);
        let is_start = usize::try_from(target).ok().and_then(|target| starts.get(target)).is_some_and(|&start| start);
        check(is_start, "a branch into nothing")
    }
}

/// Whether control does not go on behind the instruction.
fn ends(op: Op) -> bool {
    matches!(
        op,
        Op::Br
            | Op::BrTable
            | Op::Return
            | Op::Return32
            | Op::Return64
            | Op::ReturnMany
            | Op::Unreachable
            | Op::ReturnCall
            | Op::ReturnCallIndirect
    )
}

fn check(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.into()) }
}
