//! What the tool promises of a run beside its counts: how much memory a target may touch, and the same NaNs everywhere.

use crate::support::{Form, HEADER, assemble, render};

/// A target may declare 4 GiB, and touch 192 MiB of it.
#[test]
fn a_target_that_touches_192_mib_runs() {
    let wasm = assemble(
        r#"(module (memory (export "memory") 65536 65536)
             (func (export "output_bytes_cap") (result i32) (i32.const 0))
             (func (export "render") (param i32) (result i64)
               (memory.fill (i32.const 0x8000_0000) (i32.const 1) (i32.const 0x0c00_0000)) (i64.const 0)))"#,
    );
    let rows: String = (0x8000..0x8c00).map(|page| format!("{page},other,0,0,0,1,65536,65536,1.00\n")).collect();
    for _ in 0..2 {
        assert_eq!(render(&Form::component(&wasm), 400_000), Ok(format!("{HEADER}{rows}")));
    }
}

/// Every operator that can make a NaN makes the canonical one, without a sign. The target shows the bits it got by writing to the
/// address that they are and to the one before: two pages, if the lower 16 bits are zero, as they and a float's lower half are to be.
#[test]
fn arithmetic_nans_are_canonical() {
    let f32s = [
        "f32.add (f32.const inf) (f32.const -inf)",
        "f32.sub (f32.const inf) (f32.const inf)",
        "f32.mul (f32.const inf) (f32.const -0)",
        "f32.div (f32.const 0) (f32.const 0)",
        "f32.add (f32.const -nan:0x200001) (f32.const 1)",
        "f32.sub (f32.const 1) (f32.const -nan:0x200001)",
        "f32.mul (f32.const -nan) (f32.const 1)",
        "f32.div (f32.const -nan:0x200001) (f32.const -1)",
        "f32.min (f32.const 1) (f32.const -nan:0x200001)",
        "f32.max (f32.const -nan:0x200001) (f32.const 1)",
        "f32.sqrt (f32.const -1)",
        "f32.sqrt (f32.const -nan:0x200001)",
        "f32.ceil (f32.const -nan:0x200001)",
        "f32.floor (f32.const -nan:0x200001)",
        "f32.trunc (f32.const -nan:0x200001)",
        "f32.nearest (f32.const -nan:0x200001)",
        "f32.demote_f64 (f64.const -nan:0x4000000000001)",
        "f32x4.extract_lane 2 (f32x4.sqrt (v128.const f32x4 1 1 -1 1))",
        "f32x4.extract_lane 0 (f32x4.sqrt (v128.const f32x4 -nan:0x200001 1 1 1))",
        "f32x4.extract_lane 1 (f32x4.add (v128.const f32x4 1 inf 1 1) (v128.const f32x4 1 -inf 1 1))",
        "f32x4.extract_lane 2 (f32x4.sub (v128.const f32x4 1 1 inf 1) (v128.const f32x4 1 1 inf 1))",
        "f32x4.extract_lane 3 (f32x4.mul (v128.const f32x4 1 1 1 -nan:0x200001) (v128.const f32x4 1 1 1 1))",
        "f32x4.extract_lane 0 (f32x4.div (v128.const f32x4 0 1 1 1) (v128.const f32x4 0 1 1 1))",
        "f32x4.extract_lane 1 (f32x4.min (v128.const f32x4 1 1 1 1) (v128.const f32x4 1 -nan:0x200001 1 1))",
        "f32x4.extract_lane 2 (f32x4.max (v128.const f32x4 1 1 -nan:0x200001 1) (v128.const f32x4 1 1 1 1))",
        "f32x4.extract_lane 0 (f32x4.ceil (v128.const f32x4 -nan:0x200001 1 1 1))",
        "f32x4.extract_lane 1 (f32x4.floor (v128.const f32x4 1 -nan:0x200001 1 1))",
        "f32x4.extract_lane 2 (f32x4.trunc (v128.const f32x4 1 1 -nan:0x200001 1))",
        "f32x4.extract_lane 3 (f32x4.nearest (v128.const f32x4 1 1 1 -nan:0x200001))",
        "f32x4.extract_lane 0 (f32x4.demote_f64x2_zero (v128.const f64x2 -nan:0x4000000000001 1))",
    ];
    let f64s = [
        "f64.add (f64.const inf) (f64.const -inf)",
        "f64.sub (f64.const inf) (f64.const inf)",
        "f64.mul (f64.const inf) (f64.const -0)",
        "f64.div (f64.const 0) (f64.const 0)",
        "f64.add (f64.const -nan:0x4000000000001) (f64.const 1)",
        "f64.min (f64.const 1) (f64.const -nan:0x4000000000001)",
        "f64.max (f64.const -nan:0x4000000000001) (f64.const 1)",
        "f64.sqrt (f64.const -1)",
        "f64.sqrt (f64.const -nan:0x4000000000001)",
        "f64.ceil (f64.const -nan:0x4000000000001)",
        "f64.floor (f64.const -nan:0x4000000000001)",
        "f64.trunc (f64.const -nan:0x4000000000001)",
        "f64.nearest (f64.const -nan:0x4000000000001)",
        "f64.promote_f32 (f32.const -nan:0x200001)",
        "f64x2.extract_lane 1 (f64x2.sqrt (v128.const f64x2 1 -1))",
        "f64x2.extract_lane 0 (f64x2.sqrt (v128.const f64x2 -nan:0x4000000000001 1))",
        "f64x2.extract_lane 1 (f64x2.add (v128.const f64x2 1 inf) (v128.const f64x2 1 -inf))",
        "f64x2.extract_lane 0 (f64x2.sub (v128.const f64x2 inf 1) (v128.const f64x2 inf 1))",
        "f64x2.extract_lane 0 (f64x2.mul (v128.const f64x2 inf 1) (v128.const f64x2 0 1))",
        "f64x2.extract_lane 1 (f64x2.div (v128.const f64x2 1 0) (v128.const f64x2 1 0))",
        "f64x2.extract_lane 0 (f64x2.min (v128.const f64x2 -nan:0x4000000000001 1) (v128.const f64x2 1 1))",
        "f64x2.extract_lane 1 (f64x2.max (v128.const f64x2 1 1) (v128.const f64x2 1 -nan:0x4000000000001))",
        "f64x2.extract_lane 0 (f64x2.ceil (v128.const f64x2 -nan:0x4000000000001 1))",
        "f64x2.extract_lane 1 (f64x2.floor (v128.const f64x2 1 -nan:0x4000000000001))",
        "f64x2.extract_lane 0 (f64x2.trunc (v128.const f64x2 -nan:0x4000000000001 1))",
        "f64x2.extract_lane 1 (f64x2.nearest (v128.const f64x2 1 -nan:0x4000000000001))",
        "f64x2.extract_lane 1 (f64x2.promote_low_f32x4 (v128.const f32x4 1 -nan:0x200001 1 1))",
    ];
    let bits = |expression: &str| match &expression[..3] {
        "f32" => format!("i32.reinterpret_f32 ({expression})"),
        _ => {
            let bits = format!("(i64.reinterpret_f64 ({expression}))");
            format!("i32.or (i32.wrap_i64 (i64.shr_u {bits} (i64.const 32))) (i32.wrap_i64 {bits})")
        }
    };
    for (expressions, page) in [(&f32s[..], 0x7fc0), (&f64s[..], 0x7ff8)] {
        for expression in expressions {
            let wasm = assemble(&format!(
                r#"(module (memory (export "memory") 65536 65536)
                     (func (export "output_bytes_cap") (result i32) (i32.const 0))
                     (func (export "render") (param i32) (result i64)
                       (i32.store16 (i32.sub ({}) (i32.const 1)) (i32.const 1)) (i64.const 0)))"#,
                bits(expression),
            ));
            let rows = [page - 1, page].map(|page| format!("{page},other,0,0,0,1,1,1,1.00\n")).concat();
            assert_eq!(render(&Form::component(&wasm), 100), Ok(format!("{HEADER}{rows}")), "{expression}");
        }
    }
}
