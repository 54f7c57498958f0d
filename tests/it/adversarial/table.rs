//! Prints what each request takes, for `make adversarial`: what is in `docs/adversarial.csv`.

use std::panic::Location;
use std::path::Path;
use std::sync::LazyLock;

use qip_interpret::{DEFAULT_BUDGET, Mode, Rejection};

use crate::support::{BUDGET, Form, Tool};

/// Fresh instances of which the median is printed.
const ROUNDS: usize = 3;

/// The time of the slowest compiled code that spends the default budget, which no request takes more than so many times. The slowest
/// clears locals that are not in the cache.
const MULTIPLE: f64 = 300.0;
static HONEST: LazyLock<f64> = LazyLock::new(|| {
    let (milliseconds, _, answer) = measure(&markdown(), DEFAULT_BUDGET);
    assert_eq!(answer.map_err(|rejection| rejection.mode), Err(Mode::Budget), "it spends the default budget");
    milliseconds
});

/// Whether requests are measured, and so targets are to spend the default budget.
pub fn is_printed() -> bool {
    std::env::var_os("ADVERSARIAL").is_some()
}

/// Markdown of 1 MB.
pub fn markdown() -> Form {
    let read = |path| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("`make test` builds it");
    let mut text = read("tests/it/commonmark/spec.txt").repeat(6);
    text.truncate(1_000_000);
    let text = String::from_utf8_lossy(&text).replace(char::REPLACEMENT_CHARACTER, "");
    Form::component(&read("text/markdown/commonmark.0.31.2.wasm")).input(text.as_bytes())
}

/// Prints a row if `ADVERSARIAL` is set: the test's file, the case, the request's size and budget, what was answered, where,
/// how long that took in a fresh instance in Wasmtime, and what was allocated at most. Where the test's budget is that of most tests,
/// all that is of a run with the default budget.
#[track_caller]
pub fn print(case: &str, form: &Form, budget: u32) {
    if !is_printed() {
        return;
    }
    let file = Path::new(Location::caller().file()).file_stem().expect("a test has a file").to_string_lossy();
    let budget = if budget == BUDGET { DEFAULT_BUDGET } else { budget };
    let (milliseconds, peak, answer) = measure(form, budget);
    let (answer, offset) = match answer {
        Ok(_) => ("a report".to_owned(), String::new()),
        Err(rejection) => (format!("{:?}", rejection.mode), rejection.offset.to_string()),
    };
    assert!(milliseconds < MULTIPLE * *HONEST, "{case} takes {milliseconds} ms, an honest run {} ms", *HONEST);
    let (case, size) = (case.replace('"', "\"\""), form.body().len());
    println!("\n{file},\"{case}\",{size},{budget},{answer},{offset},{milliseconds:.1},{peak}");
}

/// The milliseconds that a request takes, the bytes, and the answer without its text.
fn measure(form: &Form, budget: u32) -> (f64, u64, Result<(), Rejection>) {
    let body = form.body();
    let mut rounds = [(); ROUNDS].map(|()| {
        let mut tool = Tool::new();
        tool.set_budget(budget);
        let answer = tool.render_body(&body, form.boundary()).map(drop);
        (tool.milliseconds(), tool.counters().peak, answer)
    });
    rounds.sort_by(|one, other| one.0.total_cmp(&other.0));
    rounds[ROUNDS / 2]
}
