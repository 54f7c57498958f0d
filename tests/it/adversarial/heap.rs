//! What takes the most of the component's own memory.

use qip_interpret::Mode;

use super::{MIB, component_refused, module, renders, target_with};
use crate::support::binary::{EMPTY_BODY, EMPTY_TYPE, body, leb128, raw_section, repeated, section, sized};
use crate::support::{BUDGET, COMPONENTS, Form, Tool};

/// One entry of the section, a recursion group, has as many types as the section may have bytes for.
#[test]
fn recursion_groups() {
    for (case, ty) in [
        ("1 MiB of functions in a recursion group", EMPTY_TYPE),
        ("1 MiB of structures in a recursion group", b"\x5f\0"),
        ("1 MiB of arrays in a recursion group", b"\x5e\x7f\0"),
    ] {
        let count = (MIB - 8) / ty.len();
        let group = [b"\x01\x4e", &leb128(count as u32)[..], &ty.repeat(count)].concat();
        let (wasm, start) = module(&[&raw_section(1, &group)]);
        component_refused(case, &wasm, Mode::Unsupported, start + 5);
    }
}

/// A section with one global whose value is the sum of `count` ones, which are all on the stack before they are added.
fn sum(count: usize) -> Vec<u8> {
    raw_section(6, &[b"\x01\x7f\0", &b"\x41\x01".repeat(count)[..], &b"\x6a".repeat(count - 1), b"\x0b"].concat())
}

#[test]
fn constant_expressions() {
    let flat = b"\x41\x01\x6a".repeat(16 * MIB / 3);
    let (wasm, _) = target_with(&raw_section(6, &[b"\x01\x7f\0\x41\x01", &flat[..], b"\x0b"].concat()));
    renders("a constant expression of 16 MiB on a low stack", &Form::component(&wasm), "");
    let (wasm, _) = target_with(&sum(65_536));
    renders("65,536 values for one global", &Form::component(&wasm), "");
    let (wasm, start) = target_with(&sum(65_537));
    component_refused("65,537 values for one global", &wasm, Mode::Limit, start + 7 + 2 * 65_536);
    let (wasm, start) = target_with(&sum(10 * MIB));
    component_refused("10 Mi values for one global", &wasm, Mode::Limit, start + 8 + 2 * 65_536);
}

/// As many types as there may be, all different, the first of them empty.
fn all_types() -> Vec<u8> {
    section(1, 65_536, |index| {
        let params = (0..8).map(|digit| 0x7f - (index >> (2 * digit) & 3) as u8);
        if index == 0 { EMPTY_TYPE.to_vec() } else { [0x60, 8].into_iter().chain(params).chain([0]).collect() }
    })
}

/// A body of which each branch takes a constant along, to another place than it is in: its code is eight times as large.
fn branches(count: usize) -> Vec<u8> {
    let branches = b"\x20\0\x0d\0".repeat(count);
    sized(&[b"\x01\x01\x7f\x02\x7e\x41\0\x42\0", &branches[..], b"\0\x0b\x1a\x0b"].concat())
}

#[test]
fn code_of_all_functions() {
    let body = branches(450_000);
    let code =
        |count: u32| [repeated(1, 1, EMPTY_TYPE), repeated(3, count, b"\0"), repeated(10, count, &body)].concat();
    let (wasm, _) = module(&[&code(6)]);
    component_refused("82 MiB of code", &wasm, Mode::Contract, 0);
    let (wasm, _) = module(&[&code(7)]);
    component_refused("96.1 MiB of code", &wasm, Mode::Limit, wasm.len() - body.len() + 3);
}

/// Bodies that make the translator keep the most memory, each in its own way, and small ones of which there are as many as of types.
fn all_bodies(rest: usize) -> Vec<u8> {
    let targets = |count: usize| body(&[b"\x41\0\x0e", &leb128(count as u32 - 1)[..], &vec![0; count]].concat());
    let nested = body(&[&b"\x02\x40".repeat(65_535)[..], &b"\x0b".repeat(65_535)].concat());
    let loops = body(&b"\x03\x40\x0b".repeat(4_194_305));
    let (large, rest) = (branches(450_000), branches(rest));
    section(10, FUNCTIONS, |index| match index {
        0 => loops.clone(),
        1 => targets(MIB),
        2..=6 => large.clone(),
        7 => rest.clone(),
        262_143 => nested.clone(),
        _ => EMPTY_BODY.to_vec(),
    })
}

const FUNCTIONS: u32 = 262_144;

/// Every limit at once, in the order that leaves the parser the least memory.
#[test]
fn all_limits_in_a_full_request() {
    let name = |index: u32| sized(format!("{index:08}").as_bytes());
    let exports = section(7, 131_072, |index| [&name(index)[..], b"\0\0"].concat());
    let sum = [b"\0", &b"\x41\0".repeat(65_536)[..], &b"\x6a".repeat(65_535), b"\x0b\0"].concat();
    let before = [
        all_types(),
        repeated(3, FUNCTIONS, b"\0"),
        repeated(4, 100_000, b"\x70\0\0"),
        repeated(5, 1, b"\0\x01"),
        repeated(6, 131_072, b"\x7f\0\x41\0\x0b"),
        exports,
        repeated(9, 1, &[b"\x01\0", &sized(&vec![0; (4 << 20) - 7])[..]].concat()),
    ];
    let data = section(11, 100_000, |index| if index == 0 { sum.clone() } else { b"\x01\0".to_vec() });
    let (wasm, _) = module(&[&before.concat(), &all_bodies(210_000), &data]);
    component_refused("all limits in a full request", &wasm, Mode::Contract, 0);
    for component in COMPONENTS {
        let mut tool = Tool::of(component);
        let answer = tool.render_bytes(&Form::component(&wasm));
        assert_eq!(answer, component.render_natively(&Form::component(&wasm), BUDGET), "{}", component.path);
        // The smallest heap has 256 MiB, of which the allocator takes some for itself.
        let peak = tool.counters().peak;
        assert!((192 * MIB as u64..224 * MIB as u64).contains(&peak), "{}: {peak} bytes", component.path);
    }
}
