//! Refusals in words: of each the rule with its numbers, and the hint.

use qip_interpret::DEFAULT_BUDGET;

use crate::support::{EXPLANATION, Form, assemble};

const MEMORY: &str = r#"(memory (export "memory") 2 3)"#;
const RENDER: &str = r#"(func (export "render") (param i32) (result i64) (i64.const 0))"#;
const OUTPUT: &str = r#"(func (export "output_bytes_cap") (result i32) (i32.const 100))"#;
const TEXT: &str = r#"(func (export "output_utf8_cap") (result i32) (i32.const 100))"#;
const POINTER: &str = r#"(func (export "input_ptr") (result i32) (i32.const 65536))"#;
const INPUT: &str = r#"(func (export "input_bytes_cap") (result i32) (i32.const 8))"#;
const INPUT_TEXT: &str = r#"(func (export "input_utf8_cap") (result i32) (i32.const 8))"#;

/// Asserts that the text starts with `rule`, and that its second line is `hint`, if that is not empty.
#[track_caller]
fn says(form: &Form, budget: u32, rule: &str, hint: &str) {
    let text = EXPLANATION.render_text(form, budget).expect("every refusal is explained");
    assert!(text.lines().next().unwrap().starts_with(rule), "{text}\ninstead of\n{rule}");
    let second = text.lines().nth(1).unwrap();
    match hint {
        "" => assert_eq!(second, "", "{text}"),
        hint => assert!(second.starts_with("hint: ") && second.contains(hint), "{text}\ninstead of\n{hint}"),
    }
    assert!(text.contains("\n\nmode: "), "{text}");
}

#[track_caller]
fn module_says(parts: &[&str], rule: &str, hint: &str) {
    let wasm = assemble(&format!("(module {})", parts.join("\n")));
    says(&Form::component(&wasm), DEFAULT_BUDGET, rule, hint);
}

#[test]
fn contract() {
    let run = r#"(func (export "run") (param i32) (result i64) (i64.const 0))"#;
    let table: &[(&[&str], &str, &str)] = &[
        (&[], "no export \"memory\"; a component needs its memory", "(memory (export \"memory\") 1 1)"),
        (&[r#"(memory (export "mem") 1 1)"#, RENDER, OUTPUT], "no export \"memory\"", "\"mem\", which is a memory"),
        (&[r#"(func (export "memory"))"#, RENDER, OUTPUT], "\"memory\" is () -> (), must be a memory", ""),
        (
            &[r#"(memory (export "memory") 2)"#, RENDER, OUTPUT],
            "memory has no maximum; it starts with 2 pages",
            "zig --max-memory=BYTES, clang -Wl,--max-memory=BYTES, rustc -C link-arg=--max-memory=BYTES, asc --maximumMemory PAGES",
        ),
        (&[MEMORY, OUTPUT], "no export \"render\"; a component needs render (i32) -> i64", "export fn"),
        (
            &[MEMORY, OUTPUT, run],
            "no export \"render\"; a component needs render (i32) -> i64",
            "\"run\", which is (i32) -> i64; is that meant to be render?",
        ),
        (&[MEMORY, OUTPUT, r#"(func (export "main"))"#], "no export \"render\"", "\"main\", which is () -> ()"),
        (
            &[MEMORY, OUTPUT, r#"(func (export "Render") (param i32) (result i32) (i32.const 0))"#],
            "no export \"render\"",
            "\"Render\", which is (i32) -> i32",
        ),
        (
            &[MEMORY, OUTPUT, r#"(func (export "render") (param i32) (result i32) (i32.const 0))"#],
            "\"render\" is (i32) -> i32, must be (i32) -> i64",
            "",
        ),
        (
            &[MEMORY, OUTPUT, r#"(func (export "render") (param i32 i32))"#],
            "\"render\" is (i32, i32) -> (), must be (i32) -> i64",
            "",
        ),
        (
            &[MEMORY, OUTPUT, r#"(global (export "render") i32 (i32.const 0))"#],
            "\"render\" is a global, must be (i32) -> i64",
            "",
        ),
        (&[MEMORY, RENDER], "no output capacity; a component needs an export \"output_utf8_cap\" () -> i32", ""),
        (
            &[MEMORY, RENDER, r#"(func (export "output_cap") (result i32) (i32.const 1))"#],
            "no output capacity",
            "\"output_cap\", which is () -> i32",
        ),
        (
            &[MEMORY, RENDER, OUTPUT, TEXT],
            "both \"output_utf8_cap\" and \"output_bytes_cap\" are exported",
            "output_utf8_cap for text",
        ),
        (
            &[MEMORY, RENDER, OUTPUT, POINTER, INPUT, INPUT_TEXT],
            "both \"input_utf8_cap\" and \"input_bytes_cap\" are exported",
            "input_utf8_cap for text",
        ),
        (
            &[MEMORY, RENDER, OUTPUT, POINTER],
            "\"input_ptr\" is exported without input_utf8_cap or input_bytes_cap",
            "a generator neither",
        ),
        (&[MEMORY, RENDER, OUTPUT, INPUT], "\"input_bytes_cap\" is exported without input_ptr", "a generator neither"),
        (
            &[MEMORY, RENDER, OUTPUT, INPUT_TEXT],
            "\"input_utf8_cap\" is exported without input_ptr",
            "a generator neither",
        ),
        (
            &[MEMORY, RENDER, OUTPUT, INPUT, r#"(func (export "input_ptr") (result i32) (i32.const 131065))"#],
            "the input region is beyond memory: 131065 + 8 bytes end at 131073, memory at 131072",
            "input_ptr",
        ),
        (
            &[MEMORY, RENDER, OUTPUT, INPUT, r#"(func (export "input_ptr") (result i32) (i32.const -1))"#],
            "the input region is beyond memory: 4294967295 + 8 bytes end at 4294967303",
            "input_ptr",
        ),
        (
            &[MEMORY, RENDER, r#"(func (export "output_bytes_cap") (result i64) (i64.const 1))"#],
            "\"output_bytes_cap\" is () -> i64, must be () -> i32",
            "",
        ),
        (
            &[MEMORY, RENDER, r#"(global (export "output_bytes_cap") i32 (i32.const 1))"#],
            "\"output_bytes_cap\" is a global, must be () -> i32",
            "",
        ),
        (
            &[MEMORY, RENDER, r#"(func (export "output_bytes_cap") (result i32) (unreachable))"#],
            "getter \"output_bytes_cap\" does not return: unreachable was executed",
            "return a constant",
        ),
        (
            &[MEMORY, RENDER, r#"(func (export "output_bytes_cap") (result i32) (loop (br 0)) (i32.const 0))"#],
            "getter \"output_bytes_cap\" runs longer than 10000 instructions",
            "return a constant",
        ),
        (
            &[r#"(import "env" "abort" (func (param i32 i32 i32 i32)))"#, MEMORY, RENDER, OUTPUT],
            "the component imports env.abort, and must import nothing",
            "asc --use abort=",
        ),
        (
            &[r#"(import "env" "memory" (memory 1 1))"#, RENDER, OUTPUT],
            "the component imports env.memory, and must import nothing",
            "--import-memory",
        ),
        (
            &[
                r#"(import "wasi_snapshot_preview1" "fd_write" (func)) (import "wasi_snapshot_preview1" "proc_exit" (func))"#,
                MEMORY,
            ],
            "the component imports wasi_snapshot_preview1.fd_write, wasi_snapshot_preview1.proc_exit, and must import nothing",
            "wasm32-unknown-unknown",
        ),
        (
            &[
                r#"(import "a" "t" (table 1 2 funcref)) (import "a" "g" (global i32)) (import "a" "1" (func)) (import "a" "2" (func)) (import "a" "3" (func))"#,
            ],
            "the component imports a.t, a.g, a.1, a.2 and 1 more, and must import nothing",
            "define it",
        ),
        (
            &[r#"(import "__wbindgen_placeholder__" "x" (func))"#],
            "the component imports __wbindgen_placeholder__.x",
            "without wasm-bindgen",
        ),
        (
            &[MEMORY, RENDER, OUTPUT, "(func $start) (start $start)"],
            "the component has a start function, and must have none",
            "--no-entry",
        ),
    ];
    for &(parts, rule, hint) in table {
        module_says(parts, rule, hint);
    }
}

#[test]
fn not_webassembly() {
    let good = assemble(&["(module", MEMORY, RENDER, OUTPUT, ")"].join("\n"));
    let table: &[(&[u8], &str, &str)] = &[
        (b"", "the part \"component\" is empty", "@FILE.wasm"),
        (b"(module)", "the component is WebAssembly's text format", "wat2wasm"),
        (b"\n  ;; text\n(module)", "the component is WebAssembly's text format", "wat2wasm"),
        (b"\x1f\x8b\x08\0\0", "the component is compressed by gzip", "gunzip"),
        (b"\x28\xb5\x2f\xfd\0", "the component is compressed by zstd", "zstd -d"),
        (b"PK\x03\x04\0", "the component is a zip archive", "unpack"),
        (b"\x7fELF\x02", "the component is an ELF file for another machine", "wasm32"),
        (b"<!DOCTYPE html>", "the component is HTML or XML", "downloaded"),
        (
            b"text/its.wasm",
            "the component is the text \"text/its.wasm\", and must be a file's bytes",
            "component=@text/its.wasm",
        ),
        (b"hello", "the component starts with \"hello\"", "@FILE"),
        (b"\0asm\x0d\0\x01\0", "the component is one of the Component Model", "wasm32-unknown-unknown"),
        (b"\0asm\x02\0\0\0", "the component has version 2, and must have version 1", ""),
        (b"\0asm\x01", "the component is cut off: it has 5 bytes, and 3 of its header are missing", "again"),
        (&good[..good.len() - 3], "the component is cut off: 3 bytes are missing of its code section", "again"),
        (&good[..15], "the component is cut off: ", "it has 15 bytes"),
        (
            b"\0asm\x01\0\0\0\x01\x02\x01\x10",
            "the component is not valid WebAssembly at byte 11, in its type section",
            "wasm-tools validate",
        ),
    ];
    for &(component, rule, hint) in table {
        says(&Form::component(component), DEFAULT_BUDGET, rule, hint);
    }
    let ill_typed = assemble(r#"(module (func (i64.const 1) (i32.const 1) (drop) (drop)))"#);
    let at = ill_typed.iter().rposition(|&byte| byte == 0x41).unwrap();
    let mut damaged = ill_typed;
    damaged[at + 2] = 0x6a;
    let rule = format!("the component is not valid WebAssembly at byte {}: i32.add in function 0", at + 2);
    says(&Form::component(&damaged), DEFAULT_BUDGET, &rule, "wasm-tools validate");
}

#[test]
fn unsupported() {
    let table: &[(&[&str], &str, &str)] = &[
        (&["(memory i64 1 1)"], "the memory section uses the proposal memory64", "wasm32"),
        (&["(memory 1 1 shared)"], "the memory section uses the proposal threads", "rustc -C target-feature=-atomics"),
        (
            &["(memory 1 1) (memory 1 1)"],
            "the memory section uses the proposal multiple memories",
            "--multi-memory-lowering",
        ),
        (&["(tag)"], "the tag section uses the proposal exceptions", "-fno-exceptions"),
        (&["(type (struct (field i32)))"], "the type section uses the proposal garbage collection", "linear memory"),
        (
            &["(type $f (func)) (func (param (ref $f)))"],
            "the type section uses the proposal typed function references",
            "wasm-opt",
        ),
        (&["(func (param anyref))"], "the type section uses the proposal garbage collection", "linear memory"),
        (
            &["(memory 1 1) (func (drop (i32.atomic.load (i32.const 0))))"],
            "i32.atomic.load is an instruction of the proposal threads",
            "zig -mcpu=generic",
        ),
        (
            &["(func (param v128) (drop (i8x16.relaxed_swizzle (local.get 0) (local.get 0))))"],
            "i8x16.relaxed_swizzle is an instruction of the proposal relaxed SIMD",
            "-mno-relaxed-simd",
        ),
        (&["(func (try_table))"], "try_table is an instruction of the proposal exceptions", "panic=abort"),
        (
            &["(func (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0) (i64.add128) (drop) (drop))"],
            "i64.add128 is an instruction of the proposal wide arithmetic",
            "-mno-wide-arithmetic",
        ),
        (
            &["(func (drop (ref.i31 (i32.const 1))))"],
            "ref.i31 is an instruction of the proposal garbage collection",
            "linear memory",
        ),
    ];
    for &(parts, rule, hint) in table {
        module_says(parts, rule, hint);
    }
}

/// A target with this `render`, and an output of text.
fn target(render: &str) -> Vec<u8> {
    let render = format!(r#"(func $main (export "render") (param i32) (result i64) {render})"#);
    let rest = "(table 3 funcref) (elem (i32.const 1) $other) (func $other (param i64))";
    assemble(&["(module", MEMORY, TEXT, POINTER, INPUT_TEXT, &render, rest, ")"].join("\n"))
}

#[test]
fn input_and_output() {
    let form = |render: &str| Form::component(&target(render));
    let none = form("(i64.const 0)");
    says(
        &none.clone().input(b"123456789"),
        DEFAULT_BUDGET,
        "the input has 9 bytes, and the component's capacity is 8",
        "input_utf8_cap",
    );
    says(
        &none.input(b"ab\xffd"),
        DEFAULT_BUDGET,
        "the input is not UTF-8, as input_utf8_cap asks: byte 2 of 4 is 0xff",
        "input_bytes_cap",
    );
    let generator = assemble(&["(module", MEMORY, RENDER, OUTPUT, ")"].join("\n"));
    says(
        &Form::component(&generator).input(b"abc"),
        DEFAULT_BUDGET,
        "the component is a generator, which takes no input, and the input has 3 bytes",
        "leave the input out",
    );
    let table = [
        ("(i64.const 101)", "render returned 101 bytes at 0, and the output capacity is 100", "exchanged"),
        (
            "(i64.const 0x0002_0001_0000_0065)",
            "render returned 101 bytes at 131073, and the output capacity is 100",
            "write less",
        ),
        (
            "(i64.const 0x0000_0005_0001_0000)",
            "render returned 65536 bytes at 5, and the output capacity is 100",
            "exchanged",
        ),
        (
            "(i64.const 0x0001_fff0_0000_0011)",
            "render returned 17 bytes at 131056, which end at 131073, beyond memory's 131072 bytes",
            "bits 32 to 62",
        ),
        (
            "(i64.extend_i32_s (i32.const -16))",
            "render returned 0xfffffffffffffff0: bit 63 says that the input is rejected, and then the pointer's bits must be 0, not 0x7fffffff",
            "extended with its sign",
        ),
        (
            "(i64.const 0x8001_0000_0000_0004)",
            "render returned 0x8001000000000004: bit 63 says that the input is rejected, and then the pointer's bits must be 0, not 0x10000",
            "below 2147483648",
        ),
        (
            "(i32.store (i32.const 16) (i32.const 0x41ff_4141)) (i64.const 0x0000_0010_0000_0004)",
            "the output is not UTF-8, as output_utf8_cap promises: byte 2 of 4, at address 18, is 0xff",
            "output_bytes_cap",
        ),
        (
            "(i32.store (i32.const 16) (i32.const 0xe241_4141)) (i64.const 0x0000_0010_0000_0004)",
            "the output is not UTF-8, as output_utf8_cap promises: byte 3 of 4, at address 19, is 0xe2",
            "output_bytes_cap",
        ),
    ];
    for (render, rule, hint) in table {
        says(&form(render), DEFAULT_BUDGET, rule, hint);
    }
}

#[test]
fn budget_and_traps() {
    says(
        &Form::component(&target("(loop (br 0)) (i64.const 0)")),
        77,
        "the instruction budget of 77 is spent",
        "-u instruction_budget=N raises it, up to 4294967295",
    );
    let table = [
        ("(unreachable)", "trap: unreachable was executed", "debug build"),
        ("(i64.div_u (i64.const 1) (i64.const 0))", "trap: integer division or remainder by zero", ""),
        (
            "(i64.div_s (i64.const 0x8000_0000_0000_0000) (i64.const -1))",
            "trap: an integer result does not fit its type",
            "",
        ),
        ("(i64.trunc_f64_s (f64.const nan))", "trap: a NaN was converted to an integer", ""),
        ("(i64.load (i32.const 131065))", "trap: an access beyond the end of memory, which has 131072 bytes", ""),
        ("(table.set (i32.const 3) (ref.null func)) (i64.const 0)", "trap: an access beyond the end of a table", ""),
        (
            "(call_indirect (i32.const 3)) (i64.const 0)",
            "trap: an indirect call by an index beyond the end of the table",
            "",
        ),
        ("(call_indirect (i32.const 2)) (i64.const 0)", "trap: an indirect call of a null element", "null"),
        ("(call_indirect (i32.const 1)) (i64.const 0)", "trap: an indirect call of a function of another type", "cast"),
    ];
    for (render, rule, hint) in table {
        says(&Form::component(&target(render)), DEFAULT_BUDGET, rule, hint);
    }
    let deep = Form::component(&target("(call $main (i32.const 0))"));
    says(&deep, 100_000_000, "trap: calls nest too deep", "recursion");
    let text = EXPLANATION.render_text(&deep, 100_000_000).unwrap();
    let frames = text.lines().filter(|line| line.starts_with("  function 3 main +0x")).count();
    let more = text.lines().find_map(|line| line.strip_prefix("  and ")?.strip_suffix(" more"));
    assert!(frames == 32 && more.is_some_and(|more| more.parse::<u32>().unwrap() > 10_000 - 32), "{text}");
    let shadow = r#"(global (mut i32) (i32.const 1024)) (func $f (export "render") (param i32) (result i64)
        (global.set 0 (i32.sub (global.get 0) (i32.const 512))) (i32.store (global.get 0) (i32.const 1))
        (call $f (i32.const 0)))"#;
    module_says(
        &[MEMORY, OUTPUT, shadow],
        "trap: an access beyond the end of memory, which has 131072 bytes",
        "shadow stack overflow: the stack pointer, global 0, is 512 bytes below address 0",
    );
    module_says(
        &[MEMORY, RENDER, OUTPUT, r#"(data (i32.const 131072) "x")"#],
        "trap: a data segment reaches beyond memory's end",
        "",
    );
    module_says(
        &[MEMORY, RENDER, OUTPUT, "(table 1 funcref) (elem (i32.const 1) 0)"],
        "trap: an element segment reaches beyond its table's end",
        "",
    );
}

#[test]
fn uniforms() {
    let setters = r#"
        (func (export "uniform_set_width") (param i32) (result i32) (local.get 0))
        (func (export "uniform_set_seed") (param i64) (result i64) (local.get 0))
        (func (export "uniform_set_scale") (param f32) (result f32) (local.get 0))
        (func (export "uniform_set_ratio") (param f64) (result f64) (local.get 0))
        (func (export "uniform_set_odd") (param i32) (result i64) (i64.const 0))"#;
    let wasm = assemble(&["(module", MEMORY, RENDER, OUTPUT, setters, ")"].join("\n"));
    let all = "the component takes width (i32), seed (i64), scale (f32), ratio (f64), odd (i32)";
    let table = [
        ("depth", "1", "no export \"uniform_set_depth\"", all),
        ("odd", "1", "\"uniform_set_odd\" is (i32) -> i64, must be (T) -> T", ""),
        ("width", "abc", "uniform width is \"abc\", and must be an i32: 0 to 4294967295", ""),
        ("width", "4294967296", "uniform width is \"4294967296\", and must be an i32: 0 to 4294967295", ""),
        ("width", "-1", "uniform width is \"-1\", and must be an i32", "0xffffffff"),
        ("width", " 7", "uniform width is \" 7\", and must be an i32", "white space"),
        (
            "seed",
            "9223372036854775808",
            "uniform seed is \"9223372036854775808\", and must be an i64: -9223372036854775808 to 9223372036854775807",
            "",
        ),
        ("scale", "inf", "uniform scale is \"inf\", and must be an f32: a finite decimal number", ""),
        ("ratio", "1e999", "uniform ratio is \"1e999\", and must be an f64: a finite decimal number", ""),
        ("", "1", "the uniform's key \"\" is empty", "a key is a letter"),
        ("9a", "1", "the uniform's key \"9a\" starts with 9", "a key is a letter"),
        ("a__b", "1", "the uniform's key \"a__b\" has two _ in a row", "a key is a letter"),
        ("a_", "1", "the uniform's key \"a_\" ends with _", "a key is a letter"),
        ("Width", "1", "the uniform's key \"Width\" has the byte 0x57 at 0", "a key is a letter"),
        (&"k".repeat(64), "1", "the uniform's key \"kkkk", "a key is a letter"),
    ];
    for (key, value, rule, hint) in table {
        says(&Form::component(&wasm).uniform(key, value), DEFAULT_BUDGET, rule, hint);
    }
    let twice = Form::component(&wasm).uniform("width", "1").uniform("width", "2");
    says(&twice, DEFAULT_BUDGET, "the uniform's key \"width\" is there twice", "");
    let many = (0..65).fold(Form::component(&wasm), |form, index| form.uniform(&format!("k{index}"), "1"));
    says(&many, DEFAULT_BUDGET, "the uniform's key \"k64\" is number 65, and a request may have 64", "");
    let none = assemble(&["(module", MEMORY, RENDER, OUTPUT, ")"].join("\n"));
    says(&Form::component(&none).uniform("a", "1"), DEFAULT_BUDGET, "no export \"uniform_set_a\"", "takes no uniforms");
}

#[test]
fn forms() {
    says(&Form::new().input(b""), DEFAULT_BUDGET, "the form has no part \"component\"", "component=@FILE.wasm");
    says(&Form::component(b"").part("component", b""), DEFAULT_BUDGET, "the form has two parts \"component\"", "");
    says(
        &Form::component(b"").part("module", b""),
        DEFAULT_BUDGET,
        "the form has a part \"module\"",
        "the target's part is \"component\"",
    );
    says(
        &Form::component(b"").part("other", b""),
        DEFAULT_BUDGET,
        "the form has a part \"other\", and may have \"component\", \"input\" and \"uniforms[<key>]\"",
        "",
    );
    let other = Form::component(b"").announced_as(b"ffffffff-ffff-ffff-ffff-ffffffffffff");
    says(
        &other,
        DEFAULT_BUDGET,
        "the form starts with \"--uuid-00000000-0000-0000-0000-000000000000\", and must start with its boundary, --uuid-ffffffff-ffff-ffff-ffff-ffffffffffff",
        "boundary",
    );
    says(
        &Form::component(b"").announced_as(b"FFFFFFFF-ffff-ffff-ffff-ffffffffffff"),
        DEFAULT_BUDGET,
        "the boundary is uuid-\"FFFFFFFF-ffff",
        "input content type",
    );
    let form = Form::component(b"").body();
    let cut = &form[..form.len() - 20];
    let trailing = [&form[..], b"xx"].concat();
    let header = String::from_utf8(form.clone()).unwrap().replace("form-data;", "attachment;").into_bytes();
    let table: &[(&[u8], &str, &str)] = &[
        (b"", "the request is empty, and must be a form", "-F component=@FILE.wasm"),
        (
            b"\0asm\x01\0\0\0",
            "the request is a raw Wasm file of 8 bytes, and must be a form",
            "-F component=@FILE.wasm",
        ),
        (b"# Hello", "the request starts with \"# Hello\", and must be a form", "-F component=@FILE.wasm"),
        (b"{\"a\": 1}", "the request is JSON of 8 bytes", "-F component=@FILE.wasm"),
        (cut, "the form is cut off: it ends after", "--uuid-00000000-0000-0000-0000-000000000000--"),
        (&trailing, "4 bytes follow the form's closing delimiter", ""),
        (&header, "a part's header is malformed at byte", "Content-Disposition"),
    ];
    for &(body, rule, hint) in table {
        let request = qip_interpret::Request { body, boundary: content_host::UUID, budget: DEFAULT_BUDGET };
        let text = String::from_utf8(qip_interpret::explanation(&request).unwrap()).unwrap();
        assert!(text.starts_with(rule), "{text}\ninstead of\n{rule}");
        assert!(text.lines().nth(1).unwrap().contains(hint), "{text}\ninstead of\n{hint}");
    }
}
