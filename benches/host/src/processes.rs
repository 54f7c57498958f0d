//! What a user waits for: sizes, and whole processes of `qip run`.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::lane::median;
use crate::workload::{BUILT, INTERPRET, MARKDOWN, path, read};

/// The README's example.
const INPUT: &str = "# Hello\n\nSome *text* with [a link](https://example.com).";
const ROUNDS: usize = 15;

/// Prints the artifact's size, and the time of the README's example against that of its target alone.
pub fn print() {
    println!("`{INTERPRET}`: {} bytes\n", read(&path(INTERPRET)).len());
    let file = format!("{BUILT}/example.md");
    std::fs::write(path(&file), INPUT).expect("the directory of built modules is writable");
    let (mut example, mut alone) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        example.push(qip(|qip| {
            qip.args(["-F", &format!("component=@{MARKDOWN}"), "-F", &format!("input={INPUT}"), INTERPRET])
        }));
        alone.push(qip(|qip| qip.args(["-i", &file, MARKDOWN])));
    }
    let (example, alone) = (median(&example), median(&alone));
    println!(
        "`qip run` of the README's example: {example:.0} ms; of its target alone: {alone:.0} ms; ratio {:.2}",
        example / alone
    );
}

/// How many milliseconds a run of `qip` takes from start to end.
fn qip(arguments: impl FnOnce(&mut Command) -> &mut Command) -> f64 {
    let mut command = Command::new(path("qip"));
    command.arg("run").current_dir(path("")).stdin(Stdio::null());
    let start = Instant::now();
    let output = arguments(&mut command).output().expect("./qip runs; `make qip` installs it");
    let milliseconds = start.elapsed().as_secs_f64() * 1e3;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    milliseconds
}
