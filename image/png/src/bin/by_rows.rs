//! A QIP component: a PNG picture in, a BMP picture out, row after row.

#![no_main]

mod component;

use png_to_bmp::by_rows as pixels;
