//! What takes the most time for what it is: to load, or an instruction of the budget.

use std::path::Path;

use qip_interpret::{DEFAULT_BUDGET, Mode, Rejection};

use super::{MIB, answers, component_refused, module, renders, table};
use crate::support::binary::{EMPTY_BODY, EMPTY_TYPE, body, leb128, raw_section, repeated, section, sized};
use crate::support::{BUDGET, Form, assemble, operator_offsets, render_in_component};

/// A generator with 4 GiB of memory, with this in its `render` and this before it.
fn generator(render: &str, rest: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module (memory (export "memory") 65536 65536)
             {rest}
             (func (export "render") (param i32) (result i64) {render})
             (func (export "output_utf8_cap") (result i32) (i32.const -1)))"#
    ))
}

/// Asserts that the target runs until its budget is spent, at some instruction.
#[track_caller]
fn spends_its_budget(case: &str, wasm: &[u8]) {
    let form = Form::component(wasm);
    let answer = render_in_component(&form, BUDGET);
    let rejection = answer.clone().expect_err(case);
    assert_eq!(rejection.mode, Mode::Budget, "{case}");
    assert!(operator_offsets(wasm).contains(&(rejection.offset - form.offset_of("component"))), "{case}");
    table::print(case, &form, BUDGET);
}

#[test]
fn instructions() {
    let locals = format!("(local {})", "i64 ".repeat(8_180));
    let chain = |index: u32| format!("(func $f{index} {locals} (call $f{}))", index + 1);
    let chain: String = (0..500).map(chain).chain(["(func $f500)".to_owned()]).collect();
    spends_its_budget(
        "500 functions with 8,180 locals, each in the one before",
        &generator("(loop (call $f0) (br 0)) unreachable", &chain),
    );
    let itself = format!("(func $f (result i64) {locals} (return_call $f))");
    spends_its_budget("tail calls of a function with 8,180 locals", &generator("(return_call $f)", &itself));
    let wide = "v128 ".repeat(1_000);
    let constant = "(v128.const i64x2 0 0)";
    let moving =
        format!("{} (loop (param {wide}) (result {wide}) {constant} (br 0)) unreachable", constant.repeat(1_000));
    spends_its_budget("a branch that moves 1,000 vectors", &generator(&moving, ""));
    let copy =
        |to: u32, from: u32| format!("(table.copy {to} {from} (i32.const 0) (i32.const 0) (i32.const 30_000_000))");
    let copies = format!("(loop {} {} (br 0)) unreachable", copy(0, 1), copy(1, 0));
    let tables = "(table 30_000_000 funcref)".repeat(2);
    spends_its_budget("table.copy of 30,000,000 entries there and back", &generator(&copies, &tables));
    let next = "(local.set 0 (i32.add (i32.mul (local.get 0) (i32.const 1664525)) (i32.const 1013904223)))";
    let load = "(drop (i32.load8_u (i32.shr_u (local.get 0) (i32.const 5))))";
    spends_its_budget("loads all over 128 MiB", &generator(&format!("(loop {next} {load} (br 0)) unreachable"), ""));
    let drops = format!("(loop {} (br 0)) unreachable", "(data.drop 0)".repeat(1_000));
    spends_its_budget("instructions that leave the loop", &generator(&drops, r#"(data "x")"#));
}

/// So many exports, of 31 MiB, that differ in their last bytes.
#[test]
fn exports_with_long_names() {
    let name = |index: u32| sized(format!("{index:0235}").as_bytes());
    let exports = section(7, 131_072, |index| [&name(index)[..], b"\0\0"].concat());
    let (wasm, _) =
        module(&[&repeated(1, 1, EMPTY_TYPE), &repeated(3, 1, b"\0"), &exports, &repeated(10, 1, EMPTY_BODY)]);
    component_refused("31 MB of exports' names that begin alike", &wasm, Mode::Contract, 0);
}

/// A segment of as many elements as there may be bytes for, each an expression.
fn expressions() -> Vec<u8> {
    const ELEMENTS: usize = 1_398_000;
    repeated(9, 1, &[b"\x05\x70", &leb128(ELEMENTS as u32)[..], &b"\xd2\0\x0b".repeat(ELEMENTS)].concat())
}

#[test]
fn elements_that_are_expressions() {
    let (wasm, _) =
        module(&[&repeated(1, 1, EMPTY_TYPE), &repeated(3, 1, b"\0"), &expressions(), &repeated(10, 1, EMPTY_BODY)]);
    component_refused("1,398,000 elements that are expressions", &wasm, Mode::Contract, 0);
}

/// `render` in 31 MB: to say where it fails, it is translated again.
#[test]
fn a_large_function_that_fails() {
    const TESTS: usize = 31_000_000;
    let render = body(&[b"\x20\0", &b"\x45".repeat(TESTS)[..], b"\x1a\0"].concat());
    let exports = b"\x03\x06memory\x02\0\x06render\0\0\x0foutput_utf8_cap\0\x01";
    let (wasm, _) = module(&[
        &raw_section(1, &[&b"\x02"[..], &TYPES[..2].concat()].concat()),
        &raw_section(3, b"\x02\0\x01"),
        &raw_section(5, b"\x01\x01\x01\x01"),
        &raw_section(7, exports),
        &raw_section(10, &[b"\x02", &render[..], GETTER_AND_SETTER[0]].concat()),
    ]);
    let offsets = operator_offsets(&wasm);
    for (case, budget, mode, operator) in [
        ("a budget that is spent in 31 MB", TESTS as u32 / 2, Mode::Budget, TESTS / 2),
        ("a budget that is spent where 31 MB end", TESTS as u32 + 2, Mode::Budget, TESTS + 2),
        ("a trap where 31 MB end", u32::MAX, Mode::Unreachable, TESTS + 2),
    ] {
        let form = Form::component(&wasm);
        let at = form.offset_of("component") + offsets[operator];
        answers(case, render_in_component, &form, budget, Err(Rejection::new(mode, at)));
    }
}

/// A request with 64 uniforms, whose setters are looked for among as many exports as there may be, with names that are as long
/// and begin alike. Function 0 is to be `render`, 1 returns the output's capacity, 2 is each setter.
fn with_uniforms(wasm_with_exports: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Form {
    const DECOYS: u32 = 130_000;
    let key = |index: u32| format!("{}{index:03}", "k".repeat(60));
    let setter = |name: String| [&sized(format!("uniform_set_{name}").as_bytes()), &b"\0\x02"[..]].concat();
    let exports = section(7, DECOYS + 64 + 3, |index| match index {
        0..DECOYS => setter(format!("{}{index:06}", "k".repeat(57))),
        DECOYS => b"\x06memory\x02\0".to_vec(),
        130_001 => b"\x06render\0\0".to_vec(),
        130_002 => b"\x0foutput_utf8_cap\0\x01".to_vec(),
        _ => setter(key(index - DECOYS - 3)),
    });
    let form = Form::component(&wasm_with_exports(exports));
    (0..64).fold(form, |form, index| form.uniform(&key(index), "1"))
}

/// The types of `render`, of the capacity and of a setter, and one of functions that do nothing.
const TYPES: [&[u8]; 4] = [b"\x60\x01\x7f\x01\x7e", b"\x60\0\x01\x7f", b"\x60\x01\x7f\x01\x7f", EMPTY_TYPE];

/// The capacity of 4 GiB, and the setter.
const GETTER_AND_SETTER: [&[u8]; 2] = [b"\x04\0\x41\x7f\x0b", b"\x04\0\x20\0\x0b"];

#[test]
fn uniforms_among_exports() {
    let form = with_uniforms(|exports| {
        let bodies = [&b"\x03"[..], &body(b"\x42\0"), &GETTER_AND_SETTER.concat()].concat();
        let types = [&b"\x03"[..], &TYPES[..3].concat()].concat();
        let memory = raw_section(5, b"\x01\x01\x01\x01");
        module(&[
            &raw_section(1, &types),
            &raw_section(3, b"\x03\0\x01\x02"),
            &memory,
            &exports,
            &raw_section(10, &bodies),
        ])
        .0
    });
    renders("64 uniforms among 130,000 exports", &form, "");
}

/// What takes the most time in each part of a request's way, all in one that ends well.
#[test]
fn all_at_once() {
    const EMPTY: u32 = 262_000;
    const CALLS: usize = 33_000;
    const ENTRIES: u32 = 12_000_000;
    let many = [&leb128(1_000)[..], &[0x7e; 1_000]].concat();
    let types = [&b"\x05"[..], &TYPES.concat(), b"\x60", &many, &many].concat();
    let functions = section(3, EMPTY + 5, |index| vec![[0, 1, 2, 3, 4].get(index as usize).copied().unwrap_or(3)]);
    let tables = repeated(4, 2, &[b"\x70\0", &leb128(ENTRIES)[..]].concat());
    let memory = raw_section(5, b"\x01\x01\x80\x80\x04\x80\x80\x04");
    let value = [b"\x7f\0\x41\x01", &b"\x41\x01\x6a".repeat(37)[..], b"\x0b"].concat();
    let globals = repeated(6, 131_072, &value);
    let copy = |tables: &[u8]| [&b"\x41\0\x41\0\x41"[..], &leb128(ENTRIES), b"\xfc\x0e", tables].concat();
    // As many copies as the budget pays for, and then an output of 4 GiB.
    let budget = if table::is_printed() { DEFAULT_BUDGET } else { BUDGET };
    let rounds = budget / (2 * (ENTRIES / 128 + 20));
    let rounds = [rounds as u8 & 0x7f | 0x80, (rounds >> 7) as u8];
    let count = [&b"\x20\0\x41\x01\x6a\x22\0\x41"[..], &rounds, b"\x49\x0d\0\x0b\x42\xff\xff\xff\xff\x0f"].concat();
    let render = body(&[&b"\x03\x40"[..], &copy(b"\0\x01"), &copy(b"\x01\0"), &count].concat());
    let calls = body(&[&b"\0"[..], &b"\x10\x04".repeat(CALLS), b"\0"].concat());
    let code = section(10, EMPTY + 5, |index| match index {
        0 => render.clone(),
        1 | 2 => GETTER_AND_SETTER[index as usize - 1].to_vec(),
        3 => calls.clone(),
        4 => body(b"\0"),
        _ => EMPTY_BODY.to_vec(),
    });
    let form = with_uniforms(|exports| {
        let elements = expressions();
        module(&[&raw_section(1, &types), &functions, &tables, &memory, &globals, &exports, &elements, &code]).0
    });
    let answer = render_in_component(&form, budget);
    assert!(answer.is_ok(), "{answer:?}");
    table::print("all of it at once", &form, budget);
}

/// Compiled code, much of which uses its whole budget, to compare with; `make adversarial` builds it.
#[test]
fn honest_runs() {
    if !table::is_printed() {
        return;
    }
    let bytes = |length: usize| {
        (0..length as u32).map(|index| (index.wrapping_mul(0x9e37_79b1) >> 24) as u8).collect::<Vec<_>>()
    };
    let built = |name: &str, input: &[u8]| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench");
        let wasm = std::fs::read(folder.join(name).with_extension("wasm")).expect("`make adversarial` builds it");
        Form::component(&wasm).input(input)
    };
    for (case, form) in [
        ("Markdown of 1 MB", table::markdown()),
        ("SHA-256 of 1 MiB", built("sha256", &bytes(MIB))),
        ("sorting 16,384 numbers", built("sort", &bytes(65_536))),
        ("five bodies in f64", built("nbody", &200_000_000u32.to_le_bytes())),
        ("memory.copy and memory.fill", built("bulk", &500_000_000u32.to_le_bytes())),
        ("vector instructions over 480 KiB", built("vector", &bytes(480 << 10))),
    ] {
        table::print(case, &form, DEFAULT_BUDGET);
        table::print(&format!("{case}, loading alone"), &form, 1);
    }
}
