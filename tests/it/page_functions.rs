//! The CSV by page and function: who is said to have touched a page, and by what name.

use std::collections::BTreeMap;

use qip_interpret::Mode;
use wasm_encoder::{NameMap, NameSection, Section};

use crate::support::binary::{leb128, raw_section, sized};
use crate::support::{BUDGET, Form, PAGE_FUNCTIONS, Tool, assemble, operator_offsets, render};

const HEADER: &str = "page,function_index,function,reads,bytes_read,writes,bytes_written,distinct_bytes_written\n";

/// The report on a target with empty input, in both builds.
fn report(wasm: &[u8]) -> String {
    PAGE_FUNCTIONS.render_text(&Form::component(wasm), BUDGET).expect("the target runs")
}

/// The fields of a line, as RFC 4180 reads them.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => fields.last_mut().unwrap().extend(characters.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// The rows of a report.
fn rows(csv: &str) -> Vec<Vec<String>> {
    csv.strip_prefix(HEADER).expect("the header comes first").lines().map(fields).collect()
}

/// Asserts that the report on a request, in both builds, has `expected` rows (without names) and sums up to `pages`, the page CSV.
#[track_caller]
pub fn assert_counts(name: &str, form: &Form, budget: u32, pages: &str, expected: &str) {
    let csv = PAGE_FUNCTIONS.render_text(form, budget).unwrap_or_else(|rejection| panic!("{name}: {rejection:?}"));
    let (mut sums, mut unnamed) = (BTreeMap::<u32, [u64; 5]>::new(), String::new());
    for row in rows(&csv) {
        assert_eq!(row.len(), 8, "{name}: {row:?}");
        unnamed += &format!("{},{},{}\n", row[0], row[1], row[3..].join(","));
        let sum = sums.entry(row[0].parse().unwrap()).or_default();
        for (sum, field) in sum.iter_mut().zip(&row[3..]) {
            *sum += field.parse::<u64>().unwrap();
        }
    }
    assert_eq!(unnamed, expected, "{name}: the counts by function");
    for line in pages.lines().skip(1) {
        let page: Vec<&str> = line.split(',').collect();
        let sum = sums.remove(&page[0].parse().unwrap()).unwrap_or_default();
        let counts: Vec<u64> = page[3..8].iter().map(|field| field.parse().unwrap()).collect();
        assert_eq!(sum[..4], counts[..4], "{name}: the sums of page {}", page[0]);
        assert!(sum[4] >= counts[4], "{name}: {} distinct bytes of {line}", sum[4]);
    }
    assert!(sums.is_empty(), "{name}: pages without a row in the page CSV: {sums:?}");
}

/// A target of four pages and these functions, the first of which is `render`.
fn target(render: &str, rest: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 4 4)
          (global $sp (mut i32) (i32.const 65536))
          (func $render (export "render") (param i32) (result i64) {render} (i64.const 0))
          {rest}
          (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#
    ))
}

#[track_caller]
fn assert_rows(wasm: &[u8], expected: &str) {
    assert_eq!(report(wasm), HEADER.to_owned() + expected);
    let pages = render(&Form::component(wasm), BUDGET).unwrap();
    let counted = crate::second_counter::second_run(wasm, b"", &[]).unwrap();
    assert_counts("the target", &Form::component(wasm), BUDGET, &pages, &counted.functions_csv);
}

#[test]
fn pages_rise_and_functions_follow_by_bytes_moved() {
    let rest = r#"
        (func $few (i32.store8 (i32.const 9) (i32.const 1)))
        (func $many (i64.store (i32.const 0) (i64.const 1)) (i64.store (i32.const 0) (i64.const 1)))
        (func $as_many (drop (i64.load (i32.const 0))) (drop (i64.load (i32.const 65536))) (i64.store (i32.const 4) (i64.const 1)))"#;
    let wasm = target("(call $few) (call $as_many) (call $many) (i32.store16 (i32.const 196606) (i32.const 1))", rest);
    assert_rows(
        &wasm,
        "0,2,many,0,0,2,16,8\n0,3,as_many,1,8,1,8,8\n0,1,few,0,0,1,1,1\n1,3,as_many,1,8,0,0,0\n2,0,render,0,0,1,2,2\n",
    );
}

/// The caller's accesses before, between and behind calls are its own.
#[test]
fn the_function_that_executes_an_access_made_it() {
    let body = "(i32.store (i32.const 0) (i32.const 1)) (call $callee (i32.load (i32.const 0)))
        (i32.store (i32.const 4) (i32.const 1)) (call $callee (i32.const 0)) (i32.store (i32.const 8) (i32.const 1))";
    let rest = "(func $callee (param i32) (i32.store8 (i32.const 12) (local.get 0)))";
    assert_rows(&target(body, rest), "0,0,render,1,4,3,12,12\n0,1,callee,0,0,2,2,1\n");
}

#[test]
fn recursion() {
    let rest = "(func $down (param i32)
        (i32.store8 (local.get 0) (i32.const 1))
        (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1)))))
        (drop (i32.load8_u (local.get 0))))";
    assert_rows(&target("(call $down (i32.const 1000))", rest), "0,1,down,1001,1001,1001,1001,1001\n");
    let mutual = "(func $even (param i32) (i32.store8 (local.get 0) (i32.const 1))
          (if (local.get 0) (then (call $odd (i32.sub (local.get 0) (i32.const 1))))) (drop (i32.load16_u (local.get 0))))
        (func $odd (param i32) (if (local.get 0) (then (call $even (i32.sub (local.get 0) (i32.const 1)))))
          (i32.store8 (local.get 0) (i32.const 2)))";
    assert_rows(&target("(call $even (i32.const 100))", mutual), "0,1,even,51,102,51,51,51\n0,2,odd,0,0,50,50,50\n");
}

#[test]
fn indirect_and_tail_calls() {
    let rest = r#"
        (type $ty (func (param i32)))
        (table 3 3 funcref)
        (elem (i32.const 0) $first $second $tail)
        (func $first (param i32) (i32.store (local.get 0) (i32.const 1)))
        (func $second (param i32) (i64.store (local.get 0) (i64.const 1)))
        (func $tail (param i32) (drop (i32.load8_u (local.get 0))) (return_call $first (local.get 0)))
        (func $tails (param i32) (drop (i32.load16_u (local.get 0)))
          (return_call_indirect (type $ty) (local.get 0) (i32.const 1)))"#;
    let body = "
        (call_indirect (type $ty) (i32.const 0) (i32.const 0)) (i32.store8 (i32.const 8) (i32.const 1))
        (call_indirect (type $ty) (i32.const 0) (i32.const 1)) (i32.store8 (i32.const 8) (i32.const 1))
        (call_indirect (type $ty) (i32.const 0) (i32.const 2)) (i32.store8 (i32.const 8) (i32.const 1))
        (call $tails (i32.const 0)) (i32.store8 (i32.const 8) (i32.const 1))";
    assert_rows(
        &target(body, rest),
        "0,2,second,0,0,2,16,8\n0,1,first,0,0,2,8,4\n0,0,render,0,0,4,4,1\n0,4,tails,1,2,0,0,0\n0,3,tail,1,1,0,0,0\n",
    );
}

/// A return or call that a fused instruction makes changes the function too: here each stands behind what fuses with it.
#[test]
fn fused_calls_and_returns() {
    let rest = "
        (type $ty (func (param i32)))
        (table 1 1 funcref)
        (elem (i32.const 0) $callee)
        (func $callee (param i32)
          (local $frame i32)
          (global.set $sp (local.tee $frame (i32.sub (global.get $sp) (i32.const 16))))
          (i32.store (local.get $frame) (local.get 0))
          (global.set $sp (i32.add (local.get $frame) (i32.const 16))))
        (func $caller (param i32)
          (call $callee (local.get 0))
          (i32.store8 (i32.const 0) (i32.const 1))
          (call_indirect (type $ty) (local.get 0) (i32.const 0))
          (i32.store8 (i32.const 0) (i32.const 1)))";
    assert_rows(
        &target("(call $caller (local.get 0)) (i32.store8 (i32.const 1) (i32.const 1))", rest),
        "0,1,callee,0,0,2,8,4\n0,2,caller,0,0,2,2,1\n0,0,render,0,0,1,1,1\n",
    );
}

#[test]
fn accesses_across_an_edge_and_vectors() {
    let rest = "
        (func $bulk (memory.fill (i32.const 65530) (i32.const 1) (i32.const 65546))
          (memory.copy (i32.const 131070) (i32.const 0) (i32.const 4))
          (memory.init 0 (i32.const 65534) (i32.const 0) (i32.const 4)))
        (func $scalar (i64.store (i32.const 65532) (i64.load (i32.const 131068))))
        (func $vector (v128.store (i32.const 65528) (v128.load (i32.const 65528))))
        (data \"abcd\")";
    assert_rows(
        &target("(call $bulk) (call $scalar) (call $vector)", rest),
        "0,3,vector,1,8,1,8,8\n0,1,bulk,1,4,2,8,6\n0,2,scalar,0,0,1,4,4\n\
         1,1,bulk,0,0,3,65540,65536\n1,3,vector,1,8,1,8,8\n1,2,scalar,1,4,1,4,4\n\
         2,1,bulk,0,0,2,6,4\n2,2,scalar,1,4,0,0,0\n",
    );
}

/// Bulk operations of few bytes on a page that is open count for the function that executes them.
#[test]
fn bulk_operations_again() {
    let rest = "
        (func $again (i32.store8 (i32.const 0) (i32.const 1))
          (memory.fill (i32.const 100) (i32.const 1) (i32.const 20))
          (memory.fill (i32.const 110) (i32.const 2) (i32.const 20))
          (memory.copy (i32.const 105) (i32.const 100) (i32.const 57)))";
    assert_rows(&target("(call $again) (call $again)", rest), "0,1,again,2,114,8,196,63\n");
}

/// Uniform setters count, data segments and the input do not.
#[test]
fn setters_count_and_what_is_copied_in_before_does_not() {
    let wasm = assemble(
        r#"(module
          (memory (export "memory") 2 2)
          (data (i32.const 0) "data")
          (func (export "input_ptr") (result i32) (i32.const 65536))
          (func (export "input_bytes_cap") (result i32) (i32.const 16))
          (func (export "output_bytes_cap") (result i32) (i32.const 0))
          (func (export "uniform_set_a") (param i32) (result i32) (i32.store (i32.const 8) (local.get 0)) (local.get 0))
          (func (export "render") (param i32) (result i64) (drop (i32.load8_u (i32.const 65536))) (i64.const 0)))"#,
    );
    let form = Form::component(&wasm).input(b"input").uniform("a", "7");
    let expected = "0,3,uniform_set_a,0,0,1,4,4\n1,4,render,1,1,0,0,0\n";
    assert_eq!(PAGE_FUNCTIONS.render_text(&form, BUDGET), Ok(HEADER.to_owned() + expected));
}

#[test]
fn a_run_that_touches_nothing_gives_the_header_alone() {
    assert_rows(&target("", ""), "");
}

/// A target whose `render`, exported also as `again`, writes one byte; with a custom section behind it.
fn named(section: &[u8]) -> Vec<u8> {
    let wasm = r#"(module
        (memory (export "memory") 1 1)
        (func (export "render") (export "again") (param i32) (result i64) (i32.store8 (i32.const 0) (i32.const 1)) (i64.const 0))
        (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#;
    [assemble(wasm).as_slice(), section].concat()
}

/// A name section that names function 0.
fn names(name: &str) -> Vec<u8> {
    let (mut names, mut section, mut bytes) = (NameSection::new(), NameMap::new(), Vec::new());
    section.append(0, name);
    names.functions(&section);
    names.append_to(&mut bytes);
    bytes
}

#[track_caller]
fn assert_name(section: &[u8], expected: &str) {
    assert_eq!(report(&named(section)), format!("{HEADER}0,0,{expected},0,0,1,1,1\n"));
}

#[test]
fn names_are_quoted_where_they_must_be_and_do_no_harm() {
    assert_name(&names("core::fmt::Formatter::pad"), "core::fmt::Formatter::pad");
    assert_name(&names("with space"), "with space");
    assert_name(&names("map<int, int>"), "\"map<int, int>\"");
    assert_name(&names("operator\"\"_km"), "\"operator\"\"\"\"_km\"");
    assert_name(&names("é\u{1F980}"), "é\u{1F980}");
    assert_name(&names("line\r\nfeed\u{1b}[2J"), "line\u{fffd}\u{fffd}feed\u{fffd}[2J");
    assert_name(&names(&"n".repeat(100_000)), &"n".repeat(256));
    assert_name(&names(&"\"".repeat(100_000)), &format!("\"{}\"", "\"".repeat(512)));
}

#[test]
fn without_a_name_section_the_first_export_names_a_function() {
    assert_name(b"", "render");
    assert_name(&names(""), "render");
    // Behind the name section of the text's own names is a second one, which has nothing to say.
    let unnamed = assemble(
        r#"(module (memory (export "memory") 1 1)
            (func (export "render") (param i32) (result i64) (call 1) (i64.const 0))
            (func (i32.store8 (i32.const 0) (i32.const 1)))
            (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#,
    );
    assert_eq!(report(&unnamed), format!("{HEADER}0,1,,0,0,1,1,1\n"));
}

/// What is damaged is left out; the run is reported as without it.
#[test]
fn malformed_name_sections_are_left_out() {
    let custom = |contents: &[u8]| raw_section(0, &[&sized(b"name"), contents].concat());
    let functions = |contents: &[u8]| custom(&[&[1], &sized(contents)[..]].concat());
    let huge = leb128(u32::MAX);
    for (section, expected) in [
        (custom(b""), "render"),
        (custom(b"\x01"), "render"),
        (custom(b"\x01\xff\xff\xff\xff\xff"), "render"),
        (custom(&[&[1], &huge[..], b"\x01\x00\x01a"].concat()), "render"),
        (functions(b""), "render"),
        (functions(&huge), "render"),
        (functions(b"\x01\x00\x05abc"), "render"),
        (functions(b"\x01\x00\x02\xff\xfe"), "render"),
        // An index that no function has, and the first of two names.
        (functions(&[b"\x02\x00\x01a", &huge[..], b"\x01b"].concat()), "a"),
        (functions(b"\x02\x00\x01a\x00\x01b"), "a"),
        // A count that the names do not reach, and bytes behind the names.
        (functions(b"\x7f\x00\x01a"), "a"),
        (functions(b"\x01\x00\x01a\xff\xff"), "a"),
        // Subsections that are not known, and not in order; one that is damaged; and two sections.
        (custom(&[b"\x7f\x01x", &functions(b"\x01\x00\x01a")[7..]].concat()), "a"),
        (custom(b"\x00\x02\x09x\x01\x04\x01\x00\x01a"), "a"),
        ([names("first"), names("second")].concat(), "first"),
    ] {
        assert_name(&section, expected);
    }
}

/// Every name of the largest component that fits, at an index of its own, and each name the longest that does.
#[test]
fn large_name_sections_take_no_memory_and_no_time() {
    let mut tool = Tool::of(&PAGE_FUNCTIONS);
    let plain = tool.render(&Form::component(&named(b""))).map(|_| tool.counters().peak);
    for indices in [1 << 18, 1 << 22] {
        let mut names = leb128(indices);
        (0..indices).for_each(|index| names.extend([&leb128(index)[..], b"\x01x"].concat()));
        let contents = [&sized(b"name")[..], b"\x01", &sized(&names)].concat();
        let csv = tool.render(&Form::component(&named(&raw_section(0, &contents))));
        assert_eq!(csv, Ok(format!("{HEADER}0,0,x,0,0,1,1,1\n")), "{indices}");
    }
    let names = tool.counters().peak - plain.unwrap();
    assert!(names < 16 << 20, "{names} bytes");
}

/// Where there is no memory for another pair of page and function, the run is rejected at the access, and the next one answered.
#[test]
fn many_pairs_of_page_and_function() {
    const FUNCTIONS: usize = 1_000;
    let target = |pages: usize| {
        let fill = format!("(memory.fill (i32.const 0) (i32.const 1) (i32.const {}))", pages << 16);
        let calls: String = (1..=FUNCTIONS).map(|index| format!("(call {index})")).collect();
        assemble(&format!(
            r#"(module (memory (export "memory") 100 100)
              (func (export "render") (param i32) (result i64) {calls} (i64.const 0))
              {}
              (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#,
            format!("(func {fill})").repeat(FUNCTIONS),
        ))
    };
    let (few, many) = (target(16), target(100));
    let mut tool = Tool::of(&PAGE_FUNCTIONS);
    let csv = tool.render(&Form::component(&few)).expect("there is memory for 16,000");
    assert_eq!(csv.lines().count(), 1 + 16 * FUNCTIONS);
    assert!(csv.ends_with("15,1000,,0,0,1,65536,65536\n"));
    let form = Form::component(&many);
    let rejection = tool.render(&form).expect_err("there is no memory for 100,000");
    assert_eq!(rejection.mode, Mode::OutOfMemory);
    assert!(operator_offsets(&many).contains(&(rejection.offset - form.offset_of("component"))));
    assert_eq!(tool.counters().live, 0);
    assert_eq!(tool.render(&Form::component(&few)), Ok(csv));
}

/// As many pairs as there may be, of functions with the longest names: the CSV keeps within its capacity.
#[test]
fn long_names_of_many_functions() {
    const MOST: usize = 16_384;
    let target = |count: usize| {
        let functions = "(func (i32.store8 (i32.const 0) (i32.const 1)))".repeat(count);
        let calls: String = (1..=count).map(|index| format!("(call {index})")).collect();
        let wasm = assemble(&format!(
            r#"(module (memory (export "memory") 1 1)
              (func (export "render") (param i32) (result i64) {calls} (i64.const 0)) {functions}
              (func (export "output_bytes_cap") (result i32) (i32.const 0)))"#
        ));
        let (mut names, mut section, mut bytes) = (NameSection::new(), NameMap::new(), Vec::new());
        (1..=count as u32).for_each(|index| section.append(index, &"\"".repeat(256)));
        names.functions(&section);
        names.append_to(&mut bytes);
        [wasm, bytes].concat()
    };
    let csv = PAGE_FUNCTIONS.render_text(&Form::component(&target(MOST)), BUDGET).expect("there is room");
    assert_eq!(csv.lines().count(), 1 + MOST);
    assert!(csv.len() <= Tool::of(&PAGE_FUNCTIONS).get("output_utf8_cap") as usize);
    let form = Form::component(&target(MOST + 1));
    let rejection = PAGE_FUNCTIONS.render(&form, BUDGET).expect_err("there is no room");
    assert_eq!(rejection.mode, Mode::OutOfMemory);
}
