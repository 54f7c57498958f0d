//! The report on the project's own components, one with a probe and one without. `make test` builds them first.

use std::process::{Command, Output};

const INTERPRET: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../application/wasm/qip-interpret-memory-page-writes-csv.wasm");
const MARKDOWN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../text/markdown/commonmark.0.31.2.wasm");

fn report(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_probe-report")).args(arguments).output().expect("the report's program runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = report(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the report is UTF-8")
}

#[test]
fn a_run_of_one_component() {
    let component = format!("component=@{MARKDOWN}");
    let line = printed(&["--name", "one", "-F", &component, "-F", "input=# A", INTERPRET]);
    assert!(line.starts_with("one: allocator probe, requested live "), "{line}");
    assert!(line.ends_with(" in 1 of 1 instance (requested bytes, not capacity)\n"), "{line}");
    let json = printed(&["--json", "-F", &component, "-F", "input=# A", INTERPRET]);
    assert!(json.starts_with("{ \"instances\": 1, \"live\": "), "{json}");
}

#[test]
fn a_pipeline_counts_those_that_have_a_probe() {
    let component = format!("component=@{MARKDOWN}");
    let line = printed(&["-F", &component, "-F", "input=# A", INTERPRET, MARKDOWN]);
    assert!(line.ends_with(" in 1 of 2 instances (requested bytes, not capacity)\n"), "{line}");
}

#[test]
fn without_a_probe_there_is_no_report() {
    assert_eq!(printed(&["--json", MARKDOWN]), "null\n");
}

#[test]
fn a_rejection_is_an_error() {
    let output = report(&["-F", "input=# A", INTERPRET]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("rejected its input"), "{output:?}");
}
