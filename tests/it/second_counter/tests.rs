use super::{plain_output, second_count, second_run};
use wasmtime::Val;

const HEADER: &str =
    "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// A target of three pages with an input of 16 bytes at 65,536, whose `render` runs `body`.
fn target(body: &str, rest: &str) -> Vec<u8> {
    wat::parse_str(format!(
        r#"(module
            (memory (export "memory") 3 3)
            (func (export "input_ptr") (result i32) i32.const 65536)
            (func (export "input_bytes_cap") (result i32) i32.const 16)
            (func (export "output_bytes_cap") (result i32) i32.const 16)
            (func (export "render") (param i32) (result i64) {body})
            {rest})"#
    ))
    .unwrap()
}

fn rows(body: &str, rest: &str, input: &[u8], uniforms: &[(&str, Val)]) -> String {
    let csv = second_count(&target(body, rest), input, uniforms).unwrap();
    csv.strip_prefix(HEADER).expect("the header comes first").to_owned()
}

#[test]
fn a_run_that_touches_nothing_gives_the_header_alone() {
    assert_eq!(rows("i64.const 0", "", b"", &[]), "");
}

#[test]
fn a_store_across_an_edge_counts_on_both_pages() {
    let body = "(i64.store offset=1 (i32.const 65532) (i64.const -1)) (i64.const 0)";
    assert_eq!(rows(body, "", b"", &[]), "0,other,0,0,0,1,3,3,1.00\n1,input,0,0,0,1,5,5,1.00\n");
}

#[test]
fn every_scalar_load_counts_its_width() {
    let loads = [
        ("i32.load", 4),
        ("i64.load", 8),
        ("f32.load", 4),
        ("f64.load", 8),
        ("i32.load8_s", 1),
        ("i32.load8_u", 1),
        ("i32.load16_s", 2),
        ("i32.load16_u", 2),
        ("i64.load8_s", 1),
        ("i64.load8_u", 1),
        ("i64.load16_s", 2),
        ("i64.load16_u", 2),
        ("i64.load32_s", 4),
        ("i64.load32_u", 4),
        ("v128.load", 16),
        ("v128.load8x8_s", 8),
        ("v128.load16x4_u", 8),
        ("v128.load32x2_s", 8),
        ("v128.load8_splat", 1),
        ("v128.load16_splat", 2),
        ("v128.load32_splat", 4),
        ("v128.load64_splat", 8),
        ("v128.load32_zero", 4),
        ("v128.load64_zero", 8),
    ];
    for (load, width) in loads {
        let body = format!("(drop ({load} (i32.const 7))) (i64.const 0)");
        assert_eq!(rows(&body, "", b"", &[]), format!("0,other,0,1,{width},0,0,0,\n"), "{load}");
    }
}

#[test]
fn every_store_counts_its_width() {
    let stores = [
        ("i32.store", "i32.const 1", 4),
        ("i32.store8", "i32.const 1", 1),
        ("i32.store16", "i32.const 1", 2),
        ("i64.store", "i64.const 1", 8),
        ("i64.store8", "i64.const 1", 1),
        ("i64.store16", "i64.const 1", 2),
        ("i64.store32", "i64.const 1", 4),
        ("f32.store", "f32.const 1", 4),
        ("f64.store", "f64.const 1", 8),
        ("v128.store", "v128.const i64x2 1 2", 16),
    ];
    for (store, value, width) in stores {
        let body = format!("({store} (i32.const 3) ({value})) (i64.const 0)");
        assert_eq!(rows(&body, "", b"", &[]), format!("0,other,0,0,0,1,{width},{width},1.00\n"), "{store}");
    }
}

#[test]
fn every_lane_access_counts_its_lane() {
    for (lane, width) in [("8", 1), ("16", 2), ("32", 4), ("64", 8)] {
        let body = format!(
            "(drop (v128.load{lane}_lane 1 (i32.const 3) (v128.const i64x2 1 2)))
             (v128.store{lane}_lane 1 (i32.const 131072) (v128.const i64x2 1 2)) (i64.const 0)"
        );
        let expected = format!("0,other,0,1,{width},0,0,0,\n2,other,0,0,0,1,{width},{width},1.00\n");
        assert_eq!(rows(&body, "", b"", &[]), expected, "lane of {lane} bits");
    }
}

#[test]
fn bulk_operations_count_once_on_each_page_and_nothing_when_empty() {
    let body = "
        (memory.copy (i32.const 65530) (i32.const 131070) (i32.const 10))
        (memory.fill (i32.const 0) (i32.const 1) (i32.const 5))
        (memory.init 0 (i32.const 3) (i32.const 1) (i32.const 2))
        (memory.copy (i32.const 196608) (i32.const 0) (i32.const 0))
        (memory.fill (i32.const 196608) (i32.const 1) (i32.const 0))
        (memory.init 0 (i32.const 196608) (i32.const 3) (i32.const 0))
        (i64.const 0)";
    let expected = "0,other,0,0,0,3,13,11,1.18\n1,input,0,1,2,1,4,4,1.00\n2,other,0,1,8,0,0,0,\n";
    assert_eq!(rows(body, r#"(data "abc")"#, b"", &[]), expected);
}

#[test]
fn segments_and_input_are_initialized_bytes() {
    let rest = r#"(global i32 (i32.const 4)) (data (i32.const 65534) "abcd")
        (data (offset (i32.add (global.get 0) (i32.const 65532))) "xy") (data (i32.const 0) "")"#;
    let body = "(i64.const 0x2000000000)";
    assert_eq!(rows(body, rest, b"hello", &[]), "0,data,2,0,0,0,0,0,\n1,data+input,9,0,0,0,0,0,\n");
}

#[test]
fn the_stack_reaches_from_the_lowest_value_of_global_0_to_its_initial_value() {
    let body = "(global.set 0 (i32.const 65535)) (global.set 0 (i32.const 65540))
        (i32.store (i32.const 0) (i32.const 0)) (i32.store (i32.const 65560) (i32.const 0))
        (i32.store (i32.const 131072) (i32.const 0)) (i64.const 0x2000000000001)";
    let expected = "0,stack,0,0,0,1,4,4,1.00\n1,input+stack,0,0,0,1,4,4,1.00\n2,output,0,0,0,1,4,4,1.00\n";
    assert_eq!(rows(body, "(global (mut i32) (i32.const 131072))", b"", &[]), expected);
    let unlabelled = "0,other,0,0,0,1,4,4,1.00\n1,input,0,0,0,1,4,4,1.00\n2,output,0,0,0,1,4,4,1.00\n";
    let body = body.replace("global.set 0", "global.set 1");
    let rest = "(global i32 (i32.const 131072)) (global (mut i32) (i32.const 131072))";
    assert_eq!(rows(&body, rest, b"", &[]), unlabelled);
}

#[test]
fn uniform_setters_count_and_run_in_the_order_of_their_keys() {
    let rest = r#"
        (func (export "uniform_set_b") (param i32) (result i32)
            (i32.store8 (i32.const 1) (local.get 0)) (local.get 0))
        (func (export "uniform_set_a") (param i32) (result i32)
            (i32.store8 (i32.const 1) (local.get 0)) (local.get 0))"#;
    let body = "(i64.const 0x100000001)";
    let uniforms = [("b", Val::I32(66)), ("a", Val::I32(65))];
    let run = second_run(&target(body, rest), b"", &uniforms).unwrap();
    assert_eq!(run.csv, format!("{HEADER}0,output,0,0,0,2,2,1,2.00\n"));
    assert_eq!(run.output, b"B");
}

#[test]
fn the_rewrite_ratio_rounds_half_up() {
    let stores = "(i32.store8 (i32.const 0) (i32.const 0)) ".repeat(2);
    let body = format!("(memory.fill (i32.const 0) (i32.const 0) (i32.const 200)) {stores} (i64.const 0)");
    assert_eq!(rows(&body, "", b"", &[]), "0,other,0,0,0,3,202,200,1.01\n");
    let body = format!(
        "(memory.fill (i32.const 0) (i32.const 0) (i32.const 200)) {} (i64.const 0)",
        &stores[..stores.len() / 2]
    );
    assert_eq!(rows(&body, "", b"", &[]), "0,other,0,0,0,2,201,200,1.01\n");
    let body = format!(
        "(memory.fill (i32.const 0) (i32.const 0) (i32.const 201)) {} (i64.const 0)",
        &stores[..stores.len() / 2]
    );
    assert_eq!(rows(&body, "", b"", &[]), "0,other,0,0,0,2,202,201,1.00\n");
}

#[test]
fn rewriting_keeps_calls_tables_and_results() {
    let rest = r#"
        (table funcref (elem $twice))
        (type $unary (func (param i32) (result i32)))
        (func $twice (type $unary) (i32.add (local.get 0) (local.get 0)))
        (func $store (param i32) (i32.store8 (i32.const 9) (call_indirect (type $unary) (local.get 0) (i32.const 0))))"#;
    let component = target("(call $store (local.get 0)) (i64.const 0x900000001)", rest);
    assert_eq!(second_run(&component, b"four", &[]).unwrap().output, [8]);
    assert_eq!(plain_output(&component, b"four", &[]).unwrap(), [8]);
}

#[test]
fn traps_and_rejections_are_errors() {
    assert!(second_count(&target("(i32.store (i32.const -1) (i32.const 0)) (i64.const 0)", ""), b"", &[]).is_err());
    assert!(second_count(&target("(i64.const -1)", ""), b"", &[]).is_err());
}
