//! Instructions of two bytes that take and leave a thousand values each.

use qip_interpret::Mode;

use super::{component_refused, module, renders};
use crate::support::binary::{EMPTY_TYPE, body, leb128, raw_section};
use crate::support::{Form, assemble};

/// Values that all instructions may take and leave together.
const VALUES: usize = 1 << 26;

/// A module whose first function has this body; function 1 takes and leaves 1,000 values, function 2 leaves as many. The
/// types have the functions' numbers. Also where the body's instructions begin.
fn wide(instructions: &[u8]) -> (Vec<u8>, usize) {
    let many = [&leb128(1_000)[..], &[0x7e; 1_000]].concat();
    let types = [b"\x03", EMPTY_TYPE, b"\x60", &many, &many, b"\x60\0", &many].concat();
    let first = body(instructions);
    let bodies = [b"\x03", &first[..], &body(b"\0").repeat(2)].concat();
    let (wasm, _) = module(&[&raw_section(1, &types), &raw_section(3, b"\x03\0\x01\x02"), &raw_section(10, &bodies)]);
    let start = wasm.len() - 2 * body(b"\0").len() - 1 - instructions.len();
    (wasm, start)
}

/// Each of these is short, and valid; were they as long as a function may be, each would take a minute.
#[test]
fn values_moved() {
    const COUNT: usize = 70_000;
    // What moves before the instruction is repeated, and each time.
    for (case, before, instruction, first, each) in [
        ("calls", &b"\x10\x02"[..], &b"\x10\x01"[..], 1_000, 2_000),
        ("calls that are not reached", b"\0", b"\x10\x01", 0, 2_000),
        ("blocks", b"\x10\x02", b"\x02\x01\x0b", 1_000, 4_000),
        ("branches", b"\x02\x02\x10\x02\x41\0", b"\x0d\0\x41\0", 2_000, 1_000),
    ] {
        let end: &[u8] = if case == "branches" { b"\0\x0b\0" } else { b"\0" };
        let (wasm, start) = wide(&[before, &instruction.repeat(COUNT), end].concat());
        let whole = (VALUES - first) / each;
        // A block takes its values where it begins and leaves them where it ends.
        let at_end = case == "blocks" && (VALUES - first) % each >= each / 2;
        let offset = start + before.len() + whole * instruction.len() + if at_end { 2 } else { 0 };
        component_refused(case, &wasm, Mode::Limit, offset);
    }
    for (case, before) in
        [("a branch table", &b"\x02\x02\x10\x02\x41\0"[..]), ("one that is not reached", b"\x02\x02\0")]
    {
        let table = [b"\x0e", &leb128(COUNT as u32)[..], &[0; COUNT + 1], b"\x0b\0"].concat();
        let (wasm, start) = wide(&[before, &table].concat());
        component_refused(case, &wasm, Mode::Limit, start + before.len());
    }
}

/// The output is checked to be UTF-8, but no instruction is charged for it.
#[test]
fn output_of_4_gib() {
    let wasm = assemble(
        r#"(module (memory (export "memory") 65536 65536)
             (func (export "render") (param i32) (result i64) (i64.const 0xffff_ffff))
             (func (export "output_utf8_cap") (result i32) (i32.const -1)))"#,
    );
    renders("an output of 4 GiB", &Form::component(&wasm), "");
}
