//! Bodies as large as may be, and larger.

use qip_interpret::Mode;

use super::{MIB, component_refused, module};
use crate::failures::target;
use crate::support::binary::{EMPTY_TYPE, body, leb128, repeated, sized};
use crate::support::{BUDGET, Form, operator_offsets, render};

/// The most bytes of a body that JavaScript engines take.
const BODY: usize = 7_654_321;

/// A module of so many functions with this body, and where the first body begins, behind its size.
fn functions(count: u32, body: &[u8]) -> (Vec<u8>, usize) {
    let before = [repeated(1, 1, EMPTY_TYPE), repeated(3, count, b"\0")].concat();
    let (wasm, _) = module(&[&before, &repeated(10, count, body)]);
    let size = leb128(body.len() as u32 - 1).len();
    let first = wasm.len() - count as usize * body.len() + size;
    (wasm, first)
}

#[test]
fn large_functions() {
    let (wasm, _) = functions(1, &body(&vec![1; 30 * MIB]));
    component_refused("a function of 30 MiB", &wasm, Mode::Contract, 0);
    let (wasm, _) = functions(4, &body(&[b"\x41\0", &b"\x45".repeat(7_000_000)[..], b"\x1a"].concat()));
    component_refused("28 MB of code", &wasm, Mode::Contract, 0);
    let wasm = target(&format!("{} (i64.const 0)", "nop ".repeat(1_000_001)), "");
    component_refused("1,000,001 nops", &wasm, Mode::Budget, operator_offsets(&wasm)[1_000_000] as usize);
}

#[test]
fn locals() {
    for (case, declarations, mode, offset) in [
        ("2^32 - 1 locals", vec![(u32::MAX, 0x7f)], Mode::Limit, 1),
        ("locals that sum up to 2^33", vec![(u32::MAX, 0x7f), (u32::MAX, 0x7e), (2, 0x7d)], Mode::InvalidWasm, 7),
        ("locals that sum up to 2^32", vec![(1, 0x7f), (u32::MAX, 0x7e), (1, 0x7d)], Mode::InvalidWasm, 3),
        ("50,000 locals", vec![(50_000, 0x7f)], Mode::Limit, 1),
    ] {
        let locals: Vec<u8> = declarations.iter().flat_map(|&(count, ty)| [leb128(count), vec![ty]].concat()).collect();
        let (wasm, start) = functions(1, &sized(&[&[declarations.len() as u8], &locals[..], b"\x0b"].concat()));
        component_refused(case, &wasm, mode, start + offset);
    }
    let declarations =
        |count: usize, pair: &[u8]| sized(&[&leb128(count as u32), &pair.repeat(count / 2)[..], b"\x0b"].concat());
    let (wasm, _) = functions(2, &declarations(3_800_000, b"\0\x7f\0\x7e"));
    component_refused("15 MB of declarations of no locals", &wasm, Mode::Contract, 0);
    let (wasm, _) = functions(1_000, &declarations(8_000, b"\x01\x7f\x01\x7e"));
    component_refused("16 MB of declarations of one local", &wasm, Mode::Contract, 0);
}

#[test]
fn branch_tables() {
    let table = |count: usize| [b"\x41\0\x0e", &leb128(count as u32)[..], &vec![0; count + 1]].concat();
    let backwards = |count: usize| [b"\x03\x40", &table(count)[..], b"\x0b"].concat();
    let (wasm, start) = functions(1, &body(&table(16 * MIB)));
    component_refused("16 MiB of targets in one table", &wasm, Mode::Limit, start + 3);
    let (wasm, start) = functions(1, &body(&backwards(BODY - 20)));
    component_refused("7,654,301 targets backwards in one table", &wasm, Mode::Limit, start + 5);
    let (wasm, _) = functions(1, &body(&[b"\0", &table(BODY - 20)[..]].concat()));
    component_refused("7,654,301 targets that are not reached", &wasm, Mode::Contract, 0);
    let (wasm, _) = functions(10, &body(&backwards(MIB - 1)));
    component_refused("10 MiB of targets backwards", &wasm, Mode::Contract, 0);
    let (wasm, _) = functions(10, &body(&table(MIB - 1)));
    component_refused("10 MiB of targets forwards", &wasm, Mode::Contract, 0);
}

#[test]
fn nesting() {
    const DEPTH: usize = 100_000;
    for (case, before, opening) in [
        ("100,000 blocks", &b""[..], &b"\x02\x40"[..]),
        ("100,000 loops", b"", b"\x03\x40"),
        ("100,000 ifs", b"", b"\x41\0\x04\x40"),
        ("100,000 blocks that are not reached", b"\0", b"\x02\x40"),
    ] {
        let (wasm, start) = functions(1, &body(&[before, &opening.repeat(DEPTH), &b"\x0b".repeat(DEPTH)].concat()));
        // The function's own block counts too; the last one before the limit is whole.
        let last = before.len() + 65_536 * opening.len() - 2;
        component_refused(case, &wasm, Mode::Limit, start + 1 + last);
    }
}

/// Code that is not reached is validated but not translated: what is unsupported there must be found all the same.
#[test]
fn unsupported_instructions_that_are_not_reached() {
    for (case, instruction) in [
        ("call_ref", &b"\x14\0"[..]),
        ("return_call_ref", b"\x15\0"),
        ("throw_ref", b"\x0a"),
        ("try_table", b"\x1f\x40\0\x0b"),
        ("ref.eq", b"\xd3\x1a"),
        ("ref.as_non_null", b"\xd4\x1a"),
        ("br_on_null", b"\xd5\0\x1a"),
        ("ref.i31", b"\xfb\x1c\x1a"),
        ("i64.add128", b"\xfc\x13\x1a\x1a"),
        ("i8x16.relaxed_swizzle", b"\xfd\x80\x02\x1a"),
        ("memory.atomic.fence", b"\xfe\x03\0"),
        ("ref.null any", b"\xd0\x6e\x1a"),
        ("a block that leaves an anyref", b"\x02\x6e\0\x0b\x1a"),
        ("a select of anyrefs", b"\x1c\x01\x6e\x1a"),
    ] {
        let (wasm, start) = functions(1, &body(&[b"\0", instruction].concat()));
        component_refused(case, &wasm, Mode::Unsupported, start + 2);
    }
}

/// Numbers that do not fit where an address has 32 bits and they are counted on from: both builds must say the same.
#[test]
fn large_immediates() {
    const LARGEST: &[u8] = b"\xff\xff\xff\xff\x0f";
    let prefixed = |prefix: u8, codes: u32| (0..codes).map(move |code| [&[prefix], &leb128(code)[..]].concat());
    let operators = (0..=0xff).map(|code| vec![code]).chain(prefixed(0xfc, 24)).chain(prefixed(0xfd, 0x120));
    for operator in operators {
        for (before, immediates) in [
            (&b""[..], [LARGEST, LARGEST].concat()),
            (b"\x41\0\x41\0\x41\0", [LARGEST, LARGEST].concat()),
            (b"\x41\0", [&b"\0"[..], LARGEST].concat()),
            (b"\x41\0", [&b"\x01"[..], LARGEST, b"\0"].concat()),
        ] {
            let instructions = [b"\0", before, &operator, &immediates, b"\x0b"].concat();
            let (wasm, _) = functions(1, &sized(&instructions));
            let answer = render(&Form::component(&wasm), BUDGET);
            assert!(answer.is_err(), "{operator:02x?} {immediates:02x?}: there is no render");
        }
    }
}
