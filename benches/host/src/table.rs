//! One host's figures as Markdown.

use crate::lane::{Samples, geomean, median};

/// How many workloads, from the first, the means are over.
pub const MEAN_OF: usize = 4;

/// Rows of samples of ours, wasmi and the target alone.
pub struct Table {
    host: String,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    ours: f64,
    wasmi: f64,
    direct: f64,
    load: f64,
    wasmi_load: f64,
    /// First call against warmed call, loading included.
    first: f64,
}

impl Table {
    pub fn new(host: &str) -> Self {
        Self { host: host.to_owned(), rows: Vec::new() }
    }

    /// Adds a workload's samples of ours, wasmi and the target, in this order.
    pub fn add(&mut self, name: &str, samples: &[Samples]) {
        let [ours, wasmi, direct] = samples else { panic!("three runners are compared") };
        self.rows.push(Row {
            name: name.to_owned(),
            ours: ours.run(),
            wasmi: wasmi.run(),
            direct: direct.run(),
            load: median(&ours.empty),
            wasmi_load: median(&wasmi.empty),
            first: median(&ours.first) / median(&ours.full),
        });
        eprintln!("{}: {name} measured", self.host);
    }

    pub fn print(&self) {
        println!("{}, medians in ms\n", self.host);
        println!(
            "| workload | ours | wasmi | direct | wasmi / ours | ours / direct | load ours | load wasmi | first / warmed |"
        );
        println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
        for row in &self.rows {
            println!(
                "| {} | {:.2} | {:.2} | {:.3} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
                row.name,
                row.ours,
                row.wasmi,
                row.direct,
                row.wasmi / row.ours,
                row.ours / row.direct,
                row.load,
                row.wasmi_load,
                row.first,
            );
        }
        self.print_means("first four", &self.rows[..MEAN_OF.min(self.rows.len())]);
        self.print_means("all", &self.rows);
        println!();
    }

    fn print_means(&self, which: &str, rows: &[Row]) {
        let mean = |of: fn(&Row) -> f64| geomean(rows.iter().map(of));
        let (wasmi, direct) = (mean(|row| row.wasmi / row.ours), mean(|row| row.ours / row.direct));
        let first = mean(|row| row.first);
        println!("| **geometric mean, {which}** | | | | **{wasmi:.2}** | **{direct:.2}** | | | {first:.2} |");
    }
}
