//! Components that use what is not supported, by the proposal that it is of.

use core::fmt::{self, Write};

use super::super::text::Text;
use crate::module::Landmark;
use crate::wasm::instruction_name;

/// A proposal's name, and what switches it off.
#[derive(Clone, Copy)]
struct Proposal(&'static str, &'static str);

const EXCEPTIONS: Proposal = Proposal("exceptions", "clang -fno-exceptions, rustc -C panic=abort");
const GC: Proposal = Proposal(
    "garbage collection",
    "the language must use linear memory; Binaryen's --disable-gc says where it does not",
);
const REFERENCES: Proposal =
    Proposal("typed function references", "wasm-opt without --enable-gc and --enable-reference-types");
const STACKS: Proposal = Proposal("stack switching", "build without it");
const THREADS: Proposal = Proposal(
    "threads",
    "clang -mno-atomics without -pthread, rustc -C target-feature=-atomics, zig -mcpu=generic without -fno-single-threaded, asc --disable threads",
);
const SHARED: Proposal = Proposal("shared-everything threads", "build without it");
const RELAXED: Proposal = Proposal(
    "relaxed SIMD",
    "clang -mno-relaxed-simd, rustc -C target-feature=-relaxed-simd, zig -mcpu=generic+simd128, asc --disable relaxed-simd",
);
const MEMORIES: Proposal = Proposal("multiple memories", "join them: wasm-opt --multi-memory-lowering");
const MEMORY64: Proposal = Proposal("memory64", "build for wasm32 instead of wasm64, or wasm-opt --memory64-lowering");
const PAGES: Proposal = Proposal("custom page sizes", "build with pages of 64 KiB");
const ARITHMETIC: Proposal =
    Proposal("wide arithmetic", "clang -mno-wide-arithmetic, rustc -C target-feature=-wide-arithmetic");
const CONTROL: Proposal = Proposal("memory control", "build without it");

/// Instructions by prefix (0 for none), first and last code.
const INSTRUCTIONS: [(u8, u32, u32, Proposal); 14] = [
    (0, 0x06, 0x0a, EXCEPTIONS),
    (0, 0x14, 0x15, REFERENCES),
    (0, 0x18, 0x19, EXCEPTIONS),
    (0, 0x1f, 0x1f, EXCEPTIONS),
    (0, 0x28, 0x3e, MEMORIES),
    (0, 0xd3, 0xd3, GC),
    (0, 0xd4, 0xd6, REFERENCES),
    (0, 0xe0, 0xe6, STACKS),
    (0xfb, 0, u32::MAX, GC),
    (0xfc, 18, 18, CONTROL),
    (0xfc, 19, 22, ARITHMETIC),
    (0xfd, 0x100, u32::MAX, RELAXED),
    (0xfd, 0, 0xff, MEMORIES),
    (0xfe, 0, u32::MAX, THREADS),
];

/// A component with something unsupported at byte `at`.
pub fn unsupported(text: &mut Text, component: &[u8], at: usize) -> fmt::Result {
    let landmark = Landmark::at(component, at as u64);
    let rest = component.get(at..).unwrap_or_default();
    let proposal = match landmark.section {
        Some("code") => {
            let proposal = instruction(rest).filter(|_| landmark.instruction.is_some());
            if let (Some(name), Some(proposal)) = (landmark.instruction, proposal) {
                let Proposal(of, hint) = proposal;
                match instruction_name(rest).filter(|_| of != MEMORIES.0) {
                    Some(name) => {
                        writeln!(text, "{name} is an instruction of the proposal {of}, which is not supported")?
                    }
                    None => writeln!(
                        text,
                        "{name} accesses a memory by its index, of the proposal {of}, which is not supported"
                    )?,
                }
                return writeln!(text, "hint: {hint}");
            }
            reference(rest)
        }
        Some("type") => match rest.first() {
            Some(0x5d) => STACKS,
            Some(0x65) => SHARED,
            Some(0x60) => reference(rest),
            _ => GC,
        },
        Some("memory") => match rest.first() {
            Some(flags) if flags & 0x08 != 0 => PAGES,
            Some(flags) if flags & 0x04 != 0 => MEMORY64,
            Some(flags) if flags & 0x02 != 0 => THREADS,
            _ => MEMORIES,
        },
        Some("table") => match rest {
            [0x40, ..] => REFERENCES,
            [0x63 | 0x64, ..] => reference(rest),
            [0x6f | 0x70, flags, ..] if flags & 0x04 != 0 => MEMORY64,
            [0x6f | 0x70, flags, ..] if flags & 0x02 != 0 => SHARED,
            _ => GC,
        },
        Some("global") => match rest {
            [ty, 2 | 3, ..] if *ty >= 0x6f => SHARED,
            _ => reference(rest),
        },
        Some("tag" | "export") => EXCEPTIONS,
        _ => reference(rest),
    };
    let Proposal(name, hint) = proposal;
    let section = landmark.section.unwrap_or("last");
    writeln!(text, "the {section} section uses the proposal {name} at byte {at}, which is not supported")?;
    writeln!(text, "hint: {hint}")
}

/// The proposal of an instruction.
fn instruction(code: &[u8]) -> Option<Proposal> {
    let (prefix, number) = match *code {
        [prefix @ 0xfb..=0xfe, ref rest @ ..] => {
            let length = rest.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
            let number = rest[..length].iter().rev().fold(0u32, |number, byte| number << 7 | u32::from(byte & 0x7f));
            (prefix, number)
        }
        [code, ..] => (0, code.into()),
        [] => return None,
    };
    let of = |&&(of, first, last, _): &&(u8, u32, u32, Proposal)| of == prefix && (first..=last).contains(&number);
    INSTRUCTIONS.iter().find(of).map(|&(.., proposal)| proposal)
}

/// The proposal of a reference type that stands behind a byte: where it says a function's type, or a type by its index, typed
/// function references; else garbage collection.
fn reference(bytes: &[u8]) -> Proposal {
    let ty = bytes.windows(2).take(16).find(|pair| matches!(pair[0], 0x63 | 0x64));
    match ty {
        Some([_, 0x6f | 0x70] | [_, 0..0x40]) => REFERENCES,
        _ => GC,
    }
}
