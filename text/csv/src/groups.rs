//! Makes few rows of many pages: what lies side by side and was used alike becomes one row.

use alloc::vec::Vec;

use crate::pages::{Counts, Page};
use crate::regions::Regions;

/// Rows that a picture has at most.
pub const ROWS: usize = 40;

/// Pages shown as one row.
pub struct Group<'a> {
    /// At least one page.
    pub pages: &'a [Page],
    /// What overlaps any of them.
    pub regions: Regions,
    /// What was counted on all of them.
    pub counts: Counts,
}

impl<'a> Group<'a> {
    /// The pages as one row.
    pub fn new(pages: &'a [Page]) -> Self {
        let regions = pages.iter().fold(Regions::default(), |regions, page| regions.union(page.regions));
        Self { pages, regions, counts: total(pages) }
    }

    /// The first page's index.
    pub fn first(&self) -> u32 {
        self.pages[0].index
    }

    /// The last page's index.
    pub fn last(&self) -> u32 {
        self.pages[self.pages.len() - 1].index
    }

    /// Pages between the first and the last that have no line.
    pub fn untouched(&self) -> usize {
        (self.last() - self.first()) as usize + 1 - self.pages.len()
    }

    /// A count's mean over the pages, rounded to the nearest.
    pub fn mean(&self, total: u128) -> u128 {
        let pages = self.pages.len() as u128;
        (total + pages / 2) / pages
    }
}

/// What was counted on all pages.
pub fn total(pages: &[Page]) -> Counts {
    let mut total = Counts::default();
    pages.iter().for_each(|page| total += &page.counts);
    total
}

/// At most [`ROWS`] groups of the pages, in their order. The first rule that makes so few of them is taken: each page its own,
/// then neighbours whose counts lie in the same octave, in the same two, and so on, then those over untouched stretches too,
/// and at last equal shares.
pub fn groups(pages: &[Page]) -> Vec<Group<'_>> {
    let alike = |bits: u32, far: bool| {
        pages.chunk_by(move |a, b| {
            (far || a.index + 1 == b.index) && a.regions == b.regions && kind(&a.counts, bits) == kind(&b.counts, bits)
        })
    };
    if pages.len() <= ROWS {
        return pages.chunks(1).map(Group::new).collect();
    }
    for far in [false, true] {
        for bits in [1, 2, 4, 8, 64] {
            if alike(bits, far).take(ROWS + 1).count() <= ROWS {
                return alike(bits, far).map(Group::new).collect();
            }
        }
    }
    pages.chunks(pages.len().div_ceil(ROWS)).map(Group::new).collect()
}

/// The orders of magnitude of what was read, written and rewritten, in steps of `bits` binary digits.
fn kind(counts: &Counts, bits: u32) -> [u32; 3] {
    let ratio = counts.rewrite_ratio().unwrap_or(0) / 100;
    [counts.read, counts.written, ratio].map(|count| count.checked_ilog2().map_or(0, |log| 1 + log / bits))
}
