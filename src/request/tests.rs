//! Every rule of docs/spec.md §2, in tables: a body with a mark where the fault is to be reported.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::form::MAX_UNIFORMS;
use super::header::MAX_BYTES;
use super::*;
use crate::Mode;

const UUID: &[u8; 36] = b"01234567-89ab-cdef-0123-456789abcdef";
const DELIMITER: &str = "--uuid-01234567-89ab-cdef-0123-456789abcdef";

/// Writes CR for `<`, LF for `>` and the delimiter without its line break for `@`.
fn expand(template: &str) -> String {
    template.replace('<', "\r").replace('>', "\n").replace('@', DELIMITER)
}

/// The opening delimiter and the headers of a part.
fn part(name: &str, body: &str) -> String {
    format!("@<>Content-Disposition: form-data; name=\"{name}\"<><>{body}<>")
}

fn component() -> String {
    part("component", "wasm")
}

/// Parses the template, and asserts that the fault is reported where `¦` stands in it.
fn refuses(mode: Mode, template: &str) {
    let marked = expand(template);
    let offset = marked.find('¦').unwrap_or_else(|| panic!("no mark in {template:?}")) as u32;
    let body = marked.replace('¦', "");
    assert_eq!(parse(body.as_bytes(), UUID), Err(Rejection::new(mode, offset)), "{template:?}");
}

/// Parses the template, whose first part is the component, and returns that part's body.
fn accepts(template: &str) -> String {
    let body = expand(template);
    let request = parse(body.as_bytes(), UUID).unwrap_or_else(|error| panic!("{template:?}: {error:?}"));
    String::from_utf8(request.component.body.to_vec()).unwrap()
}

#[test]
fn reads_every_part_with_its_offset() {
    let parts = [
        part("uniforms[b]", "2"),
        part("input", "text"),
        part("uniforms[a_1]", "1"),
        component(),
        part("uniforms[b2]", ""),
    ];
    let body = expand(&(parts.concat() + "@--<>"));
    let request = parse(body.as_bytes(), UUID).unwrap();
    let at = |text: &str| body.find(text).unwrap() as u32;
    let input = at("\r\n\r\ntext") + 4;
    let wasm = at("\r\n\r\nwasm") + 4;
    assert_eq!(request.component, Part { body: b"wasm", offset: wasm });
    assert_eq!(request.input, Some(Part { body: b"text", offset: input }));
    let uniforms: Vec<_> = request.uniforms.iter().map(|uniform| (uniform.key, uniform.value)).collect();
    assert_eq!(uniforms, [("a_1", &b"1"[..]), ("b", b"2"), ("b2", b"")]);
    for uniform in &request.uniforms {
        assert_eq!(uniform.key_offset, at(&format!("[{}]", uniform.key)) + 1);
        assert_eq!(&body.as_bytes()[uniform.value_offset as usize..][..uniform.value.len()], uniform.value);
        assert_eq!(uniform.value_offset, uniform.key_offset + uniform.key.len() as u32 + "]\"\r\n\r\n".len() as u32);
    }
}

#[test]
fn input_is_optional_and_may_be_empty() {
    let body = expand(&(component() + "@--"));
    assert_eq!(parse(body.as_bytes(), UUID).unwrap().input, None);
    let body = expand(&(component() + &part("input", "") + "@--"));
    assert_eq!(parse(body.as_bytes(), UUID).unwrap().input.map(|input| input.body), Some(&b""[..]));
}

#[test]
fn boundary_is_a_lower_case_uuid() {
    let body = expand(&(component() + "@--"));
    for (index, byte) in [(0, b'A'), (0, b'g'), (8, b'0'), (13, b'_'), (18, b'a'), (23, b' '), (24, b'-'), (35, b'F')] {
        let mut uuid = *UUID;
        uuid[index] = byte;
        let body = body.replace(core::str::from_utf8(UUID).unwrap(), core::str::from_utf8(&uuid).unwrap());
        let expected = Err(Rejection::new(Mode::MalformedRequest, 0));
        assert_eq!(parse(body.as_bytes(), &uuid), expected, "{index} {byte}");
    }
    let other = *b"fedcba98-7654-3210-fedc-ba9876543210";
    let differing = Rejection::new(Mode::MalformedRequest, "--uuid-".len() as u32);
    assert_eq!(parse(body.as_bytes(), &other), Err(differing));
}

#[test]
fn form_begins_with_the_delimiter() {
    for template in [
        "¦",
        "¦<>@<>",
        "-¦",
        "--uuid¦",
        "--uuid-01234567-89ab-cdef-0123-456789abcde¦0<>",
        "@¦",
        "@¦X",
        "@¦ <>",
        "@<¦",
        "@<¦X",
        "@-¦",
        "@-¦X",
    ] {
        refuses(Mode::MalformedRequest, template);
    }
}

#[test]
fn form_ends_with_the_closing_delimiter_and_one_line_break() {
    let form = component();
    assert_eq!(accepts(&format!("{form}@--")), "wasm");
    assert_eq!(accepts(&format!("{form}@--<>")), "wasm");
    for end in ["@--<¦", "@--¦ ", "@--¦>", "@--<¦<>", "@--<>¦<>", "@--<>¦x", "@--¦@--", "@¦", "@-¦", "@<¦"] {
        // A delimiter that is cut off is not one, so its bytes are the body's and the form ends too early.
        refuses(Mode::MalformedRequest, &format!("{form}{end}"));
    }
    refuses(Mode::MalformedRequest, &(form.trim_end_matches("<>").to_string() + "¦"));
    refuses(Mode::MalformedRequest, &(form + "¦"));
}

#[test]
fn bytes_like_a_delimiter_belong_to_the_body() {
    for body in [
        "",
        "<",
        ">",
        "<>",
        "<><>",
        "@",
        "@--",
        "x@<>",
        ">@--",
        "<>@-",
        "<>@x",
        "<>@<",
        "<>@<x",
        "<>@<<>",
        "<>@ --",
        "<><>--uuid-",
        "<>-",
        "<>--",
        "<>--uuid-<>--uuid-01234567",
    ] {
        let template = part("component", body) + "@--<>";
        assert_eq!(accepts(&template), expand(body), "{body:?}");
    }
    // One that is cut off right before a whole one.
    for length in 0..DELIMITER.len() {
        let body = format!("<>{}", &DELIMITER[..length]);
        assert_eq!(accepts(&(part("component", &body) + "@--")), expand(&body));
    }
}

#[test]
fn delimiter_is_found_wherever_it_stands() {
    for fill in ["0", "-", "f", "\r", "\n", "\0", "\r\n--uuid-0"] {
        for length in 0..120 {
            let body: String = fill.chars().cycle().take(length).collect();
            assert_eq!(accepts(&(part("component", &body) + "@--")), body, "{fill:?}");
        }
    }
}

#[test]
fn header_lines() {
    for headers in [
        "Content-Disposition: form-data; name=\"component\"",
        "content-DISPOSITION:FORM-Data;name=\"component\"",
        "Content-Disposition: \t form-data \t; \t name=\"component\" \t",
        "Content-Disposition: form-data; filename=\"a;b.wasm\"; name=\"component\"",
        "Content-Disposition: form-data; name=\"component\"; filename=\"é; name=\"; filename=\"again\"",
        "Content-Disposition: form-data; name=\"component\"; filename=\"\"",
        "Content-Disposition: form-data; Name=\"input\"; name=\"component\"",
        "Content-Type: application/wasm<>Content-Disposition: form-data; name=\"component\"",
        "Content-Disposition: form-data; name=\"component\"<>CONTENT-TYPE:x",
        // A token, as .NET sends it where it can.
        "Content-Disposition: form-data; name=component",
        "Content-Disposition: form-data; name=component; filename=a.wasm; filename*=utf-8''%c3%a9.wasm",
        // Quotes and backslashes in quotes.
        "Content-Disposition: form-data; filename=\"\\\"; name=\\\"input\\\"\"; name=\"component\"",
        "Content-Disposition: form-data; name=\"component\"; filename=\"C:\\\\\"",
        "Content-Disposition: form-data; filename=\"C:\\a.wasm\"; name=\"component\"",
        "Content-Disposition: form-data; filename=\"\\\\\\\"\"; name=\"component\"",
        // Any other header.
        "Content-Length: 4<>X-Other: \"a; name=<>Content-Disposition: form-data; name=\"component\"<>Content-Type:<>X: \t",
    ] {
        assert_eq!(accepts(&format!("@<>{headers}<><>wasm<>@--")), "wasm", "{headers:?}");
    }
    for headers in [
        // The lines.
        "¦<>",
        "¦",
        "Content-Type: x<>¦<>",
        "¦ Content-Type: x<>",
        "Content-Type¦ : x<>",
        "¦: x<>",
        "¦>",
        "Content-Disposition: form-data; name=\"component\"<><¦x",
        "Content-Type¦<>",
        "Content-Type: x¦>",
        "Content-Type: x<¦x",
        "Content-Type: x¦\0<>",
        "Content-Type: x¦\x7f<>",
        "Content-Type: x<>¦\tfolded<>",
        "Content-Length: 4<>¦<>",
        "Content-Disposition-X: form-data; name=\"component\"<>¦<>",
        "Content-Type: x¦",
        // The disposition.
        "Content-Disposition: form-data; name=\"component\"<>¦Content-Disposition: form-data; name=\"component\"<>",
        "Content-Disposition:¦<>",
        "Content-Disposition: ¦attachment; name=\"component\"<>",
        "Content-Disposition: ¦form-data2; name=\"component\"<>",
        "Content-Disposition: ¦; name=\"component\"<>",
        "Content-Disposition: form-data¦<>",
        "Content-Disposition: form-data¦, name=\"component\"<>",
        "Content-Disposition: form-data; filename=\"x\"¦<>",
        "Content-Disposition: form-data; Name=\"component\"¦<>",
        "Content-Disposition: form-data; name=\"component\"; ¦name=\"component\"<>",
        "Content-Disposition: form-data; name=\"component\";¦<>",
        "Content-Disposition: form-data; name=\"component\" ¦x<>",
        "Content-Disposition: form-data; name=\"component\"¦\"<>",
        "Content-Disposition: form-data; name¦<>",
        "Content-Disposition: form-data; name¦ =\"component\"<>",
        "Content-Disposition: form-data; name=component¦[]<>",
        "Content-Disposition: form-data; name=¦ \"component\"<>",
        "Content-Disposition: form-data; name=¦<>",
        "Content-Disposition: form-data; name=component; ¦name=component<>",
        "Content-Disposition: form-data; name=\"component\"; filename=\"C:\\\"¦<>",
        "Content-Disposition: form-data; ¦=\"component\"<>",
        "Content-Disposition: form-data; name=\"component¦<>",
        "Content-Disposition: form-data; name=\"compo¦\0nent\"<>",
        "Content-Disposition: form-data; name=\"component\"; filename=\"a¦>b\"<>",
    ] {
        refuses(Mode::MalformedRequest, &format!("@<>{headers}"));
        if headers.ends_with('>') && !headers.ends_with("¦>") {
            refuses(Mode::MalformedRequest, &format!("@<>{headers}<>wasm<>@--<>"));
        }
    }
}

#[test]
fn headers_have_a_limit() {
    let headers = |length: usize, mark: &str| {
        let start = "Content-Disposition: form-data; name=\"component\"<>Content-Type: ";
        let filled = start.len() + "<><>".len();
        // The mark stands in front of byte MAX_BYTES of the headers, counted from 0.
        let mut lines = format!("{start}{}<><>", "x".repeat(length - filled));
        if !mark.is_empty() {
            lines.insert_str(MAX_BYTES, mark);
        }
        format!("@<>{lines}wasm<>@--")
    };
    assert_eq!(accepts(&headers(MAX_BYTES, "")), "wasm");
    for excess in 1..6 {
        refuses(Mode::MalformedRequest, &headers(MAX_BYTES + excess, "¦"));
    }
    // The limit is for each part.
    let two = headers(MAX_BYTES, "").replace("@--", "") + &headers(MAX_BYTES, "").replace("component", "input");
    assert_eq!(accepts(&two), "wasm");
}

#[test]
fn part_names() {
    let disposition = "@<>Content-Disposition: form-data; name=\"";
    let end = "\"<><>x<>@--<>";
    for name in [
        "¦",
        "¦Component",
        "¦component ",
        "¦inputs",
        "¦uniforms",
        "¦uniforms[",
        "¦uniforms[a",
        "¦uniforms]",
        "¦Uniforms[a]",
        "¦uniforms[a]b",
        "¦x[a]",
        "¦\\\"input\\\"",
        "¦in\\put",
        "¦input\\\\",
    ] {
        refuses(Mode::BadPart, &format!("{disposition}{name}{end}"));
        refuses(Mode::BadPart, &format!("{}{disposition}{name}{end}", component()));
    }
    for name in ["component", "input"] {
        let twice = format!("{}{}{disposition}¦{name}{end}", component(), part("input", ""));
        refuses(Mode::BadPart, &twice);
    }
    // The fault that comes first is reported, not the end that is missing.
    refuses(Mode::BadPart, &format!("{disposition}¦other\"<><>"));
}

#[test]
fn component_is_required() {
    for template in ["@--¦", "@--<>¦"] {
        refuses(Mode::BadPart, template);
        refuses(Mode::BadPart, &(part("input", "x") + template));
    }
}

#[test]
fn uniform_keys() {
    let longest = "k".repeat(63);
    for key in ["a", "z9", "a_b_1", longest.as_str()] {
        let body = expand(&(component() + &part(&format!("uniforms[{key}]"), "1") + "@--"));
        assert_eq!(parse(body.as_bytes(), UUID).unwrap().uniforms[0].key, key);
    }
    let too_long = format!("{longest}¦k");
    let too_long_at_underscore = format!("{longest}¦_");
    for key in [
        "¦",
        "¦A",
        "¦1",
        "¦_a",
        "a¦B",
        "a¦-b",
        "a¦ ",
        "a¦]",
        "a¦é",
        "a¦\\\"",
        "a_¦_b",
        "a¦_",
        "ab_c¦_",
        too_long.as_str(),
        too_long_at_underscore.as_str(),
    ] {
        refuses(Mode::BadUniform, &(component() + &part(&format!("uniforms[{key}]"), "1") + "@--"));
    }
    let twice = ["uniforms[b]", "uniforms[a]", "uniforms[¦b]"].map(|name| part(name, "1")).concat();
    refuses(Mode::BadUniform, &(component() + &twice + "@--"));
}

#[test]
fn uniforms_have_a_limit() {
    let mut form = component();
    // Downwards, so that the order of the keys is not that of the parts.
    for index in (0..MAX_UNIFORMS).rev() {
        form += &part(&format!("uniforms[k{index:02}]"), "1");
    }
    let body = expand(&(form.clone() + "@--"));
    let uniforms = parse(body.as_bytes(), UUID).unwrap().uniforms;
    assert_eq!(uniforms.len(), MAX_UNIFORMS);
    assert!(uniforms.is_sorted_by(|a, b| a.key < b.key));
    refuses(Mode::BadUniform, &(form + &part("uniforms[¦more]", "1") + "@--"));
}

/// Binary bodies: offsets are in bytes, and nothing is read as text.
#[test]
fn bodies_are_bytes() {
    let bytes: Vec<u8> = (0..=255).collect();
    let mut body = expand("@<>Content-Disposition: form-data; name=\"component\"; filename=\"é\"<><>").into_bytes();
    let offset = body.len() as u32;
    body.extend_from_slice(&bytes);
    body.extend_from_slice(expand("<>@--").as_bytes());
    let expected = Parts { component: Part { body: &bytes, offset }, input: None, uniforms: vec![] };
    assert_eq!(parse(&body, UUID), Ok(expected));
}
