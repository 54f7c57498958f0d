//! All of a component's memory taken, in each way there is: no trap, and the next request is answered.

use std::ops::Range;

use qip_interpret::Mode;

use super::{MIB, table};
use crate::failures::target;
use crate::support::binary::section;
use crate::support::{
    BUDGET, COMPONENTS, Component, EXPLANATION, Form, OUTPUT, PAGE_WRITES, assemble, operator_offsets,
};

/// The largest heap of a component.
const HEAP: usize = 512 * MIB;

/// Asserts that the component finds its memory spent at a byte of the request in this range, and answers the next request.
#[track_caller]
fn spent(component: &Component, case: &str, form: &Form, at: Range<usize>) {
    let next = Form::component(&target("(i32.store8 (i32.const 1) (i32.const 2)) (i64.const 0)", "")).input(b"abc");
    let expected = component.render_natively(&next, BUDGET);
    let offset = match component.render_built(form, BUDGET) {
        Err(rejection) if rejection.mode == Mode::OutOfMemory => rejection.offset as usize,
        Ok(text) if component.path == EXPLANATION.path => explained(&text, case),
        other => panic!("{case}: {:?} in {}", other.map(|bytes| bytes.len()), component.path),
    };
    if component.path == PAGE_WRITES.path {
        table::print(case, form, BUDGET);
    }
    assert!(at.contains(&offset), "{case}: at {offset} in {}, not in {at:?}", component.path);
    assert_eq!(component.render_built(&next, BUDGET), expected, "after {case} in {}", component.path);
}

/// The offset that an explanation of memory that is spent gives.
#[track_caller]
fn explained(text: &[u8], case: &str) -> usize {
    let text = str::from_utf8(text).expect("an explanation is UTF-8");
    let start = format!("{}\n\nmode: {}\noffset: ", Mode::OutOfMemory.cause(), Mode::OutOfMemory as u8);
    let rest = text.strip_prefix(&start).unwrap_or_else(|| panic!("{case}: {text}"));
    rest.lines().next().unwrap().parse().unwrap()
}

/// A generator with 4 GiB of memory and a table, with this in its `render` and this beside it.
fn generator(render: &str, rest: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module (memory (export "memory") 65536 65536)
             (table 0 funcref) {rest}
             (func (export "render") (param i32) (result i64) (local i32) {render})
             (func (export "output_bytes_cap") (result i32) (i32.const -1)))"#
    ))
}

/// Where the function in question lies, at most: behind the component's first byte.
fn within(form: &Form, wasm: &[u8]) -> Range<usize> {
    let start = form.offset_of("component") as usize;
    start + 1..start + wasm.len()
}

/// A data section with one byte for each of these pages, each segment of 10 bytes.
fn data(pages: Range<u32>) -> Vec<u8> {
    let mut page = pages.start;
    section(11, pages.end - pages.start, |_| {
        let address = (page << 16) | 0x8000;
        page += 1;
        // The address in five bytes of signed LEB128.
        let digits = [0, 7, 14, 21].map(|shift| (address >> shift) as u8 | 0x80);
        [b"\0\x41", &digits[..], &[((address as i32) >> 28) as u8 & 0x7f, 0x0b, 1, b'x']].concat()
    })
}

#[test]
fn by_data_segments() {
    const SEGMENT: usize = 10;
    let wasm = generator("(i64.const 0)", "");
    let wasm = [&wasm, &data(0..65_536)[..]].concat();
    let form = Form::component(&wasm);
    let first = form.offset_of("component") as usize + wasm.len() - 65_536 * SEGMENT;
    for component in COMPONENTS {
        // 192 MiB fit.
        spent(component, "data on each page", &form, first + 3_072 * SEGMENT..first + 65_536 * SEGMENT);
    }
}

/// Pages of data leave no room for the input.
#[test]
fn by_the_input() {
    let wasm = assemble(
        r#"(module (memory (export "memory") 65536 65536)
             (func (export "render") (param i32) (result i64) (i64.const 0))
             (func (export "output_bytes_cap") (result i32) (i32.const 0))
             (func (export "input_ptr") (result i32) (i32.const 0))
             (func (export "input_bytes_cap") (result i32) (i32.const 0x200_0000)))"#,
    );
    for component in COMPONENTS {
        let pages = |count: u32| [&wasm, &data(1_000..1_000 + count)[..]].concat();
        let fits = |count: u32| matches!(component.render_built(&Form::component(&pages(count)), BUDGET), Ok(text) if !text.starts_with(Mode::OutOfMemory.cause().as_bytes()));
        let most = (3_000..9_000).step_by(100).take_while(|&count| fits(count)).last().unwrap();
        let form = Form::component(&pages(most)).input(&vec![b'x'; 31 * MIB]);
        let start = form.offset_of("component") as usize;
        spent(component, "an input behind pages of data", &form, start..start + 1);
    }
}

/// `memory.init` comes to a page at a time.
#[test]
fn by_memory_init() {
    let next = "(br_if 0 (local.tee 1 (i32.add (local.get 1) (i32.const 65536))))";
    let init = "(memory.init $data (local.get 1) (i32.const 0) (i32.const 1))";
    let wasm = generator(&format!("(loop {init} {next}) (i64.const 0)"), r#"(data $data "x")"#);
    let form = Form::component(&wasm);
    for component in COMPONENTS {
        spent(component, "memory.init of each page", &form, within(&form, &wasm));
    }
}

/// The function that takes all memory is large: to say where in it, it is translated again, which takes memory too.
#[test]
fn by_a_large_function() {
    const BEFORE: usize = 200_000;
    let before = "(local.set 1 (i32.add (local.get 1) (local.get 0)))".repeat(BEFORE);
    let next = "(br_if 0 (local.tee 1 (i32.add (local.get 1) (i32.const 65536))))";
    let wasm = generator(&format!("{before} (loop (i32.store8 (local.get 1) (i32.const 1)) {next}) (i64.const 0)"), "");
    let form = Form::component(&wasm);
    let store = form.offset_of("component") + operator_offsets(&wasm)[4 * BEFORE + 3];
    for component in COMPONENTS {
        spent(component, "pages from a large function", &form, store as usize..store as usize + 1);
    }
}

/// The target's output is larger than there is memory for.
#[test]
fn by_the_output() {
    let wasm = generator("(i64.const 0xffff_ffff)", "");
    spent(&OUTPUT, "an output of 4 GiB", &Form::component(&wasm), 0..1);
}

/// Takes memory for so many entries of a table, or traps.
fn grow(entries: usize) -> String {
    format!("(if (i32.eq (table.grow 0 (ref.null func) (i32.const {entries})) (i32.const -1)) (then unreachable))")
}

/// What comes after a table has taken all but so many bytes.
fn after_a_table(entries: usize, then: &str, rest: &str) -> Vec<u8> {
    generator(&format!("{} {then}", grow(entries)), rest)
}

/// The most entries that a table can take there, and its module.
fn largest_table(component: &Component, then: &str, rest: &str) -> Vec<u8> {
    let fits = |entries: usize| {
        let form = Form::component(&after_a_table(entries, then, rest));
        match component.render_built(&form, BUDGET) {
            Ok(text) if component.path == EXPLANATION.path => !text.starts_with(b"trap: unreachable"),
            Err(rejection) => rejection.mode != Mode::Unreachable,
            Ok(_) => true,
        }
    };
    let (mut least, mut most) = (0, HEAP / 4);
    while most - least > 1 {
        let middle = least + (most - least) / 2;
        if fits(middle) { least = middle } else { most = middle }
    }
    after_a_table(least, then, rest)
}

/// With what is left behind a table there is no room for anything else.
#[test]
fn by_a_table_and_then() {
    for component in COMPONENTS {
        for (case, then, rest) in [
            ("a page", "(i32.store8 (i32.const 0) (i32.const 1)) (i64.const 0)", ""),
            ("calls", "(call $deep) (i64.const 0)", "(func $deep (local i64 i64 i64 i64 i64 i64) (call $deep))"),
        ] {
            let wasm = largest_table(component, then, rest);
            let form = Form::component(&wasm);
            spent(component, &format!("a table, and then {case}"), &form, within(&form, &wasm));
        }
    }
}

/// The run ends well, and there is no memory for what is to be said of it.
#[test]
fn by_a_table_and_then_the_report() {
    let pages = "(loop (i32.store8 (local.get 1) (i32.const 1))
        (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 65536))) (i32.const 0x400_0000))))";
    for component in COMPONENTS {
        let mut form = None;
        // The table comes last.
        let render =
            |entries| Form::component(&generator(&format!("{pages} {} (i64.const 0x10000)", grow(entries)), ""));
        let (mut least, mut most) = (0, HEAP / 4);
        while form.is_none() && most - least > 1 {
            let middle = least + (most - least) / 2;
            let candidate = render(middle);
            let spent = |text: &[u8]| text.starts_with(Mode::OutOfMemory.cause().as_bytes());
            match component.render_built(&candidate, BUDGET) {
                Ok(text) if component.path == EXPLANATION.path && spent(&text) => form = Some(candidate),
                Ok(text) if component.path == EXPLANATION.path && text.starts_with(b"trap") => most = middle,
                Ok(_) => least = middle,
                Err(rejection) if rejection.mode == Mode::OutOfMemory => form = Some(candidate),
                Err(_) => most = middle,
            }
        }
        let form = form.unwrap_or_else(|| panic!("a table leaves no room for a report in {}", component.path));
        spent(component, "a table, and then the report", &form, 0..1);
    }
}
