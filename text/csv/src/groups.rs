//! Makes few rows of many pages. The busiest pages keep rows of their own; what lies between them is merged where that loses least.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::pages::{Counts, Page};
use crate::regions::Regions;

/// Rows that a picture has at most.
pub const ROWS: usize = 40;

/// So many of the busiest pages are never merged. The stretches between them have rows too, so it is less than half the rows.
const ALONE: usize = 8;

/// A merge that loses less than this is made even where there are rows left: what it would show is noise.
const NOISE: f32 = 32.0;

/// How far apart pages in different regions are: as if all they count differed by more than this power of two.
const REGION: f32 = 16.0;

/// Pages shown as one.
pub struct Group<'a> {
    /// At least one page.
    pub pages: &'a [Page],
    /// What overlaps any of them.
    pub regions: Regions,
    /// What was counted on all of them.
    pub counts: Counts,
}

impl<'a> Group<'a> {
    /// The pages as one.
    pub fn new(pages: &'a [Page]) -> Self {
        let regions = pages.iter().fold(Regions::default(), |regions, page| regions.union(page.regions));
        Self { pages, regions, counts: Counts::of(pages) }
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

    /// The least and the most that a page has of a count.
    pub fn range(&self, of: impl Fn(&Counts) -> u128) -> (u128, u128) {
        let each = || self.pages.iter().map(|page| of(&page.counts));
        (each().min().unwrap_or(0), each().max().unwrap_or(0))
    }
}

/// The places of the few pages on which more bytes were read and written than on all others, the busiest first.
pub fn busiest(pages: &[Page]) -> Vec<usize> {
    let mut busiest: Vec<usize> = Vec::with_capacity(ALONE + 2);
    for (place, page) in pages.iter().enumerate().filter(|(_, page)| page.counts.bytes() > 0) {
        let rank = busiest.partition_point(|&busier| pages[busier].counts.bytes() >= page.counts.bytes());
        if rank <= ALONE {
            busiest.insert(rank, place);
            busiest.truncate(ALONE + 1);
        }
    }
    // Those that are as busy as one page more do not stand out.
    if let Some(&other) = busiest.get(ALONE) {
        busiest.retain(|&place| pages[place].counts.bytes() > pages[other].counts.bytes());
    }
    busiest
}

/// At most [`ROWS`] groups of the pages, in their order.
pub fn groups(pages: &[Page]) -> Vec<Group<'_>> {
    if pages.len() <= ROWS {
        return pages.chunks(1).map(Group::new).collect();
    }
    let mut merging = Merging::new(pages);
    merging.run();
    let mut starts = 0..pages.len();
    let mut groups = Vec::with_capacity(ROWS);
    while let Some(start) = starts.next() {
        starts.start = merging.pieces[start].end;
        groups.push(Group::new(&pages[start..starts.start]));
    }
    groups
}

/// What pages are compared by: orders of magnitude of what was counted, and regions.
type Traits = [f32; 8];

fn traits(page: &Page) -> Traits {
    let Counts { initialized, read, written, distinct, .. } = page.counts;
    // From a handful of bytes to none is not far.
    let log = |count: u128| libm::log2f(count as f32 / 256.0 + 1.0);
    let region = |number| if page.regions.has(number) { REGION } else { 0.0 };
    [log(initialized), log(read), log(written), log(distinct), region(0), region(1), region(2), region(3)]
}

/// Pages from one place up to `end`.
struct Piece {
    /// 0 where the piece has become part of the one before.
    end: usize,
    /// Where the piece before begins.
    before: usize,
    sums: Traits,
    alone: bool,
}

/// Two pieces side by side: where they begin and end, by what merging them loses.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Pair {
    /// The bits of a number that is not negative, which are in its order.
    loss: u32,
    start: usize,
    middle: usize,
    end: usize,
}

/// Pages that are merged two pieces at a time, those first that lose least.
struct Merging<'a> {
    pages: &'a [Page],
    /// By the place of its first page.
    pieces: Vec<Piece>,
    left: usize,
    pairs: BinaryHeap<Reverse<Pair>>,
}

impl<'a> Merging<'a> {
    fn new(pages: &'a [Page]) -> Self {
        let piece = |(place, page): (usize, &Page)| Piece {
            end: place + 1,
            before: place.saturating_sub(1),
            sums: traits(page),
            alone: false,
        };
        let mut pieces: Vec<Piece> = pages.iter().enumerate().map(piece).collect();
        busiest(pages).into_iter().for_each(|place| pieces[place].alone = true);
        let mut merging = Self { pages, pieces, left: pages.len(), pairs: BinaryHeap::with_capacity(pages.len() * 2) };
        (0..pages.len()).for_each(|place| merging.offer(place));
        merging
    }

    fn run(&mut self) {
        while let Some(Reverse(Pair { loss, start, middle, end })) = self.pairs.pop() {
            if self.left <= ROWS && f32::from_bits(loss) >= NOISE {
                return;
            }
            // Pieces that have been merged since are offered anew.
            if self.pieces[start].end != middle || self.pieces[middle].end != end {
                continue;
            }
            let sums = self.pieces[middle].sums;
            self.pieces[middle].end = 0;
            let piece = &mut self.pieces[start];
            piece.end = end;
            piece.sums.iter_mut().zip(sums).for_each(|(sum, other)| *sum += other);
            let before = piece.before;
            self.left -= 1;
            if end < self.pages.len() {
                self.pieces[end].before = start;
                self.offer(start);
            }
            if start > 0 {
                self.offer(before);
            }
        }
    }

    /// Offers a piece and the one after it for merging.
    fn offer(&mut self, start: usize) {
        let first = &self.pieces[start];
        let middle = first.end;
        let Some(second) = self.pieces.get(middle).filter(|second| !first.alone && !second.alone) else { return };
        let end = second.end;
        let (count, other) = ((middle - start) as f32, (end - middle) as f32);
        let means = first.sums.iter().zip(second.sums).map(|(a, b)| a / count - b / other);
        let apart: f32 = means.map(|difference| difference * difference).sum();
        // By how much the squares of the distances from the means grow, and what an untouched stretch within a row hides.
        let gap = self.pages[middle].index - self.pages[middle - 1].index;
        let hidden = libm::log2f(gap as f32);
        let loss = (apart * count * other / (count + other) + hidden * hidden).to_bits();
        self.pairs.push(Reverse(Pair { loss, start, middle, end }));
    }
}
