//! The example target.

use super::agreed_output;

const TARGET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/text/markdown/commonmark.0.31.2.wasm");

#[test]
fn commonmark() {
    let target = std::fs::read(TARGET).unwrap_or_else(|error| panic!("{TARGET}: {error}; `make test` builds it"));
    let render = |input: &str| String::from_utf8(agreed_output("commonmark", &target, input.as_bytes())).unwrap();
    assert_eq!(render(""), "");
    assert_eq!(render("# *a*\n"), "<h1><em>a</em></h1>\n");
    render("# Hello\n\nSome *text* with [a link](https://example.com).");
    render(&"> 1. `code` **bold** &amp; ![image](/url \"title\")\n".repeat(50));
    let (section, _) = include_str!("../commonmark/spec.txt").split_at(20_000);
    render(section);
}
