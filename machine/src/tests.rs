//! Pairs of instructions against the two on their own.

mod bulk;
mod call;

use alloc::vec::Vec;

use super::Machine;
use crate::code::isa::fields::Field;
use crate::code::isa::opcode::{Opcode, Pair};
use crate::code::{Header, Program};
use crate::memory::{Page, PerPage};
use crate::rejection::Rejection;

/// Eight locals, of which each instruction names some.
const WAT: &str = "(module (memory 1) (global (mut i32) (i32.const 4096))
    (func (param i64 i64 i64 i64 i64 i64 i64 i64)))";
const LOCALS: usize = 8;

/// The local that a first instruction writes.
const RESULT: u16 = 0;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// An address, a small number, a float or anything.
    fn value(&mut self) -> u64 {
        match self.next() % 5 {
            0 => self.next() % 66_000,
            1 => self.next() % 4,
            2 => (self.next() as i16 as f64 / 8.0).to_bits(),
            3 => f64::NAN.to_bits() + self.next() % 8,
            _ => self.next(),
        }
    }

    /// Appends an instruction that goes on behind itself; `None` for one that needs more than this module has.
    fn instruction(&mut self, code: &mut Vec<u16>, op: Opcode, written: Option<u16>) -> Option<()> {
        let length = op.fixed_units() as u16;
        code.push(op as u16);
        for &field in op.fields() {
            let local = (self.next() % LOCALS as u64) as u16 * 8;
            match field {
                Field::Write(1) => code.push(written.unwrap_or(local)),
                Field::Read(1) => code.push(local),
                Field::Constant(units) => {
                    let bits = if units == 2 { self.next() % 64 } else { self.value() };
                    code.extend((0..units).map(|unit| (bits >> (16 * unit)) as u16));
                }
                Field::Target => code.extend([length, 0]),
                Field::Cost => code.push(1),
                _ => return None,
            }
        }
        Some(())
    }
}

/// What is there to see of a run.
#[derive(PartialEq)]
struct Seen {
    result: Result<(), Rejection>,
    budget: u64,
    locals: Vec<u64>,
    page: Vec<u8>,
    counts: [u64; 5],
}

fn run(program: &Program<'_>, locals: &[u64; LOCALS]) -> Seen {
    let mut machine = Machine::<PerPage>::new(program, 1000).expect("the module is instantiated");
    // Most accesses are to lie on a page that was touched.
    page(&mut machine, 0);
    let result = machine.call(0, locals).map(drop);
    let (budget, locals) = (machine.budget(), machine.stack[..LOCALS].to_vec());
    let page = page(&mut machine, 0);
    let counts = &page.counts;
    let counts = [
        counts.reads(),
        counts.bytes_read(),
        counts.writes(),
        counts.bytes_written(),
        counts.distinct_bytes_written().into(),
    ];
    Seen { result, budget, locals, page: page.data.to_vec(), counts }
}

fn page<'m>(machine: &'m mut Machine<'_, PerPage>, index: usize) -> &'m mut Page<PerPage> {
    // SAFETY: the page is alive while the memory is, which is borrowed.
    unsafe { &mut *machine.memory.touch(index).expect("the memory has the page") }
}

#[test]
fn a_pair_does_what_its_two_instructions_do() {
    let wasm = wat::parse_str(WAT).expect("the module is well-formed");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut left_out = Vec::new();
    let ops = || (0..Opcode::COUNT as u16).filter_map(Opcode::decode);
    for &Pair { op: pair, first, second, operand } in ops().flat_map(Pair::of) {
        for _ in 0..50 {
            let mut program = Program::new(&wasm).expect("the module is valid");
            let (header, rest) = program.code()[0].split_at(Header::UNITS);
            let mut code = header.to_vec();
            random.instruction(&mut code, first, Some(RESULT)).expect("a first instruction goes on behind itself");
            let behind = code.len();
            if random.instruction(&mut code, second, None).is_none() {
                left_out.push(pair);
                break;
            }
            if operand != 0 {
                code[behind + usize::from(operand)] = RESULT;
            }
            code.extend_from_slice(rest);

            let locals = core::array::from_fn(|_| random.value());
            // SAFETY: the code is that of the function, with whole instructions before it whose slots are its locals.
            unsafe { program.code_mut()[0] = code.clone().into_boxed_slice() };
            let apart = run(&program, &locals);
            code[Header::UNITS] = pair as u16;
            // SAFETY: as above, and the pair is of these two instructions.
            unsafe { program.code_mut()[0] = code.into_boxed_slice() };
            assert!(run(&program, &locals) == apart, "{pair:?} of {:?} on {locals:x?}", program.code()[0]);
        }
    }
    // These go elsewhere, which the other tests see.
    left_out.sort_by_key(|&op| op as u16);
    assert_eq!(
        left_out,
        [Opcode::Copy32ThenCall, Opcode::StackLeaveThenReturn, Opcode::Load8UIntoBrTable, Opcode::I32AndIntoBrTable]
    );
}
