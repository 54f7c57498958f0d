//! Prints what each request takes, for `make adversarial`: what is in `docs/adversarial.csv`.

use std::panic::Location;
use std::path::Path;

use crate::support::{Form, Outcome, Tool};

/// Fresh instances of which the median is printed.
const ROUNDS: usize = 3;

/// Prints a row if `ADVERSARIAL` is set: the test's file, the case, the request's size and budget, what was answered, where,
/// how long that took in a fresh instance in Wasmtime, and what was allocated at most.
#[track_caller]
pub fn print(case: &str, form: &Form, budget: u32, answer: &Outcome) {
    if std::env::var_os("ADVERSARIAL").is_none() {
        return;
    }
    let file = Path::new(Location::caller().file()).file_stem().expect("a test has a file").to_string_lossy();
    let (answer, offset) = match answer {
        Ok(_) => ("a report".to_owned(), String::new()),
        Err(rejection) => (format!("{:?}", rejection.mode), rejection.offset.to_string()),
    };
    let body = form.body();
    let mut times = Vec::new();
    let mut peak = 0;
    for _ in 0..ROUNDS {
        let mut tool = Tool::new();
        tool.set_budget(budget);
        times.push(tool.milliseconds(&body, form.boundary()));
        peak = tool.probe("peak");
    }
    times.sort_by(f64::total_cmp);
    let case = case.replace('"', "\"\"");
    println!("{file},\"{case}\",{},{budget},{answer},{offset},{:.1},{peak}", body.len(), times[ROUNDS / 2]);
}
