//! Prints what each request takes, for `make adversarial`: what is in `docs/adversarial.csv`.

use std::panic::Location;
use std::path::Path;
use std::sync::LazyLock;

use qip_interpret::DEFAULT_BUDGET;

use crate::support::{Form, Outcome, Tool};

/// Fresh instances of which the median is printed.
const ROUNDS: usize = 3;

/// The time of the slowest compiled code that spends the default budget, which no request takes more than so many times.
const MULTIPLE: f64 = 600.0;
static HONEST: LazyLock<f64> = LazyLock::new(|| measure(&markdown(), DEFAULT_BUDGET).0);

/// Markdown of 200 KB.
pub fn markdown() -> Form {
    let read = |path| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("`make test` builds it");
    Form::component(&read("text/markdown/commonmark.0.31.2.wasm")).input(&read("tests/it/commonmark/spec.txt"))
}

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
    let (milliseconds, peak) = measure(form, budget);
    assert!(milliseconds < MULTIPLE * *HONEST, "{case} takes {milliseconds} ms, an honest run {} ms", *HONEST);
    let (case, size) = (case.replace('"', "\"\""), form.body().len());
    println!("\n{file},\"{case}\",{size},{budget},{answer},{offset},{milliseconds:.1},{peak}");
}

fn measure(form: &Form, budget: u32) -> (f64, u64) {
    let body = form.body();
    let mut rounds = [(); ROUNDS].map(|()| {
        let mut tool = Tool::new();
        tool.set_budget(budget);
        // What it answers was looked at above.
        let _ = tool.render_body(&body, form.boundary());
        (tool.milliseconds(), tool.counters().peak)
    });
    rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    rounds[ROUNDS / 2]
}
