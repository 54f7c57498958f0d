//! What the components share: all but the way in which the `pixels` go into the BMP.

use png_to_bmp::{MAX_BYTES, MODES_PER_OFFSET, bmp};

use crate::pixels;

content_component::export! {
    input: input_bytes_cap = 16 << 20, "image/png";
    output: output_bytes_cap = MAX_BYTES, "image/bmp";
    modes: MODES_PER_OFFSET;
    render: render_picture;
}

// The BMP, a frame as large, and what the decoder needs: at most a megabyte for chunks, and some rows.
content_component::probed_heap!(36 << 20);

fn render_picture(png: &[u8]) -> Result<Vec<u8>, u32> {
    bmp(png, pixels).map_err(|rejection| rejection.pack())
}
