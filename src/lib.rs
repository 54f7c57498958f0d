//! Runs a QIP component in an interpreter and reports how it uses its linear memory.
//!
//! Data flows one way: [`request`] -> [`module`] -> [`code`] -> [`machine`] (over [`memory`]) -> [`content`] ->
//! [`report`]. [`render`] runs the whole way; nothing in the library keeps state between two calls.

#![no_std]

extern crate alloc;

pub mod rejection;
pub mod request;

pub use rejection::{Mode, Rejection};
