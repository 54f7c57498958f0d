//! Draws the page CSV of the interpreter: [`pages`] reads it, [`groups`] makes few rows of many pages, [`draw`] writes the SVG.

#![no_std]

extern crate alloc;

pub mod draw;
pub mod groups;
mod map;
pub mod pages;
mod style;
mod svg;

use alloc::string::String;

pub use pages::{MODES_PER_OFFSET, Mode, Rejection};

/// The picture of a page CSV. A rejection's offset is a byte of the CSV.
pub fn picture(csv: &[u8]) -> Result<String, Rejection> {
    Ok(draw::draw(&pages::parse(csv)?))
}
