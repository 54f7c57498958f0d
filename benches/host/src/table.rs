//! One host's figures as Markdown.

use crate::lane::{Samples, geomean, median};

/// How many workloads, from the first, the means are over.
pub const MEAN_OF: usize = 4;

/// The rows of ours, wasmi and the target alone that were printed.
pub struct Table {
    rows: Vec<Row>,
}

struct Row {
    /// wasmi's time against ours.
    wasmi: f64,
    /// Our time against the target's alone.
    direct: f64,
    /// Our first call against a warmed one, loading included.
    first: f64,
}

impl Table {
    /// An empty table, whose head is printed.
    pub fn new(host: &str) -> Self {
        println!("{host}, medians in ms\n");
        println!(
            "| workload | ours | wasmi | direct | wasmi / ours | ours / direct | load ours | load wasmi | first / warmed |"
        );
        println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        Self { rows: Vec::new() }
    }

    /// Adds and prints a workload's samples of ours, wasmi and the target, in this order.
    pub fn add(&mut self, name: &str, samples: &[Samples]) {
        let [ours, wasmi, direct] = samples else { panic!("three runners are compared") };
        let row = Row {
            wasmi: wasmi.run() / ours.run(),
            direct: ours.run() / direct.run(),
            first: median(&ours.first) / median(&ours.warmed),
        };
        println!(
            "| {name} | {:.2} | {:.2} | {:.3} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
            ours.run(),
            wasmi.run(),
            direct.run(),
            row.wasmi,
            row.direct,
            median(&ours.empty),
            median(&wasmi.empty),
            row.first,
        );
        self.rows.push(row);
    }

    /// Prints the geometric means.
    pub fn finish(self) {
        self.print_means("first four", &self.rows[..MEAN_OF]);
        self.print_means("all", &self.rows);
        println!();
    }

    fn print_means(&self, which: &str, rows: &[Row]) {
        let mean = |of: fn(&Row) -> f64| geomean(rows.iter().map(of));
        let (wasmi, direct, first) = (mean(|row| row.wasmi), mean(|row| row.direct), mean(|row| row.first));
        println!("| **geometric mean, {which}** | | | | **{wasmi:.2}** | **{direct:.2}** | | | {first:.2} |");
    }
}
