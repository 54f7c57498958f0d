//! Real modules as targets, most of them from npm packages: answers that are known, and the same counts as the second
//! counter's.

mod hashes;
mod markdown;
mod merge;
mod others;
mod packages;

use crate::page_functions::assert_counts;
use crate::second_counter::{plain_output, second_run};
use crate::support::{Form, OUTPUT, render};

/// More than any of these runs takes.
const BUDGET: u32 = 1_000_000_000;

/// Runs the module in `file` behind `wrapper`, which is in the text format, on `input`, and returns its output.
#[track_caller]
fn check(file: &str, wrapper: &str, input: &[u8]) -> Vec<u8> {
    let wrapper = wat::parse_str(wrapper).unwrap_or_else(|error| panic!("{file}: {error}"));
    let target = merge::merge(&packages::module(file), &wrapper).unwrap_or_else(|error| panic!("{file}: {error}"));
    agreed_output(file, &target, input)
}

/// The output of a target; asserts that the interpreter, the second counter and Wasmtime agree on it, and the first two
/// on every line of the reports, natively and in the components.
#[track_caller]
fn agreed_output(name: &str, target: &[u8], input: &[u8]) -> Vec<u8> {
    let counted = second_run(target, input, &[]).unwrap_or_else(|error| panic!("{name}: {error:?}"));
    assert_eq!(counted.output, plain_output(target, input, &[]).unwrap(), "{name}: the rewritten module's output");
    let form = Form::component(target).input(input);
    let output = OUTPUT.render(&form, BUDGET).unwrap_or_else(|rejection| panic!("{name}: {rejection:?}"));
    assert_eq!(output, counted.output, "{name}: the output");
    let csv = render(&form, BUDGET).unwrap_or_else(|rejection| panic!("{name}: {rejection:?}"));
    for (line, expected) in csv.lines().zip(counted.csv.lines()) {
        assert_eq!(line, expected, "{name}: the counts");
    }
    assert_eq!(csv, counted.csv, "{name}: the counts");
    assert_counts(name, &form, BUDGET, &csv, &counted.functions_csv);
    output
}
