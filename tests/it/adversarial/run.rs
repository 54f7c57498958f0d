//! Targets that run without end, or that take all there is.

use qip_interpret::{Mode, Rejection};

use super::{answers, component_exhausted, component_refused, renders, target_with};
use crate::failures::target;
use crate::support::binary::repeated;
use crate::support::{BUDGET, Form, HEADER, assemble, operator_offsets, render_in_component};

/// Where instruction `operator` is.
fn at(wasm: &[u8], operator: usize) -> usize {
    operator_offsets(wasm)[operator] as usize
}

/// A generator with 4 GiB of memory, whose `render` has this body and one local.
fn large_target(render: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module (memory (export "memory") 65536 65536)
             (func (export "render") (param i32) (result i64) (local i32) {render} (i64.const 0))
             (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#
    ))
}

/// The instruction in the body of an endless loop that the budget does not suffice for, by what each instruction costs.
fn unpaid(loop_body: &[u32]) -> usize {
    let mut left = BUDGET - 1;
    for (operator, &cost) in loop_body.iter().enumerate().cycle() {
        match left.checked_sub(cost) {
            Some(rest) => left = rest,
            None => return operator,
        }
    }
    unreachable!("the loop is endless")
}

#[test]
fn recursion() {
    let locals = |count: usize| format!("(local {})", "i64 ".repeat(count));
    let (few, many) = (locals(64), locals(8_000));
    for (case, rest, operator) in [
        ("two functions that call each other", format!("(func {few} (call 2)) (func {few} (call 1))"), 5),
        (
            "two functions that call each other through a table",
            format!(
                "(func {few} (call_indirect (i32.const 1))) (func {few} (call_indirect (i32.const 0)))
                 (table funcref (elem 1 2))"
            ),
            7,
        ),
        ("a function with 8,000 locals that calls itself", format!("(func {many} (call 1))"), 3),
    ] {
        let wasm = target("(call 1) (i64.const 0)", &rest);
        // Of two functions the second is the deepest: so many frames fit in the stack.
        component_refused(case, &wasm, Mode::CallStackExhausted, at(&wasm, operator));
    }
    // Each call clears 64,000 bytes.
    let wasm = target("(return_call 1)", &format!("(func (result i64) {many} (return_call 1))"));
    component_refused("tail calls of a function with 8,000 locals", &wasm, Mode::Budget, at(&wasm, 2));
}

#[test]
fn endless_loops() {
    let wasm = target("(loop (br_table 0 0 0 (i32.const 1))) (i64.const 0)", "");
    component_refused("a branch table", &wasm, Mode::Budget, at(&wasm, 1 + unpaid(&[1, 1])));
    for (case, operation, size) in [
        ("memory.fill of 2 pages", "memory.fill (i32.const 0) (i32.const 1)", 131_072),
        ("memory.copy of 2 pages", "memory.copy (i32.const 0) (i32.const 1)", 131_072),
        ("memory.copy of 1,023 bytes", "memory.copy (i32.const 0) (i32.const 16384)", 1_023),
        ("memory.fill of 160 MiB", "memory.fill (i32.const 0) (i32.const 1)", 160 << 20),
        ("memory.copy of 160 MiB", "memory.copy (i32.const 8) (i32.const 0)", 160 << 20),
        ("memory.fill of 4 GiB", "memory.fill (i32.const 0) (i32.const 1)", u32::MAX),
        ("memory.copy of 4 GiB", "memory.copy (i32.const 0) (i32.const 0)", u32::MAX),
    ] {
        let wasm = large_target(&format!("(loop ({operation} (i32.const {size})) (br 0))"));
        let operator = 1 + unpaid(&[1, 1, 1, 1 + size / 512, 1]);
        component_refused(case, &wasm, Mode::Budget, at(&wasm, operator));
    }
    for (case, operation, size) in [
        ("table.fill of 10,000,000 entries", "table.fill 0 (i32.const 0) (ref.null func)", 10_000_000),
        ("table.copy to another table", "table.copy 0 1 (i32.const 0) (i32.const 0)", 10_000_000),
        ("table.fill of 255 entries", "table.fill 0 (i32.const 0) (ref.null func)", 255),
    ] {
        let tables = "(table 10000000 funcref) (table 10000000 funcref)";
        let wasm = target(&format!("(loop ({operation} (i32.const {size})) (br 0)) (i64.const 0)"), tables);
        let operator = 1 + unpaid(&[1, 1, 1, 1 + size / 128, 1]);
        component_refused(case, &wasm, Mode::Budget, at(&wasm, operator));
    }
}

#[test]
fn memory_is_spent() {
    let wasm = large_target("(loop (memory.fill (i32.const 0) (i32.const 1) (i32.const -1)) (br 0))");
    component_exhausted("memory.fill of 4 GiB with the largest budget", &wasm, u32::MAX, at(&wasm, 4));
    let wasm = large_target("(memory.copy (i32.const 1) (i32.const 0) (i32.const -1))");
    component_exhausted("memory.copy of 4 GiB with the largest budget", &wasm, u32::MAX, at(&wasm, 3));
    for (case, access, operator) in [
        ("a store to each page", "(i32.store8 (local.get 1) (i32.const 1))", 3),
        ("a load from each page", "(drop (i32.load8_u (local.get 1)))", 2),
        ("a store over each page edge", "(i32.store offset=65534 (local.get 1) (i32.const 1))", 3),
    ] {
        let next = "(local.tee 1 (i32.add (local.get 1) (i32.const 65536)))";
        let wasm = large_target(&format!("(loop {access} (br_if 0 {next}))"));
        component_exhausted(case, &wasm, BUDGET, at(&wasm, operator));
    }
}

#[test]
fn memory_of_4_gib() {
    let last = "65535,other,0,0,0,1,1,1,1.00\n";
    let wasm = large_target("(i32.store8 (i32.const -1) (i32.const 1))");
    renders("the last byte of 4 GiB", &Form::component(&wasm), last);
    for (case, store) in [
        ("a store across the end of 4 GiB", "i32.store (i32.const -3) (i32.const 1)"),
        ("a store behind 4 GiB", "i32.store8 offset=0xffffffff (i32.const 1) (i32.const 1)"),
    ] {
        let wasm = large_target(&format!("({store})"));
        component_refused(case, &wasm, Mode::MemoryOutOfBounds, at(&wasm, 2));
    }
    let wasm = assemble(
        r#"(module (memory (export "memory") 0 65536)
             (func (export "render") (param i32) (result i64)
               (loop (br_if 0 (i32.ne (memory.grow (i32.const 1)) (i32.const -1))))
               (if (i32.ne (memory.size) (i32.const 65536)) (then unreachable))
               (if (i32.ne (memory.grow (i32.const -1)) (i32.const -1)) (then unreachable))
               (i32.store8 (i32.const -1) (i32.const 1)) (i64.const 0))
             (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#,
    );
    renders("a memory that grows page by page to 4 GiB", &Form::component(&wasm), last);
    let wasm = assemble(r#"(module (memory (export "memory") 65537 65537))"#);
    component_refused("a memory of 65,537 pages", &wasm, Mode::InvalidWasm, 11);
}

/// Tables natively have what memory there is, so most of these are for the component alone.
#[test]
fn tables() {
    let with = |render: &str, tables: &str| target(&format!("{render} (i64.const 0)"), tables);
    let renders_alone = |case: &str, wasm: &[u8]| {
        let form = Form::component(wasm);
        answers(case, render_in_component, &form, BUDGET, Ok(HEADER.to_owned()));
    };
    let ten_million = "(table 10000000 funcref)";
    renders("a table of 10,000,000 entries", &Form::component(&with("", ten_million)), "");
    let grow = |delta: u32| {
        format!("(if (i32.ne (table.grow 0 (ref.null func) (i32.const {delta})) (i32.const -1)) (then unreachable))")
    };
    let huge = [1_000, 1 << 31, u32::MAX - 1, u32::MAX].map(grow).concat();
    renders("a table that grows beyond its maximum", &Form::component(&with(&huge, "(table 1 1000 funcref)")), "");
    renders_alone(
        "a table that grows by 2^31 entries and more",
        &with(&huge[grow(1_000).len()..], "(table 1 funcref)"),
    );
    let grow = "(loop (br_if 0 (i32.ne (table.grow 0 (ref.null func) (i32.const 1000)) (i32.const -1))))";
    let check = "(if (i32.lt_u (table.size 0) (i32.const 20_000_000)) (then unreachable))";
    renders_alone("a table that grows until it cannot", &with(&format!("{grow} {check}"), "(table 1 funcref)"));
    let failing = "(loop (drop (table.grow 0 (ref.null func) (i32.const 100_000_000))) (br 0))";
    let wasm = with(failing, "(table 1 funcref)");
    let form = Form::component(&wasm);
    let offset = form.offset_of("component") + at(&wasm, 1 + unpaid(&[1; 5])) as u32;
    let expected = Err(Rejection::new(Mode::Budget, offset));
    answers("a table that cannot grow, again and again", render_in_component, &form, BUDGET, expected);
}

/// The table that there is no memory for is at fault.
#[test]
fn tables_that_do_not_fit() {
    let (wasm, start) = target_with(&repeated(4, 1, b"\x70\0\xff\xff\xff\xff\x0f"));
    component_exhausted("a table of 2^32 - 1 entries", &wasm, BUDGET, start + 3);
    let ten_million = b"\x70\0\x80\xad\xe2\x04";
    let section = repeated(4, 100_000, ten_million);
    let (wasm, start) = target_with(&section);
    let first = start + section.len() - 100_000 * ten_million.len();
    // Seven of 40 MB fit.
    let eighth = first + 7 * ten_million.len();
    component_exhausted("100,000 tables of 10,000,000 entries", &wasm, BUDGET, eighth);
}

#[test]
fn tables_that_are_too_many() {
    let (wasm, start) = target_with(&repeated(4, (16 << 20) / 3, b"\x70\0\0"));
    component_refused("16 MiB of tables", &wasm, Mode::Limit, start);
    let (wasm, _) = target_with(&repeated(4, 100_000, b"\x70\0\0"));
    renders("100,000 tables", &Form::component(&wasm), "");
}
