//! Bulk operations on open pages against the same on plain bytes.

use alloc::vec;
use alloc::vec::Vec;

use super::{Random, page};
use crate::Machine;
use crate::code::isa::Opcode;
use crate::code::{Header, Program};
use crate::execute::{Exit, FAST, execute};
use crate::memory::{MAX_SHORT, PAGE_BYTES, PageCounts, PerPage};

const WAT: &str = "(module (memory 2)
    (func (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2)))
    (func (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2))))";
const COPY: u32 = 0;
const FILL: u32 = 1;
const BYTES: usize = 2 * PAGE_BYTES;

/// What was counted, but for `distinct_bytes_written`.
fn counts(counts: &PageCounts) -> [u64; 4] {
    [counts.reads(), counts.bytes_read(), counts.writes(), counts.bytes_written()]
}

/// Adds one operation of `len` bytes from `at` on to the counters from `first` on of each page that it touches.
fn count(counted: &mut [[u64; 4]; 2], first: usize, at: usize, len: usize) {
    for (index, counted) in counted.iter_mut().enumerate() {
        let share = (at..at + len).filter(|byte| byte / PAGE_BYTES == index).count() as u64;
        counted[first] += u64::from(share != 0);
        counted[first + 1] += share;
    }
}

/// A place near the start, the end of a page or the last byte, or not far from `other`.
fn place(random: &mut Random, len: usize, other: usize) -> usize {
    let near = random.next() as usize % 150;
    let at = match random.next() % 4 {
        0 => near,
        1 => PAGE_BYTES + 10 - near,
        2 => BYTES - near,
        _ => (other + near).saturating_sub(75),
    };
    at.min(BYTES - len)
}

#[test]
fn bulk_operations_on_open_pages_do_what_they_do_on_bytes() {
    let wasm = wat::parse_str(WAT).expect("the module is well-formed");
    let program = Program::new(&wasm).expect("the module is valid");
    let mut machine = Machine::<PerPage>::new(&program, u32::MAX).expect("the module is instantiated");
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut bytes: Vec<u8> = (0..BYTES).map(|_| random.next() as u8).collect();
    for index in 0..2 {
        page(&mut machine, index).data.copy_from_slice(&bytes[index * PAGE_BYTES..][..PAGE_BYTES]);
    }
    let mut written = vec![false; BYTES];
    let mut counted = [[0; 4]; 2];
    for round in 0..4000 {
        let len = match round % 8 {
            0 => 2000 + random.next() as usize % 4000,
            _ => random.next() as usize % (MAX_SHORT + 12),
        };
        let from = place(&mut random, len, BYTES / 2);
        let to = place(&mut random, len, from);
        let (function, other) =
            if random.next().is_multiple_of(3) { (FILL, random.next()) } else { (COPY, from as u64) };
        if function == COPY {
            bytes.copy_within(from..from + len, to);
            count(&mut counted, 0, from, len);
        } else {
            bytes[to..to + len].fill(other as u8);
        }
        written[to..to + len].fill(true);
        count(&mut counted, 2, to, len);
        machine.call(function, &[to as u64, other, len as u64]).expect("the range lies within memory");
        for (index, counted) in counted.iter().enumerate() {
            let page = page(&mut machine, index);
            let range = index * PAGE_BYTES..(index + 1) * PAGE_BYTES;
            let case = (function, to, other, len, index);
            assert!(page.data == bytes[range.clone()], "bytes after {case:?}");
            assert_eq!(counts(&page.counts), *counted, "counters after {case:?}");
            let distinct = written[range].iter().filter(|&&written| written).count();
            assert_eq!(page.counts.distinct_bytes_written() as usize, distinct, "bits after {case:?}");
        }
    }
}

/// The loop executes operations of up to `MAX_SHORT` bytes itself; the test above sees no difference to the driver.
#[test]
fn short_operations_do_not_leave_the_loop() {
    let wasm = wat::parse_str(WAT).expect("the module is well-formed");
    let program = Program::new(&wasm).expect("the module is valid");
    let mut machine = Machine::<PerPage>::new(&program, 1000).expect("the module is instantiated");
    page(&mut machine, 0);
    for (function, op) in [(COPY, Opcode::MemoryCopy), (FILL, Opcode::MemoryFill)] {
        for len in [0, 1, MAX_SHORT, MAX_SHORT + 1] {
            // The frame's link is in order, too.
            machine.call(function, &[64, 0, 0]).expect("the range lies within memory");
            machine.stack[2] = len as u64;
            machine.fp = machine.stack.as_mut_ptr().cast();
            machine.ip = program.code()[function as usize][Header::UNITS..].as_ptr();
            // SAFETY: the instruction is the function's first, in a frame of its own.
            assert_eq!(unsafe { execute::<_, FAST>(&mut machine) }, Exit::Rare);
            let left = if (1..=MAX_SHORT).contains(&len) { Opcode::Halt } else { op };
            assert_eq!(machine.operator(), left, "{op:?} of {len} bytes");
        }
    }
}
