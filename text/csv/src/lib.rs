//! Draws the page CSV of the interpreter: [`csv`] reads lines and fields, [`pages`] makes pages of them,
//! [`groups`] makes few rows of many pages, [`draw`] writes the SVG.

#![no_std]

extern crate alloc;

pub mod csv;
pub mod draw;
pub mod groups;
mod map;
pub mod pages;
pub mod regions;
mod style;
mod svg;

use alloc::string::String;

pub use csv::{MODES_PER_OFFSET, Mode, Rejection};

/// The picture of a page CSV. A rejection's offset is a byte of the CSV.
pub fn picture(csv: &[u8]) -> Result<String, Rejection> {
    Ok(draw::draw(&pages::parse(csv)?))
}
