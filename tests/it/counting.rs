//! Every counting rule of spec section 1: `counting/<rule>.wat` and the CSV that it must give, `counting/<rule>.csv`.
//!
//! A file begins with comments that say what it shows, then the request: `;; input: <text>` and, for each uniform,
//! `;; uniform: <key>=<value>`. The CSVs are written by hand from the specification.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use qip_interpret::{DEFAULT_BUDGET, Mode};

use crate::support::{Form, HEADER, assemble, assert_refused, render};

const RULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/counting");

/// The files with this extension, in order.
fn files(extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(RULES).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension() == Some(OsStr::new(extension))).collect();
    files.sort();
    files
}

/// The request that the comments of a rule describe.
fn request(rule: &Path) -> Form {
    let wat = fs::read_to_string(rule).unwrap();
    let mut form = Form::component(&assemble(&wat));
    for line in wat.lines() {
        if let Some(text) = line.strip_prefix(";; input: ") {
            form = form.input(text.as_bytes());
        } else if let Some((key, value)) = line.strip_prefix(";; uniform: ").and_then(|text| text.split_once('=')) {
            form = form.uniform(key, value);
        }
    }
    form
}

#[test]
fn every_rule_gives_its_csv() {
    let rules = files("wat");
    assert!(rules.len() >= 40, "only {} rules in {RULES}", rules.len());
    let expected = rules.iter().map(|rule| rule.with_extension("csv")).collect::<Vec<_>>();
    assert_eq!(files("csv"), expected, "each rule has one CSV");
    let mut failures = String::new();
    for (rule, csv) in rules.iter().zip(expected) {
        let expected = fs::read_to_string(csv).unwrap();
        match render(&request(rule), DEFAULT_BUDGET) {
            Ok(csv) if csv == expected => {}
            Ok(csv) => failures += &format!("{}\nexpected\n{expected}got\n{csv}\n", rule.display()),
            Err(rejection) => failures += &format!("{}: {rejection:?}\n", rule.display()),
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// No report is returned for a run that traps, so what a trap counted would show only in the next one.
#[test]
fn an_access_that_traps_counts_nothing() {
    for access in [
        "(i32.store (i32.const 196606) (i32.const 1))",
        "(drop (i64.load (i32.const 196601)))",
        "(i64.store offset=0xffffffff (i32.const 0xffffffff) (i64.const 1))",
        "(memory.fill (i32.const 65536) (i32.const 1) (i32.const 131073))",
        "(memory.copy (i32.const 0) (i32.const 65536) (i32.const 131073))",
        "(memory.copy (i32.const 65536) (i32.const 0) (i32.const 131073))",
        "(memory.init 0 (i32.const 0) (i32.const 1) (i32.const 4))",
    ] {
        let target = |access: &str| {
            let wat = format!(
                r#"(module
                  (memory (export "memory") 3 3)
                  (func (export "output_bytes_cap") (result i32) i32.const 0)
                  (func (export "render") (param i32) (result i64) (i32.store8 (i32.const 0) (i32.const 1)) {access} (i64.const 0))
                  (data "abcd"))"#
            );
            Form::component(&assemble(&wat))
        };
        let trapping = target(access);
        let rejection = render(&trapping, DEFAULT_BUDGET).expect_err(access);
        assert_eq!(rejection.mode, Mode::MemoryOutOfBounds, "{access}");
        assert_refused(&trapping, DEFAULT_BUDGET, rejection.mode, rejection.offset);
        assert_eq!(render(&target(""), DEFAULT_BUDGET), Ok(format!("{HEADER}0,other,0,0,0,1,1,1,1.00\n")));
    }
}
