//! Sections out of order, and twice.

use qip_interpret::Mode;

use super::{component_refused, module};
use crate::support::binary::raw_section;

/// The sections that may be empty, in their order.
pub const SECTIONS: [u8; 11] = [1, 2, 3, 4, 5, 6, 7, 9, 12, 10, 11];

#[test]
fn each_section_behind_each_that_may_not_come_before_it() {
    for (place, &id) in SECTIONS.iter().enumerate() {
        for &late in &SECTIONS[..=place] {
            let (wasm, at) = module(&[&raw_section(id, b"\0"), &raw_section(0, b"\x01x"), &raw_section(late, b"\0")]);
            component_refused(&format!("section {late} behind section {id}"), &wasm, Mode::InvalidWasm, at);
        }
    }
}
