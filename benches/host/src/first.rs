//! What the first call in a fresh process of V8 costs over a warmed one, in short runs and in long ones.

use crate::lane::{Lane, median};
use crate::v8_host;
use crate::workload::{INTERPRET, MARKDOWN, Runner, Workload, paragraphs, path};

/// Prints the table.
pub fn print() {
    println!("| input of Markdown in V8, KiB | warmed ms | first ms | first / warmed |");
    println!("| ---: | ---: | ---: | ---: |");
    for kib in [4, 16, 64, 256, 1024] {
        let workload = Workload { name: "first", target: path(MARKDOWN), input: paragraphs(kib << 10) };
        let samples = v8_host::measure(&[Lane::new(Runner::Ours, path(INTERPRET), &workload)], 3, 3);
        let (warmed, first) = (median(&samples[0].warmed), median(&samples[0].first));
        println!("| {kib} | {warmed:.0} | {first:.0} | {:.2} |", first / warmed);
    }
    println!();
}
