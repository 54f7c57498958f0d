//! What the components return of a run: the report, and the target's output.

mod output;
mod pages;
mod text;

pub use output::output;
pub use pages::page_writes_csv;
