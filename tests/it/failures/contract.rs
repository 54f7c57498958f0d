//! Components that break the contract, and inputs and outputs that do.

use qip_interpret::Mode;
use wasmparser::{Parser, Payload};

use super::module::section_offset;
use super::{component_refused, refused, target};
use crate::support::{BUDGET, Form, HEADER, assemble, render};

/// The contract's exports, each of them wrong or missing.
#[test]
fn contract() {
    let memory = r#"(memory (export "memory") 2 2)"#;
    let render = r#"(func (export "render") (param i32) (result i64) (i64.const 0))"#;
    let output = r#"(func (export "output_bytes_cap") (result i32) (i32.const 0))"#;
    let pointer = r#"(func (export "input_ptr") (result i32) (i32.const 65536))"#;
    let input = r#"(func (export "input_bytes_cap") (result i32) (i32.const 8))"#;
    let contract_refused = |exports: &[&str], at: Option<&str>| {
        let wasm = assemble(&format!("(module {})", exports.join("\n")));
        component_refused(&wasm, Mode::Contract, at.map_or(0, |name| export_offset(&wasm, name)));
    };
    // Missing.
    contract_refused(&[], None);
    contract_refused(&["(memory 2 2)", render, output], None);
    contract_refused(&[memory, output], None);
    contract_refused(&[memory, render], None);
    contract_refused(&[memory, render, output, pointer], Some("input_ptr"));
    contract_refused(&[memory, render, output, input], Some("input_bytes_cap"));
    // One too many.
    let other = r#"(func (export "output_utf8_cap") (result i32) (i32.const 0))"#;
    contract_refused(&[memory, render, output, other], Some("output_bytes_cap"));
    let other = r#"(func (export "input_utf8_cap") (result i32) (i32.const 0))"#;
    contract_refused(&[memory, render, output, pointer, input, other], Some("input_bytes_cap"));
    // Of another kind or type.
    contract_refused(&[r#"(memory (export "memory") 2)"#, render, output], Some("memory"));
    contract_refused(&[r#"(func (export "memory"))"#, render, output], Some("memory"));
    for wrong in [
        r#"(func (export "render") (param i64) (result i64) (i64.const 0))"#,
        r#"(func (export "render") (param i32) (result i32) (i32.const 0))"#,
        r#"(func (export "render") (param i32))"#,
        r#"(func (export "render") (result i64) (i64.const 0))"#,
        r#"(global (export "render") i32 (i32.const 0))"#,
    ] {
        contract_refused(&[memory, wrong, output], Some("render"));
    }
    for wrong in [
        "(result i32) unreachable",
        "(result i32) (loop (br 0)) (i32.const 8)",
        "(result i32) (i32.load (i32.const 131072))",
        "(result i64) (i64.const 8)",
        "(param i32) (result i32) (i32.const 8)",
    ] {
        let getter = |name: &str| format!(r#"(func (export "{name}") {wrong})"#);
        contract_refused(&[memory, render, &getter("output_bytes_cap")], Some("output_bytes_cap"));
        contract_refused(&[memory, render, &getter("output_utf8_cap")], Some("output_utf8_cap"));
        contract_refused(&[memory, render, output, &getter("input_ptr"), input], Some("input_ptr"));
        contract_refused(&[memory, render, output, pointer, &getter("input_bytes_cap")], Some("input_bytes_cap"));
        let modes = "failure_modes_per_input_offset";
        contract_refused(&[memory, render, output, &getter(modes)], Some(modes));
    }
    // The input region lies outside initial memory.
    for at in [131_065, -1] {
        let pointer = format!(r#"(func (export "input_ptr") (result i32) (i32.const {at}))"#);
        contract_refused(&[memory, render, output, &pointer, input], Some("input_ptr"));
    }
}

/// Both are the contract's, and not a feature of a later version: a host has nothing to import, and calls nothing but `render`.
#[test]
fn imports_and_start_functions() {
    for import in [
        r#"(import "env" "f" (func))"#,
        r#"(import "env" "t" (table 1 funcref))"#,
        r#"(import "env" "memory" (memory 1 2))"#,
        r#"(import "env" "g" (global i32))"#,
    ] {
        let wasm = assemble(&format!("(module (type (func)) {import})"));
        component_refused(&wasm, Mode::Contract, section_offset(&wasm, 2) + 3);
    }
    let wasm = target("(i64.const 0)", "(func) (start 1)");
    component_refused(&wasm, Mode::Contract, section_offset(&wasm, 8));
}

/// What lies right at the limits of the contract is accepted.
#[test]
fn contract_that_is_kept() {
    for module in [
        // A generator.
        r#"(func (export "output_bytes_cap") (result i32) (i32.const 0))"#,
        // A constant global.
        r#"(func (export "output_bytes_cap") (result i32) (global.get 0)) (global i32 (i32.const 4))"#,
        // The last bytes of memory.
        r#"(func (export "output_utf8_cap") (result i32) (i32.const 0))
           (func (export "input_ptr") (result i32) (i32.const 131064))
           (func (export "input_utf8_cap") (result i32) (i32.const 8))"#,
    ] {
        let wasm = assemble(&format!(
            r#"(module (memory (export "memory") 2 2)
                 (func (export "render") (param i32) (result i64) (i64.const 0)) {module})"#
        ));
        assert_eq!(render(&Form::component(&wasm), BUDGET), Ok(HEADER.to_owned()), "{module}");
    }
}

#[test]
fn bad_input() {
    let wasm = target("(i64.const 0)", "");
    let input_refused = |wasm: &[u8], input: &[u8], at: u32| {
        let form = Form::component(wasm).input(input);
        refused(&form, Mode::BadInput, form.offset_of("input") + at);
    };
    input_refused(&wasm, b"123456789", 8);
    input_refused(&wasm, b"ab\xffd", 2);
    input_refused(&wasm, b"abc\xe2\x82", 3);
    let generator = assemble(
        r#"(module (memory (export "memory") 2 2)
             (func (export "render") (param i32) (result i64) (i64.const 0))
             (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#,
    );
    input_refused(&generator, b"x", 0);
    assert!(render(&Form::component(&generator).input(b""), BUDGET).is_ok());
    assert!(render(&Form::component(&wasm).input("sechs€".as_bytes()), BUDGET).is_ok());
}

#[test]
fn bad_output() {
    for (result, rest) in [
        // One byte more than the capacity, and one behind the end of memory.
        ("0x0000_0000_0000_0011", ""),
        ("0x0001_fff8_0000_0009", ""),
        ("0x7fff_ffff_0000_0001", ""),
        ("0x0000_0000_ffff_ffff", ""),
        // Not UTF-8: a byte that begins nothing, and a character that is cut off.
        ("0x0000_0000_0000_0003", r#"(data (i32.const 0) "ab\ff")"#),
        ("0x0000_fffe_0000_0002", r#"(data (i32.const 65534) "\e2\82")"#),
        // A rejection with a pointer.
        ("0x8000_0001_0000_0000", ""),
    ] {
        let wasm = target(&format!("(i64.const {result})"), rest);
        component_refused(&wasm, Mode::BadOutput, export_offset(&wasm, "render"));
    }
    for result in ["0x0001_fff0_0000_0010", "0x0002_0000_0000_0000"] {
        let wasm = target(&format!("(i64.const {result})"), "");
        assert!(render(&Form::component(&wasm), BUDGET).is_ok(), "{result}");
    }
}

#[test]
fn target_rejected() {
    let rejects = |detail: u32, modes: &str| target(&format!("(i64.const {})", 1u64 << 63 | u64::from(detail)), modes);
    let modes = r#"(func (export "failure_modes_per_input_offset") (result i32) (i32.const 4))"#;
    for (detail, at) in [(0, 0), (3, 0), (4, 1), (11, 2), (12, 3)] {
        let form = Form::component(&rejects(detail, modes)).input(b"abc");
        refused(&form, Mode::TargetRejected, form.offset_of("input") + at);
    }
    // Without an offset, or with one that no input has, what the target says is not a byte of the request.
    let form = Form::component(&rejects(8, "")).input(b"abc");
    refused(&form, Mode::TargetRejected, form.offset_of("input"));
    let form = Form::component(&rejects(u32::MAX, modes)).input(b"abc");
    refused(&form, Mode::TargetRejected, form.offset_of("input") + 3);
    let form = Form::component(&rejects(8, modes));
    refused(&form, Mode::TargetRejected, form.offset_of("component"));
}

/// Where the export of this name begins.
#[track_caller]
fn export_offset(wasm: &[u8], name: &str) -> u32 {
    for payload in Parser::new(0).parse_all(wasm) {
        if let Payload::ExportSection(section) = payload.unwrap() {
            let exports = section.into_iter_with_offsets().map(|export| export.unwrap());
            return exports.into_iter().find(|(_, export)| export.name == name).expect(name).0 as u32;
        }
    }
    panic!("{name} is exported");
}
