//! Counts and sizes of more than there are bytes for. They are refused before anything is allocated for them.

use qip_interpret::{Mode, Rejection};

use super::{MIB, component_refused, module};
use crate::support::binary::{EMPTY_TYPE, leb128, raw_section, repeated, sized};
use crate::support::{Form, Tool};

/// What comes before a section that is tested: a type and, where they may come before, a function.
fn sections_before(id: u8) -> Vec<u8> {
    match id {
        1 => Vec::new(),
        2 | 3 | 4 | 5 | 13 => repeated(1, 1, EMPTY_TYPE),
        _ => [repeated(1, 1, EMPTY_TYPE), repeated(3, 1, b"\0")].concat(),
    }
}

/// Asserts the refusal, and that less than 4 MiB were allocated until then.
#[track_caller]
fn refused_early(case: &str, wasm: &[u8], mode: Mode, offset: usize) {
    component_refused(case, wasm, mode, offset);
    let form = Form::component(wasm);
    let mut tool = Tool::new();
    let at = form.offset_of("component") + offset as u32;
    assert_eq!(tool.render(&form), Err(Rejection::new(mode, at)), "{case}");
    let peak = tool.counters().peak;
    assert!(peak < 4 * MIB as u64, "{case}: {peak} bytes");
}

#[test]
fn sections_without_entries() {
    for id in [1, 3, 4, 5, 13, 6, 7, 9, 11] {
        for count in [50, 65_536, u32::MAX] {
            let (wasm, start) = module(&[&sections_before(id), &raw_section(id, &leb128(count))]);
            let (mode, offset) = match (id, count) {
                (1 | 3 | 4 | 6 | 7 | 9 | 11, u32::MAX) => (Mode::Limit, start),
                (13, _) => (Mode::Unsupported, start),
                _ => (Mode::InvalidWasm, wasm.len()),
            };
            refused_early(&format!("{count} entries in section {id}"), &wasm, mode, offset);
        }
    }
    // There must be as many bodies as functions.
    for count in [0, 2, u32::MAX] {
        let (wasm, start) = module(&[&sections_before(10), &raw_section(10, &leb128(count))]);
        refused_early(&format!("{count} bodies"), &wasm, Mode::InvalidWasm, start);
    }
}

/// Where a count is found to be wrong.
enum At {
    Count,
    End,
}

#[test]
fn entries_that_are_too_short() {
    const MOST: u32 = u32::MAX;
    for (case, id, before, count, rest, at) in [
        ("1,000 parameters", 1, &b"\x60"[..], 1_000, &b""[..], At::End),
        ("1,000 results", 1, b"\x60\0", 1_000, b"", At::End),
        ("bytes of an export's name", 7, b"", MOST, b"", At::End),
        ("functions of an element segment", 9, b"\x01\0", MOST, b"", At::End),
        ("1,000,000 functions of an element segment", 9, b"\x01\0", 1_000_000, b"", At::End),
        ("expressions of an element segment", 9, b"\x05\x70", MOST, b"", At::End),
        ("bytes of a data segment", 11, b"\x01", MOST, b"", At::End),
        ("bytes of a body", 10, b"", MOST, b"", At::End),
        ("declarations of locals", 10, b"", MOST, b"", At::End),
        ("locals", 10, b"\x01", MOST, b"", At::End),
        ("targets of a branch table", 10, b"\0\x41\0\x0e", MOST, b"\x0b", At::End),
        ("types of a select", 10, b"\0\x41\0\x41\0\x41\0\x1c", MOST, b"\x0b", At::Count),
    ] {
        let is_body = id == 10 && case != "bytes of a body";
        let number = leb128(count);
        let mut entry = [before, &number, rest].concat();
        if is_body {
            entry = sized(&entry);
        }
        let (wasm, _) = module(&[&sections_before(id), &raw_section(id, &[b"\x01", &entry[..]].concat())]);
        let behind = wasm.len() - rest.len();
        let offset = match at {
            At::Count => behind - number.len(),
            At::End => wasm.len(),
        };
        refused_early(case, &wasm, Mode::InvalidWasm, offset);
    }
    for (case, before) in [("parameters", &b"\x60"[..]), ("results", b"\x60\0")] {
        let (wasm, start) = module(&[&raw_section(1, &[b"\x01", before, &leb128(MOST)].concat())]);
        refused_early(case, &wasm, Mode::Limit, start + 3 + before.len());
    }
}
