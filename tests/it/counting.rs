//! Every counting rule of docs/spec.md §1: `counting/<rule>.wat` and the CSV that it must give, `counting/<rule>.csv`.
//!
//! A file begins with comments that say what it shows, then the request: `;; input: <text>` and, for each uniform,
//! `;; uniform: <key>=<value>`. The CSVs are written by hand from the specification; the
//! second way of counting must agree with them too.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use qip_interpret::Mode;
use wasmtime::Val;

use crate::page_functions::assert_counts;
use crate::second_counter::{plain_output, second_run};
use crate::support::{BUDGET, Form, HEADER, OUTPUT, assemble, assert_refused, render};

const RULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/counting");

/// The files with this extension, in order.
fn files(extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(RULES).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries.filter(|path| path.extension() == Some(OsStr::new(extension))).collect();
    files.sort();
    files
}

/// A rule's target and the request that its comments describe.
struct Rule {
    wasm: Vec<u8>,
    input: String,
    uniforms: Vec<(String, u32)>,
}

impl Rule {
    fn read(path: &Path) -> Self {
        let wat = fs::read_to_string(path).unwrap();
        let lines = |prefix: &'static str| wat.lines().filter_map(move |line| line.strip_prefix(prefix));
        let uniform = |text: &str| {
            let (key, value) = text.split_once('=').expect("`<key>=<value>`");
            (key.to_owned(), value.parse().expect("an i32"))
        };
        Self {
            wasm: assemble(&wat),
            input: lines(";; input: ").collect(),
            uniforms: lines(";; uniform: ").map(uniform).collect(),
        }
    }

    fn form(&self) -> Form {
        let form = Form::component(&self.wasm).input(self.input.as_bytes());
        self.uniforms.iter().fold(form, |form, (key, value)| form.uniform(key, &value.to_string()))
    }

    /// The uniforms in the order of their keys.
    fn uniforms(&self) -> Vec<(&str, Val)> {
        let mut uniforms: Vec<_> =
            self.uniforms.iter().map(|(key, value)| (key.as_str(), Val::I32(*value as i32))).collect();
        uniforms.sort_by_key(|&(key, _)| key);
        uniforms
    }
}

#[test]
fn every_rule_gives_its_csv() {
    let rules = files("wat");
    assert!(rules.len() >= 40, "only {} rules in {RULES}", rules.len());
    let csvs: Vec<_> = rules.iter().map(|rule| rule.with_extension("csv")).collect();
    assert_eq!(files("csv"), csvs, "each rule has one CSV");
    let mut failures = String::new();
    for (path, csv) in rules.iter().zip(csvs) {
        let expected = fs::read_to_string(csv).unwrap();
        let rule = Rule::read(path);
        let (name, form) = (path.display().to_string(), rule.form());
        let answer = render(&form, BUDGET).unwrap_or_else(|rejection| format!("{rejection:?}\n"));
        let counted = second_run(&rule.wasm, rule.input.as_bytes(), &rule.uniforms())
            .unwrap_or_else(|error| panic!("{name}: {error:?}"));
        for (counter, csv) in [("the tool", &answer), ("the second counter", &counted.csv)] {
            if *csv != expected {
                failures += &format!("{name}\nexpected\n{expected}from {counter}\n{csv}\n");
            }
        }
        assert_counts(&name, &form, BUDGET, &answer, &counted.functions_csv);
        let output = plain_output(&rule.wasm, rule.input.as_bytes(), &rule.uniforms()).unwrap();
        assert_eq!(OUTPUT.render(&form, BUDGET), Ok(output), "{name}");
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
        let rejection = render(&trapping, BUDGET).expect_err(access);
        assert_eq!(rejection.mode, Mode::MemoryOutOfBounds, "{access}");
        assert_refused(&trapping, BUDGET, rejection.mode, rejection.offset);
        assert_eq!(render(&target(""), BUDGET), Ok(format!("{HEADER}0,other,0,0,0,1,1,1,1.00\n")));
    }
}
