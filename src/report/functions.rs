//! One CSV row for each page and each function that read or wrote it.

use alloc::vec::Vec;
use core::cmp::Reverse;
use core::fmt::{self, Write};

use super::text::{Text, printable};
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
/// printed.
fn field(csv: &mut Text, name: &str) -> fmt::Result {
    let quote = if printable(name).any(|c| matches!(c, ',' | '"')) { "\"" } else { "" };
    csv.write_str(quote)?;
    for c in printable(name) {
        if c == '"' {
            csv.write_char(c)?;
        }
        csv.write_char(c)?;
    }
    csv.write_str(quote)
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
            ("two\nlines", "two\u{fffd}lines"),
        ] {
            let written = Text::write(|csv| field(csv, name)).unwrap();
            assert_eq!(String::from_utf8(written).unwrap(), expected, "{name:?}");
        }
    }
}
