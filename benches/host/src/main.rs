//! Measures the interpreter beside wasmi and the target alone.
//!
//! `bench` prints the whole table; `bench ours ARTIFACT...` compares artifacts of ours with the target alone, warmed, and `bench
//! start ARTIFACT...` from the start of a process on; `bench growth` shows how time and memory grow with sizes. `--wasmtime` or `--v8` measures in that host alone.

mod check;
mod first;
mod growth;
mod lane;
mod start;
mod table;
mod v8_host;
mod wasmtime_host;
mod workload;

use std::path::PathBuf;

use lane::{Lane, Samples};
use table::Table;
use wasmtime_host::Wasmtime;
use workload::{INTERPRET, Runner, Workload, built, path, read, workloads};

fn main() {
    let (flags, arguments): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let hosts = match flags.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => hosts(),
        ["--wasmtime"] => hosts().into_iter().take(1).collect(),
        ["--v8"] => hosts().into_iter().skip(1).collect(),
        _ => usage(),
    };
    match arguments.split_first() {
        None => all(hosts),
        Some((command, [])) if command == "growth" => growth::print(),
        Some((command, artifacts)) if !artifacts.is_empty() => {
            let artifacts: Vec<PathBuf> = artifacts.iter().map(PathBuf::from).collect();
            match command.as_str() {
                "ours" => hosts.into_iter().for_each(|host| ours(host, &artifacts)),
                "start" => start::print(&artifacts),
                _ => usage(),
            }
        }
        Some(_) => usage(),
    }
}

fn usage() -> ! {
    eprintln!("usage: bench [--wasmtime|--v8] [ours ARTIFACT... | start ARTIFACT... | growth]");
    std::process::exit(2)
}

type Measure = dyn FnMut(&[Lane]) -> Vec<Samples>;

/// A host and how it measures lanes.
struct Host {
    name: String,
    /// wasmi in the form that is fastest here.
    wasmi: &'static str,
    /// Whether it optimises code while that runs, so that the first calls in a process take longer.
    is_adaptive: bool,
    measure: Box<Measure>,
}

fn hosts() -> Vec<Host> {
    let mut wasmtime = Wasmtime::default();
    let mut hosts = vec![Host {
        name: "Wasmtime 48".to_owned(),
        wasmi: "wasmi-loop",
        is_adaptive: false,
        measure: Box::new(move |lanes| wasmtime.measure(lanes, 9)),
    }];
    match v8_host::version() {
        Some(name) => {
            let measure = Box::new(|lanes: &[Lane]| v8_host::measure(lanes, 3, 3));
            hosts.push(Host { name, wasmi: "wasmi-tail", is_adaptive: true, measure })
        }
        None => eprintln!("node is missing: nothing is measured in V8"),
    }
    hosts
}

/// Everything.
fn all(hosts: Vec<Host>) {
    for mut host in hosts {
        let mut table = Table::new(&host.name);
        for workload in workloads() {
            let lane = |runner, module| Lane::new(runner, module, &workload);
            let lanes = [
                lane(Runner::Ours, path(INTERPRET)),
                lane(Runner::Wasmi, built(host.wasmi)),
                lane(Runner::Direct, workload.target.clone()),
            ];
            let samples = (host.measure)(&lanes);
            check::answers(&workload, &lanes, &samples);
            table.add(workload.name, &samples);
        }
        table.finish();
        if host.is_adaptive {
            first::print();
        }
    }
    println!("`{INTERPRET}`: {} bytes", read(&path(INTERPRET)).len());
}

/// Artifacts of ours beside each other and the target alone, in one host.
fn ours(mut host: Host, artifacts: &[PathBuf]) {
    println!("{}: run in ms, then against the target alone, then against the first artifact", host.name);
    let mut slowdowns = vec![Vec::new(); artifacts.len()];
    for workload in workloads() {
        let mut lanes: Vec<Lane> =
            artifacts.iter().map(|file| Lane::new(Runner::Ours, file.clone(), &workload)).collect();
        lanes.push(Lane::new(Runner::Direct, workload.target.clone(), &workload));
        let samples = (host.measure)(&lanes);
        let (direct, ours) = samples.split_last().expect("one lane is the target alone");
        same_reports(&workload, ours);
        print!("{:10}", workload.name);
        for (samples, slowdowns) in ours.iter().zip(&mut slowdowns) {
            slowdowns.push(samples.run() / direct.run());
            let speed = ours[0].run() / samples.run();
            print!(" {:9.2} {:6.2}x {speed:5.3}x", samples.run(), samples.run() / direct.run());
        }
        println!();
    }
    print!("{:10}", "geomean 4");
    for mine in &slowdowns {
        let mean = |slowdowns: &[f64]| lane::geomean(slowdowns[..table::MEAN_OF].iter().copied());
        print!(" {:9} {:6.2}x {:5.3}x", "", mean(mine), mean(&slowdowns[0]) / mean(mine));
    }
    println!();
}

/// Artifacts of ours must not differ in what they count.
fn same_reports(workload: &Workload, ours: &[Samples]) {
    for other in ours {
        assert!(other.answer == ours[0].answer, "{}: the artifacts' reports differ", workload.name);
    }
}
