//! What the components share: all but the way in which they find the `steps` of each point.

use content_component::alloc::vec::Vec;
use mandelbrot::{MAX_BYTES, picture};

use crate::steps;

content_component::export! {
    input: input_utf8_cap = 64, "text/plain";
    output: output_bytes_cap = MAX_BYTES, "image/bmp";
    modes: 1;
    render: render_view;
}

// The points of the largest picture, their steps, and the picture.
content_component::probed_heap!(2 << 20);

content_component::trap_on_panic!();

fn render_view(text: &[u8]) -> Result<Vec<u8>, u32> {
    picture(text, steps)
}
