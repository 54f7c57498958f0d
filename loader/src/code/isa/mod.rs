//! The instruction set: what an instruction is, what its fields are, and what the loop relies on.
//!
//! One row of [`instructions`], [`basic`], [`vector`] or [`rare`] defines an instruction; the loop's arms, the translator's look-ups, the fields,
//! the listing and the verifier follow from it.

pub mod basic;
pub mod fields;
pub mod instructions;
mod listing;
pub mod opcode;
mod pair;
pub mod rare;
pub mod vector;
#[cfg(debug_assertions)]
mod verify;

pub use listing::Listing;
pub use opcode::{Opcode, Side};
pub use pair::mark as mark_pairs;
#[cfg(debug_assertions)]
pub use verify::verify;
