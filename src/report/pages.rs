//! One CSV row for each page that was initialized, read or written (docs/spec.md §1).

use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::ops::Range;

use super::text::Text;
use crate::content::Finished;
use crate::memory::{PAGE_BYTES, PageCounts, PerPage};
use crate::rejection::Rejection;

const HEADER: &str =
    "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// Writes the report of a finished run. Rejects with `OutOfMemory`, at 0.
pub fn page_writes_csv(run: &Finished<'_, PerPage>) -> Result<Vec<u8>, Rejection> {
    let stack = run.machine.stack_range();
    let regions = [("input", run.input.clone()), ("stack", stack), ("output", run.output.clone())];
    Text::write(|csv| {
        csv.write_str(HEADER)?;
        for (index, page) in run.machine.memory().touched_pages() {
            let counts = &page.counts;
            if counts.initialized_bytes + counts.reads() + counts.writes() > 0 {
                row(csv, index, counts, &regions)?;
            }
        }
        Ok(())
    })
}

fn row(csv: &mut Text, index: u32, counts: &PageCounts, regions: &[(&str, Range<u64>)]) -> fmt::Result {
    let start = u64::from(index) * PAGE_BYTES as u64;
    let overlaps = |range: &Range<u64>| range.start < range.end.min(start + PAGE_BYTES as u64) && start < range.end;
    let data = counts.has_segment.then_some("data");
    let others = regions.iter().filter(|(_, range)| overlaps(range)).map(|&(name, _)| name);
    write!(csv, "{index},")?;
    let mut separator = "";
    for name in data.into_iter().chain(others) {
        write!(csv, "{separator}{name}")?;
        separator = "+";
    }
    if separator.is_empty() {
        csv.write_str("other")?;
    }
    let (written, distinct) = (counts.bytes_written(), counts.distinct_bytes_written());
    write!(
        csv,
        ",{},{},{},{},{written},{distinct},",
        counts.initialized_bytes,
        counts.reads(),
        counts.bytes_read(),
        counts.writes()
    )?;
    if distinct > 0 {
        let hundredths = rewrite_ratio(written, distinct);
        write!(csv, "{}.{:02}", hundredths / 100, hundredths % 100)?;
    }
    csv.write_str("\n")
}

/// `written / distinct` in hundredths, rounded half up on the exact fraction. No budget allows 2^48 bytes, so 64 bits are enough.
fn rewrite_ratio(written: u64, distinct: u32) -> u64 {
    let distinct = u64::from(distinct);
    (written * 200 + distinct) / (distinct * 2)
}

#[cfg(test)]
mod tests {
    use super::rewrite_ratio;

    #[test]
    fn ratios_round_half_up_on_the_exact_fraction() {
        for (written, distinct, hundredths) in
            [(1, 1, 100), (2888, 415, 696), (201, 200, 101), (200, 199, 101), (1, 3, 33), (5, 8, 63), (1, 201, 0)]
        {
            assert_eq!(rewrite_ratio(written, distinct), hundredths, "{written} / {distinct}");
        }
    }
}
