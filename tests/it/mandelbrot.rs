//! The Mandelbrot components draw what their library does, whichever way they go about it.

use crate::support::{Form, OUTPUT};

#[test]
fn both_components_draw_the_picture() {
    const VIEW: &[u8] = b"64 48 100";
    let picture = mandelbrot::picture(VIEW, mandelbrot::by_points).unwrap();
    for name in ["mandelbrot", "mandelbrot-by-sweeps"] {
        let path = format!("{}/image/bmp/{name}.wasm", env!("CARGO_MANIFEST_DIR"));
        let target = std::fs::read(path).expect("`make test` builds it first");
        let drawn = OUTPUT.render_natively(&Form::component(&target).input(VIEW), 100_000_000);
        assert!(drawn == Ok(picture.clone()), "{name}");
    }
}
