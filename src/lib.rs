//! Runs a QIP component in an interpreter and reports how it uses its linear memory.
//!
//! Data flows one way: [`request`] -> [`module`] -> [`code`] -> [`machine`] (over [`memory`]) -> [`content`] ->
//! [`report`]. [`render`] and its like run the whole way, one for each component; nothing in the library keeps state between two
//! calls.

#![no_std]

extern crate alloc;

pub mod code;
pub mod content;
mod fallible;
pub mod machine;
pub mod memory;
pub mod module;
pub mod rejection;
pub mod report;
pub mod request;
pub(crate) mod wasm;

use alloc::vec::Vec;

use content::{Finished, Unfinished};
use module::Names;

pub use rejection::{MODES_PER_OFFSET, Mode, Rejection};

/// The default instruction budget of a request.
pub const DEFAULT_BUDGET: u32 = 1_000_000;

/// Runs the request's component on its input and returns the page CSV.
///
/// `boundary` is the UUID of the multipart boundary, `budget` the instructions that setters and `render` may execute
/// together. A rejection's offset is a byte of the request.
pub fn render(request: &[u8], boundary: &[u8; 36], budget: u32) -> Result<Vec<u8>, Rejection> {
    run(request, boundary, budget, |_| Ok(report::page_writes_csv)).map_err(|why| why.rejection)
}

/// The same, and returns the CSV by page and function.
pub fn render_functions(request: &[u8], boundary: &[u8; 36], budget: u32) -> Result<Vec<u8>, Rejection> {
    let with_names = |component| {
        let names = Names::read(component)?;
        Ok(move |run: &Finished<'_, _>| report::page_functions_csv(run, &names))
    };
    run(request, boundary, budget, with_names).map_err(|why| why.rejection)
}

/// The same, and returns the component's own output, without counting.
pub fn render_output(request: &[u8], boundary: &[u8; 36], budget: u32) -> Result<Vec<u8>, Rejection> {
    run(request, boundary, budget, |_| Ok(report::output::<memory::Nothing>)).map_err(|why| why.rejection)
}

/// Says in words whether [`render`] succeeds, and if not, why. Rejects with `OutOfMemory` alone, at 0.
pub fn render_explanation(request: &[u8], boundary: &[u8; 36], budget: u32) -> Result<Vec<u8>, Rejection> {
    let explain = |run: &Finished<'_, _>| {
        report::page_writes_csv(run)?;
        report::succeeded(run, budget)
    };
    run(request, boundary, budget, |_| Ok(explain)).or_else(|why| report::rejected(request, boundary, budget, &why))
}

/// Runs the request's component and writes the report that `prepare` makes ready before, from the component.
fn run<'a, C: memory::Count, R>(
    request: &'a [u8],
    boundary: &[u8; 36],
    budget: u32,
    prepare: impl FnOnce(&'a [u8]) -> Result<R, Mode>,
) -> Result<Vec<u8>, Unfinished>
where
    R: FnOnce(&Finished<'_, C>) -> Result<Vec<u8>, Rejection>,
{
    let request = request::parse(request, boundary)?;
    let component = &request.component;
    let program = code::Program::new(component.body)
        .map_err(|rejection| Rejection::new(rejection.mode, component.offset + rejection.offset))?;
    let report = prepare(component.body).map_err(|mode| mode.at(0))?;
    Ok(report(&content::run(&program, &request, budget)?)?)
}
