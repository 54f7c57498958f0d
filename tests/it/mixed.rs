//! Requests of every kind, made of a number each, for tests that render many of them.

use crate::support::{Form, assemble};

#[allow(dead_code)]
#[path = "../differential/random.rs"]
mod random;

pub use random::Random;

/// What ends well, by the body of `render`: it returns its output's place and size.
const RETURNS: [&str; 6] = [
    "(memory.copy (i32.const 0) (i32.const 65536) (local.get 0)) (i64.extend_i32_u (local.get 0))",
    "(memory.fill (i32.const 65000) (i32.const 65) (i32.const 1000)) (i64.const 0xfde8_0000_0010)",
    "(v128.store offset=65530 (i32.const 0) (i8x16.popcnt (v128.load offset=65536 (i32.const 0)))) (i64.const 0)",
    "(f64.store (i32.const 8) (f64.sqrt (f64.convert_i32_s (i32.sub (i32.const 0) (local.get 0))))) (i64.const 0)",
    "(drop (memory.grow (i32.const 1))) (i32.store16 (i32.const 131071) (memory.size)) (i64.const 0)",
    "(global.set 0 (i32.const 100)) (i32.store (global.get 0) (call_indirect (result i32) (i32.const 0))) (i64.const 1)",
];

/// What does not.
const FAILS: [&str; 14] = [
    "unreachable",
    "(i64.div_u (i64.const 1) (i64.const 0))",
    "(i64.extend_i32_s (i32.div_s (i32.const 0x8000_0000) (i32.const -1)))",
    "(i64.trunc_f64_s (f64.const nan))",
    "(i64.load offset=0xffffffff (local.get 0))",
    "(memory.fill (i32.const 0) (i32.const 0) (i32.const -1)) (i64.const 0)",
    "(table.fill 0 (i32.const 2) (ref.null func) (i32.const 9)) (i64.const 0)",
    "(i64.extend_i32_s (call_indirect (result i32) (i32.const 9)))",
    "(i64.extend_i32_s (call_indirect (result i32) (i32.const 1)))",
    "(call_indirect (result i64) (i32.const 0))",
    "(call $deep) (i64.const 0)",
    "(loop (br 0)) (i64.const 0)",
    "(i64.const 0x8000_0000_0000_0000)",
    "(i64.const 0x7fff_ffff_0000_0001)",
];

/// What takes all of the component's memory, by the body of `render` and the memory's pages.
const EXHAUSTS: [(&str, u32); 3] = [
    ("(memory.fill (i32.const 0) (i32.const 1) (i32.const 0x1000_0000)) (i64.const 0)", 65_536),
    (
        "(loop (i32.store8 (local.get 0) (i32.const 1))
           (br_if 0 (local.tee 0 (i32.add (local.get 0) (i32.const 65536))))) (i64.const 0)",
        65_536,
    ),
    ("(loop (br_if 0 (i32.ne (table.grow 0 (ref.null func) (i32.const 1_000_000)) (i32.const -1)))) unreachable", 3),
];

/// A request's bytes, with the boundary that the component declares, and its budget.
pub struct Request {
    pub body: Vec<u8>,
    pub budget: u32,
}

/// The request of a number: the same each time, and of any kind but those that take all memory.
pub fn request(number: u64) -> Request {
    let random = &mut Random::new(number);
    let render = if random.one_in(3) { random.pick(&FAILS) } else { random.pick(&RETURNS) };
    let mut wasm = module(render, 3);
    if random.one_in(4) {
        damage(&mut wasm, random);
    }
    let mut form = Form::new();
    if random.one_in(6) {
        let (key, value) =
            (random.pick(&["int", "float", "none", "A"]), random.pick(&["1", "0xff", "-1", "1.5", "x", ""]));
        form = form.uniform(key, value);
    }
    if !random.one_in(4) {
        let input = random.pick(&["", "x", "äöü", "abcdefgh", "too long by a little"]);
        form = form.input(input.as_bytes());
    }
    form = form.part(if random.one_in(20) { "components" } else { "component" }, &wasm);
    let mut body = form.body();
    if random.one_in(6) {
        damage(&mut body, random);
    }
    Request { body, budget: random.pick(&[1_000_000, 100_000, 1_000, 20, 1]) }
}

/// Requests that take all of the component's memory.
pub fn exhausting() -> impl Iterator<Item = Request> {
    EXHAUSTS
        .iter()
        .map(|&(render, pages)| Request { body: Form::component(&module(render, pages)).body(), budget: 1_000_000 })
}

/// A target whose `render` has this body.
fn module(render: &str, pages: u32) -> Vec<u8> {
    assemble(&format!(
        r#"(module
             (memory (export "memory") {pages} {})
             (global (mut i32) (i32.const 4096))
             (table 3 funcref) (elem (i32.const 0) $seven)
             (data (i32.const 1024) "some data")
             (func (export "output_utf8_cap") (result i32) (i32.const 64))
             (func (export "input_ptr") (result i32) (i32.const 65536))
             (func (export "input_utf8_cap") (result i32) (i32.const 16))
             (func (export "failure_modes_per_input_offset") (result i32) (i32.const 1))
             (func (export "uniform_set_int") (param i32) (result i32)
               (i32.store (i32.const 12) (local.get 0)) (local.get 0))
             (func (export "uniform_set_float") (param f64) (result f64)
               (f64.store (i32.const 16) (local.get 0)) (local.get 0))
             (func (export "render") (param i32) (result i64) {render})
             (func $seven (result i32) (i32.const 7))
             (func $deep (local i64 i64 i64 i64 i64 i64 i64 i64) (call $deep)))"#,
        (pages + 2).min(65_536)
    ))
}

/// Overwrites up to three bytes.
fn damage(bytes: &mut [u8], random: &mut Random) {
    for _ in 0..=random.below(3) {
        bytes[random.below(bytes.len())] = random.next() as u8;
    }
}
