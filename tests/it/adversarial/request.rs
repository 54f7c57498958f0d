//! Forms that are hard to take apart.

use qip_interpret::Mode;

use super::{MIB, refused, renders};
use crate::failures::target;
use crate::support::{Form, UUID, assemble};

/// A target that does nothing with inputs of up to 32 MiB.
fn reader() -> Vec<u8> {
    assemble(
        r#"(module (memory (export "memory") 513 513)
             (func (export "render") (param i32) (result i64) (i64.const 0))
             (func (export "output_bytes_cap") (result i32) (i32.const 0))
             (func (export "input_ptr") (result i32) (i32.const 65536))
             (func (export "input_bytes_cap") (result i32) (i32.const 0x200_0000)))"#,
    )
}

/// Asserts that the target gets the whole input.
#[track_caller]
fn takes(case: &str, form: Form, input: &[u8]) {
    let share = |page: usize| (input.len() - page * 65_536).min(65_536);
    let row = |page: usize| format!("{},input,{},0,0,0,0,0,\n", page + 1, share(page));
    let rows: String = (0..input.len().div_ceil(65_536)).map(row).collect();
    renders(case, &form.part("component", &reader()).input(input), &rows);
}

#[test]
fn bodies_of_almost_delimiters() {
    let delimiter = [b"\r\n--uuid-", &UUID[..]].concat();
    let last = delimiter.len() - 1;
    for (case, unit) in [
        ("delimiters with another last digit", [&delimiter[..last], b"1"].concat()),
        ("delimiters without their last digit", delimiter[..last].to_vec()),
        ("delimiters without CR", [&delimiter[1..], b"\r\n"].concat()),
        ("delimiters and a hyphen", [&delimiter[..], b"-"].concat()),
        ("delimiters and a CR", [&delimiter[..], b"\r"].concat()),
        ("delimiters in upper case", [&delimiter.to_ascii_uppercase()[..], b"\r\n"].concat()),
        ("line breaks", b"\r\n".to_vec()),
        ("CRs", b"\r".to_vec()),
        ("zeros", b"0".to_vec()),
    ] {
        takes(&format!("16 MiB of {case}"), Form::new(), &unit.repeat(16 * MIB / unit.len()));
    }
}

/// A body ends at the first delimiter, whatever it was meant for.
#[test]
fn forms_in_bodies() {
    let wasm = target("(i64.const 0)", "");
    let inner = Form::component(&wasm).body();
    let form = Form::component(&inner);
    let end = form.offset_of("component") as usize + inner.len();
    refused("a form for a component", &form, Mode::MalformedRequest, end);
    // With a line break before it, its first part is the form's next.
    let input = [b"x\r\n", &inner[..]].concat();
    let form = Form::component(&wasm).input(&input);
    let name = input.windows(9).position(|window| window == b"component").expect("the form has a part");
    refused("a form in the input", &form, Mode::BadPart, form.offset_of("input") as usize + name);
    let input = [b"\r\n--uuid-", &UUID[..], b"--"].concat();
    let form = Form::component(&wasm).input(&input);
    let end = form.offset_of("input") as usize + input.len() + "\r\n".len();
    refused("the end of the form in the input", &form, Mode::MalformedRequest, end);
    let other = b"ffffffff-ffff-ffff-ffff-ffffffffffff";
    let input = Form::with_boundary(other).input(b"x").body();
    takes("a form with another boundary in the input", Form::new(), &input);
    takes("the same the other way round", Form::with_boundary(other), &Form::new().input(b"x").body());
}

#[test]
fn parts_and_headers() {
    let wasm = target("(i64.const 0)", "");
    let many = (0..100_000).fold(Form::component(&wasm), |form, _| form.part("x", b""));
    let name = many.offset_of("x") as usize - "x\"\r\n\r\n".len();
    refused("100,000 unknown parts", &many, Mode::BadPart, name);
    // All headers of a part, with the empty line, in 16 KiB.
    let name = |length: usize| format!("input\"; filename=\"{}", "x".repeat(length));
    let rest = "Content-Disposition: form-data; name=\"\"\r\n\r\n".len() + name(0).len();
    let fits = 16 * 1024 - rest;
    let form = Form::component(&wasm).part(&name(fits), b"abc");
    renders("headers of 16 KiB", &form, "1,input,3,0,0,0,0,0,\n");
    for length in [fits + 1, 16 * MIB] {
        let form = Form::component(&wasm).part(&name(length), b"abc");
        let start = form.offset_of(&name(length)) as usize - rest - length;
        let case = format!("headers of {} bytes", rest + length);
        refused(&case, &form, Mode::MalformedRequest, start + 16 * 1024);
    }
}

/// The host may write anything into the boundary's slot.
#[test]
fn boundaries_that_are_no_uuid() {
    let wasm = target("(i64.const 0)", "");
    for boundary in [
        b"00000000-0000-0000-0000-00000000000g",
        b"\0\0\0\0\0\0\0\0-0000-0000-0000-000000000000",
        b"\r\n--uuid-00000000-0000-0000-0000-000",
        b"000000000-000-0000-0000-000000000000",
        b"------------------------------------",
        &[0xff; 36],
    ] {
        let form = Form::with_boundary(boundary).part("component", &wasm);
        let case = format!("the boundary {}", boundary.escape_ascii());
        refused(&case, &form, Mode::MalformedRequest, 0);
        refused(&case, &Form::component(&wasm).announced_as(boundary), Mode::MalformedRequest, 0);
    }
}
