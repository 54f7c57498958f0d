//! Runs that trap, or need more than there is.

use qip_interpret::Mode;

use super::{component_refused, instruction_refused, refused, target};
use crate::support::{BUDGET, Form, HEADER, Tool, assemble, assert_refused, operator_offsets, render};

#[test]
fn budget() {
    let wasm = target("(loop (br 0)) (i64.const 0)", "");
    component_refused(&wasm, Mode::Budget, operator_offsets(&wasm)[1]);
}

/// The component's memory is fixed, so this is a limit of the built component alone.
#[test]
fn out_of_memory() {
    let wasm = assemble(
        r#"(module (memory (export "memory") 16384 16384)
             (func (export "render") (param i32) (result i64)
               (memory.fill (i32.const 0) (i32.const 1) (i32.const 0x4000_0000)) (i64.const 0))
             (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#,
    );
    let form = Form::component(&wasm);
    let mut tool = Tool::new();
    let good = Form::component(&target("(i32.store8 (i32.const 1) (i32.const 2)) (i64.const 0)", ""));
    for _ in 0..2 {
        let rejection = tool.render(&form).unwrap_err();
        assert_eq!(rejection.mode, Mode::OutOfMemory);
        assert_eq!(rejection.offset, form.offset_of("component") + operator_offsets(&wasm)[3]);
        assert_eq!(tool.counters().live, 0);
        assert_eq!(tool.render(&good), Ok(format!("{HEADER}0,other,0,0,0,1,1,1,1.00\n")));
    }
}

#[test]
fn traps() {
    for (mode, instruction, operator) in [
        (Mode::Unreachable, "unreachable", 0),
        (Mode::DivideByZero, "(drop (i32.div_s (i32.const 1) (i32.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i32.div_u (i32.const 1) (i32.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i32.rem_s (i32.const 1) (i32.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i32.rem_u (i32.const 1) (i32.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i64.div_s (i64.const 1) (i64.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i64.div_u (i64.const 1) (i64.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i64.rem_s (i64.const 1) (i64.const 0)))", 2),
        (Mode::DivideByZero, "(drop (i64.rem_u (i64.const 1) (i64.const 0)))", 2),
        (Mode::DivideByZero, "(local.set 0 (i32.div_u (local.get 0) (local.get 0)))", 2),
        (Mode::IntegerOverflow, "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))", 2),
        (Mode::IntegerOverflow, "(drop (i64.div_s (i64.const 0x8000000000000000) (i64.const -1)))", 2),
        (Mode::IntegerOverflow, "(drop (i32.trunc_f32_s (f32.const 0x1p31)))", 1),
        (Mode::IntegerOverflow, "(drop (i32.trunc_f64_u (f64.const -1)))", 1),
        (Mode::IntegerOverflow, "(drop (i64.trunc_f64_s (f64.const inf)))", 1),
        (Mode::InvalidConversion, "(drop (i32.trunc_f32_s (f32.const nan)))", 1),
        (Mode::InvalidConversion, "(drop (i32.trunc_f64_u (f64.const nan)))", 1),
        (Mode::InvalidConversion, "(drop (i64.trunc_f32_u (f32.const nan)))", 1),
        (Mode::InvalidConversion, "(drop (i64.trunc_f64_s (f64.const nan)))", 1),
        (Mode::MemoryOutOfBounds, "(drop (i32.load (i32.const 131069)))", 1),
        (Mode::MemoryOutOfBounds, "(drop (i32.load8_u (i32.const 131072)))", 1),
        (Mode::MemoryOutOfBounds, "(drop (i64.load offset=131065 (i32.const 0)))", 1),
        (Mode::MemoryOutOfBounds, "(drop (i32.load offset=1 (i32.const -1)))", 1),
        (Mode::MemoryOutOfBounds, "(drop (i32.load offset=0xffffffff (i32.const -1)))", 1),
        (Mode::MemoryOutOfBounds, "(i64.store offset=0x80000000 (i32.const 0x80000000) (i64.const 0))", 2),
        (Mode::MemoryOutOfBounds, "(i32.store (i32.const 131070) (local.get 0))", 2),
        (Mode::MemoryOutOfBounds, "(i32.store (i32.const 0) (i32.load (i32.const 131070)))", 2),
        (Mode::MemoryOutOfBounds, "(i32.store (i32.const 131070) (i32.load (i32.const 0)))", 3),
        (Mode::MemoryOutOfBounds, "(block (br_if 0 (i32.eqz (i32.load (i32.const 131070)))))", 2),
        (Mode::MemoryOutOfBounds, "(memory.copy (i32.const 0) (i32.const 131071) (i32.const 2))", 3),
        (Mode::MemoryOutOfBounds, "(memory.copy (i32.const 131073) (i32.const 0) (i32.const 0))", 3),
        (Mode::MemoryOutOfBounds, "(memory.copy (i32.const 0) (i32.const 131073) (i32.const 0))", 3),
        (Mode::MemoryOutOfBounds, "(memory.fill (i32.const 131073) (i32.const 0) (i32.const 0))", 3),
        (Mode::MemoryOutOfBounds, "(memory.fill (i32.const 1) (i32.const 0) (i32.const -1))", 3),
        (Mode::MemoryOutOfBounds, "(memory.init 0 (i32.const 131073) (i32.const 0) (i32.const 0))", 3),
        (Mode::MemoryOutOfBounds, "(memory.init 0 (i32.const 0) (i32.const 5) (i32.const 0))", 3),
        (Mode::MemoryOutOfBounds, "(memory.init 0 (i32.const 0) (i32.const 1) (i32.const 4))", 3),
        (Mode::MemoryOutOfBounds, "(data.drop 0) (memory.init 0 (i32.const 0) (i32.const 0) (i32.const 1))", 4),
        (Mode::TableOutOfBounds, "(drop (table.get 0 (i32.const 4)))", 1),
        (Mode::TableOutOfBounds, "(table.set 0 (i32.const -1) (ref.null func))", 2),
        (Mode::TableOutOfBounds, "(table.fill 0 (i32.const 3) (ref.null func) (i32.const 2))", 3),
        (Mode::TableOutOfBounds, "(table.copy 0 0 (i32.const 5) (i32.const 0) (i32.const 0))", 3),
        (Mode::TableOutOfBounds, "(table.init 0 0 (i32.const 0) (i32.const 0) (i32.const 2))", 3),
        (Mode::UndefinedElement, "(call_indirect (i32.const 4))", 1),
        (Mode::UndefinedElement, "(return_call_indirect (result i64) (i32.const -1))", 1),
        (Mode::UninitializedElement, "(call_indirect (i32.const 2))", 1),
        (Mode::IndirectCallType, "(call_indirect (param i32) (i32.const 0) (i32.const 1))", 2),
    ] {
        let rest = r#"(func) (table 4 funcref) (elem func 1) (elem (i32.const 1) func 1) (data "abcd")"#;
        instruction_refused(&format!("{instruction} (i64.const 0)"), rest, mode, operator);
    }
}

/// In a callee, in a setter, and deep inside: the offset is that of the instruction, not of a call.
#[test]
fn traps_in_callees() {
    let callee = r#"(func (param i32) (if (local.get 0) (then (call 1 (i32.sub (local.get 0) (i32.const 1)))) (else unreachable)))"#;
    instruction_refused("(call 1 (i32.const 50)) (i64.const 0)", callee, Mode::Unreachable, 11);
    let setter = r#"(func (export "uniform_set_x") (param i32) (result i32) nop unreachable)"#;
    let wasm = target("(i64.const 0)", setter);
    let form = Form::component(&wasm).uniform("x", "1");
    refused(&form, Mode::Unreachable, form.offset_of("component") + operator_offsets(&wasm)[3]);
}

/// Calls nest to at least 10,000 frames; too deep is a trap at the call.
#[test]
fn call_stack_exhausted() {
    let countdown = target(
        "(call 1 (i32.const 9_998)) (i64.const 0)",
        "(func (param i32) (if (local.get 0) (then (call 1 (i32.sub (local.get 0) (i32.const 1))))))",
    );
    assert_eq!(render(&Form::component(&countdown), BUDGET), Ok(HEADER.to_owned()));
    let endless = |render: &str, rest: &str, call: usize| {
        let wasm = target(render, rest);
        let form = Form::component(&wasm);
        let offset = form.offset_of("component") + operator_offsets(&wasm)[call];
        assert_refused(&form, u32::MAX, Mode::CallStackExhausted, offset);
        refused(&form, Mode::Budget, offset);
    };
    endless("(call 1) (i64.const 0)", "(func (call 1) nop)", 3);
    // Through a table, with a larger frame.
    let indirect = format!("(func (local {}) (call_indirect (i32.const 0)))", "i64 ".repeat(64));
    let wasm = target("(call_indirect (i32.const 0)) (i64.const 0)", &format!("{indirect} (table funcref (elem 1))"));
    component_refused(&wasm, Mode::CallStackExhausted, operator_offsets(&wasm)[5]);
    // A tail call takes no frame.
    let tail = target("(return_call 1)", "(func (result i64) (return_call 1))");
    component_refused(&tail, Mode::Budget, operator_offsets(&tail)[2]);
}
