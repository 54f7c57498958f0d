//! A QIP component: Markdown in, HTML out, by CommonMark 0.31.2.

#![no_main]

use markdown::{CompileOptions, Options};

/// Largest output in bytes.
const OUTPUT_CAP: usize = 4 << 20;

content_component::export! {
    input: input_utf8_cap = 1 << 20, "text/markdown";
    output: output_utf8_cap = OUTPUT_CAP, "text/html";
    // A rejection's low half is the offset alone.
    modes: 1;
    render: html;
}

// For each byte of input plain prose takes 3 to 12 bytes, ordinary Markdown 30 to 50, lines full of links and emphasis 110, and
// text that is nothing but markup up to 1,300; where the heap is spent, `render` traps.
content_component::heap!(60 << 20);

/// Markdown as HTML, or the offset of the first byte that cannot be taken.
fn html(input: &[u8]) -> Result<Vec<u8>, u32> {
    let text = str::from_utf8(input).map_err(|error| error.valid_up_to() as u32)?;
    // HTML and every link protocol pass through, as CommonMark says.
    let options = Options {
        compile: CompileOptions {
            allow_dangerous_html: true,
            allow_dangerous_protocol: true,
            ..CompileOptions::default()
        },
        ..Options::default()
    };
    let html = markdown::to_html_with_options(text, &options).map_err(|_| 0u32)?;
    if html.len() > OUTPUT_CAP {
        return Err(0);
    }
    Ok(html.into_bytes())
}
