//! Reads the page CSV, and refuses what the interpreter would not write.

use alloc::vec::Vec;
use core::ops::{AddAssign, Range};

/// The CSV's first line.
pub const HEADER: &str =
    "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// Pages of the largest memory, 4 GiB.
const PAGES: u64 = 1 << 16;

/// Bytes of a page.
pub const PAGE_BYTES: u64 = 1 << 16;

/// Why a CSV is refused. The discriminant is the mode number that hosts print; mode 0 is printed without a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The first line is not the page CSV's header.
    Header = 0,
    /// A line does not have nine fields, or does not end in a line feed.
    Line = 1,
    /// A number is malformed or out of range.
    Number = 2,
    /// A region is unknown, repeated or out of order.
    Region = 3,
    /// Pages do not rise.
    Order = 4,
    /// The figures of a line contradict each other.
    Figures = 5,
}

/// How many mode numbers share one input offset.
pub const MODES_PER_OFFSET: u32 = 8;

/// A refused CSV: the cause and the byte it was found at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The cause.
    pub mode: Mode,
    /// Byte offset within the CSV, at most its length.
    pub offset: u32,
}

impl Rejection {
    fn new(mode: Mode, offset: usize) -> Self {
        Self { mode, offset: offset as u32 }
    }

    /// `offset * MODES_PER_OFFSET + mode`, as hosts read it.
    pub fn pack(self) -> u32 {
        self.offset * MODES_PER_OFFSET + self.mode as u32
    }
}

/// The regions that overlap a page, as a set of bits; none is `other`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Regions(u8);

impl Regions {
    /// Their names, in the order in which the CSV joins them.
    const NAMES: [&'static str; 4] = ["data", "input", "stack", "output"];
    /// The region of the shadow stack.
    pub const STACK: Regions = Regions(4);

    fn parse(field: &str) -> Option<Self> {
        if field == "other" {
            return Some(Self::default());
        }
        field.split('+').try_fold(Self::default(), |regions, name| {
            let bit = 1 << Self::NAMES.iter().position(|known| *known == name)?;
            // Each bit is higher than those before it, for the order is fixed.
            (bit > regions.0).then_some(Self(regions.0 | bit))
        })
    }

    /// Every set, `other` last.
    pub fn sets() -> impl Iterator<Item = Self> {
        (1..1 << Self::NAMES.len()).chain([0]).map(Self)
    }

    /// Both sets together.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` are among them.
    pub fn contain(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of the regions; `other` where there is none.
    pub fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        let named = Self::NAMES.into_iter().enumerate().filter(move |(bit, _)| self.0 >> bit & 1 == 1);
        named.map(|(_, name)| name).chain((self.0 == 0).then_some("other"))
    }
}

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

/// The lines of a page CSV. Empty lines may follow, for some hosts add one to what they print.
pub fn parse(csv: &[u8]) -> Result<Vec<Page>, Rejection> {
    let header = HEADER.as_bytes();
    let common = header.iter().zip(csv).take_while(|(expected, found)| expected == found).count();
    if common < header.len() {
        return Err(Rejection::new(Mode::Header, common));
    }
    let mut end = csv.len();
    while csv[..end].ends_with(b"\n\n") {
        end -= 1;
    }
    let mut pages: Vec<Page> = Vec::new();
    let mut start = header.len();
    while start < end {
        let length = csv[start..end].iter().position(|byte| *byte == b'\n').ok_or(Rejection::new(Mode::Line, end))?;
        let page = Line { csv, rest: start..start + length }.page()?;
        if pages.last().is_some_and(|last| last.index >= page.index) {
            return Err(Rejection::new(Mode::Order, start));
        }
        pages.push(page);
        start += length + 1;
    }
    Ok(pages)
}

/// The fields of a line that are still to be read.
struct Line<'a> {
    csv: &'a [u8],
    rest: Range<usize>,
}

impl<'a> Line<'a> {
    fn page(mut self) -> Result<Page, Rejection> {
        let start = self.rest.start;
        let index = self.number(PAGES - 1)? as u32;
        let field = self.field()?;
        let regions = Regions::parse(self.text(&field)).ok_or(Rejection::new(Mode::Region, field.start))?;
        let counts = Counts {
            initialized: self.number(u64::MAX)?,
            reads: self.number(u64::MAX)?,
            read: self.number(u64::MAX)?,
            writes: self.number(u64::MAX)?,
            written: self.number(u64::MAX)?,
            distinct: self.number(PAGE_BYTES)?,
        };
        let last = self.rest.clone();
        let ratio = self.ratio(&last)?;
        if !counts.agree() {
            return Err(Rejection::new(Mode::Figures, start));
        }
        if ratio != counts.rewrite_ratio() {
            return Err(Rejection::new(Mode::Figures, last.start));
        }
        Ok(Page { index, regions, counts })
    }

    /// The next field, which another follows.
    fn field(&mut self) -> Result<Range<usize>, Rejection> {
        let Range { start, end } = self.rest.clone();
        let length = self.csv[start..end].iter().position(|byte| *byte == b',');
        let comma = start + length.ok_or(Rejection::new(Mode::Line, end))?;
        self.rest.start = comma + 1;
        Ok(start..comma)
    }

    /// The next field as a number, without sign, spaces and leading zeros.
    fn number(&mut self, most: u64) -> Result<u128, Rejection> {
        let field = self.field()?;
        match decimal(self.text(&field)) {
            Some(number) if number <= most => Ok(number.into()),
            _ => Err(Rejection::new(Mode::Number, field.start)),
        }
    }

    /// The last field: a number with two decimals, in hundredths, or nothing.
    fn ratio(&self, field: &Range<usize>) -> Result<Option<u128>, Rejection> {
        let text = self.text(field);
        if text.is_empty() {
            return Ok(None);
        }
        if let Some(comma) = text.find(',') {
            return Err(Rejection::new(Mode::Line, field.start + comma));
        }
        let hundredths = || {
            let (whole, part) = text.split_once('.')?;
            let part = (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())).then_some(part)?;
            Some(u128::from(decimal(whole)?) * 100 + part.parse::<u128>().ok()?)
        };
        hundredths().map(Some).ok_or(Rejection::new(Mode::Number, field.start))
    }

    /// A field as text. What is not UTF-8 becomes a byte that no field has.
    fn text(&self, field: &Range<usize>) -> &'a str {
        str::from_utf8(&self.csv[field.clone()]).unwrap_or("\0")
    }
}

fn decimal(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    digits.then(|| text.parse().ok())?
}
