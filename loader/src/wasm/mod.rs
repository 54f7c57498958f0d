//! WebAssembly's operators: what they are, how they are read, and how bodies are type-checked.
//!
//! The rest of the crate uses this room through three names: [`Operator::read`] gives the next operator of a body with its immediates,
//! [`Validator`] checks it, and a [`Row`] of the tables says what an operator of fixed type takes, leaves and becomes.

mod names;
mod operator;
mod signatures;
#[cfg(test)]
mod tests;
mod validate;

pub use names::instruction_name;
pub use operator::{BlockType, BrTable, Operator, local_declaration};
pub use signatures::{Row, Shape};
pub use validate::Validator;
