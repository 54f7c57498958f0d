//! Prints the interpreter's own code for a component: `cargo run --example listing FILE`.

use qip_interpret::code::Program;

fn main() {
    let path = std::env::args().nth(1).expect("usage: listing FILE");
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let program = Program::new(&bytes).unwrap_or_else(|rejection| panic!("{path}: {rejection:?}"));
    for index in 0..program.module().functions.len() {
        println!("function {index}: {}", program.listing(index as u32));
    }
}
