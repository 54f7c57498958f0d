//! How time and memory grow with the input and with the module, in Wasmtime.

use content_host::{Engine, Module};

use crate::lane::median;
use crate::wasmtime_host::Guest;
use crate::workload::{INTERPRET, MARKDOWN, Runner, paragraphs, path, read};

const ROUNDS: usize = 5;

const KIB: usize = 1 << 10;

/// Prints both tables.
pub fn print() {
    let engine = Engine::default();
    let module = |file| Module::from_file(&engine, path(file)).expect("the component compiles");
    let (interpreter, renderer) = (module(INTERPRET), module(MARKDOWN));
    let markdown = read(&path(MARKDOWN));
    println!("\n| input of Markdown, KiB | run ms | µs a KiB | direct ms | run / direct | peak KiB | peak a byte |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    let (loaded, held) = measure(&interpreter, &Runner::Ours.request(&markdown, b""));
    for kib in [1, 4, 16, 64, 256, 1024] {
        let input = paragraphs(kib * KIB);
        let (milliseconds, peak) = measure(&interpreter, &Runner::Ours.request(&markdown, &input));
        let (run, direct) = (milliseconds - loaded, times(&mut Guest::new(&renderer), &input));
        let (peak, per_byte) = per_byte(peak - held, input.len());
        let per_kib = run * 1e3 / kib as f64;
        println!("| {kib} | {run:.2} | {per_kib:.0} | {direct:.2} | {:.1} | {peak:.0} | {per_byte:.1} |", run / direct);
    }

    println!("\n| module, KiB | load ms | µs a KiB | peak KiB | peak a byte |");
    println!("| ---: | ---: | ---: | ---: | ---: |");
    for kib in [1, 4, 16, 64, 256, 1024, 4096] {
        let module = module_of(kib * KIB);
        let (milliseconds, peak) = measure(&interpreter, &Runner::Ours.request(&module, b""));
        let (peak, per_byte) = per_byte(peak, module.len());
        let per_kib = milliseconds * 1e3 / (module.len() as f64 / KIB as f64);
        println!("| {kib} | {milliseconds:.2} | {per_kib:.1} | {peak:.0} | {per_byte:.1} |");
    }
}

/// The median time of a request, and the peak of a fresh instance.
fn measure(interpreter: &Module, request: &[u8]) -> (f64, u64) {
    let mut guest = Guest::new(interpreter);
    (times(&mut guest, request), guest.peak())
}

fn times(guest: &mut Guest, request: &[u8]) -> f64 {
    let times: Vec<f64> = (0..ROUNDS).map(|_| guest.render(request)).collect();
    median(&times)
}

/// In KiB, and for each of `bytes`.
fn per_byte(peak: u64, bytes: usize) -> (f64, f64) {
    (peak as f64 / KIB as f64, peak as f64 / bytes as f64)
}

/// A component of about so many bytes, nearly all of them functions that are never called.
fn module_of(bytes: usize) -> Vec<u8> {
    const REST: usize = 180;
    let body = body();
    let functions = bytes.saturating_sub(REST) / (body.len() + 1);

    let mut module = b"\0asm\x01\0\0\0".to_vec();
    // () -> i32, (i32) -> i64 and (i32) -> i32
    let types = b"\x03\x60\0\x01\x7f\x60\x01\x7f\x01\x7e\x60\x01\x7f\x01\x7f".to_vec();
    let mut indices = number(4 + functions);
    indices.extend([0, 0, 0, 1]);
    indices.extend(std::iter::repeat_n(2, functions));
    let memory = b"\x01\x01\x01\x01".to_vec();
    let mut exports = b"\x05\x06memory\x02\0".to_vec();
    for (index, name) in ["input_ptr", "input_bytes_cap", "output_bytes_cap", "render"].iter().enumerate() {
        exports.push(name.len() as u8);
        exports.extend_from_slice(name.as_bytes());
        exports.extend([0, index as u8]);
    }
    let mut code = number(4 + functions);
    code.extend_from_slice(b"\x04\0\x41\0\x0b\x04\0\x41\x01\x0b\x04\0\x41\x01\x0b\x04\0\x42\0\x0b");
    for _ in 0..functions {
        code.extend_from_slice(&body);
    }
    for (id, contents) in [(1, types), (3, indices), (5, memory), (7, exports), (10, code)] {
        module.push(id);
        module.extend(number(contents.len()));
        module.extend(contents);
    }
    module
}

/// A function that loads, mixes, compares and stores, with its size.
fn body() -> Vec<u8> {
    // local.set 0 (i32.rotl (i32.xor (i32.load offset=16 local 0) (i32.load8_u offset=3 local 0)) 7)
    // if (i32.gt_s local 0, 100) i32.store offset=8 local 0, local 0
    const PART: &[u8] = b"\x20\0\x28\x02\x10\x20\0\x2d\0\x03\x73\x41\x07\x77\x21\0\
        \x20\0\x41\xe4\0\x4a\x04\x40\x20\0\x20\0\x36\x02\x08\x0b";
    let mut body = b"\0".to_vec();
    (0..6).for_each(|_| body.extend_from_slice(PART));
    body.extend_from_slice(b"\x20\0\x0b");
    [number(body.len()), body].concat()
}

/// A number as LEB128.
fn number(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
