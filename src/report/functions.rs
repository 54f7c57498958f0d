//! One CSV row for each page and each function that read or wrote it.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{self, Write};

use super::text::{Text, function_name};
use crate::content::Finished;
use crate::fallible;
use crate::memory::{PerFunction, Touch};
use crate::module::Names;
use crate::rejection::Rejection;

const HEADER: &str = "page,function_index,function,reads,bytes_read,writes,bytes_written,distinct_bytes_written\n";

/// Writes the report of a finished run: pages rising; on each, functions by bytes moved, falling, then by rising index. Rejects
/// with `OutOfMemory`, at 0.
pub fn page_functions_csv(run: &Finished<'_, PerFunction>, names: &Names<'_>) -> Result<Vec<u8>, Rejection> {
    let rows = fallible::sorted(run.machine.memory().count().touches().map(Row::new)).map_err(|mode| mode.at(0))?;
    Text::write(|csv| {
        csv.write_str(HEADER)?;
        rows.iter().try_for_each(|row| row.write(csv, names.get(row.function)))
    })
}

/// A row; rows are ordered by their first three fields, which no two share.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Row {
    page: u32,
    bytes_moved: Reverse<u64>,
    function: u32,
    reads: u64,
    bytes_read: u64,
    writes: u64,
    bytes_written: u64,
    distinct_bytes_written: u32,
}

impl Row {
    fn new(touch: &Touch) -> Self {
        let counts = &touch.counts;
        Self {
            page: touch.page,
            bytes_moved: Reverse(counts.bytes_read() + counts.bytes_written()),
            function: touch.function,
            reads: counts.reads(),
            bytes_read: counts.bytes_read(),
            writes: counts.writes(),
            bytes_written: counts.bytes_written(),
            distinct_bytes_written: counts.distinct_bytes_written(),
        }
    }

    fn write(&self, csv: &mut Text, name: &str) -> fmt::Result {
        write!(csv, "{},{},", self.page, self.function)?;
        field(csv, name)?;
        let Self { reads, bytes_read, writes, bytes_written, distinct_bytes_written, .. } = self;
        writeln!(csv, ",{reads},{bytes_read},{writes},{bytes_written},{distinct_bytes_written}")
    }
}

/// A name as a field of RFC 4180: in quotes, which are doubled inside, where it has a separator or a quote. Line breaks are not
/// printed. A name that a spreadsheet would execute gets an apostrophe before it.
fn field(csv: &mut Text, name: &str) -> fmt::Result {
    let mut needs = Needs::default();
    function_name(&mut needs, name)?;
    let quote = if needs.quotes { "\"" } else { "" };
    csv.write_str(quote)?;
    if matches!(needs.first, Some('=' | '+' | '-' | '@')) {
        csv.write_char('\'')?;
    }
    function_name(&mut Doubled(csv), name)?;
    csv.write_str(quote)
}

/// What a name needs as a field.
#[derive(Default)]
struct Needs {
    first: Option<char>,
    quotes: bool,
}

impl Write for Needs {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.first = self.first.or(piece.chars().next());
        self.quotes |= piece.contains([',', '"']);
        Ok(())
    }
}

/// Doubles quotes.
struct Doubled<'t>(&'t mut Text);

impl Write for Doubled<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        piece.chars().try_for_each(|c| self.write_char(c))
    }

    fn write_char(&mut self, c: char) -> fmt::Result {
        if c == '"' {
            self.0.write_char(c)?;
        }
        self.0.write_char(c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn names_are_quoted_where_they_must_be() {
        for (name, expected) in [
            ("", ""),
            ("core::fmt::write", "core::fmt::write"),
            ("a,b", "\"a,b\""),
            ("operator\"\"_x", "\"operator\"\"\"\"_x\""),
            ("=1+1", "'=1+1"),
            ("@sum(\"\")", "\"'@sum(\"\"\"\")\""),
            ("-a", "'-a"),
            ("+a,b", "\"'+a,b\""),
            ("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"),
            ("two\nlines", "two\u{fffd}lines"),
        ] {
            let written = Text::write(|csv| field(csv, name)).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected, "{name:?}");
        }
    }
}
