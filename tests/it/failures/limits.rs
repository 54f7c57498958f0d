//! The tool's own limits on components (`loader/src/module/limits.rs`), one under and one over.

use qip_interpret::Mode;

use super::{component_refused, refused, target};
use crate::support::binary::{EMPTY_BODY, EMPTY_TYPE, PREAMBLE, body, leb128, repeated, section, sized};
use crate::support::{BUDGET, Form, operator_offsets, render};

const TYPES: u32 = 65_536;
const FUNCTIONS: u32 = 262_144;
const GLOBALS: u32 = 131_072;
const EXPORTS: u32 = 131_072;
const NESTING: usize = 65_536;
const OPERANDS: usize = 65_536;
const FORWARD_BRANCHES: usize = 1_048_576;
const LOCALS: u32 = 16_777_216;

/// Exports of the first function under different names.
fn exports(count: u32) -> Vec<u8> {
    section(7, count, |index| format!("\x06{index:06}\0\0").into_bytes())
}

/// Each section over its limit is refused at its id.
#[test]
fn sections() {
    let large_type = [b"\x60\xe8\x07".as_slice(), &[0x7f; 1000], b"\xe8\x07", &[0x7f; 1000]].concat();
    for section in [
        repeated(1, TYPES + 1, EMPTY_TYPE),
        repeated(1, 600, &large_type),
        repeated(3, FUNCTIONS + 1, b"\0"),
        repeated(6, GLOBALS + 1, b"\x7f\0\x41\0\x0b"),
        exports(EXPORTS + 1),
    ] {
        let custom = b"\0\x02\x01x";
        component_refused(&[PREAMBLE, custom, &section].concat(), Mode::Limit, (PREAMBLE.len() + custom.len()) as u32);
    }
}

/// Asserts that a section of `most` is taken, and one of one more refused for a limit at this offset in it.
#[track_caller]
fn at_most(most: u32, section: impl Fn(u32) -> Vec<u8>, before: &[u8], behind: &[u8], offset: u32) {
    let module = |count| [PREAMBLE, before, &section(count), behind].concat();
    component_refused(&module(most), Mode::Contract, 0);
    component_refused(&module(most + 1), Mode::Limit, (PREAMBLE.len() + before.len()) as u32 + offset);
}

#[test]
fn entries() {
    let types = |params: u32, results: u32| {
        let list = |count: u32| [leb128(count), vec![0x7e; count as usize]].concat();
        repeated(1, 1, &[b"\x60".as_slice(), &list(params), &list(results)].concat())
    };
    at_most(1_000, |count| types(count, 0), b"", b"", 5);
    at_most(1_000, |count| types(0, count), b"", b"", 6);
    at_most(100_000, |count| repeated(4, count, b"\x70\0\0"), b"", b"", 0);
    at_most(100_000, |count| repeated(9, count, b"\x01\0\0"), b"", b"", 0);
    at_most(100_000, |count| repeated(11, count, b"\x01\0"), b"", b"", 0);
    // A section of 4 MiB: its count, a segment's flags and kind, and the number of its elements in four bytes.
    let function = [types(0, 0), repeated(3, 1, b"\0")].concat();
    let segment = |count: u32| repeated(9, 1, &[b"\x01\0", &sized(&vec![0; count as usize])[..]].concat());
    at_most((4 << 20) - 7, segment, &function, &repeated(10, 1, EMPTY_BODY), 0);
}

#[test]
fn nesting() {
    let nested =
        |depth: usize| target(&format!("{} (i64.const 0)", "block ".repeat(depth) + &"end ".repeat(depth)), "");
    assert!(render(&Form::component(&nested(NESTING - 1)), u32::MAX).is_ok());
    let wasm = nested(NESTING);
    component_refused(&wasm, Mode::Limit, operator_offsets(&wasm)[NESTING - 1]);
}

/// Reachable operands are in the frame, which is the lower limit.
#[test]
fn operands() {
    let operands = |count: usize| format!("{}{}", "(i32.const 0)".repeat(count), "drop ".repeat(count));
    let dead = |count: usize| target(&format!("(return (i64.const 0)) {}", operands(count)), "");
    assert!(render(&Form::component(&dead(OPERANDS)), BUDGET).is_ok());
    let wasm = dead(OPERANDS + 1);
    component_refused(&wasm, Mode::Limit, operator_offsets(&wasm)[2 + OPERANDS]);

    let live = |count: usize| target(&format!("{} (i64.const 0)", operands(count)), "");
    assert!(render(&Form::component(&live(8_000)), BUDGET).is_ok());
    let form = Form::component(&live(8_192));
    let rejection = render(&form, BUDGET).unwrap_err();
    assert_eq!(rejection.mode, Mode::Limit);
    refused(&form, Mode::Limit, rejection.offset);
}

#[test]
fn locals() {
    let locals = |count: usize| target("(i64.const 0)", &format!("(func (local {}))", "i64 ".repeat(count)));
    assert!(render(&Form::component(&locals(8_000)), BUDGET).is_ok());
    let form = Form::component(&locals(8_192));
    let rejection = render(&form, BUDGET).unwrap_err();
    assert_eq!(rejection.mode, Mode::Limit);
    refused(&form, Mode::Limit, rejection.offset);
}

/// Functions of 8,000 locals each, in a few bytes: all together have a limit too.
#[test]
fn locals_of_all_functions() {
    let module = |functions: u32| {
        let bodies = repeated(10, functions, b"\x05\x01\xc0\x3e\x7e\x0b");
        [PREAMBLE, &repeated(1, 1, EMPTY_TYPE), &repeated(3, functions, b"\0"), &bodies].concat()
    };
    let most = LOCALS / 8_000;
    component_refused(&module(most), Mode::Contract, 0);
    let wasm = module(most + 1);
    // The declaration is four bytes: its count, its type and the `end` behind it.
    component_refused(&wasm, Mode::Limit, wasm.len() as u32 - 4);
}

#[test]
fn code_of_a_function() {
    let branches = |count: usize| {
        let labels = "0 ".repeat(count);
        target(&format!("(block (br_table {labels} (i32.const 0))) (i64.const 0)"), "")
    };
    assert!(render(&Form::component(&branches(FORWARD_BRANCHES)), BUDGET).is_ok());
    let wasm = branches(FORWARD_BRANCHES + 1);
    component_refused(&wasm, Mode::Limit, operator_offsets(&wasm)[2]);

    // Calls, which take more code here than in the component.
    let calls = b"\x10\0".repeat(3_800_000);
    let wasm =
        [PREAMBLE, &repeated(1, 1, EMPTY_TYPE), &repeated(3, 1, b"\0"), &repeated(10, 1, &body(&calls))].concat();
    let form = Form::component(&wasm);
    let rejection = render(&form, BUDGET).unwrap_err();
    assert_eq!(rejection.mode, Mode::Limit);
    assert!(operator_offsets(&wasm).contains(&(rejection.offset - form.offset_of("component"))));
}

/// A component at all limits at once is refused for its contract, not for its size.
#[test]
fn all_limits_at_once() {
    // Different types, so that none can be shared.
    let types = section(1, TYPES, |index| {
        let params = (0..8).map(|digit| 0x7f - (index >> (2 * digit) & 3) as u8);
        if index == 0 { EMPTY_TYPE.to_vec() } else { [0x60, 8].into_iter().chain(params).chain([0]).collect() }
    });
    let depth = NESTING - 2;
    let mut code = b"\x41\0\x04\x40".repeat(depth);
    code.extend(b"\x0b".repeat(depth));
    code.extend(b"\x41\0\x0e");
    let targets = FORWARD_BRANCHES - 1 - depth;
    code.extend(leb128(targets as u32));
    code.resize(code.len() + targets + 1, 0);
    let large = body(&code);
    let wasm = [
        PREAMBLE,
        &types,
        &repeated(3, FUNCTIONS, b"\0"),
        &repeated(6, GLOBALS, b"\x7f\0\x41\0\x0b"),
        &exports(EXPORTS),
        &section(10, FUNCTIONS, |index| if index % 100_000 == 1 { large.clone() } else { EMPTY_BODY.to_vec() }),
    ]
    .concat();
    component_refused(&wasm, Mode::Contract, 0);
}
