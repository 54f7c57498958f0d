//! What the components return of a run: the reports, the target's output, and why a run was rejected.

mod explanation;
mod functions;
mod output;
mod pages;
mod text;

pub use explanation::{Seen, rejected, succeeded};
pub use functions::page_functions_csv;
pub use output::output;
pub use pages::page_writes_csv;
