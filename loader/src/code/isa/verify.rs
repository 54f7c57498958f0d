//! Checks what the loop relies on: see the contract of `machine::execute`. Debug builds, and so all tests and fuzzing, run it
//! on every program.

use alloc::format;
use alloc::string::String;

use super::fields::{ENTRY_UNITS, Field, field_32};
use super::opcode::{Opcode, Pair};
use crate::code::{GLOBAL_BYTES, Header, LINK_SLOTS, Program};
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
    header: Header,
    /// The return link's slot, as a byte offset in the frame.
    link: usize,
    frame_bytes: usize,
}

impl<'a> Function<'a> {
    fn new(code: &'a [u16], module: &'a Module<'a>) -> Self {
        let header = Header::of(code);
        Self { code, module, header, link: header.link.into(), frame_bytes: header.frame_bytes as usize }
    }

    fn link_end(&self) -> usize {
        self.link + LINK_SLOTS as usize * SLOT_BYTES
    }

    fn verify(&self) -> Result<(), String> {
        let clear_end = usize::from(self.header.clear) + usize::from(self.header.clear_slots) * SLOT_BYTES;
        check(self.link_end() <= self.frame_bytes && clear_end <= self.link, "the header")?;
        let mut starts = alloc::vec![false; self.code.len()];
        let (mut at, mut last) = (Header::UNITS, None);
        while at < self.code.len() {
            let op = Opcode::decode(self.code[at]).ok_or_else(|| format!("no operator at {at}"))?;
            starts[at] = true;
            last = Some((at, op));
            at += op.units(&self.code[at..]);
        }
        check(at == self.code.len(), "an instruction is cut off")?;
        check(last.is_some_and(|(_, op)| op.ends()), "control runs off the end")?;
        for at in (Header::UNITS..self.code.len()).filter(|&at| starts[at]) {
            self.instruction(at, &starts).map_err(|problem| format!("{problem} at {at}"))?;
        }
        Ok(())
    }

    fn instruction(&self, start: usize, starts: &[bool]) -> Result<(), String> {
        let op = Opcode::decode(self.code[start]).expect("it was decoded before");
        if op != op.first() {
            let behind = start + op.units(&self.code[start..]);
            let second = Opcode::decode(self.code[behind]).ok_or("no operator behind a pair")?.first();
            let result = self.code[start + 1];
            let carried = |pair: &Pair| !pair.carries() || self.code[behind + usize::from(pair.operand)] == result;
            let mut pairs = Pair::of(op.first()).iter().filter(|pair| pair.op == op);
            check(pairs.any(|pair| pair.second == second && carried(pair)), "another instruction than the pair's")?;
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
                    for entry in 0..=field_32(self.code, at) as usize {
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
        field_32(self.code, at) as usize
    }

    /// The value of the instruction's count, if it has one.
    fn count(&self, start: usize, op: Opcode) -> Option<usize> {
        let before = op.fields().iter().position(|&field| field == Field::Count)?;
        let at: usize = op.fields()[..before].iter().map(|field| field.units()).sum();
        Some(self.code[start + 1 + at].into())
    }

    /// Checks the distance at `at` of the branch at `start`.
    fn target(&self, start: usize, at: usize, starts: &[bool]) -> Result<(), String> {
        let target = start as i64 + i64::from(field_32(self.code, at) as i32);
        let is_start = usize::try_from(target).ok().and_then(|target| starts.get(target)).is_some_and(|&start| start);
        check(is_start, "a branch into nothing")
    }
}

fn check(holds: bool, problem: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// A function with fields of every kind.
    const WAT: &str = r#"(module
        (type $pair (func (param i32 i32) (result i32)))
        (memory 1) (table 1 funcref) (global (mut i64) (i64.const 0))
        (data $data "a") (elem $element func)
        (func (param i32 i32) (result i32) (local v128)
            (global.set 0 (i64.const 1))
            (local.set 2 (i8x16.replace_lane 3 (local.get 2) (local.get 0)))
            (memory.init $data (local.get 0) (local.get 0) (local.get 1))
            (table.init $element (local.get 0) (local.get 0) (local.get 1))
            (block (block (br_table 0 1 (local.get 0))))
            (loop (br_if 0 (i32.load (i32.load (local.get 0)))))
            (drop (call_indirect (type $pair) (local.get 0) (local.get 1) (local.get 1)))
            (return_call 0 (call 0 (local.get 1) (local.get 0)) (local.get 1))))"#;

    /// Whether verification finds something wrong when `damage` has been at the function's code.
    fn is_found(bytes: &[u8], damage: impl FnOnce(&mut Vec<u16>)) -> bool {
        let mut program = Program::new(bytes).expect("the module is valid");
        let mut code = core::mem::take(&mut program.code[0]).into_vec();
        damage(&mut code);
        program.code[0] = code.into_boxed_slice();
        verify(&program).is_err()
    }

    #[test]
    fn every_field_that_is_wrong_is_found() {
        let bytes = wat::parse_str(WAT).expect("the module is well-formed");
        assert!(!is_found(&bytes, |_| ()));
        let program = Program::new(&bytes).expect("the module is valid");
        let code = &program.code[0];
        let Header { link, frame_bytes, .. } = Header::of(code);
        let frame_bytes = frame_bytes as u16;
        let mut seen = Vec::new();
        let mut start = Header::UNITS;
        while start < code.len() {
            let op = Opcode::decode(code[start]).expect("the code is whole");
            assert!(is_found(&bytes, |code| code[start] = Opcode::COUNT as u16), "no operator for {op:?}");
            let mut at = start + 1;
            for &field in op.fields() {
                let wrong: &[u16] = match field {
                    Field::Read(_) | Field::Write(_) => &[frame_bytes, link, code[at] + 1],
                    Field::Link => &[link + 8],
                    Field::Base => &[0, frame_bytes + 8],
                    Field::Lane => &[16],
                    // Into the middle of an instruction, and beyond the code.
                    Field::Target => &[code[at].wrapping_add(1), code.len() as u16],
                    Field::Entries => &[u16::MAX],
                    Field::Global => &[16],
                    Field::Function | Field::Table | Field::Type | Field::Data | Field::Element => &[1],
                    Field::Count | Field::Constant(_) | Field::Cost => &[],
                };
                for &value in wrong {
                    let found = is_found(&bytes, |code| code[at] = value);
                    assert!(found, "{field:?} of {op:?} at {start} as {value}");
                }
                seen.push(core::mem::discriminant(&field));
                at += field.units();
            }
            start += op.units(&code[start..]);
        }
        for field in [Field::Lane, Field::Base, Field::Link, Field::Target, Field::Entries, Field::Data, Field::Element]
        {
            assert!(seen.contains(&core::mem::discriminant(&field)), "{field:?} is not in the module's code");
        }
    }

    #[test]
    fn code_that_is_cut_off_is_found() {
        let bytes = wat::parse_str(WAT).expect("the module is well-formed");
        assert!(is_found(&bytes, |code| code.truncate(code.len() - 1)));
        assert!(is_found(&bytes, |code| code.truncate(Header::UNITS)));
        assert!(is_found(&bytes, |code| code.push(Opcode::Charge as u16)));
        assert!(is_found(&bytes, |code| code.extend([Opcode::Charge as u16, 0])));
    }

    #[test]
    fn a_pair_with_another_instruction_than_its_own_is_found() {
        // Without vectors, which a function with pairs has none of.
        let text = "(module (func (param i32 i32) (call 0 (local.get 1) (local.get 0))))";
        let bytes = wat::parse_str(text).expect("the module is well-formed");
        assert!(!is_found(&bytes, |_| ()));
        let code = &Program::new(&bytes).expect("the module is valid").code[0];
        let pair = (Header::UNITS..code.len()).find(|&at| code[at] == Opcode::Copy32ThenCopy32 as u16);
        let pair = pair.expect("two arguments are copied one behind the other");
        assert!(is_found(&bytes, |code| code[pair] = Opcode::Copy32ThenCall as u16));
    }
}
