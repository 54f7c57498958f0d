//! Random modules in the interpreter and in a second engine: both must accept or refuse them, return the same results,
//! trap for the same reason, and leave the same globals and memory behind. Some are counted a second way too.
//!
//! Each module comes from a number: they start at `SEED`, and there are `MODULES` of them.

mod compare;
mod counters;
mod generate;
mod random;
mod second;
mod validation;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use compare::{Totals, compare};
use counters::Counter;
use generate::{Case, case};
use random::Random;
use wasmtime::Engine;

/// Modules of a run that does not ask for more.
const MODULES: u64 = 1000;

/// One in so many modules that terminate by themselves is counted a second way.
const COUNTED: u64 = 10;

/// Modules between two lines of progress.
const PROGRESS: u64 = 10_000;

/// Differences after which a run ends.
const ENOUGH: usize = 20;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}")))
}

fn check(seed: u64, case: &Case, engine: &Engine, counter: &Counter, totals: &mut Totals) -> Result<(), String> {
    compare(case, engine, &mut Random::new(seed ^ 1 << 63), totals)?;
    if case.terminates && seed.is_multiple_of(COUNTED) {
        totals.counted += u64::from(counter.compare(case, &mut Random::new(seed ^ 1 << 63))?);
    }
    Ok(())
}

/// Writes a module in both formats for a look at it.
fn keep(seed: u64, module: &[u8]) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("differential-{seed}.wasm"));
    std::fs::write(&path, module).expect("the module can be written");
    if let Ok(text) = wasmprinter::print_bytes(module) {
        std::fs::write(path.with_extension("wat"), text).expect("the module can be written");
    }
    println!("SEED={seed} MODULES=1, see {}", path.display());
}

#[test]
fn random_modules_do_the_same_in_both_engines() {
    let (first, modules) = (number("SEED", 0), number("MODULES", MODULES));
    let engine = second::engine().expect("the configuration is valid");
    let counter = Counter::new(&engine).expect("hooks have different names");
    let mut totals = Totals::default();
    let mut differences = Vec::new();
    for seed in first..first.saturating_add(modules) {
        let case = case(seed);
        let result = catch_unwind(AssertUnwindSafe(|| check(seed, &case, &engine, &counter, &mut totals)));
        if let Err(problem) = result.unwrap_or_else(|_| Err("panicked".into())) {
            keep(seed, &case.module);
            println!("{problem}");
            differences.push(seed);
            if differences.len() == ENOUGH {
                break;
            }
        }
        if (seed + 1 - first).is_multiple_of(PROGRESS) {
            println!("to {seed}: {totals}");
        }
    }
    println!("{totals}, {} differences", differences.len());
    assert!(differences.is_empty(), "modules that differ: {differences:?}");
}
