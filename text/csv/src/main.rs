//! A QIP component: the page CSV of the interpreter in, one SVG picture out.

#![no_std]
#![no_main]

use content_component::alloc::string::String;
use page_csv_to_svg::{MODES_PER_OFFSET, picture};

content_component::export! {
    // As much as the interpreter may write.
    input: input_utf8_cap = 11 << 20, "text/csv";
    // A picture has at most some 4,200 cells and 60 rows.
    output: output_utf8_cap = 4 << 20, "image/svg+xml";
    modes: MODES_PER_OFFSET;
    render: render_csv;
}

// All 65,536 pages, and the picture twice while it grows.
content_component::probed_heap!(24 << 20);

content_component::trap_on_panic!();

fn render_csv(csv: &[u8]) -> Result<String, u32> {
    picture(csv).map_err(|rejection| rejection.pack())
}
