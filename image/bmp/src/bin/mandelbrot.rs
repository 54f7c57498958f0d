//! A QIP component: The Mandelbrot set, one point after the other.

#![no_std]
#![no_main]

use core::panic::PanicInfo;

use content_component::alloc::vec::Vec;
use mandelbrot::{MAX_BYTES, by_points, picture};

content_component::export! {
    input: input_utf8_cap = 64, "text/plain";
    output: output_bytes_cap = MAX_BYTES as i32, "image/bmp";
    modes: 1;
    // The points of the largest picture, their steps, and the picture.
    heap: 2 << 20;
    render: render_view;
}

fn render_view(text: &[u8]) -> Result<Vec<u8>, u32> {
    picture(text, by_points)
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
