//! Reads CSV as the interpreter writes it: a known header, fields without quotes. Line ends may be CRLF, and a byte order mark may
//! come first, as spreadsheets write them.

use core::ops::Range;

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
    /// A rejection for what was found at this byte.
    pub fn new(mode: Mode, offset: usize) -> Self {
        Self { mode, offset: offset as u32 }
    }

    /// `offset * MODES_PER_OFFSET + mode`, as hosts read it.
    pub fn pack(self) -> u32 {
        self.offset * MODES_PER_OFFSET + self.mode as u32
    }
}

/// The lines after the header that are still to be read. Empty lines may follow them, for some hosts add one to what they print.
pub struct Lines<'a> {
    csv: &'a [u8],
    rest: Range<usize>,
}

impl<'a> Lines<'a> {
    /// The lines after this header, which ends in a line feed.
    pub fn new(csv: &'a [u8], header: &str) -> Result<Self, Rejection> {
        let start = if csv.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let names = header.trim_end().as_bytes();
        let common = names.iter().zip(&csv[start..]).take_while(|(expected, found)| expected == found).count();
        let at = start + common;
        let line_end = match &csv[at..] {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => 0,
        };
        if common < names.len() || line_end == 0 {
            return Err(Rejection::new(Mode::Header, at));
        }
        let mut end = csv.len();
        while let Some(before) = csv[..end].strip_suffix(b"\n") {
            let before = without_cr(before);
            if !before.ends_with(b"\n") {
                break;
            }
            end = before.len();
        }
        Ok(Self { csv, rest: at + line_end..end })
    }

    /// The next line, or nothing after the last.
    pub fn next_line(&mut self) -> Result<Option<Line<'a>>, Rejection> {
        let Range { start, end } = self.rest.clone();
        if start >= end {
            return Ok(None);
        }
        let length = self.csv[start..end].iter().position(|byte| *byte == b'\n');
        let line_feed = start + length.ok_or(Rejection::new(Mode::Line, end))?;
        self.rest.start = line_feed + 1;
        let length = without_cr(&self.csv[start..line_feed]).len();
        Ok(Some(Line { csv: self.csv, rest: start..start + length }))
    }
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// The fields of a line that are still to be read.
pub struct Line<'a> {
    csv: &'a [u8],
    rest: Range<usize>,
}

impl<'a> Line<'a> {
    /// Where the next field begins.
    pub fn offset(&self) -> usize {
        self.rest.start
    }

    /// The next field, which another follows, and where it begins.
    pub fn field(&mut self) -> Result<(&'a str, usize), Rejection> {
        let Range { start, end } = self.rest.clone();
        let length = self.csv[start..end].iter().position(|byte| *byte == b',');
        let comma = start + length.ok_or(Rejection::new(Mode::Line, end))?;
        self.rest.start = comma + 1;
        Ok((self.text(start..comma), start))
    }

    /// The next field as a number up to `most`, without sign, spaces and leading zeros.
    pub fn number(&mut self, most: u64) -> Result<u64, Rejection> {
        let (field, start) = self.field()?;
        decimal(field).filter(|number| *number <= most).ok_or(Rejection::new(Mode::Number, start))
    }

    /// The last field: a number with two decimals, in hundredths, or nothing.
    pub fn last_hundredths(self) -> Result<Option<u128>, Rejection> {
        let start = self.rest.start;
        let text = self.text(self.rest.clone());
        if text.is_empty() {
            return Ok(None);
        }
        if let Some(comma) = text.find(',') {
            return Err(Rejection::new(Mode::Line, start + comma));
        }
        let hundredths = || {
            let (whole, part) = text.split_once('.')?;
            let part = (part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit())).then_some(part)?;
            Some(u128::from(decimal(whole)?) * 100 + part.parse::<u128>().ok()?)
        };
        hundredths().map(Some).ok_or(Rejection::new(Mode::Number, start))
    }

    /// A field as text. What is not UTF-8 becomes a byte that no field has.
    fn text(&self, field: Range<usize>) -> &'a str {
        str::from_utf8(&self.csv[field]).unwrap_or("\0")
    }
}

fn decimal(text: &str) -> Option<u64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    digits.then(|| text.parse().ok())?
}
