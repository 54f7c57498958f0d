//! Runs QIP components one after the other and reports what their allocator probes counted; `--help` says how.

mod report;

use std::io::Read;
use std::process::ExitCode;

use content_host::{Form, Instance};
use report::Report;

const USAGE: &str =
    "usage: probe-report [--json] [--name SCENARIO] [-F NAME=VALUE]... (COMPONENT [-u KEY=VALUE]...)...";

const HELP: &str = "
Runs QIP components, each on the output of the one before, and prints what their allocator probes counted.

  -F NAME=VALUE    a field of the form that the first component takes, which otherwise gets standard input;
                   as VALUE, @FILE and <FILE are the file's bytes
  -u KEY=VALUE     sets a uniform of the component before it
  --name SCENARIO  what the line starts with, instead of the components' names
  --json           prints, instead of the line, { \"instances\", \"live\", \"peak\", \"allocations\", \"frees\" }: how many
                   components have a probe, and the sums of what those counted; null where none has one
  --help           prints this";

#[derive(Default)]
struct Arguments {
    json: bool,
    scenario: Option<String>,
    /// The names and values of `-F`.
    fields: Vec<(String, Vec<u8>)>,
    components: Vec<Component>,
}

struct Component {
    path: String,
    /// The keys and values of `-u`.
    uniforms: Vec<(String, String)>,
}

/// What is asked for; `None` if it is help.
fn arguments() -> Result<Option<Arguments>, String> {
    let mut found = Arguments::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(USAGE);
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--json" => found.json = true,
            "--name" => found.scenario = Some(value()?),
            "-F" => found.fields.push(field(&value()?)?),
            "-u" => {
                let uniform = value()?;
                let (key, value) =
                    uniform.split_once('=').ok_or_else(|| format!("{uniform}: a uniform is KEY=VALUE"))?;
                let component = found.components.last_mut();
                let component = component.ok_or_else(|| format!("-u {uniform} stands before any component"))?;
                component.uniforms.push((key.to_owned(), value.to_owned()));
            }
            _ if argument.starts_with('-') => return Err(USAGE.into()),
            _ => found.components.push(Component { path: argument, uniforms: Vec::new() }),
        }
    }
    if found.components.is_empty() { Err(USAGE.into()) } else { Ok(Some(found)) }
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
    let Some(Arguments { json, scenario, fields, components }) = arguments()? else {
        println!("{USAGE}\n{HELP}");
        return Ok(());
    };
    let mut report = Report::default();
    let mut input = Vec::new();
    for (index, Component { path, uniforms }) in components.iter().enumerate() {
        let about = |error: content_host::Error| format!("{path}: {error:#}");
        let mut instance = Instance::from_file(path).map_err(about)?;
        if index == 0 && fields.is_empty() {
            std::io::stdin().read_to_end(&mut input).map_err(|error| format!("standard input: {error}"))?;
        } else if index == 0 {
            let form = fields.iter().fold(Form::new(), |form, (name, value)| form.part(name, value));
            instance.set_boundary(form.boundary()).map_err(about)?;
            input = form.body();
        }
        for (key, value) in uniforms {
            instance.set_uniform(key, value).map_err(about)?;
        }
        let answer = instance.render(&input).map_err(about)?;
        input = answer.map_err(|rejected| format!("{path} {rejected}"))?;
        report.add(instance.counters().map_err(about)?);
    }
    if json {
        println!("{}", report.json());
    } else {
        let paths: Vec<String> = components.into_iter().map(|component| component.path).collect();
        println!("{}", report.line(&scenario.unwrap_or_else(|| paths.join(" | "))));
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
