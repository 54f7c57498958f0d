//! Runs QIP components one behind the other and reports what their allocator probes counted.
//!
//! ```text
//! probe-report [--json] [--name SCENARIO] [-F NAME=VALUE]... COMPONENT...
//! ```
//!
//! The first component gets a form of the `-F` fields, or standard input where there are none; each other gets the output of the
//! one before. A value `@FILE` or `<FILE` is the file's bytes. With `--json` the report is an object instead of a line, `null`
//! where no component has a probe.

mod report;

use std::io::Read;
use std::process::ExitCode;

use content_host::{Form, Instance};
use report::Report;

const USAGE: &str = "usage: probe-report [--json] [--name SCENARIO] [-F NAME=VALUE]... COMPONENT...";

struct Arguments {
    json: bool,
    scenario: Option<String>,
    /// The names and values of `-F`.
    fields: Vec<(String, Vec<u8>)>,
    components: Vec<String>,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments { json: false, scenario: None, fields: Vec::new(), components: Vec::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        match argument.as_str() {
            "--json" => found.json = true,
            "--name" => found.scenario = Some(value()?),
            "-F" => found.fields.push(field(&value()?)?),
            _ if argument.starts_with('-') => return Err(USAGE.into()),
            _ => found.components.push(argument),
        }
    }
    if found.components.is_empty() { Err(USAGE.into()) } else { Ok(found) }
}

/// The name and value of `NAME=VALUE`, `NAME=@FILE` or `NAME=<FILE`.
fn field(field: &str) -> Result<(String, Vec<u8>), String> {
    let (name, value) = field.split_once('=').ok_or_else(|| format!("{field}: a field is NAME=VALUE"))?;
    let value = match value.strip_prefix(['@', '<']) {
        Some(file) => std::fs::read(file).map_err(|error| format!("{file}: {error}"))?,
        None => value.as_bytes().to_vec(),
    };
    Ok((name.to_owned(), value))
}

fn run() -> Result<(), String> {
    let Arguments { json, scenario, fields, components } = arguments()?;
    let mut report = Report::default();
    let mut input = Vec::new();
    for (index, path) in components.iter().enumerate() {
        let about = |error: content_host::Error| format!("{path}: {error:#}");
        let mut instance = Instance::from_file(path).map_err(about)?;
        if index == 0 && fields.is_empty() {
            std::io::stdin().read_to_end(&mut input).map_err(|error| format!("standard input: {error}"))?;
        } else if index == 0 {
            let form = fields.iter().fold(Form::new(), |form, (name, value)| form.part(name, value));
            instance.set_boundary(form.boundary()).map_err(about)?;
            input = form.body();
        }
        let answer = instance.render(&input).map_err(about)?;
        input = answer.map_err(|rejected| format!("{path} {rejected}"))?;
        report.add(instance.counters().map_err(about)?);
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
