//! The page CSV: what was counted on each page. What the interpreter would not write is refused.

use alloc::vec::Vec;
use core::ops::AddAssign;

use crate::csv::{Line, Lines, Mode, Rejection};
use crate::regions::Regions;

/// The CSV's first line.
pub const HEADER: &str =
    "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// Pages of the largest memory, 4 GiB.
const PAGES: u64 = 1 << 16;

/// Bytes of a page.
pub const PAGE_BYTES: u64 = 1 << 16;

/// What was counted on one page, or on several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes copied into it before the run.
    pub initialized: u128,
    /// Read operations.
    pub reads: u128,
    /// Bytes they read.
    pub read: u128,
    /// Write operations.
    pub writes: u128,
    /// Bytes they wrote.
    pub written: u128,
    /// Bytes written at least once.
    pub distinct: u128,
}

impl Counts {
    /// What was counted on all these pages.
    pub fn of<'a>(pages: impl IntoIterator<Item = &'a Page>) -> Self {
        let mut counts = Self::default();
        pages.into_iter().for_each(|page| counts += &page.counts);
        counts
    }

    /// Bytes read and bytes written.
    pub fn bytes(&self) -> u128 {
        self.read + self.written
    }

    /// `written / distinct` in hundredths, rounded half up; nothing where nothing was written.
    pub fn rewrite_ratio(&self) -> Option<u128> {
        (self.distinct > 0).then(|| (self.written * 200 + self.distinct) / (self.distinct * 2))
    }

    fn agree(&self) -> bool {
        (self.reads == 0) == (self.read == 0)
            && (self.writes == 0) == (self.written == 0)
            && (self.written == 0) == (self.distinct == 0)
            && self.distinct <= self.written
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        self.initialized += other.initialized;
        self.reads += other.reads;
        self.read += other.read;
        self.writes += other.writes;
        self.written += other.written;
        self.distinct += other.distinct;
    }
}

/// One line of the CSV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Zero-based; its first byte is `index * 65536`.
    pub index: u32,
    /// What overlaps it.
    pub regions: Regions,
    /// What was counted on it.
    pub counts: Counts,
}

/// The lines of a page CSV.
pub fn parse(csv: &[u8]) -> Result<Vec<Page>, Rejection> {
    let mut lines = Lines::new(csv, HEADER)?;
    let mut pages: Vec<Page> = Vec::new();
    while let Some(line) = lines.next_line()? {
        let start = line.offset();
        let page = page(line)?;
        if pages.last().is_some_and(|last| last.index >= page.index) {
            return Err(Rejection::new(Mode::Order, start));
        }
        pages.push(page);
    }
    Ok(pages)
}

fn page(mut line: Line) -> Result<Page, Rejection> {
    let start = line.offset();
    let index = line.number(PAGES - 1)? as u32;
    let (region, at) = line.field()?;
    let regions = Regions::parse(region).ok_or(Rejection::new(Mode::Region, at))?;
    let mut number = |most| line.number(most).map(u128::from);
    let counts = Counts {
        initialized: number(u64::MAX)?,
        reads: number(u64::MAX)?,
        read: number(u64::MAX)?,
        writes: number(u64::MAX)?,
        written: number(u64::MAX)?,
        distinct: number(PAGE_BYTES)?,
    };
    let last = line.offset();
    let ratio = line.last_hundredths()?;
    if !counts.agree() {
        return Err(Rejection::new(Mode::Figures, start));
    }
    if ratio != counts.rewrite_ratio() {
        return Err(Rejection::new(Mode::Figures, last));
    }
    Ok(Page { index, regions, counts })
}
