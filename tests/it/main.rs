//! Tests of the whole tool: the library natively, and the built component in Wasmtime.

mod adversarial;
mod budget;
mod counting;
mod failures;
mod hosts;
mod markdown;
mod promises;
mod readme;
mod real_modules;
mod repeat;
mod second_counter;
mod support;
