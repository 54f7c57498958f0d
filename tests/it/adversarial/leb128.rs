//! LEB128 numbers that are too long, too large or cut off, and such that are only longer than they need be.

use qip_interpret::Mode;

use super::{component_refused, module, renders};
use crate::support::Form;
use crate::support::binary::{EMPTY_TYPE, raw_section, repeated, sized};

/// A type, a function and a memory, as far as they may come before the section.
fn sections_before(id: u8) -> Vec<u8> {
    let types = if id > 1 { repeated(1, 1, EMPTY_TYPE) } else { Vec::new() };
    let functions = if id > 3 { repeated(3, 1, b"\0") } else { Vec::new() };
    let memory = if id > 5 { repeated(5, 1, b"\0\x01") } else { Vec::new() };
    [types, functions, memory].concat()
}

/// The encodings that a number of so many bits cannot have. The fault of each is in its last byte that may be there.
fn malformed(bits: usize, signed: bool) -> [(&'static str, Vec<u8>); 3] {
    let length = bits.div_ceil(7);
    let bits_of_last = bits - 7 * (length - 1);
    let stray = 1 << if signed { bits_of_last - 1 } else { bits_of_last };
    [
        ("one byte too long", [vec![0x80; length], vec![0]].concat()),
        ("with a stray bit", [vec![0x80; length - 1], vec![stray]].concat()),
        ("cut off", vec![0x80; length - 1]),
    ]
}

#[test]
fn in_sections() {
    for (place, id, before, bits, signed) in [
        ("the count of types", 1, &b""[..], 32, false),
        ("the count of parameters", 1, b"\x01\x60", 32, false),
        ("the index of a type", 3, b"\x01", 32, false),
        ("the least size of a table", 4, b"\x01\x70\0", 32, false),
        ("the least size of a memory", 5, b"\x01\0", 32, false),
        ("the maximum of a memory", 5, b"\x01\x01\0", 32, false),
        ("the value of an i32 global", 6, b"\x01\x7f\0\x41", 32, true),
        ("the value of an i64 global", 6, b"\x01\x7e\0\x42", 64, true),
        ("the index of a global", 6, b"\x01\x7f\0\x23", 32, false),
        ("the size of an export's name", 7, b"\x01", 32, false),
        ("the index of an export", 7, b"\x01\0\0", 32, false),
        ("the start function", 8, b"", 32, false),
        ("the flags of an element segment", 9, b"\x01", 32, false),
        ("the count of elements", 9, b"\x01\x01\0", 32, false),
        ("the index of an element", 9, b"\x01\x01\0\x01", 32, false),
        ("the count of bodies", 10, b"", 32, false),
        ("the size of a body", 10, b"\x01", 32, false),
        ("the flags of a data segment", 11, b"\x01", 32, false),
        ("the size of a data segment", 11, b"\x01\x01", 32, false),
        ("the count of data segments", 12, b"", 32, false),
    ] {
        for (fault, number) in malformed(bits, signed) {
            let rest: &[u8] = if fault == "cut off" { b"" } else { &[0x0b; 8] };
            let section = raw_section(id, &[before, &number, rest].concat());
            let (wasm, start) = module(&[&sections_before(id), &section]);
            let offset = start + 2 + before.len() + bits.div_ceil(7) - 1;
            component_refused(&format!("{place}, {fault}"), &wasm, Mode::InvalidWasm, offset);
        }
    }
    for (fault, number) in malformed(32, false) {
        let (wasm, start) = module(&[b"\x01", &number]);
        // One that is cut off ends the module.
        component_refused(&format!("the size of a section, {fault}"), &wasm, Mode::InvalidWasm, start + 4);
    }
}

#[test]
fn in_bodies() {
    for (place, before, bits, signed) in [
        ("the count of locals", &b""[..], 32, false),
        ("the count of equal locals", b"\x01", 32, false),
        ("the type of a block", b"\0\x02", 33, true),
        ("a label", b"\0\x0c", 32, false),
        ("the count of labels", b"\0\x41\0\x0e", 32, false),
        ("a label of a branch table", b"\0\x41\0\x0e\x01", 32, false),
        ("the index of a function", b"\0\x10", 32, false),
        ("the type of an indirect call", b"\0\x41\0\x11", 32, false),
        ("the table of an indirect call", b"\0\x41\0\x11\0", 32, false),
        ("the index of a local", b"\0\x20", 32, false),
        ("an alignment", b"\0\x41\0\x28", 32, false),
        ("an offset", b"\0\x41\0\x28\0", 32, false),
        ("an i32", b"\0\x41", 32, true),
        ("an i64", b"\0\x42", 64, true),
        ("an opcode behind 0xfc", b"\0\xfc", 32, false),
        ("an opcode behind 0xfd", b"\0\xfd", 32, false),
    ] {
        for (fault, number) in malformed(bits, signed) {
            let rest: &[u8] = if fault == "cut off" { b"" } else { &[0x0b; 8] };
            let body = sized(&[before, &number, rest].concat());
            let (wasm, start) = module(&[&sections_before(10), &repeated(10, 1, &body)]);
            let offset = start + 4 + before.len() + bits.div_ceil(7) - 1;
            component_refused(&format!("{place}, {fault}"), &wasm, Mode::InvalidWasm, offset);
        }
    }
}

/// A target that has every number in as many bytes as there may be.
#[test]
fn that_are_padded_are_valid() {
    let padded = |number: u8| [number | 0x80, 0x80, 0x80, 0x80, 0];
    let section = |id: u8, contents: Vec<u8>| {
        let size = contents.len();
        [&[id, size as u8 | 0x80, (size >> 7) as u8 | 0x80, 0x80, 0x80, 0], &contents[..]].concat()
    };
    let numbers = |template: &[&[u8]]| template.concat();
    let [zero, one, two, six] = [0, 1, 2, 6].map(padded);
    let i64_zero = &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0][..];
    let render = numbers(&[&zero, b"\x41", &one, b"\x41", &two, b"\x36", &two, &one, b"\x42", i64_zero, b"\x0b"]);
    let getter = numbers(&[&zero, b"\x41", &zero, b"\x0b"]);
    let body = |body: &[u8]| [&padded(body.len() as u8), body].concat();
    let name = |name: &str| [&padded(name.len() as u8), name.as_bytes()].concat();
    let wasm = [
        b"\0asm\x01\0\0\0".to_vec(),
        section(1, numbers(&[&two, b"\x60", &one, b"\x7f", &one, b"\x7e\x60", &zero, &one, b"\x7f"])),
        section(3, numbers(&[&two, &zero, &one])),
        section(5, numbers(&[&one, b"\x01", &one, &one])),
        section(
            7,
            numbers(&[
                &padded(3),
                &name("memory"),
                b"\x02",
                &zero,
                &name("render"),
                b"\0",
                &zero,
                &name("output_bytes_cap"),
                b"\0",
                &one,
            ]),
        ),
        section(10, numbers(&[&two, &body(&render), &body(&getter)])),
        section(11, numbers(&[&one, &zero, b"\x41", &zero, b"\x0b", &six, b"abcdef"])),
    ]
    .concat();
    renders("padded numbers", &Form::component(&wasm), "0,data,6,0,0,1,4,4,1.00\n");
}
