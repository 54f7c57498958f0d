//! The target's output. That it is what the target returns by itself is asserted for every rule in `counting` and every
//! module in `real_modules`; here is what those do not show.

use qip_interpret::{Mode, Rejection};

use crate::second_counter::plain_output;
use crate::support::{BUDGET, Form, OUTPUT, PAGE_WRITES, Tool, assemble, operator_offsets};

const MARKDOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/text/markdown/commonmark.0.31.2.wasm");

/// A target whose memory, of which the first page ends in `ab`, has `pages`, and which returns this.
fn returning(pages: u32, result: u64) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") {pages} {pages})
          (func (export "output_bytes_cap") (result i32) (i32.const -1))
          (func (export "render") (param i32) (result i64)
            (i32.store16 (i32.const 65534) (i32.const 0x6261)) (i64.const {result})))"#
    ))
}

#[test]
fn outputs_lie_anywhere_and_are_of_any_bytes() {
    for (result, expected) in [
        (0, vec![]),
        (65534 << 32 | 2, b"ab".to_vec()),
        // Over the edge to pages that were not touched.
        (65535 << 32 | 131_074, [b"b", &[0; 131_073][..]].concat()),
        (0, vec![]),
    ] {
        let form = Form::component(&returning(4, result));
        assert_eq!(OUTPUT.render(&form, BUDGET), Ok(expected.clone()), "{result:#x}");
        assert_eq!(plain_output(&returning(4, result), b"", &[]).unwrap(), expected);
    }
    let bytes: Vec<u8> = (0..=255).collect();
    let echo = assemble(
        r#"(module
          (memory (export "memory") 1 1)
          (func (export "input_ptr") (result i32) (i32.const 7))
          (func (export "input_bytes_cap") (result i32) (i32.const 256))
          (func (export "output_bytes_cap") (result i32) (i32.const 256))
          (func (export "render") (param i32) (result i64)
            (i64.or (i64.const 0x7_0000_0000) (i64.extend_i32_u (local.get 0)))))"#,
    );
    assert_eq!(OUTPUT.render(&Form::component(&echo).input(&bytes), BUDGET), Ok(bytes));
}

/// Each of the CommonMark specification's 652 examples, one after the other on one instance.
#[test]
fn markdown_renders_as_it_does_alone() {
    let wasm = std::fs::read(MARKDOWN).expect("`make test` builds the component first");
    let mut tool = Tool::of(&OUTPUT);
    for (line, input, expected) in crate::markdown::examples() {
        tool.set_budget(10_000_000);
        let output = tool.render_bytes(&Form::component(&wasm).input(input.as_bytes()));
        assert_eq!(output, Ok(plain_output(&wasm, input.as_bytes(), &[]).unwrap()), "spec.txt:{line}");
        assert_eq!(output, Ok(expected.into_bytes()), "spec.txt:{line}");
    }
}

/// Untouched pages take no memory, but an output of them does.
#[test]
fn an_output_that_does_not_fit_is_rejected() {
    let mut tool = Tool::of(&OUTPUT);
    for _ in 0..2 {
        let rejection = tool.render_bytes(&Form::component(&returning(65536, 0xffff_ffff)));
        assert_eq!(rejection, Err(Rejection::new(Mode::OutOfMemory, 0)));
        assert_eq!(tool.counters().live, 0);
        let large = tool.render_bytes(&Form::component(&returning(4096, 128 << 20))).expect("128 MiB fit");
        assert_eq!((large.len(), large[65534..65537].to_owned()), (128 << 20, b"ab\0".to_vec()));
    }
}

/// What is rejected is rejected as the page CSV is, and the next request answered.
#[test]
fn rejections_are_the_same() {
    let trap = returning(1, 0);
    let store = operator_offsets(&trap)[3];
    let mut damaged = trap.clone();
    damaged[store as usize] = 0xff;
    let forms = [
        Form::component(&damaged),
        Form::component(&returning(0, 0)),
        Form::component(&returning(1, 1 << 63 | 5)).input(b""),
        Form::component(&returning(1, 1 << 32 | 65536)),
        Form::component(&trap).input(b"x"),
        Form::component(&trap).uniform("none", "1"),
        Form::new().input(b""),
    ];
    for form in forms {
        let rejection = PAGE_WRITES.render(&form, BUDGET).expect_err("the request is rejected");
        assert_eq!(OUTPUT.render(&form, BUDGET), Err(rejection));
        assert_eq!(OUTPUT.render(&Form::component(&trap), BUDGET), Ok(vec![]));
    }
    assert_eq!(OUTPUT.render(&Form::component(&trap), 3).map_err(|rejection| rejection.mode), Err(Mode::Budget));
}
