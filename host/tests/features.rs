//! Wasmtime is compiled once for the whole workspace.

use std::collections::BTreeSet;
use std::process::Command;

/// What Cargo compiles for these packages with these kinds of dependencies: a line for each, with its version and features.
fn tree(arguments: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--prefix", "none", "--no-dedupe", "--format", "{p} [{f}]"])
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("names are UTF-8").lines().map(str::to_owned).collect()
}

/// A tool that is built alone asks for the same features, in Wasmtime and all that it needs, as all tests together.
#[test]
fn no_tool_needs_a_wasmtime_of_its_own() {
    let of_all = tree(&["--workspace", "-e", "normal,build,dev"]);
    let name = |line: &str| line.split(" [").next().unwrap_or_default().to_owned();
    let hosts: BTreeSet<String> =
        tree(&["-p", "content-host", "-e", "normal,build"]).iter().map(|it| name(it)).collect();
    for (package, kinds) in [
        ("content-host", "normal,build"),
        ("probe-report", "normal,build"),
        ("bench", "normal,build"),
        ("qip-interpret", "normal,build,dev"),
    ] {
        let of_one = tree(&["-p", package, "-e", kinds]);
        let others: Vec<_> = of_one.difference(&of_all).filter(|line| hosts.contains(&name(line))).collect();
        assert_eq!(others, [""; 0], "{package} alone has other features");
    }
}
