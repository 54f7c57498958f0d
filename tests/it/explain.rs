//! Rejections in words. That mode and offset are the page CSV's is asserted wherever a test asserts a rejection; here are whole
//! texts, damaged requests, and requests that spend the memory.

mod refusals;

use qip_interpret::{Mode, Rejection};

use crate::support::{BUDGET, Component, EXPLANATION, Form, PAGE_WRITES, Tool, assemble};

#[track_caller]
fn assert_explained(form: &Form, budget: u32, expected: &str) {
    let text = EXPLANATION.render_text(form, budget).expect("every request is explained");
    assert!(text == expected, "{text}\ninstead of\n\n{expected}");
}

/// A target with this `render`, which may call `$far`, and rejects an input that is not empty.
fn target(render: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 1 1)
          (func (export "input_ptr") (result i32) (i32.const 0))
          (func (export "input_utf8_cap") (result i32) (i32.const 8))
          (func (export "output_bytes_cap") (result i32) (i32.const 0))
          (func (export "failure_modes_per_input_offset") (result i32) (i32.const 1))
          (func $far (param i32) (i32.store offset=65533 (local.get 0) (i32.const 1)))
          (func $main (export "render") (param i32) (result i64) {render}
            (if (local.get 0) (then (return (i64.const 0x8000_0000_0000_0001)))) (i64.const 0)))"#
    ))
}

#[test]
fn a_run_that_succeeds() {
    let form = Form::component(&target("nop")).input(b"");
    assert_explained(&form, 10, "The run succeeds.\n\ninstructions: 6 of 10\noutput: 0 bytes\n");
}

#[test]
fn a_trap() {
    assert_explained(
        &Form::component(&target("(call $far (local.get 0))")),
        BUDGET,
        "\
trap: an access beyond the end of memory, which has 65536 bytes

mode: 16
offset: 267
part: component
byte: 170 (0xaa) of 223
section: code
function: 4 far
instruction: i32.store

call stack, innermost first:
  function 4 far +0xaa
  function 5 main +0xb4

0x000090  04 00 41 00 0b 04 00 41 08 0b 04 00 41 00 0b 04  ..A....A....A...
0x0000a0  00 41 01 0b 0b 00 20 00 41 01[36]02 fd ff 03 0b  .A.... .A.6.....
0x0000b0  19 00 20 00 10 04 20 00 04 40 42 81 80 80 80 80  .. ... ..@B.....
",
    );
}

#[test]
fn a_spent_budget() {
    assert_explained(
        &Form::component(&target("(loop (br 0))")),
        100,
        "\
the instruction budget of 100 is spent
hint: -u instruction_budget=N raises it, up to 4294967295

mode: 9
offset: 277
part: component
byte: 180 (0xb4) of 224
section: code
function: 5 main
instruction: br

0x0000a0  00 41 01 0b 0b 00 20 00 41 01 36 02 fd ff 03 0b  .A.... .A.6.....
0x0000b0  1a 00 03 40[0c]00 0b 20 00 04 40 42 81 80 80 80  ...@... ..@B....
0x0000c0  80 80 80 80 80 7f 0f 0b 42 00 0b 00 13 04 6e 61  ........B.....na
",
    );
}

#[test]
fn a_broken_contract() {
    let wasm = assemble(
        r#"(module (memory (export "memory") 1 1) (func (export "render") (result i64) (i64.const 0))
            (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#,
    );
    assert_explained(
        &Form::component(&wasm),
        BUDGET,
        "\
\"render\" is () -> i64, must be (i32) -> i64

mode: 6
offset: 139
part: component
byte: 42 (0x2a) of 83
section: export
export: render

0x000010  00 01 7f 03 03 02 00 01 05 04 01 01 01 01 07 26  ...............&
0x000020  03 06 6d 65 6d 6f 72 79 02 00[06]72 65 6e 64 65  ..memory...rende
0x000030  72 00 00 10 6f 75 74 70 75 74 5f 62 79 74 65 73  r...output_bytes
",
    );
}

#[test]
fn an_input_that_the_target_rejects() {
    assert_explained(
        &Form::component(&target("")).input(b"input"),
        BUDGET,
        "\
The target itself rejected its input.

mode: 10
offset: 412
target_mode: 0 of 1
part: input
byte: 1 (0x1) of 5

0x000000  69[6e]70 75 74                                   input
",
    );
}

/// What a target says of itself: the mode, where it has several, and the bare number where it does not say how many.
#[test]
fn a_targets_own_failure() {
    let wat = |modes: &str, result: u64| {
        assemble(&format!(
            r#"(module
              (memory (export "memory") 1 1)
              (func (export "input_ptr") (result i32) (i32.const 0))
              (func (export "input_bytes_cap") (result i32) (i32.const 8))
              (func (export "output_bytes_cap") (result i32) (i32.const 0))
              {modes}
              (func (export "render") (param i32) (result i64) (i64.const {result})))"#,
        ))
    };
    let modes =
        |number| format!(r#"(func (export "failure_modes_per_input_offset") (result i32) (i32.const {number}))"#);
    let failed = 1 << 63;
    for (modes, result, says, byte) in [
        (modes(8), failed | (3 * 8 + 5), "target_mode: 5 of 8", 3),
        (modes(8), failed | 7, "target_mode: 7 of 8", 0),
        // An offset behind the input is taken for its end, and the largest number is no offset of its own.
        (modes(8), failed | (100 * 8 + 1), "target_mode: 1 of 8", 5),
        (modes(1), failed | 0xffff_ffff, "target_mode: 0 of 1", 5),
        (modes(-1), failed | 0xffff_fffe, "target_mode: 4294967294 of 4294967295", 0),
        (modes(0), failed | 17, "target_failure: 17", 0),
        (String::new(), failed | 17, "target_failure: 17", 0),
    ] {
        let form = Form::component(&wat(&modes, result)).input(b"input");
        let text = EXPLANATION.render_text(&form, BUDGET).unwrap();
        let end = if byte == 5 { ", the end" } else { "" };
        let lines = format!(
            "The target itself rejected its input.\n\nmode: 10\noffset: {}\n{says}\npart: input\nbyte: {byte} (0x{byte:x}) of 5{end}\n",
            form.offset_of("input") + byte
        );
        assert!(text.starts_with(&lines), "{text}\ninstead of\n{lines}");
    }
    // A generator has no input to reject a byte of.
    let generator = assemble(
        r#"(module (memory (export "memory") 1 1) (func (export "output_bytes_cap") (result i32) (i32.const 0))
            (func (export "failure_modes_per_input_offset") (result i32) (i32.const 4))
            (func (export "render") (param i32) (result i64) (i64.const 0x8000_0000_0000_0003)))"#,
    );
    let text = EXPLANATION.render_text(&Form::component(&generator), BUDGET).unwrap();
    assert!(text.contains("\ntarget_mode: 3 of 4\npart: component\nbyte: 0 "), "{text}");
}

#[test]
fn a_uniform_that_the_target_does_not_have() {
    assert_explained(
        &Form::component(&target("")).uniform("depth", "3"),
        BUDGET,
        "\
no export \"uniform_set_depth\"
hint: the component takes no uniforms

mode: 2
offset: 410
part: key of uniforms[depth]
byte: 0 (0x0) of 5

0x000000 [64]65 70 74 68                                   depth
",
    );
}

#[test]
fn a_form_that_is_malformed() {
    assert_explained(
        &Form::component(b"").announced_as(b"ffffffff-ffff-ffff-ffff-ffffffffffff"),
        BUDGET,
        "\
the form starts with \"--uuid-00000000-0000-0000-0000-000000000000\", and must start with its boundary, --uuid-ffffffff-ffff-ffff-ffff-ffffffffffff
hint: the boundary in the form must be the one that the host was told

mode: 0
offset: 7
part: the whole request
byte: 7 (0x7) of 146

0x000000  2d 2d 75 75 69 64 2d[30]30 30 30 30 30 30 30 2d  --uuid-00000000-
0x000010  30 30 30 30 2d 30 30 30 30 2d 30 30 30 30 2d 30  0000-0000-0000-0
",
    );
}

#[test]
fn a_form_without_a_component() {
    assert_explained(
        &Form::new().input(b""),
        BUDGET,
        "\
the form has no part \"component\"
hint: -F component=@FILE.wasm sends one

mode: 1
offset: 142
part: the whole request
byte: 142 (0x8e) of 142, the end

0x000070  30 30 30 2d 30 30 30 30 2d 30 30 30 30 2d 30 30  000-0000-0000-00
0x000080  30 30 30 30 30 30 30 30 30 30 2d 2d 0d 0a[  ]    0000000000--..
",
    );
}

#[test]
fn a_component_that_is_cut_off() {
    let wasm = target("");
    assert_explained(
        &Form::component(&wasm[..100]),
        BUDGET,
        "\
the component is cut off: 41 bytes are missing of its export section
hint: write or download the file again; it has 100 bytes

mode: 3
offset: 136
part: component
byte: 39 (0x27) of 100
section: export

0x000010  01 7f 00 60 01 7f 01 7e 03 07 06 00 00 00 00 01  ...`...~........
0x000020  02 05 04 01 01 01 01[07]64 06 06 6d 65 6d 6f 72  ........d..memor
0x000030  79 02 00 09 69 6e 70 75 74 5f 70 74 72 00 00 0e  y...input_ptr...
",
    );
}

/// A name is printed as in the CSV by function.
#[test]
fn a_name_that_would_do_harm() {
    let mut wasm = target("unreachable");
    let name = wasm.windows(4).rposition(|bytes| bytes == b"main").expect("the name section has it");
    wasm[name..name + 4].copy_from_slice(b"\x1b[2J");
    let text = EXPLANATION.render_text(&Form::component(&wasm), BUDGET).unwrap();
    assert!(text.contains("function: 5 \u{fffd}[2J\n"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
}

type Render = fn(&Component, &Form, u32) -> Result<Vec<u8>, Rejection>;

/// Asserts that the text says what the page CSV's component answers, and returns whether that is a rejection.
#[track_caller]
fn assert_same(form: &Form, render: Render) -> bool {
    let text = render(&EXPLANATION, form, BUDGET).expect("every request is explained");
    let outcome = render(&PAGE_WRITES, form, BUDGET);
    let start = match &outcome {
        Ok(_) => "The run succeeds.\n".to_owned(),
        Err(why) => format!("\n\nmode: {}\noffset: {}\n", why.mode as u8, why.offset),
    };
    let text = String::from_utf8(text).expect("the text is UTF-8");
    assert!(text.contains(&start) && text.len() < 4096, "{text}instead of\n{start}");
    outcome.is_err()
}

/// Each byte of a component and of a form damaged in some ways: the text has the page CSV's mode and offset.
#[test]
fn damaged_requests_are_explained() {
    let wasm = target("(call $far (local.get 0))");
    let mut explained = 0;
    for at in 0..wasm.len() {
        for damage in [0xff, 0x80, 0x01] {
            let mut damaged = wasm.clone();
            damaged[at] ^= damage;
            let form = Form::component(&damaged);
            let render = if at % 8 == 0 { Component::render } else { Component::render_natively };
            explained += u32::from(assert_same(&form, render));
        }
        explained += u32::from(assert_same(&Form::component(&wasm[..at]), Component::render_natively));
    }
    assert!(explained as usize > wasm.len(), "{explained} rejections");
}

/// Memory is spent at the same instruction, and there is enough left to say so.
#[test]
fn a_spent_memory() {
    let wasm = assemble(
        r#"(module (memory (export "memory") 16384 16384)
            (func (export "output_bytes_cap") (result i32) (i32.const 0))
            (func (export "render") (param i32) (result i64)
              (loop
                (i32.store (local.get 0) (i32.const 1))
                (br_if 0 (local.tee 0 (i32.add (local.get 0) (i32.const 65536)))))
              (i64.const 0)))"#,
    );
    let form = Form::component(&wasm);
    let rejection = Tool::new().render(&form).expect_err("there is no memory");
    assert_eq!(rejection.mode, Mode::OutOfMemory);
    let mut tool = Tool::of(&EXPLANATION);
    for _ in 0..2 {
        let text = tool.render(&form).expect("there is memory to explain");
        assert!(text.starts_with("The tool's memory is spent.\n\nmode: 11\n"), "{text}");
        assert!(text.contains(&format!("\noffset: {}\n", rejection.offset)) && text.contains("i32.store"), "{text}");
    }
}
