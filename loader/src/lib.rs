//! From a component's bytes to the code that the machine runs.
//!
//! [`module`] reads and validates the sections, [`wasm`] reads and type-checks the operators of bodies, and [`code`] translates them in
//! the same pass. All of it runs once over each byte, and so is built for size: see the profile in the workspace's Cargo.toml.

#![no_std]

extern crate alloc;

pub mod code;
pub mod fallible;
pub mod module;
pub mod rejection;
pub mod wasm;
