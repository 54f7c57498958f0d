//! Getters that are not one constant, as compilers make them without optimisation: they are executed before counting starts.

use std::fs;

use qip_interpret::Mode;

use crate::support::{BUDGET, Form, HEADER, OUTPUT, assemble, assert_refused, built_by_clang, render, word_counts};

/// A target whose output's capacity is a getter with this body, and that returns so many bytes.
fn target(getter: &str, bytes: u32, rest: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 2 4)
          (global $stack (mut i32) (i32.const 65536))
          (func (export "output_bytes_cap") (result i32) {getter})
          (func (export "render") (param i32) (result i64) (i64.const {bytes}))
          {rest})"#
    ))
}

/// Each form gives 8: as much output is allowed, and no more.
#[test]
fn every_form_is_executed() {
    for (getter, rest) in [
        // Zig.
        ("i32.const 8 return", ""),
        // clang and rustc: a local, and the shadow stack.
        ("(local i32) i32.const 8 local.set 0 local.get 0 return", ""),
        (
            "(local i32 i32) (local.set 0 (i32.sub (global.get $stack) (i32.const 16)))
             (i32.store offset=12 (local.get 0) (i32.const 8)) (local.set 1 (i32.load offset=12 (local.get 0))) local.get 1 return",
            "",
        ),
        (
            "(local i32) (global.set $stack (i32.sub (global.get $stack) (i32.const 16)))
             (local.set 0 (call $eight)) (global.set $stack (i32.add (global.get $stack) (i32.const 16))) local.get 0",
            "(func $eight (result i32) i32.const 8)",
        ),
        // asc.
        ("global.get 1 return", "(global (mut i32) (i32.const 8))"),
        ("(i32.load (i32.const 1024))", r#"(data (i32.const 1024) "\08")"#),
        ("(block (result i32) nop (br 0 (i32.add (i32.const 3) (i32.const 5))))", ""),
        ("(call_indirect (result i32) (i32.const 0))", "(func $eight (result i32) i32.const 8) (table funcref (elem $eight))"),
    ] {
        let form = Form::component(&target(getter, 8, rest));
        assert!(render(&form, BUDGET).is_ok(), "{getter}");
        let rejection = render(&Form::component(&target(getter, 9, rest)), BUDGET).unwrap_err();
        assert_eq!(rejection.mode, Mode::BadOutput, "{getter}");
    }
}

/// Nothing that a getter does is counted, charged, or seen by the run.
#[test]
fn what_a_getter_does_is_undone() {
    let wasm = assemble(
        r#"(module
          (memory (export "memory") 1 4)
          (global $stack (mut i32) (i32.const 65536))
          (global $calls (mut i32) (i32.const 0))
          (func $getter (param i32) (result i32)
            (global.set $stack (i32.const 1024))
            (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
            (i32.store (i32.const 0) (i32.const -1))
            (memory.fill (i32.const 30000) (i32.const 1) (i32.const 100))
            (drop (memory.grow (i32.const 1)))
            (table.set 0 (i32.const 0) (ref.func $getter))
            (data.drop 0)
            (local.get 0))
          (table 1 funcref)
          (elem declare func $getter)
          (data "x")
          (func (export "input_ptr") (result i32) (call $getter (i32.const 32)))
          (func (export "input_utf8_cap") (result i32) (call $getter (i32.const 8)))
          (func (export "output_utf8_cap") (result i32) (call $getter (i32.const 8)))
          (func (export "failure_modes_per_input_offset") (result i32) (call $getter (i32.const 2)))
          (func (export "render") (param i32) (result i64)
            (if (global.get $calls) (then unreachable))
            (if (i32.ne (global.get $stack) (i32.const 65536)) (then unreachable))
            (if (i32.ne (memory.size) (i32.const 1)) (then unreachable))
            (if (i32.eqz (ref.is_null (table.get 0 (i32.const 0)))) (then unreachable))
            (memory.init 0 (i32.const 40) (i32.const 0) (i32.const 1))
            (i64.or (i64.const 0x20_0000_0008) (i64.extend_i32_u (i32.load (i32.const 0))))))"#,
    );
    // Of the lines 3, 5, 5, 6, 4 and 5, each `if` with its `end`, and the last one.
    let executed = 29;
    let form = Form::component(&wasm).input(b"abc");
    let rows = "0,input+output,3,1,4,1,1,1,1.00\n";
    assert_eq!(render(&form, executed), Ok(format!("{HEADER}{rows}")));
    assert_eq!(render(&form, executed - 1).unwrap_err().mode, Mode::Budget);
    assert_eq!(OUTPUT.render(&form, executed), Ok(b"abc\0\0\0\0\0".to_vec()));
}

#[test]
fn a_getter_may_execute_10_000_instructions() {
    let counting = |more: &str| {
        let round = "(br_if 0 (i32.ne (local.tee 0 (i32.add (local.get 0) (i32.const 1))) (i32.const 1428)))";
        target(&format!("(local i32) (loop {round}) (i32.const 8) {more}"), 8, "")
    };
    // One for the loop, 7 for each of its rounds, and 3 behind it.
    assert_eq!(1 + 7 * 1428 + 3, 10_000);
    assert!(render(&Form::component(&counting("")), 2).is_ok());
    let wasm = counting("nop");
    let form = Form::component(&wasm);
    let export = wasm.windows(16).position(|name| name == b"output_bytes_cap").unwrap() as u32 - 1;
    assert_refused(&form, BUDGET, Mode::Contract, form.offset_of("component") + export);
}

/// The targets of the examples without optimisation, which a host takes as little as it takes a debug build: their output is that of
/// the release build.
#[test]
fn debug_builds_run() {
    let read = |path: &str| fs::read(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("`make test` builds it");
    let mandelbrot = ["image/bmp/mandelbrot.wasm", "target/debug-builds/mandelbrot.wasm"].map(read);
    same_output(&mandelbrot, b"16 12 50");
    if let (Some(release), Some(debug)) = (word_counts(), built_by_clang("target/debug-builds/word-counts.wasm")) {
        same_output(&[release, debug], b"one two two");
    }
}

fn same_output([release, debug]: &[Vec<u8>; 2], input: &[u8]) {
    const BUDGET: u32 = 100_000_000;
    let [release, debug] = [release, debug].map(|wasm| Form::component(wasm).input(input));
    let output = OUTPUT.render(&release, BUDGET);
    assert!(output.is_ok());
    assert_eq!(OUTPUT.render(&debug, BUDGET), output);
    assert!(render(&debug, BUDGET).is_ok());
}
