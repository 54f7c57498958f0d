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
    /// The first call of a fresh instance of ours against a warmed one, loading included.
    fresh: f64,
    /// The same of a fresh process.
    first: Option<f64>,
}

impl Table {
    /// An empty table, whose head is printed.
    pub fn new(host: &str) -> Self {
        println!("{host}, medians in ms\n");
        println!(
            "| workload | ours | wasmi | direct | wasmi / ours | ours / direct | load ours | load wasmi | fresh / warmed | first / warmed |"
        );
        println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        Self { rows: Vec::new() }
    }

    /// Adds and prints a workload's samples of ours, wasmi and the target, in this order.
    pub fn add(&mut self, name: &str, samples: &[Samples]) {
        let [ours, wasmi, direct] = samples else { panic!("three runners are compared") };
        let row = Row {
            wasmi: wasmi.run() / ours.run(),
            direct: ours.run() / direct.run(),
            fresh: median(&ours.fresh) / median(&ours.warmed),
            first: (!ours.first.is_empty()).then(|| median(&ours.first) / median(&ours.warmed)),
        };
        println!(
            "| {name} | {:.2} | {:.2} | {:.3} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} |",
            ours.run(),
            wasmi.run(),
            direct.run(),
            row.wasmi,
            row.direct,
            median(&ours.empty),
            median(&wasmi.empty),
            row.fresh,
            decimals(row.first),
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
        let (wasmi, direct, fresh) = (mean(|row| row.wasmi), mean(|row| row.direct), mean(|row| row.fresh));
        let first: Option<Vec<f64>> = rows.iter().map(|row| row.first).collect();
        let first = decimals(first.map(|first| geomean(first.into_iter())));
        println!(
            "| **geometric mean, {which}** | | | | **{wasmi:.2}** | **{direct:.2}** | | | **{fresh:.2}** | {first} |"
        );
    }
}

/// Two decimals, where there is a value.
fn decimals(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:.2}"))
}
