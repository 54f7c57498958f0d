//! From Enter to the report: whole processes of `qip run`, and what a host compiles before it runs anything.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use content_host::{Engine, Module, thread_milliseconds};

use crate::lane::{Lane, geomean, median};
use crate::v8_host;
use crate::workload::{BUILT, MARKDOWN, Runner, paragraphs, path, read, workloads};

/// How often each command runs, in turn with those it is compared with.
const ROUNDS: usize = 15;

/// The README's example.
const EXAMPLE: &[u8] = b"# Hello\n\nSome *text* with [a link](https://example.com).";

/// A component that does nothing.
const EMPTY: &str = r#"(module
  (memory (export "memory") 1 1)
  (func (export "input_ptr") (result i32) (i32.const 0))
  (func (export "input_bytes_cap") (result i32) (i32.const 1))
  (func (export "output_bytes_cap") (result i32) (i32.const 1))
  (func (export "render") (param i32) (result i64) (i64.const 0)))"#;

/// A component that executes 10^9 instructions: 20 in each of 50,000,000 rounds.
const LOOP: &str = r#"(module
  (memory (export "memory") 1 1)
  (func (export "input_ptr") (result i32) (i32.const 0))
  (func (export "input_bytes_cap") (result i32) (i32.const 1))
  (func (export "output_bytes_cap") (result i32) (i32.const 1))
  (func (export "render") (param $x i32) (result i64)
    (local $i i32)
    (local.set $i (i32.const 50000000))
    (loop $next
      (i32.store (i32.and (local.get $i) (i32.const 0xfffc))
        (local.tee $x (i32.rotl
          (i32.add
            (i32.mul (local.get $x) (i32.const 5))
            (i32.load (i32.and (local.get $i) (i32.const 0xfffc))))
          (i32.const 7))))
      (br_if $next (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
    (i64.const 0)))"#;

/// Prints the tables for artifacts of ours, of which the first is what the others are compared with.
pub fn print(artifacts: &[PathBuf]) {
    print_processes(artifacts);
    print_compilation(artifacts);
    match v8_host::version() {
        Some(name) => print_first_calls(&name, artifacts),
        None => eprintln!("node is missing: nothing is measured in V8"),
    }
}

fn print_processes(artifacts: &[PathBuf]) {
    println!("`qip run`, processor time of the whole process in ms, medians of {ROUNDS} in turn\n");
    print_head("target and input | target alone", "| ---: ", artifacts);
    let written = |name: &str, bytes: &[u8]| {
        let file = path(BUILT).join(name);
        std::fs::write(&file, bytes).expect("the directory of built modules is writable");
        file
    };
    let assembled = |name, wat| written(name, &wat::parse_str(wat).expect("the target is well-formed"));
    let nothing = written("nothing", b"");
    let markdown = |kib: usize| (path(MARKDOWN), written(&format!("{kib}.md"), &paragraphs(kib << 10)));
    let cases = [
        ("empty target", (assembled("empty.wasm", EMPTY), nothing.clone())),
        ("README's example", (path(MARKDOWN), written("example.md", EXAMPLE))),
        ("word counts in C, a licence", (path("text/plain/word-counts.wasm"), path("LICENSE-APACHE"))),
        ("Markdown, 16 KiB", markdown(16)),
        ("Markdown, 256 KiB", markdown(256)),
        ("loop of 10^9 instructions", (assembled("loop.wasm", LOOP), nothing)),
    ];
    for (name, (target, input)) in cases {
        if !target.exists() {
            eprintln!("{name}: skipped, since {} is not built", target.display());
            continue;
        }
        let mut commands = vec![["-i".into(), input.clone().into(), target.clone().into()].to_vec()];
        commands.extend(artifacts.iter().map(|artifact| with_artifact(artifact, &target, &input)));
        let times = in_turn(commands.len(), |index| processor_milliseconds(&commands[index]));
        print!("| {name} | {:.0} ", times[0]);
        print_times(&times[1..], 0);
    }
    println!();
}

/// The arguments of `qip run` for a target in one of our artifacts.
fn with_artifact(artifact: &Path, target: &Path, input: &Path) -> Vec<OsString> {
    let part = |name: &str, file: &Path| {
        let mut part = OsString::from(format!("{name}=@"));
        part.push(file);
        part
    };
    let component = [artifact.into(), "-u".into(), "instruction_budget=4294967295".into()];
    let parts = [("component", target), ("input", input)];
    parts.into_iter().flat_map(|(name, file)| ["-F".into(), part(name, file)]).chain(component).collect()
}

/// Runs `qip run` with these arguments and returns its processor time, user's and system's, of all its threads.
#[allow(clippy::zombie_processes, reason = "wait4 waits for it")]
fn processor_milliseconds(arguments: &[OsString]) -> f64 {
    let mut command = Command::new(path("qip"));
    command.arg("run").args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let child = command.spawn().expect("./qip runs; `make qip` installs it");
    let mut status = 0;
    // SAFETY: all zeros are a valid value of this structure of numbers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the two are written to, and the process is a child that nothing else waits for.
    let waited = unsafe { libc::wait4(child.id() as i32, &raw mut status, 0, &raw mut usage) };
    assert!(waited == child.id() as i32 && status == 0, "{command:?} ends with status {status}");
    let milliseconds = |time: libc::timeval| time.tv_sec as f64 * 1e3 + time.tv_usec as f64 / 1e3;
    milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
}

fn print_compilation(artifacts: &[PathBuf]) {
    println!("Compiling in Wasmtime on one thread, against `{MARKDOWN}`, medians of {ROUNDS} in turn\n");
    println!("| artifact | bytes | against the first | ms | against {} |", stem(Path::new(MARKDOWN)));
    println!("| --- | ---: | ---: | ---: | ---: |");
    let engine = Engine::default();
    let files: Vec<Vec<u8>> = [&path(MARKDOWN)].into_iter().chain(artifacts).map(|file| read(file)).collect();
    let times = in_turn(files.len(), |index| {
        let start = thread_milliseconds();
        Module::new(&engine, &files[index]).expect("the component compiles");
        thread_milliseconds() - start
    });
    for ((artifact, file), time) in artifacts.iter().zip(&files[1..]).zip(&times[1..]) {
        let (bytes, first) = (file.len(), files[1].len());
        let size = bytes as f64 / first as f64;
        println!("| {} | {bytes} | {size:.3} | {time:.0} | {:.3} |", artifact.display(), time / times[0]);
    }
    println!();
}

fn print_first_calls(host: &str, artifacts: &[PathBuf]) {
    println!(
        "{host}: the first call of a fresh process by the clock on the wall, in ms, medians of {ROUNDS} in turn\n"
    );
    print_head("workload", "", artifacts);
    let mut ratios = vec![Vec::new(); artifacts.len()];
    for workload in workloads() {
        let lanes: Vec<Lane> = artifacts.iter().map(|file| Lane::new(Runner::Ours, file.clone(), &workload)).collect();
        let times = in_turn(lanes.len(), |index| v8_host::first_call(&lanes[index]));
        print!("| {} ", workload.name);
        print_times(&times, 1);
        ratios.iter_mut().zip(&times).for_each(|(ratios, time)| ratios.push(time / times[0]));
    }
    if let [_, others @ ..] = &ratios[..]
        && !others.is_empty()
    {
        print!("| **geometric mean** | ");
        others.iter().for_each(|ratios| print!("| | **{:.3}** ", geomean(ratios.iter().copied())));
        println!("|");
    }
}

/// The medians of what is measured by turns.
fn in_turn(count: usize, mut measure: impl FnMut(usize) -> f64) -> Vec<f64> {
    let mut samples = vec![Vec::new(); count];
    for _ in 0..ROUNDS {
        samples.iter_mut().enumerate().for_each(|(index, samples)| samples.push(measure(index)));
    }
    samples.iter().map(|samples| median(samples)).collect()
}

/// The head of a table with a column for each artifact, and one for its ratio to the first.
fn print_head(first: &str, rule: &str, artifacts: &[PathBuf]) {
    print!("| {first} ");
    for (index, artifact) in artifacts.iter().enumerate() {
        print!("| {} {}", artifact.display(), if index == 0 { "" } else { "| / first " });
    }
    println!("|\n| --- {rule}{}|", "| ---: ".repeat(2 * artifacts.len() - 1));
}

/// The end of a row: the artifacts' times, and their ratios to the first.
fn print_times(times: &[f64], decimals: usize) {
    for (index, time) in times.iter().enumerate() {
        print!("| {time:.decimals$} ");
        if index > 0 {
            print!("| {:.3} ", time / times[0]);
        }
    }
    println!("|");
}

fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().display().to_string()
}
