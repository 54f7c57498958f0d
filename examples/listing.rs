//! Prints the interpreter's own code for a component: `cargo run --example listing FILE`.

use qip_interpret::code::{Listing, Program};

fn main() {
    let path = std::env::args().nth(1).expect("usage: listing FILE");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let program = Program::new(&bytes).unwrap_or_else(|rejection| panic!("{path}: {rejection:?}"));
    for (index, code) in program.code.iter().enumerate() {
        println!("function {index}: {}", Listing(code));
    }
}
