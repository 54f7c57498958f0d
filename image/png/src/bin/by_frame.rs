//! A QIP component: a PNG picture in, a BMP picture out, all rows at once. `png-to-bmp.md` starts from it.

#![no_main]

mod component;

use png_to_bmp::by_frame as pixels;
