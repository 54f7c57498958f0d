//! The instruction set: what an instruction is, what its fields are, and what the loop relies on.
//!
//! One row of [`instructions`] (of [`vector`] for SIMD) defines an instruction; the loop's arms, the translator's look-ups, the fields,
//! the listing and the verifier follow from it.

pub(crate) mod fields;
pub(crate) mod instructions;
mod listing;
pub(crate) mod opcode;
mod pair;
pub(crate) mod vector;
#[cfg(debug_assertions)]
mod verify;

pub use listing::Listing;
pub(crate) use opcode::{Opcode, Side};
pub(crate) use pair::mark as mark_pairs;
#[cfg(debug_assertions)]
pub(crate) use verify::verify;
