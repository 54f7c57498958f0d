//! Components that are not valid, not supported, or too large.

use qip_interpret::Mode;
use wasmparser::{Parser, Payload};

use super::{component_refused, instruction_refused, refused, target};
use crate::support::{BUDGET, Form, assemble, operator_offsets, render};

#[test]
fn invalid_wasm() {
    component_refused(b"", Mode::InvalidWasm, 0);
    component_refused(b"\0asn\x01\0\0\0", Mode::InvalidWasm, 0);
    component_refused(b"\0asm\x02\0\0\0", Mode::InvalidWasm, 4);
    // A section whose id is unknown, one that comes too late, and one that comes twice.
    component_refused(b"\0asm\x01\0\0\0\x0e\0", Mode::InvalidWasm, 8);
    component_refused(b"\0asm\x01\0\0\0\x03\x01\0\x01\x01\0", Mode::InvalidWasm, 11);
    component_refused(b"\0asm\x01\0\0\0\x01\x01\0\x01\x01\0", Mode::InvalidWasm, 11);
    instruction_refused("(drop (i32.add (i32.const 1) (f32.const 2))) (i64.const 0)", "", Mode::InvalidWasm, 2);
    instruction_refused("drop (i64.const 0)", "", Mode::InvalidWasm, 0);
    instruction_refused("nop", "", Mode::InvalidWasm, 1);
    instruction_refused("nop (call 99) (i64.const 0)", "", Mode::InvalidWasm, 1);
    instruction_refused("(local.set 7 (i32.const 0)) (i64.const 0)", "", Mode::InvalidWasm, 1);
    instruction_refused("(drop (i32.load align=8 (i32.const 0))) (i64.const 0)", "", Mode::InvalidWasm, 1);
    instruction_refused("(i64.const 0)", "(func nop (br 3))", Mode::InvalidWasm, 3);
    // An opcode that does not exist, in place of a `nop`.
    let mut wasm = target("nop nop (i64.const 0)", "");
    let second = operator_offsets(&wasm)[1];
    wasm[second as usize] = 0xff;
    component_refused(&wasm, Mode::InvalidWasm, second);
}

/// A component that is cut off is invalid, or, right behind a section, it lacks an export or a function's body.
#[test]
fn component_that_is_cut_off() {
    let wasm = target("(i64.const 0x7fffffffffffffff)", "");
    for length in 0..wasm.len() {
        let form = Form::component(&wasm[..length]);
        let rejection = render(&form, BUDGET).unwrap_err();
        assert!(matches!(rejection.mode, Mode::InvalidWasm | Mode::Contract), "{length}: {rejection:?}");
        let component = form.offset_of("component");
        assert!((component..=component + length as u32).contains(&rejection.offset), "{length}: {rejection:?}");
        refused(&form, rejection.mode, rejection.offset);
    }
}

#[test]
fn unsupported_instructions() {
    for (instruction, operator) in [
        ("(block (try_table (catch_all 0)))", 1),
        ("(throw_ref (ref.null exn))", 0),
        ("(drop (ref.i31 (i32.const 1)))", 1),
        ("(drop (ref.eq (ref.null eq) (ref.null eq)))", 0),
        ("(drop (ref.as_non_null (ref.null func)))", 1),
        ("(drop (ref.null none))", 0),
        ("(block (br_on_null 0 (ref.null func)) drop)", 2),
        ("(drop (ref.test funcref (ref.null func)))", 1),
        ("(drop (any.convert_extern (ref.null extern)))", 1),
        ("(drop (memory.atomic.notify (i32.const 0) (i32.const 0)))", 2),
        ("(drop (block (result (ref null 0)) (ref.null 0)))", 0),
        ("(drop (i32.atomic.load (i32.const 0)))", 1),
        ("(atomic.fence)", 0),
        ("(drop (i8x16.relaxed_swizzle (v128.const i64x2 0 0) (v128.const i64x2 0 0)))", 2),
        ("(drop (i64.add128 (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0))) drop", 4),
        ("(call_ref 0 (i32.const 0) (ref.func 0)) drop", 2),
    ] {
        instruction_refused(&format!("{instruction} (i64.const 0)"), "", Mode::Unsupported, operator);
    }
}

/// A section is refused at its id, or at the entry that is not supported.
#[test]
fn unsupported_sections() {
    // Ids of sections, and the bytes from there to the fault: id, size, count, and what comes before in the entry.
    for (module, section, fault) in [
        ("(type (struct (field i32)))", 1, 3),
        ("(rec (type (func)) (type (func)))", 1, 3),
        ("(type (sub (func)))", 1, 3),
        ("(type (func (param (ref func))))", 1, 3),
        ("(type (func (result anyref)))", 1, 3),
        ("(type (func (param exnref)))", 1, 3),
        ("(table i64 1 2 funcref)", 4, 3),
        ("(table 1 2 anyref)", 4, 3),
        ("(table 1 funcref (ref.null func))", 4, 3),
        ("(memory i64 1 2)", 5, 3),
        ("(memory 1 2 shared)", 5, 3),
        ("(memory 0 65536 (pagesize 1))", 5, 3),
        ("(memory 1 2) (memory 1 2)", 5, 6),
        ("(global (ref null any) (ref.null any))", 6, 3),
        ("(tag)", 13, 0),
    ] {
        let wasm = assemble(&format!("(module {module})"));
        component_refused(&wasm, Mode::Unsupported, section_offset(&wasm, section) + fault);
    }
}

/// A segment that does not fit traps before anything runs.
#[test]
fn segments_out_of_bounds() {
    let wasm = target("(i64.const 0)", r#"(data (i32.const 0) "a") (data (i32.const 131070) "abc")"#);
    let segment = data_offset(&wasm, 1);
    component_refused(&wasm, Mode::MemoryOutOfBounds, segment);
    let wasm = target("(i64.const 0)", r#"(data (i32.const 131073) "")"#);
    component_refused(&wasm, Mode::MemoryOutOfBounds, data_offset(&wasm, 0));
}

/// Where the section with this id begins, its id included.
#[track_caller]
pub fn section_offset(wasm: &[u8], id: u8) -> u32 {
    let mut at = 8;
    while wasm[at] != id {
        let mut reader = wasmparser::BinaryReader::new(&wasm[at + 1..], 0);
        let size = reader.read_var_u32().unwrap() as usize;
        at += 1 + reader.original_position() as usize + size;
    }
    at as u32
}

#[track_caller]
fn data_offset(wasm: &[u8], index: usize) -> u32 {
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::DataSection(section) = payload.unwrap() {
            return section.into_iter_with_offsets().nth(index).unwrap().unwrap().0 as u32;
        }
    }
    panic!("there is a data section");
}
