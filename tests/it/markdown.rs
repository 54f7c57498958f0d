//! The example target renders CommonMark, as the specification's own examples show it.

use crate::support::Tool;

const COMPONENT: &str = "text/markdown/commonmark.0.31.2.wasm";
const SPEC: &str = include_str!("commonmark/spec.txt");

/// The examples as (line, Markdown, HTML): between fences, with a dot on a line between the two and an arrow for a tab.
pub fn examples() -> Vec<(usize, String, String)> {
    let fence = "`".repeat(32);
    let opening = format!("{fence} example");
    let mut lines = SPEC.lines().enumerate();
    let mut examples = Vec::new();
    while let Some((index, line)) = lines.next() {
        if line != opening {
            continue;
        }
        let mut until = |end: &str| -> String {
            let part = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != end);
            part.map(|line| line.replace('→', "\t") + "\n").collect()
        };
        examples.push((index + 1, until("."), until(&fence)));
    }
    examples
}

#[test]
fn every_example_of_the_specification_renders_byte_for_byte() {
    let examples = examples();
    assert_eq!(examples.len(), 652);
    let mut markdown = Tool::at(COMPONENT);
    let mut wrong = Vec::new();
    for (line, input, expected) in &examples {
        let html = markdown.render_input(input.as_bytes()).map(|html| String::from_utf8(html).unwrap());
        if html.as_ref() != Ok(expected) {
            wrong.push(format!("spec.txt:{line}\n{input:?}\n{expected:?}\n{html:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} examples:\n{}", wrong.len(), examples.len(), wrong.join("\n\n"));
}

#[test]
fn what_cannot_be_taken_is_rejected_at_its_offset() {
    let mut markdown = Tool::at(COMPONENT);
    assert_eq!(markdown.get("failure_modes_per_input_offset"), 1);
    assert_eq!(markdown.render_input(b"ab\xffc"), Err(2));
    assert_eq!(markdown.render_input(b"ab"), Ok(b"<p>ab</p>".to_vec()));
}
