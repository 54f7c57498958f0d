//! The README says what is so: its commands run, and its table of modes is the code's.

use std::path::Path;
use std::process::Command;

use crate::support::HEADER;

const README: &str = include_str!("../../README.md");

/// The fenced blocks of this language.
fn blocks(language: &str) -> Vec<&'static str> {
    let opening = format!("```{language}\n");
    let blocks = README.split(opening.as_str()).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap()).collect()
}

/// What a command prints when a shell runs it in the repository.
fn run(command: &str) -> String {
    let output = Command::new("sh")
        .args(["-euc", command])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        // The tests may themselves run under make.
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_command_runs() {
    let commands = blocks("sh");
    let (test, others): (Vec<_>, Vec<_>) = commands.into_iter().partition(|command| *command == "make test\n");
    assert_eq!(test.len(), 1, "the command that runs this test");
    assert!(others.contains(&"make demo\n"));
    for command in others {
        let printed = run(command);
        if !command.starts_with("make -j") {
            let csv = printed.strip_prefix(HEADER).unwrap_or_else(|| panic!("{command}\n{printed}"));
            assert!(csv.lines().count() > 2, "{command}\n{printed}");
        }
    }
}

/// What lies on the pages, in their order.
fn regions(csv: &str) -> Vec<&str> {
    csv.lines().map(|line| line.split(',').nth(1).unwrap_or_default()).collect()
}

/// The counts differ between versions of the compiler that builds the target; what its pages are for does not.
#[test]
fn the_report_shown_is_that_of_the_demo() {
    let shown = blocks("csv");
    assert_eq!(shown.len(), 1);
    assert!(shown[0].starts_with(HEADER));
    let columns = |line: &str| line.split(',').count();
    assert!(shown[0].lines().all(|line| columns(line) == columns(HEADER)));
    assert_eq!(regions(shown[0]), regions(run("make demo").trim_end()));
}

#[test]
fn the_table_of_modes_is_the_codes() {
    let source = include_str!("../../src/rejection.rs");
    let mut lines = source.lines().map(str::trim).peekable();
    let mut rows = Vec::new();
    while let Some(line) = lines.next() {
        let variant = lines.peek().and_then(|next| next.strip_suffix(',')).and_then(|next| next.split_once(" = "));
        if let (Some(cause), Some((_, number))) = (line.strip_prefix("/// "), variant) {
            rows.push(format!("| {number} | {cause} |"));
        }
    }
    assert!(rows.len() > 20);
    let shown: Vec<&str> = README.lines().skip_while(|line| !line.starts_with("| mode |")).skip(2).collect();
    assert_eq!(shown[..rows.len()], rows);
    assert!(!shown[rows.len()].starts_with('|'));
}
