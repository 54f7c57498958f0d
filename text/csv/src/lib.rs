//! Draws what the interpreter reports as SVG.
//!
//! [`csv`] reads lines and fields, [`pages`] makes the page CSV of them. [`groups`] makes few rows of many pages, and [`story`] finds
//! what is to be said of them. [`draw`] puts the parts of the picture together: totals, rows, map. They are drawn with what is in
//! [`svg`], [`style`], [`scale`] and [`numbers`].

#![no_std]

extern crate alloc;

pub mod csv;
pub mod draw;
pub mod groups;
mod map;
pub mod numbers;
pub mod pages;
pub mod regions;
mod rows;
pub mod scale;
pub mod story;
pub mod style;
pub mod svg;
mod totals;

use alloc::string::String;

pub use csv::{MODES_PER_OFFSET, Mode, Rejection};

/// The picture of a page CSV. A rejection's offset is a byte of the CSV.
pub fn picture(csv: &[u8]) -> Result<String, Rejection> {
    Ok(draw::draw(&pages::parse(csv)?))
}
