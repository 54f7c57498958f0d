//! What the components return of a run: the reports, and the target's output.

mod functions;
mod output;
mod pages;
mod text;

pub use functions::page_functions_csv;
pub use output::output;
pub use pages::page_writes_csv;
