//! Each failure mode with its exact offset, and after each of them the next request on the same instance (docs/spec.md §4).

mod contract;
mod limits;
mod module;
mod request;
mod run;

use qip_interpret::Mode;

use crate::support::{BUDGET, Form, HEADER, MODES, assemble, assert_refused, operator_offsets, render};

const GETTERS: &str = r#"
    (func (export "output_utf8_cap") (result i32) i32.const 16)
    (func (export "input_ptr") (result i32) i32.const 65536)
    (func (export "input_utf8_cap") (result i32) i32.const 8)"#;

/// A target of two pages whose functions are `render`, with this body, then `rest`, then the getters.
pub fn target(render: &str, rest: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 2 2)
          (func (export "render") (param i32) (result i64) {render})
          {rest}
          {GETTERS})"#
    ))
}

/// Asserts that both builds refuse the request, and render another one after it.
#[track_caller]
fn refused(form: &Form, mode: Mode, offset: u32) {
    assert_refused(form, BUDGET, mode, offset);
    let good = Form::component(&target("(i32.store8 (i32.const 1) (i32.const 2)) (i64.const 0)", "")).input(b"abc");
    assert_eq!(
        render(&good, BUDGET),
        Ok(format!("{HEADER}0,other,0,0,0,1,1,1,1.00\n1,input,3,0,0,0,0,0,\n")),
        "the request after one that was refused"
    );
}

/// The same for a fault at byte `offset` of the component.
#[track_caller]
fn component_refused(wasm: &[u8], mode: Mode, offset: u32) {
    // With a part before the component, so that its offset is not always the same.
    for form in [Form::component(wasm), Form::new().input(b"").part("component", wasm)] {
        refused(&form, mode, form.offset_of("component") + offset);
    }
}

/// The same for a fault at instruction `operator` of the target with this body.
#[track_caller]
fn instruction_refused(render: &str, rest: &str, mode: Mode, operator: usize) {
    let wasm = target(render, rest);
    component_refused(&wasm, mode, operator_offsets(&wasm)[operator]);
}

#[test]
fn modes_have_stable_numbers() {
    for (number, mode) in MODES.iter().enumerate() {
        assert_eq!(*mode as usize, number);
    }
}
