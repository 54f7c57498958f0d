//! Targets that take a form, which are told its boundary; the tool is one.

use std::fs;

use qip_interpret::Mode;

use crate::second_counter::plain_output;
use crate::support::{BUDGET, Form, HEADER, OUTPUT, PAGE_WRITES, assemble, render};

const FORM_TYPE: &str = "multipart/form-data;boundary=uuid-00000000-0000-0000-0000-000000000000";
const BOUNDARY: &[u8; 36] = b"3f2b8c1e-9d47-4a60-8e15-c07a5d1b92f4";

/// A target that returns the content type of its input, which lies over a page's edge.
fn target(content_type: &str, size: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 3 3)
          (data (i32.const 65500) "{content_type}")
          (func (export "input_ptr") (result i32) i32.const 131072)
          (func (export "input_bytes_cap") (result i32) i32.const 65536)
          (func (export "output_utf8_cap") (result i32) i32.const 100)
          (func (export "input_content_type_ptr") (result i32) i32.const 65500)
          (func (export "input_content_type_size") (result i32) {size})
          (func (export "render") (param i32) (result i64) (i64.const {})))"#,
        65500 << 32 | FORM_TYPE.len()
    ))
}

#[test]
fn the_boundary_is_put_where_the_target_looks_for_it() {
    let input = [b"--uuid-", &BOUNDARY[..], b"\r\n"].concat();
    let replaced = FORM_TYPE.replace("00000000-0000-0000-0000-000000000000", str::from_utf8(BOUNDARY).unwrap());
    for size in ["(i32.const 70)", "(i32.const 70) return"] {
        let form = Form::component(&target(FORM_TYPE, size)).input(&input);
        assert_eq!(OUTPUT.render(&form, BUDGET), Ok(replaced.clone().into_bytes()));
        // It counts as nothing.
        let rows = "0,data+output,36,0,0,0,0,0,\n1,data+output,34,0,0,0,0,0,\n2,input,45,0,0,0,0,0,\n";
        assert_eq!(render(&form, BUDGET), Ok(format!("{HEADER}{rows}")));
    }
}

/// Where the input or the content type is something else, that stays.
#[test]
fn other_targets_and_inputs_are_left_alone() {
    let delimiter = |uuid: &str| [b"--uuid-", uuid.as_bytes()].concat();
    let form = delimiter(str::from_utf8(BOUNDARY).unwrap());
    let upper_case = delimiter("3F2B8C1E-9D47-4A60-8E15-C07A5D1B92F4");
    let other_type = FORM_TYPE.replace("form-data", "form_data");
    let other_boundary = FORM_TYPE.replace("-0000-", "_0000-");
    for (content_type, size, input) in [
        (FORM_TYPE, 70, &b""[..]),
        (FORM_TYPE, 70, &form[1..]),
        (FORM_TYPE, 70, &form[..form.len() - 1]),
        (FORM_TYPE, 70, &upper_case),
        (FORM_TYPE, 69, &form),
        (FORM_TYPE, 71, &form),
        (FORM_TYPE, -1, &form),
        (&other_type, 70, &form),
        (&other_boundary, 70, &form),
    ] {
        let target = target(content_type, &format!("i32.const {size}"));
        let expected = Ok(content_type.as_bytes().to_vec());
        assert_eq!(OUTPUT.render(&Form::component(&target).input(input), BUDGET), expected, "{size} {input:?}");
    }
    let broken = target(FORM_TYPE, "unreachable");
    assert_eq!(render(&Form::component(&broken).input(&form), BUDGET).unwrap_err().mode, Mode::Contract);
}

/// What `./qip run` does in the page of the content interpreter: a form goes to the tool in the tool.
#[test]
fn the_tool_runs_in_itself() {
    let read = |path: &str| fs::read(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect("`make test` builds it");
    let inner = read("tests/it/clients/curl.body");
    let request = |component: &str| Form::component(&read(component)).input(&inner);
    let expected =
        plain_output(&assemble(include_str!("clients/target.wat")), "a; b=\"c\"\r\n\r\n--dé".as_bytes(), &[]);
    let expected = [b"X", &expected.unwrap()[1..]].concat();
    assert_eq!(OUTPUT.render(&request(OUTPUT.path), u32::MAX), Ok(expected));
    let report = OUTPUT.render_text(&request(PAGE_WRITES.path), u32::MAX).unwrap();
    assert!(report.starts_with(HEADER) && report.contains("\n1,input+output,17,0,0,1,1,1,1.00\n"), "{report}");
}
