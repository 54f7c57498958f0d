//! Runs QIP components one behind the other and reports what their allocator probes counted.
//!
//! ```text
//! probe-report [--json] [--name SCENARIO] [-F NAME=VALUE]... COMPONENT...
//! ```
//!
//! The first component gets a form of the `-F` fields, or standard input where there are none; each other gets the output of the
//! one before. A value `@FILE` or `<FILE` is the file's bytes. With `--json` the report is an object instead of a line, `null`
//! where no component has a probe.

mod form;
mod guest;
mod report;

use std::io::Read;
use std::process::ExitCode;

use form::Form;
use guest::Guest;
use report::Report;

const USAGE: &str = "usage: probe-report [--json] [--name SCENARIO] [-F NAME=VALUE]... COMPONENT...";

struct Arguments {
    json: bool,
    scenario: Option<String>,
    form: Form,
    components: Vec<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments { json: false, scenario: None, form: Form::default(), components: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        match argument.as_str() {
            "--json" => found.json = true,
            "--name" => found.scenario = Some(value()?),
            "-F" => found.form.add(&value()?)?,
            _ if argument.starts_with('-') => return Err(USAGE.into()),
            _ => found.components.push(argument),
        }
    }
    if found.components.is_empty() { Err(USAGE.into()) } else { Ok(found) }
}

fn run() -> Result<(), String> {
    let Arguments { json, scenario, form, components } = arguments()?;
    let mut report = Report::default();
    let mut input = Vec::new();
    for (index, path) in components.iter().enumerate() {
        let mut guest = Guest::new(path)?;
        if index == 0 && form.is_empty() {
            std::io::stdin().read_to_end(&mut input).map_err(|error| format!("standard input: {error}"))?;
        } else if index == 0 {
            input = form.body(guest.boundary()?);
        }
        input = guest.render(&input)?;
        report.add(guest.counters()?);
    }
    if json {
        println!("{}", report.json());
    } else {
        println!("{}", report.line(&scenario.unwrap_or_else(|| components.join(" | "))));
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("probe-report: {problem}");
            ExitCode::FAILURE
        }
    }
}
