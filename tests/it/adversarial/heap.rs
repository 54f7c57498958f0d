//! What takes the most of the component's own memory.

use qip_interpret::{DEFAULT_BUDGET, Mode};

use super::{MIB, component_exhausted, component_refused, module, renders, target_with};
use crate::support::binary::{EMPTY_BODY, EMPTY_TYPE, body, leb128, raw_section, repeated, section, sized};
use crate::support::{Form, render_in_component};

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
    let (wasm, _) = target_with(&sum(2 * MIB));
    renders("a constant expression of 6 MiB", &Form::component(&wasm), "");
    let flat = b"\x41\x01\x6a".repeat(16 * MIB / 3);
    let (wasm, _) = target_with(&raw_section(6, &[b"\x01\x7f\0\x41\x01", &flat[..], b"\x0b"].concat()));
    renders("a constant expression of 16 MiB on a low stack", &Form::component(&wasm), "");
    // The stack's size doubles: there is no memory for more than 2^23 values that are copied to make room for 2^24.
    let (wasm, start) = target_with(&sum(10 * MIB));
    component_exhausted("a constant expression of 30 MiB", &wasm, DEFAULT_BUDGET, start + 8 + (2 << 23));
    let (wasm, start) =
        target_with(&raw_section(6, &[b"\x01\x7f\0", &b"\x41\x01".repeat(7 * MIB)[..], b"\x0b"].concat()));
    component_refused("7 Mi values for one global", &wasm, Mode::InvalidWasm, start + 8 + 14 * MIB);
}

/// As many types as there may be, all different, the first of them empty.
fn all_types() -> Vec<u8> {
    section(1, 65_536, |index| {
        let params = (0..8).map(|digit| 0x7f - (index >> (2 * digit) & 3) as u8);
        if index == 0 { EMPTY_TYPE.to_vec() } else { [0x60, 8].into_iter().chain(params).chain([0]).collect() }
    })
}

/// As many exports as there may be, all of the first function.
fn all_exports() -> Vec<u8> {
    section(7, 131_072, |index| format!("\x06{index:06}\0\0").into_bytes())
}

/// Every limit at once, and in what is left of the request the code that takes the most memory.
#[test]
fn all_limits_in_a_full_request() {
    const FUNCTIONS: u32 = 262_144;
    const LARGE: u32 = 20;
    let targets = leb128(MIB as u32 - 1);
    let large = body(&[b"\x41\0\x0e", &targets[..], &vec![0; MIB]].concat());
    let elements = repeated(9, 100_000, b"\x01\0\0");
    let bodies = section(10, FUNCTIONS, |index| if index < LARGE { large.clone() } else { EMPTY_BODY.to_vec() });
    let (wasm, _) = module(&[
        &all_types(),
        &repeated(3, FUNCTIONS, b"\0"),
        &repeated(4, 100_000, b"\x70\0\0"),
        &repeated(6, 131_072, b"\x7f\0\x41\0\x0b"),
        &all_exports(),
        &elements,
        &bodies,
        &repeated(11, 100_000, b"\x01\0"),
    ]);
    component_refused("all limits in a full request", &wasm, Mode::Contract, 0);
}

/// Code that takes eight times the memory of its source, and behind it a function that makes the parser allocate: it must not
/// come to that when there is no memory left.
#[test]
fn all_code_together() {
    const FUNCTIONS: u32 = 200_000;
    const LARGE: u32 = 11;
    const SMALL: u32 = 43;
    // Each branch takes a constant along, to another place than it is in.
    let branches = |count: usize| {
        let branch = b"\x20\0\x0d\0".repeat(count);
        sized(&[b"\x01\x01\x7f\x02\x7e\x41\0\x42\0", &branch[..], b"\0\x0b\x1a\x0b"].concat())
    };
    let (large, small) = (branches(450_000), branches(10_000));
    let nested = body(&[b"\0", &b"\x02\x40".repeat(65_000)[..], &b"\x0b".repeat(65_000)].concat());
    let bodies = section(10, FUNCTIONS, |index| match FUNCTIONS - index {
        1 => nested.clone(),
        rest if rest <= 1 + SMALL => small.clone(),
        rest if rest <= 1 + SMALL + LARGE => large.clone(),
        _ => EMPTY_BODY.to_vec(),
    });
    let (wasm, _) = module(&[&all_types(), &repeated(3, FUNCTIONS, b"\0"), &all_exports(), &bodies]);
    let first = wasm.len() - nested.len() - SMALL as usize * small.len() - LARGE as usize * large.len();
    let form = Form::component(&wasm);
    let rejection = render_in_component(&form, DEFAULT_BUDGET).expect_err("there is a limit for all functions");
    assert_eq!(rejection.mode, Mode::Limit);
    let offset = (rejection.offset - form.offset_of("component")) as usize;
    let size_field = 3;
    assert_eq!((offset - first) % large.len(), size_field, "at the body of a large function");
    component_refused("a request that is to fill the memory with code", &wasm, Mode::Limit, offset);
}
