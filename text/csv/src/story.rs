//! What a report says, in sentences.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::groups::busiest;
use crate::numbers::{Count, Grouped, Pages, Share};
use crate::pages::{Counts, Page};
use crate::regions::Regions;

/// How many of the busiest pages are marked.
const MARKED: usize = 3;

/// A report, and what stands out in it.
pub struct Report<'a> {
    /// At least one, rising.
    pub pages: &'a [Page],
    /// What was counted on all of them.
    pub total: Counts,
    /// The places of the busiest pages.
    busiest: Vec<usize>,
}

impl<'a> Report<'a> {
    /// A report of these pages.
    pub fn new(pages: &'a [Page]) -> Self {
        let mut busiest = busiest(pages);
        busiest.truncate(MARKED);
        Self { pages, total: Counts::of(pages), busiest }
    }

    /// The busiest pages, the busiest first.
    pub fn busiest(&self) -> impl Iterator<Item = &'a Page> {
        self.busiest.iter().map(|&place| &self.pages[place])
    }

    /// The part of all bytes read and written that these are.
    pub fn share(&self, counts: &Counts) -> Share {
        Share(counts.bytes(), self.total.bytes())
    }

    /// The sentence that tells most.
    pub fn sentence(&self) -> String {
        if self.total.bytes() == 0 {
            return format!("{} initialized, none read or written", Count(self.total.initialized, "byte"));
        }
        if let Some(top) = self.busiest().next().filter(|top| self.stands_out(top)) {
            return format!("Page {} ({}) takes {} of all bytes", top.index, top.regions, self.share(&top.counts));
        }
        let of_set = |set| self.pages.iter().filter(move |page| page.regions == set);
        let sets = Regions::sets().map(|set| (set, Counts::of(of_set(set))));
        let (set, counts) = sets.max_by_key(|(_, counts)| counts.bytes()).unwrap_or_default();
        let pages = Count(of_set(set).count() as u128, "page");
        let take = if pages.0 == 1 { "takes" } else { "take" };
        format!("{pages} ({set}) {take} {} of all bytes, none stands out", self.share(&counts))
    }

    /// Whether a page takes a tenth of all bytes, or ten times as many as a page does on average.
    pub fn stands_out(&self, page: &Page) -> bool {
        let (bytes, all) = (page.counts.bytes(), self.total.bytes());
        bytes * 10 >= all || bytes * self.pages.len() as u128 >= all * 10
    }

    /// What else is to be said.
    pub fn details(&self) -> Vec<String> {
        let Counts { read, written, .. } = self.total;
        let touched = Count(self.pages.len() as u128, "touched page");
        let mut details = alloc::vec![format!(
            "All bytes: {} read and {} written, on {touched} of 64 KiB.",
            Grouped(read),
            Grouped(written)
        )];
        let busiest: Vec<&Page> = self.busiest().collect();
        if let Some(top) = busiest.first().filter(|top| self.stands_out(top) && read > 0 && written > 0) {
            let of_read = Share(top.counts.read, read);
            let of_written = Share(top.counts.written, written);
            details.push(format!(
                "Page {} takes {of_read} of the bytes read and {of_written} of the bytes written.",
                top.index
            ));
        }
        if let &[a, b, c] = &busiest[..] {
            let together = Counts::of([a, b, c]);
            // Less than a twentieth more is not worth a sentence.
            if (together.bytes() - a.counts.bytes()) * 20 >= self.total.bytes() {
                let (a, b, c, share) = (a.index, b.index, c.index, self.share(&together));
                details.push(format!("Pages {a}, {b} and {c} together take {share} of all bytes."));
            }
        }
        let unread = self.pages.iter().filter(|page| page.counts.initialized > 0 && page.counts.read == 0);
        let count = unread.clone().count() as u128;
        if count > 0 {
            let bytes = Count(Counts::of(unread).initialized, "byte");
            details.push(format!("Never read: {} with {bytes} initialized.", Count(count, "page")));
        }
        details.push(self.stack());
        details
    }

    /// How deep the shadow stack is, as far as whole pages tell.
    fn stack(&self) -> String {
        let mut stack = self.pages.iter().filter(|page| page.regions.contain(Regions::STACK));
        let Some(first) = stack.next() else { return String::from("No page of a shadow stack was touched.") };
        let last = stack.next_back().unwrap_or(first);
        let deep = Count(u128::from(last.index - first.index) + 1, "page");
        let pages = Pages(first.index, last.index);
        format!("Shadow stack: {deep} deep ({pages}); the CSV does not have its depth in bytes.")
    }
}
