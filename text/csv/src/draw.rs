//! The picture, from top to bottom: totals by region, which are the legend too; a row for each page or group of pages; and where
//! groups were made, a map of all pages.

use alloc::string::String;

use crate::groups::{Group, groups};
use crate::map::map;
use crate::pages::{Counts, PAGE_BYTES, Page};
use crate::regions::Regions;
use crate::style::{PATTERNS, STYLE};
use crate::svg::{Count, Grouped, Pages, Ratio, Span, Svg};

/// The picture's width in pixels.
const WIDTH: u32 = 800;
/// Where its margin ends on the left, in pixels.
pub const LEFT: u32 = 16;
/// Where its margin begins on the right.
pub const RIGHT: u32 = WIDTH - 16;
/// Where a row's columns begin: the regions, and the bars.
const REGION_X: u32 = 116;
const BARS_X: u32 = 312;
/// Pixels of the longest bar; the rest of the column is for its figure.
const BARS_WIDTH: f64 = 270.0;
const ROW_HEIGHT: u32 = 40;

/// Draws the pages, which rise.
pub fn draw(pages: &[Page]) -> String {
    let mut svg = Svg::default();
    let mut y = heading(&mut svg, pages);
    if !pages.is_empty() {
        let groups = groups(pages);
        y = totals(&mut svg, pages, y + 18);
        y = rows(&mut svg, &groups, y + 30);
        if groups.len() < pages.len() {
            y = map(&mut svg, pages, y + 30);
        }
    }
    let height = y + 16;
    let mut picture = Svg::default();
    picture.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         role=\"img\">\n<title>Reads and writes by page</title>\n<style>{STYLE}</style>\n<defs>{PATTERNS}</defs>\n\
         <rect class=\"bg\" width=\"{WIDTH}\" height=\"{height}\"/>\n{}</svg>\n",
        svg.0
    ));
    picture.0
}

/// The title and the sums. Returns where it ends.
fn heading(svg: &mut Svg, pages: &[Page]) -> u32 {
    svg.text("h1", LEFT, 32, "Reads and writes by 64 KiB page");
    let Some(last) = pages.last() else {
        svg.text("m", LEFT, 54, "No page was initialized, read or written.");
        return 60;
    };
    let counts = Counts::of(pages);
    svg.text(
        "m",
        LEFT,
        54,
        format_args!(
            "{} touched, the last is page {}. {} read, {} written to {}.",
            Count(pages.len() as u128, "page"),
            last.index,
            Count(counts.read, "byte"),
            Grouped(counts.written),
            Count(counts.distinct, "place"),
        ),
    );
    60
}

/// A table with a line for each set of regions, and the stack's depth. Returns where it ends.
fn totals(svg: &mut Svg, pages: &[Page], y: u32) -> u32 {
    const COLUMNS: [(&str, u32); 6] = [
        ("pages", 246),
        ("initialized", 344),
        ("bytes read", 470),
        ("bytes written", 596),
        ("distinct", 706),
        ("rewritten", RIGHT),
    ];
    svg.text("s", LEFT, y, "region");
    for (name, x) in COLUMNS {
        svg.text("s e", x, y, name);
    }
    svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", y + 6));
    let line = |svg: &mut Svg, y: u32, class: &str, count: usize, counts: &Counts| {
        let figures = [count as u128, counts.initialized, counts.read, counts.written, counts.distinct];
        for (figure, (_, x)) in figures.into_iter().zip(COLUMNS) {
            svg.text(class, x, y, Grouped(figure));
        }
        svg.text(class, RIGHT, y, Ratio(counts.rewrite_ratio()));
    };
    let mut y = y + 24;
    let mut lines = 0;
    for regions in Regions::sets() {
        let mut counts = Counts::default();
        let of_set = pages.iter().filter(|page| page.regions == regions);
        let count = of_set.inspect(|page| counts += &page.counts).count();
        if count > 0 {
            svg.swatch(regions, LEFT, y - 11, 28, 13);
            svg.frame(LEFT, y - 11, 28, 13);
            svg.text("", LEFT + 36, y, regions);
            line(svg, y, "e", count, &counts);
            y += 20;
            lines += 1;
        }
    }
    if lines > 1 {
        svg.text("b", LEFT + 36, y, "all");
        line(svg, y, "b e", pages.len(), &Counts::of(pages));
        y += 20;
    }
    stack(svg, pages, y + 4)
}

/// How deep the shadow stack went, as far as whole pages tell. Returns where it ends.
fn stack(svg: &mut Svg, pages: &[Page], y: u32) -> u32 {
    let touched = || pages.iter().filter(|page| page.regions.contain(Regions::STACK));
    let (Some(first), Some(last)) = (touched().next(), touched().next_back()) else {
        svg.text("m", LEFT, y, "No page of a shadow stack was touched.");
        return y;
    };
    let depth = u128::from(last.index - first.index + 1);
    let written: u128 = touched().map(|page| page.counts.distinct).sum();
    svg.text(
        "m",
        LEFT,
        y,
        format_args!(
            "Shadow stack: at most {} deep, {} bytes, of which {} were written ({}).",
            Count(depth, "page"),
            Grouped(depth * u128::from(PAGE_BYTES)),
            Grouped(written),
            Pages(first.index, last.index),
        ),
    );
    y
}

/// A logarithmic scale from 1 to at least the largest count.
pub struct Scale {
    /// Steps of 16.
    steps: u32,
}

impl Scale {
    /// A scale for counts up to this one.
    pub fn new(largest: u128) -> Self {
        // A whole page and what is beyond it are always on the scale.
        Self { steps: (largest.max(1) - 1).checked_ilog2().map_or(0, |log| log / 4 + 1).max(5) }
    }

    /// How far a count lies on a scale of this length. 0 lies at the start, 1 visibly behind it.
    pub fn at(&self, count: u128, length: f64) -> f64 {
        if count == 0 {
            return 0.0;
        }
        (libm::log2(count as f64) + 1.0) / f64::from(self.steps * 4 + 1) * length
    }
}

/// The rows of all groups with the stretches between them. Returns where they end.
fn rows(svg: &mut Svg, groups: &[Group], y: u32) -> u32 {
    let all = groups.iter().flat_map(|group| group.pages);
    let scale = Scale::new(all.map(|page| page.counts.read.max(page.counts.written)).max().unwrap_or(0));
    let top = y + 8;
    let start = svg.0.len();
    let mut y = top;
    let mut next = 0;
    for group in groups {
        y = fold(svg, next, group.first(), y);
        row(svg, group, &scale, y);
        y += ROW_HEIGHT;
        next = group.last() + 1;
    }
    // The scale lies under the bars, and ends where they do.
    let mut behind = Svg::default();
    axis(&mut behind, &scale, top, y);
    svg.0.insert_str(start, &behind.0);
    key(svg, groups.iter().any(|group| group.pages.len() > 1), y + 20)
}

/// The scale's lines from `top` to `bottom`, and the names of the columns above.
fn axis(svg: &mut Svg, scale: &Scale, top: u32, bottom: u32) {
    const UNITS: [&str; 7] = ["", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"];
    svg.text("s", LEFT, top - 8, "page");
    svg.text("s", REGION_X, top - 8, "region");
    svg.text("s e", RIGHT, top - 8, "rewritten");
    for step in 0..=scale.steps {
        let x = BARS_X as f64 + scale.at(1 << (step * 4), BARS_WIDTH);
        let is_page = 1 << (step * 4) == u128::from(PAGE_BYTES);
        svg.path(if is_page { "page" } else { "line" }, format_args!("M{x:.1} {top}V{bottom}"));
        // Seven labels have room.
        let labelled = step % scale.steps.div_ceil(6) == 0;
        if let Some(unit) = UNITS.get(step as usize * 4 / 10).filter(|_| labelled) {
            svg.text("s c", x as u32, top - 8, format_args!("{}{unit}", 1 << (step * 4 % 10)));
        }
    }
}

/// A thin row for the pages from `first` up to `end`, if there are any. Returns where the next row begins.
fn fold(svg: &mut Svg, first: u32, end: u32, y: u32) -> u32 {
    if first == end {
        return y;
    }
    let count = Count(u128::from(end - first), "untouched page");
    svg.path("fold", format_args!("M{LEFT} {}.5H{}", y + 10, REGION_X - 8));
    svg.text("s n", REGION_X, y + 14, format_args!("{count}, {}", Span(first, end - 1)));
    svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", y + 20));
    y + 21
}

fn row(svg: &mut Svg, group: &Group, scale: &Scale, y: u32) {
    let counts = &group.counts;
    svg.put(format_args!("<g class=\"row\"><title>"));
    describe(svg, group);
    svg.put(format_args!("</title>\n"));
    svg.bar("hit", f64::from(LEFT), y, f64::from(RIGHT - LEFT), ROW_HEIGHT);
    svg.text("b", LEFT, y + 17, Span(group.first(), group.last()));
    if group.pages.len() == 1 {
        svg.text("s", LEFT, y + 32, format_args!("{:#x}", u64::from(group.first()) * PAGE_BYTES));
    } else {
        let pages = Count(group.pages.len() as u128, "page");
        svg.text("s", LEFT, y + 32, pages);
    }
    svg.swatch(group.regions, REGION_X, y + 7, 28, 13);
    svg.frame(REGION_X, y + 7, 28, 13);
    match group.regions.names().count() {
        // All four together are longer than the column.
        4 => svg.put(format_args!(
            "<text x=\"{}\" y=\"{}\" textLength=\"122\" lengthAdjust=\"spacingAndGlyphs\">{}</text>\n",
            REGION_X + 36,
            y + 17,
            group.regions
        )),
        _ => svg.text("", REGION_X + 36, y + 17, group.regions),
    }
    if group.untouched() > 0 {
        svg.text("s", REGION_X, y + 32, format_args!("{} untouched", Grouped(group.untouched() as u128)));
    } else if counts.initialized > 0 {
        svg.text("s", REGION_X, y + 32, format_args!("{} initialized", Grouped(counts.initialized)));
    }
    bars(svg, group, scale, y);
    let often = counts.rewrite_ratio().is_some_and(|hundredths| hundredths >= 1000);
    svg.text(if often { "b e" } else { "e" }, RIGHT, y + 31, Ratio(counts.rewrite_ratio()));
    svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", y + ROW_HEIGHT - 1));
    svg.put(format_args!("</g>\n"));
}

/// What was read and what was written: a page's figures, or the mean of several with a line from the least to the most.
fn bars(svg: &mut Svg, group: &Group, scale: &Scale, y: u32) {
    let left = f64::from(BARS_X);
    let at = |count| scale.at(count, BARS_WIDTH);
    for (top, class, of) in
        [(y + 6, "r", (|counts| counts.read) as fn(&Counts) -> u128), (y + 21, "w", |counts| counts.written)]
    {
        let mean = group.mean(of(&group.counts));
        let mut end = at(mean);
        svg.text("s e", BARS_X - 6, top + 10, if class == "r" { "read" } else { "written" });
        if class == "w" {
            let distinct = at(group.mean(group.counts.distinct));
            svg.bar("w", left, top, distinct, 12);
            if end - distinct >= 1.0 {
                svg.put(format_args!(
                    "<rect class=\"o\" x=\"{:.1}\" y=\"{}.5\" width=\"{:.1}\" height=\"11\"/>\n",
                    left + distinct,
                    top,
                    end - distinct
                ));
            }
        } else {
            svg.bar(class, left, top, end, 12);
        }
        let each = || group.pages.iter().map(|page| of(&page.counts));
        let (least, most) = (each().min().unwrap_or(0), each().max().unwrap_or(0));
        if least < most {
            let (from, to) = (left + at(least), left + at(most));
            svg.path("range", format_args!("M{from:.1} {0}v6m0-3H{to:.1}m0-3v6", top + 3));
            end = end.max(at(most));
        }
        let x = BARS_X + end as u32 + 6;
        match group.pages.len() {
            1 => svg.text("n", x, top + 11, Grouped(mean)),
            _ if least == most => svg.text("n", x, top + 11, format_args!("{} each", Grouped(mean))),
            _ => svg.text("n", x, top + 11, format_args!("ø {}", Grouped(mean))),
        }
    }
}

/// How the bars are read. Returns where it ends.
fn key(svg: &mut Svg, with_groups: bool, y: u32) -> u32 {
    svg.bar("w", f64::from(LEFT), y - 10, 22.0, 12);
    svg.put(format_args!("<rect class=\"o\" x=\"{}\" y=\"{}.5\" width=\"22\" height=\"11\"/>\n", LEFT + 22, y - 10));
    svg.text(
        "s",
        LEFT + 52,
        y,
        "Written: solid up to the bytes written at least once, hatched for writing them again. Logarithmic; 64 KiB is a page.",
    );
    if !with_groups {
        return y;
    }
    svg.path("range", format_args!("M{LEFT}.5 {0}v6m0-3h43m0-3v6", y + 13));
    svg.text(
        "s",
        LEFT + 52,
        y + 20,
        "Pages used alike share a row: ø is their mean, the line goes from the least to the most.",
    );
    y + 20
}

/// What a tooltip says of pages.
pub fn describe(svg: &mut Svg, group: &Group) {
    let counts = &group.counts;
    svg.put(format_args!(
        "{}, {}: {} bytes initialized; {} read in {}; {} written in {} to {}",
        Pages(group.first(), group.last()),
        group.regions,
        Grouped(counts.initialized),
        Grouped(counts.read),
        Count(counts.reads, "read"),
        Grouped(counts.written),
        Count(counts.writes, "write"),
        Count(counts.distinct, "byte"),
    ));
    if let Some(ratio) = counts.rewrite_ratio() {
        svg.put(format_args!(" ({})", Ratio(Some(ratio))));
    }
}
