//! Faults of the request itself.

use qip_interpret::Mode;

use super::{refused, target};
use crate::support::{BUDGET, Form, HEADER, UUID, render};

#[test]
fn malformed_request() {
    let wasm = target("(i64.const 0)", "");
    let form = Form::component(&wasm).part("input\"; x", b"");
    refused(&form, Mode::MalformedRequest, find(&form, "x\"\r\n") + 1);
    let upper_case = Form::with_boundary(b"00000000-0000-0000-0000-00000000000A").part("component", &wasm);
    refused(&upper_case, Mode::MalformedRequest, 0);
}

/// The boundary is read from memory at each render.
#[test]
fn boundary_is_the_one_in_the_slot() {
    let wasm = target("(i64.const 0)", "");
    let other = b"01234567-89ab-cdef-0123-456789abcdef";
    assert_eq!(render(&Form::with_boundary(other).part("component", &wasm), BUDGET), Ok(HEADER.to_owned()));
    // With one boundary in the slot and the other in the body, the first digit that differs is at fault.
    let form = Form::with_boundary(other).part("component", &wasm).announced_as(UUID);
    refused(&form, Mode::MalformedRequest, "--uuid-0".len() as u32);
}

#[test]
fn bad_part() {
    let wasm = target("(i64.const 0)", "");
    let empty = Form::new();
    refused(&empty, Mode::BadPart, empty.body().len() as u32);
    let no_component = Form::new().input(b"x");
    refused(&no_component, Mode::BadPart, no_component.body().len() as u32);
    let unknown = Form::component(&wasm).part("other", b"");
    refused(&unknown, Mode::BadPart, find(&unknown, "other"));
    let twice = Form::component(&wasm).input(b"").input(b"");
    refused(&twice, Mode::BadPart, twice.body().windows(5).rposition(|window| window == b"input").unwrap() as u32);
}

#[test]
fn bad_uniform() {
    let wasm = target(
        "(i64.const 0)",
        r#"(func (export "uniform_set_i") (param i32) (result i32) local.get 0)
           (func (export "uniform_set_l") (param i64) (result i64) local.get 0)
           (func (export "uniform_set_f") (param f32) (result f32) local.get 0)
           (func (export "uniform_set_d") (param f64) (result f64) local.get 0)
           (func (export "uniform_set_mixed") (param i32) (result i64) i64.const 0)
           (func (export "uniform_set_two") (param i32 i32) (result i32) local.get 0)
           (func (export "uniform_set_silent") (param i32))
           (func (export "uniform_set_constant") (result i32) i32.const 0)
           (func (export "uniform_set_reference") (param funcref) (result funcref) local.get 0)
           (global (export "uniform_set_global") i32 (i32.const 0))"#,
    );
    for key in ["a__b", "missing", "mixed", "two", "silent", "constant", "reference", "global"] {
        let form = Form::component(&wasm).uniform("i", "1").uniform(key, "1");
        let fault = if key == "a__b" { "_b]" } else { &format!("{key}]") };
        refused(&form, Mode::BadUniform, find(&form, fault));
    }
    for (key, value) in [
        ("i", "4294967296"),
        ("i", "-1"),
        ("i", ""),
        ("i", "1.5"),
        ("l", "9223372036854775808"),
        ("l", "-0x1"),
        ("f", "1e39"),
        ("f", "nan"),
        ("d", "inf"),
        ("d", " 1"),
    ] {
        let form = Form::new().uniform(key, value).part("component", &wasm);
        refused(&form, Mode::BadUniform, form.offset_of(&format!("uniforms[{key}]")));
    }
    for (key, value) in [("i", "4294967295"), ("l", "-9223372036854775808"), ("f", "1e38"), ("d", "1e308")] {
        assert_eq!(render(&Form::component(&wasm).uniform(key, value), BUDGET), Ok(HEADER.to_owned()));
    }
}

/// A setter gets exactly the value that was sent.
#[test]
fn uniform_values_reach_their_setters() {
    for (ty, sent, received) in [
        ("i32", "4294967295", "(i32.const -1)"),
        ("i32", "0x80000000", "(i32.const 0x80000000)"),
        ("i64", "-2", "(i64.const -2)"),
        ("i64", "0xfedcba9876543210", "(i64.const 0xfedcba9876543210)"),
        ("f32", "0.1", "(f32.const 0.1)"),
        ("f32", "-1e-45", "(f32.const -0x1p-149)"),
        ("f64", "0.1", "(f64.const 0.1)"),
        ("f64", "1e308", "(f64.const 1e308)"),
    ] {
        let setter = format!(
            r#"(func (export "uniform_set_x") (param {ty}) (result {ty})
                 (if ({ty}.ne (local.get 0) {received}) (then unreachable)) (local.get 0))"#
        );
        let form = Form::component(&target("(i64.const 0)", &setter)).uniform("x", sent);
        assert_eq!(render(&form, BUDGET), Ok(HEADER.to_owned()), "{ty} {sent}");
    }
}

/// Where `needle` is in the request.
#[track_caller]
fn find(form: &Form, needle: &str) -> u32 {
    let at = form.body().windows(needle.len()).position(|window| window == needle.as_bytes());
    at.unwrap_or_else(|| panic!("{needle:?} is in the request")) as u32
}
