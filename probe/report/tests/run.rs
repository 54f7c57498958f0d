//! The report on the project's own components, one with a probe and one without. `make test` builds them first.

use std::process::{Command, Output};

use content_host::Form;

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

/// What it says where it fails.
fn problem(arguments: &[&str]) -> String {
    let output = report(arguments);
    assert_eq!((output.status.code(), output.stdout), (Some(1), vec![]));
    String::from_utf8(output.stderr).expect("the message is UTF-8")
}

#[test]
fn a_rejection_is_named_with_its_offset_and_mode() {
    let message = problem(&["-F", "input=# A", INTERPRET]);
    let place = message.strip_prefix(&format!("probe-report: {INTERPRET} rejected its input at offset "));
    // Its component is missing where the form ends.
    let end = Form::new().input(b"# A").body().len();
    assert_eq!(place, Some(format!("{end} with mode 1\n").as_str()), "{message}");
}

#[test]
fn a_uniform_is_set_of_the_component_before_it() {
    let component = format!("component=@{MARKDOWN}");
    let budget = |value| ["-F", &component, "-F", "input=# A", INTERPRET, "-u", value, MARKDOWN].map(str::to_owned);
    let run = |value| report(&budget(value).each_ref().map(String::as_str));
    assert!(run("instruction_budget=0xffffffff").status.success());
    let message = |value| String::from_utf8(run(value).stderr).expect("the message is UTF-8");
    assert!(message("instruction_budget=100").ends_with(" with mode 9\n"), "{}", message("instruction_budget=100"));
    assert!(message("instruction_budget=4294967296").ends_with("instruction_budget cannot be 4294967296\n"));
    assert!(message("none=1").ends_with("there is no uniform none\n"));
    assert!(message("none").ends_with("none: a uniform is KEY=VALUE\n"));
    assert!(problem(&["-u", "a=1", MARKDOWN]).ends_with("-u a=1 stands before any component\n"));
}

#[test]
fn help_explains_every_option() {
    let help = printed(&["--help"]);
    for option in ["-F NAME=VALUE", "-u KEY=VALUE", "--name SCENARIO", "--json", "--help"] {
        assert!(help.contains(&format!("\n  {option} ")), "{option} in {help}");
    }
    assert!(problem(&[]).starts_with("probe-report: usage: probe-report ") && help.starts_with("usage: probe-report "));
    assert!(problem(&["--none", MARKDOWN]).contains("usage: "));
}
