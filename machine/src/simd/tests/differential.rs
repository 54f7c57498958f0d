//! Every operator of the table against Wasmtime, bit for bit, with NaNs made canonical on both sides.

use super::*;
use std::{
    boxed::Box,
    format,
    string::{String, ToString},
    vec,
};
use wasmtime::{Config, Engine, Instance, Module, Store, TypedFunc};

/// The operands in the module's memory, at 16, 32 and 48. The result is written to the 16 bytes at 0.
const A: &str = "(v128.load (i32.const 16))";
const B: &str = "(v128.load (i32.const 32))";
const C: &str = "(v128.load (i32.const 48))";

/// A function body in the text format, and what it should write.
struct Case {
    body: String,
    run: Box<dyn Fn([V128; 3]) -> V128>,
}

fn case(body: String, run: impl Fn([V128; 3]) -> V128 + 'static) -> Case {
    Case { body, run: Box::new(run) }
}

/// `i8x16_add` as the text format has it.
fn text(name: &str) -> String {
    name.replacen('_', ".", 1)
}

fn store_vector(name: &str, operands: &str) -> String {
    format!("(v128.store (i32.const 0) ({} {operands}))", text(name))
}

/// The type of the scalar beside the vectors of an operator.
fn scalar(name: &str) -> &str {
    match &name[..5] {
        "i64x2" => "i64",
        "f32x4" => "f32",
        "f64x2" => "f64",
        _ => "i32",
    }
}

fn store_scalar(scalar: &str, name: &str, operands: &str) -> String {
    format!("({scalar}.store (i32.const 0) ({} {operands}))", text(name))
}

/// A scalar, or the bytes that are stored, as they lie in the memory of the result.
fn low(scalar: impl Into<u64>) -> V128 {
    [scalar.into(), 0].into()
}

/// The lanes of the shape in an operator's name.
fn lanes(name: &str) -> core::ops::Range<u8> {
    let shape = name.split(['x', '_']).nth(1).unwrap();
    0..shape.parse().unwrap()
}

/// The first `n` bytes of a vector, as a load of that width gives them.
fn first(n: u32, vector: V128) -> u64 {
    <[u64; 2]>::from(vector)[0] & u64::MAX >> (64 - 8 * n)
}

macro_rules! cases {
    (
        unary { $($c1:literal $v1:ident $unary:ident;)* }
        binary { $($c2:literal $v2:ident $binary:ident;)* }
        ternary { $($c3:literal $v3:ident $ternary:ident;)* }
        shift { $($c4:literal $v4:ident $shift:ident;)* }
        test { $($c5:literal $v5:ident $test:ident;)* }
        splat { $($c6:literal $v6:ident $splat:ident $splat_scalar:ident $w6:ident;)* }
        extract { $($c7:literal $v7:ident $extract:ident $extract_scalar:ident $w7:ident $n7:literal;)* }
        replace { $($c8:literal $v8:ident $replace:ident $replace_scalar:ident $w8:ident $n8:literal;)* }
        shuffle { $c9:literal $v9:ident $shuffle:ident; }
        load { $($c10:literal $v10:ident $load:ident $load_bytes:literal;)* }
        load_lane { $($c11:literal $v11:ident $load_lane:ident $load_lane_bytes:literal;)* }
        store_lane { $($c12:literal $v12:ident $store_lane:ident $store_lane_bytes:literal;)* }
    ) => {{
        let mut cases = vec![$(case(store_vector(stringify!($unary), A), |[a, ..]| $unary(a))),*];
        $(cases.push(case(store_vector(stringify!($binary), &[A, B].concat()), |[a, b, _]| $binary(a, b)));)*
        $(cases.push(case(store_vector(stringify!($ternary), &[A, B, C].concat()), |[a, b, c]| $ternary(a, b, c)));)*
        $({
            let operands = format!("{A} (i32.load (i32.const 32))");
            cases.push(case(store_vector(stringify!($shift), &operands), |[a, b, _]| $shift(a, first(4, b) as u32)));
        })*
        $(cases.push(case(store_scalar("i32", stringify!($test), A), |[a, ..]| low($test(a))));)*
        $({
            let operand = format!("({}.load (i32.const 16))", scalar(stringify!($splat)));
            let run = |[a, ..]: [V128; 3]| $splat(first(8, a) as $splat_scalar);
            cases.push(case(store_vector(stringify!($splat), &operand), run));
        })*
        $(for lane in lanes(stringify!($extract)) {
            let body = store_scalar(scalar(stringify!($extract)), stringify!($extract), &format!("{lane} {A}"));
            cases.push(case(body, move |[a, ..]| low($extract(a, lane))));
        })*
        $(for lane in lanes(stringify!($replace)) {
            let operands = format!("{lane} {A} ({}.load (i32.const 32))", scalar(stringify!($replace)));
            let run = move |[a, b, _]: [V128; 3]| $replace(a, lane, first(8, b) as $replace_scalar);
            cases.push(case(store_vector(stringify!($replace), &operands), run));
        })*
        for step in [1, 3, 17, 31] {
            let lanes: [u8; 16] = core::array::from_fn(|i| ((7 + step * i) % 32) as u8);
            let immediates = lanes.map(|lane| lane.to_string()).join(" ");
            let body = store_vector(stringify!($shuffle), &format!("{immediates} {A} {B}"));
            cases.push(case(body, move |[a, b, _]| $shuffle(a, b, lanes)));
        }
        $(cases.push(case(store_vector(stringify!($load), "(i32.const 16)"), |[a, ..]| $load(first($load_bytes, a))));)*
        $(for lane in 0..16 / $load_lane_bytes {
            let operands = format!("{lane} (i32.const 32) {A}");
            let run = move |[a, b, _]: [V128; 3]| $load_lane(a, lane, first($load_lane_bytes, b));
            cases.push(case(store_vector(stringify!($load_lane), &operands), run));
        })*
        $(for lane in 0..16 / $store_lane_bytes {
            let body = format!("({} {lane} (i32.const 0) {A})", text(stringify!($store_lane)));
            cases.push(case(body, move |[a, ..]| low($store_lane(a, lane))));
        })*
        cases
    }};
}

/// Vectors of values at which some operator turns, in every width, and of pseudo-random bits.
fn operands() -> Vec<V128> {
    const BYTES: [u8; 9] = [0, 1, 2, 15, 16, 0x7f, 0x80, 0x81, 0xff];
    const HALVES: [u16; 9] = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff];
    const WORDS: [u32; 7] = [0, 1, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    const SINGLES: [f32; 16] = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -3.7,
        1e-45,
        2_147_483_648.0,
        -2_147_483_904.0,
        4_294_967_296.0,
        f32::MAX,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -1.0,
    ];
    const NANS: [u32; 4] = [0xffc0_0000, 0x7f80_0001, 0x7fc0_1234, 0xffff_ffff];
    const DOUBLES: [f64; 18] = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -3.7,
        5e-324,
        1e-40,
        2_147_483_647.5,
        -2_147_483_648.5,
        4_294_967_295.5,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -1.0,
    ];
    let mut vectors = Vec::new();
    for i in 0..18 {
        vectors.push(V128(core::array::from_fn(|lane| BYTES[(i + lane * lane) % 9])));
        vectors.push(core::array::from_fn::<_, 8, _>(|lane| HALVES[(i + lane * lane) % 9]).into());
        vectors.push(core::array::from_fn::<_, 4, _>(|lane| WORDS[(i + lane * lane) % 7]).into());
        vectors.push(core::array::from_fn::<_, 4, _>(|lane| SINGLES[(i + 3 * lane) % 16]).into());
        vectors.push([f32::to_bits(SINGLES[i % 16]), NANS[i % 4], NANS[i / 4 % 4], 0].into());
        vectors.push([DOUBLES[i], DOUBLES[(i + 5) % 18]].into());
        vectors.push([DOUBLES[i].to_bits(), u64::from(NANS[i % 4]) << 32 | 1].into());
    }
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    vectors.extend((0..64).map(|_| V128::from([random(), random()])));
    vectors
}

#[test]
fn every_operator_agrees_with_wasmtime() {
    let cases = for_each_simd_op!(cases);
    let bodies: Vec<_> =
        cases.iter().enumerate().map(|(i, case)| format!("(func (export \"{i}\") {})", case.body)).collect();
    let module = format!("(module (memory (export \"memory\") 1) {})", bodies.join("\n"));

    let engine = Engine::new(Config::new().cranelift_nan_canonicalization(true)).unwrap();
    let module = Module::new(&engine, wat::parse_str(module).unwrap()).unwrap();
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &module, &[]).unwrap();
    let memory = instance.get_memory(&mut store, "memory").unwrap();

    let operands = operands();
    for (i, case) in cases.iter().enumerate() {
        let function: TypedFunc<(), ()> = instance.get_typed_func(&mut store, &i.to_string()).unwrap();
        for (n, &a) in operands.iter().enumerate() {
            for step in [0, 1, 7, 50] {
                let [b, c] = [n + step, n + 2 * step + 1].map(|n| operands[n % operands.len()]);
                let bytes = [[0; 16], a.0, b.0, c.0];
                memory.write(&mut store, 0, bytes.as_flattened()).unwrap();
                function.call(&mut store, ()).unwrap();
                let mut expected = [0; 16];
                memory.read(&store, 0, &mut expected).unwrap();
                assert_eq!((case.run)([a, b, c]), V128(expected), "{} of {a:?}, {b:?}, {c:?}", case.body);
            }
        }
    }
}
