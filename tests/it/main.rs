//! Tests of the whole tool: the library natively, and the built components in Wasmtime.

mod adversarial;
mod budget;
mod clients;
mod content_interpreter;
mod counting;
mod determinism;
mod explain;
mod failures;
mod getters;
mod hosts;
mod itself;
mod mandelbrot;
mod markdown;
mod mixed;
mod page_functions;
mod picture;
mod png;
mod promises;
mod readme;
mod real_modules;
mod repeat;
mod second_counter;
mod support;
mod word_counts;
