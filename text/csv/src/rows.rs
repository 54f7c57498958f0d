//! A row for each page or group of pages: its share of all bytes, and what was initialized, read and written.

use crate::draw::{Description, LEFT, RIGHT, SHARE_X, share_bar};
use crate::groups::Group;
use crate::numbers::{Count, Grouped, Ratio, Span};
use crate::pages::{Counts, PAGE_BYTES};
use crate::scale::Scale;
use crate::story::Report;
use crate::svg::{Pixels, Svg};

/// Where pages and regions stand, behind the badges.
const PAGE_X: u32 = LEFT + 22;
/// Where figures end and bars begin.
const FIGURES_X: u32 = 406;
const BARS_X: u32 = 414;
const BARS_WIDTH: u32 = 136;
const DISTINCT_X: u32 = 616;
/// From one of a row's lines to the next.
const LINE_HEIGHT: u32 = 15;

/// A bar: its class, its name, and what it counts.
type Bar = (&'static str, &'static str, fn(&Counts) -> u128);

const BARS: [Bar; 3] = [
    ("i", "initialized", |counts| counts.initialized),
    ("r", "read", |counts| counts.read),
    ("w", "written", |counts| counts.written),
];

/// The rows of all groups with the stretches between them. Returns where they end.
pub fn rows(svg: &mut Svg, report: &Report, groups: &[Group], y: u32) -> u32 {
    let bars = report.pages.iter().map(|page| &page.counts);
    let largest = bars.map(|counts| counts.read.max(counts.written).max(counts.initialized)).max();
    let scale = Scale::new(largest.unwrap_or(0), BARS_WIDTH);
    let rows = Rows { report, scale };
    let top = y + 8;
    let mut content = Svg::default();
    let mut y = top;
    let mut next = 0;
    for group in groups {
        y = fold(&mut content, next, group.first(), y);
        y = rows.row(&mut content, group, y);
        next = group.last() + 1;
    }
    rows.head(svg, top, y);
    svg.0.push_str(&content.0);
    rows.key(svg, groups.len() < report.pages.len(), y + 20)
}

/// A thin row for the pages from `first` up to `end`, if there are any. Returns where the next row begins.
fn fold(svg: &mut Svg, first: u32, end: u32, y: u32) -> u32 {
    if first == end {
        return y;
    }
    let count = Count(u128::from(end - first), "untouched page");
    svg.path("fold", format_args!("M{LEFT} {}.5H{}", y + 10, PAGE_X - 4));
    svg.text("s", PAGE_X, y + 14, format_args!("{count}, {}", Span(first, end - 1)));
    svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", y + 20));
    y + 21
}

/// What rows are drawn by.
struct Rows<'a> {
    report: &'a Report<'a>,
    scale: Scale,
}

impl Rows<'_> {
    /// The columns' names, and the scale's lines from `top` to `bottom`, which lie under the bars.
    fn head(&self, svg: &mut Svg, top: u32, bottom: u32) {
        const UNITS: [&str; 7] = ["", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"];
        let (upper, lower) = (top - 21, top - 7);
        svg.text("s", PAGE_X, lower, "page, region");
        svg.text("s", SHARE_X, upper, "share of");
        svg.text("s", SHARE_X, lower, "all bytes");
        svg.text("s e", FIGURES_X, lower, "bytes");
        svg.text("s", BARS_X, upper, "logarithmic");
        svg.text("s e", DISTINCT_X, lower, "distinct");
        svg.text("s e", RIGHT, upper, "rewrite");
        svg.text("s e", RIGHT, lower, "ratio");
        let steps = self.scale.steps();
        // Three labels have room beside the first.
        let labelled = (steps.len() - 1).div_ceil(3).next_multiple_of(2);
        for (step, bytes) in steps.enumerate() {
            let x = f64::from(BARS_X) + self.scale.at(bytes);
            let class = if bytes == u128::from(PAGE_BYTES) { "page" } else { "line" };
            svg.path(class, format_args!("M{} {top}V{bottom}", Pixels(x)));
            if let Some(unit) = UNITS.get(step * 4 / 10).filter(|_| step % labelled == 0) {
                svg.text("s c", x as u32, lower, format_args!("{}{unit}", 1 << (step * 4 % 10)));
            }
        }
        svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", top - 1));
    }

    /// A row. Returns where the next one begins.
    fn row(&self, svg: &mut Svg, group: &Group, y: u32) -> u32 {
        let counts = &group.counts;
        let lines = if counts.initialized > 0 { 3 } else { 2 };
        let height = lines * LINE_HEIGHT + 13;
        let rank = self.report.busiest().position(|page| page.index == group.first());
        svg.group("row", Description(self.report, group), |svg| {
            let busy = rank.is_some() && self.report.stands_out(&group.pages[0]);
            let back = if busy { "busy" } else { "hit" };
            svg.bar(back, f64::from(LEFT), y, f64::from(RIGHT - LEFT), height - 1);
            if let Some(rank) = rank {
                svg.badge(LEFT + 10, y + 13, rank + 1);
            }
            self.place(svg, group, y);
            svg.text(if rank.is_some() { "key b" } else { "key" }, SHARE_X, y + 17, self.report.share(counts));
            share_bar(svg, self.report, counts, SHARE_X, y + 23, 80);
            self.bars(svg, group, y + 6);
            svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", y + height - 1));
        });
        y + height
    }

    /// Which pages these are, and what lies there.
    fn place(&self, svg: &mut Svg, group: &Group, y: u32) {
        let span = Span(group.first(), group.last());
        let pages = group.pages.len() as u128;
        match group.untouched() {
            _ if pages == 1 => {
                let address = u64::from(group.first()) * PAGE_BYTES;
                svg.noted("key b", PAGE_X, y + 17, span, format_args!("{address:#x}"));
            }
            0 => svg.noted("key b", PAGE_X, y + 17, span, Count(pages, "page")),
            _ => svg.noted("key b", PAGE_X, y + 17, span, format_args!("{} of them", Grouped(pages))),
        }
        svg.swatch(group.regions, PAGE_X, y + 22, 22, 12);
        match group.regions.names().count() {
            // All four together are longer than the column.
            4 => svg.squeezed("", PAGE_X + 28, y + 32, SHARE_X - PAGE_X - 32, group.regions),
            _ => svg.text("", PAGE_X + 28, y + 32, group.regions),
        }
    }

    /// What was initialized, read and written: a page's figures, or the mean of several with a line from the least to the most.
    fn bars(&self, svg: &mut Svg, group: &Group, mut y: u32) {
        let left = f64::from(BARS_X);
        for (class, name, of) in BARS {
            if class == "i" && group.counts.initialized == 0 {
                continue;
            }
            let mean = group.mean(of(&group.counts));
            let figure = if group.pages.len() > 1 { "ø " } else { "" };
            svg.text("m e", FIGURES_X - 78, y + 11, name);
            svg.text("e", FIGURES_X, y + 11, format_args!("{figure}{}", Grouped(mean)));
            svg.bar(class, left, y + 2, self.scale.at(mean), 9);
            let (least, most) = group.range(of);
            if least < most {
                let (from, to) = (left + self.scale.at(least), left + self.scale.at(most));
                let (from, to) = (Pixels(from), Pixels(to));
                svg.path("range", format_args!("M{from} {0}v5m0-2.5H{to}m0-2.5v5", y + 4));
            }
            if class == "w" && mean > 0 {
                self.distinct(svg, group, y);
            }
            y += LINE_HEIGHT;
        }
    }

    /// How many of the bytes written are distinct: a mark on their bar, and figures beside it.
    fn distinct(&self, svg: &mut Svg, group: &Group, y: u32) {
        let distinct = group.mean(group.counts.distinct);
        let x = Pixels(f64::from(BARS_X) + self.scale.at(distinct));
        for class in ["halo", "mark"] {
            svg.path(class, format_args!("M{x} {y}v13"));
        }
        svg.text("e", DISTINCT_X, y + 11, Grouped(distinct));
        let ratio = group.counts.rewrite_ratio();
        let often = ratio.is_some_and(|hundredths| hundredths >= 1000);
        svg.text(if often { "b e" } else { "e" }, RIGHT, y + 11, Ratio(ratio));
    }

    /// How rows are read. Returns where that ends.
    fn key(&self, svg: &mut Svg, with_groups: bool, y: u32) -> u32 {
        let left = f64::from(LEFT);
        svg.bar("r", left, y - 9, 12.0, 9);
        svg.bar("w", left + 12.0, y - 9, 12.0, 9);
        svg.text("s", LEFT + 36, y, "Share of all bytes, read and written: linear. The busiest pages are numbered.");
        let y = y + 18;
        svg.bar("w", left, y - 9, 24.0, 9);
        for class in ["halo", "mark"] {
            svg.path(class, format_args!("M{} {}v13", LEFT + 10, y - 11));
        }
        svg.text(
            "s",
            LEFT + 36,
            y,
            "Bytes: logarithmic. Mark: how many of those written are distinct. Rewrite ratio: written / distinct.",
        );
        if !with_groups {
            return y;
        }
        let y = y + 18;
        svg.path("range", format_args!("M{LEFT}.5 {0}v5m0-2.5h24m0-2.5v5", y - 7));
        svg.text(
            "s",
            LEFT + 36,
            y,
            "Pages used alike share a row: ø is their mean, the line goes from the least to the most.",
        );
        y
    }
}
