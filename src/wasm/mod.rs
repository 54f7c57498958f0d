//! WebAssembly's operators: what they are, how they are read, and how bodies are type-checked.
//!
//! The rest of the crate uses this room through three names: [`Operator::read`] gives the next operator of a body with its immediates,
//! [`Validator`] checks it, and a [`Row`] of the tables says what an operator of fixed type takes, leaves and becomes.

mod operator;
mod signatures;
mod validate;

pub(crate) use operator::{BlockType, BrTable, Operator};
pub(crate) use signatures::{Row, Shape};
pub(crate) use validate::Validator;
