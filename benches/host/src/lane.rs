//! What is measured: modules that answer requests, side by side.

use std::path::PathBuf;

use crate::workload::{Runner, Workload, read};

/// One module on one workload.
pub struct Lane {
    pub runner: Runner,
    pub module: PathBuf,
    /// The request with the workload's input.
    pub full: Vec<u8>,
    /// The request with no input, whose time is that of loading.
    pub empty: Vec<u8>,
}

impl Lane {
    pub fn new(runner: Runner, module: PathBuf, workload: &Workload) -> Self {
        let target = read(&workload.target);
        let full = runner.request(&target, &workload.input);
        Self { runner, module, full, empty: runner.request(&target, &[]) }
    }
}

/// What was seen of one lane; times in milliseconds.
#[derive(Clone, Default)]
pub struct Samples {
    /// The first call of a fresh process, in a host that compiles while it runs.
    pub first: Vec<f64>,
    /// The first call of a fresh instance of compiled code, by the same clock.
    pub fresh: Vec<f64>,
    /// The later calls, by the same clock.
    pub warmed: Vec<f64>,
    /// Of the processor, as `empty`.
    pub full: Vec<f64>,
    pub empty: Vec<f64>,
    /// What the full request was answered with.
    pub answer: Vec<u8>,
}

impl Samples {
    /// The target's run without loading.
    pub fn run(&self) -> f64 {
        (median(&self.full) - median(&self.empty)).max(f64::MIN_POSITIVE)
    }
}

/// The middle one, or the mean of the two in the middle.
pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

pub fn geomean(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    (values.map(f64::ln).sum::<f64>() / count).exp()
}
