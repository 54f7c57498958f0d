//! Runs a QIP component in an interpreter and reports how it uses its linear memory.
//!
//! Data flows one way: [`request`] -> [`module`] -> [`code`] -> [`machine`] (over [`memory`]) -> [`content`] ->
//! [`report`]. [`page_writes_csv`] and its like take a [`Request`] the whole way, one for each component; nothing in the library keeps
//! state between two calls.

#![no_std]

extern crate alloc;

pub mod content;
pub mod report;
pub mod request;

use alloc::vec::Vec;

pub use loader::{code, module, rejection};
use loader::{fallible, wasm};
pub use machine::{self, memory};

use content::{Finished, Unfinished};
use machine::Machine;
use module::Names;

pub use rejection::{MODES_PER_OFFSET, Mode, Rejection};

/// The default instruction budget of a request.
pub const DEFAULT_BUDGET: u32 = 100_000_000;

/// What a component is asked to do.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The `multipart/form-data` body, under 4 GiB.
    pub body: &'a [u8],
    /// The UUID of the body's boundary.
    pub boundary: &'a [u8; 36],
    /// How many instructions the target's setters and `render` may execute together.
    pub budget: u32,
}

/// Runs the request's target on its input and returns the CSV by page (docs/spec.md §1).
///
/// A rejection's offset is a byte of the request.
pub fn page_writes_csv(request: &Request<'_>) -> Result<Vec<u8>, Rejection> {
    run(request, |_| Ok(report::page_writes_csv), |_, _| ()).map_err(|why| why.rejection)
}

/// Runs the request's target and returns the CSV by page and function (docs/spec.md §7).
pub fn page_functions_csv(request: &Request<'_>) -> Result<Vec<u8>, Rejection> {
    let with_names = |component| {
        let names = Names::read(component)?;
        Ok(move |run: &Finished<'_, _>| report::page_functions_csv(run, &names))
    };
    run(request, with_names, |_, _| ()).map_err(|why| why.rejection)
}

/// Runs the request's target, without counting, and returns the target's own output.
pub fn output(request: &Request<'_>) -> Result<Vec<u8>, Rejection> {
    run(request, |_| Ok(report::output::<memory::Nothing>), |_, _| ()).map_err(|why| why.rejection)
}

/// Says in words whether [`page_writes_csv`] succeeds, and if not, why. Rejects with `OutOfMemory` alone, at 0.
pub fn explanation(request: &Request<'_>) -> Result<Vec<u8>, Rejection> {
    let explain = |run: &Finished<'_, _>| {
        report::page_writes_csv(run)?;
        report::succeeded(run, request.budget)
    };
    let mut seen = report::Seen::default();
    let run = run(request, |_| Ok(explain), |machine, why| seen.fill(machine, why));
    run.or_else(|why| report::rejected(request, &why, &seen))
}

/// Runs the request's target and writes the report that `prepare` makes ready before, from the component; `inspect` sees a run that
/// ends before that.
fn run<'a, C: memory::Count, R>(
    request: &Request<'a>,
    prepare: impl FnOnce(&'a [u8]) -> Result<R, Mode>,
    inspect: impl FnOnce(&Machine<'_, C>, &Unfinished),
) -> Result<Vec<u8>, Unfinished>
where
    R: FnOnce(&Finished<'_, C>) -> Result<Vec<u8>, Rejection>,
{
    let parts = request::parse(request.body, request.boundary)?;
    let component = &parts.component;
    let program = code::Program::new(component.body)
        .map_err(|rejection| rejection.mode.at(component.offset + rejection.offset))?;
    let report = prepare(component.body).map_err(|mode| mode.at(0))?;
    Ok(report(&content::run(&program, &parts, request.budget, inspect)?)?)
}
