//! A small host of QIP Content components, and the requests that some of them take.
//!
//! ```no_run
//! use content_host::{Form, Instance};
//!
//! # fn main() -> wasmtime::Result<()> {
//! let mut interpreter = Instance::from_file("application/wasm/qip-interpret-memory-page-writes-csv.wasm")?;
//! interpreter.set_uniform("instruction_budget", "100000")?;
//! let form = Form::component(&std::fs::read("target.wasm")?).input(b"# Hello");
//! match interpreter.render(&form.body())? {
//!     Ok(csv) => println!("{} bytes in {} ms", csv.len(), interpreter.milliseconds()),
//!     Err(rejected) => println!("{rejected}"),
//! }
//! # Ok(())
//! # }
//! ```

mod form;
#[cfg(feature = "wasmtime")]
mod instance;

pub use form::{Form, UUID};
#[cfg(feature = "wasmtime")]
pub use instance::{Counters, Instance, Rejected, thread_milliseconds};
#[cfg(feature = "wasmtime")]
pub use wasmtime::{Engine, Error, Module, Result};
