//! The picture, from top to bottom: what the report says in sentences; totals by region, which are the legend too; a row for each
//! page or group of pages; and where groups were made, a map of all pages.

use alloc::string::String;
use core::fmt::{self, Display};

use crate::groups::{Group, groups};
use crate::map::map;
use crate::numbers::{Count, Grouped, Pages, Ratio};
use crate::pages::{Counts, Page};
use crate::rows::rows;
use crate::story::Report;
use crate::svg::Svg;
use crate::totals::totals;

/// The picture's width in pixels, before it is scaled.
const WIDTH: u32 = 680;
/// Where its margin ends on the left.
pub const LEFT: u32 = 16;
/// Where its margin begins on the right.
pub const RIGHT: u32 = WIDTH - 16;
/// Where the column of shares begins.
pub const SHARE_X: u32 = 192;

/// Draws the pages, which rise.
pub fn draw(pages: &[Page]) -> String {
    let mut svg = Svg::default();
    if pages.is_empty() {
        let sentence = "No page was initialized, read or written";
        svg.text("h1", LEFT, 32, sentence);
        return Svg::picture(WIDTH, 48, sentence, "The CSV has no pages.", &svg);
    }
    let report = Report::new(pages);
    let (sentence, details) = (report.sentence(), report.details());
    svg.text("h1", LEFT, 32, &sentence);
    let mut y = 38;
    for detail in &details {
        y += 17;
        svg.text("lead", LEFT, y, detail);
    }
    let groups = groups(pages);
    y = totals(&mut svg, &report, y + 42);
    y = rows(&mut svg, &report, &groups, y + 40);
    if groups.len() < pages.len() {
        y = map(&mut svg, &report, y + 34);
    }
    Svg::picture(WIDTH, y + 16, &sentence, &details.join(" "), &svg)
}

/// A linear bar of a share of all bytes, what was read and then what was written. 100 % are `width` pixels.
pub fn share_bar(svg: &mut Svg, report: &Report, counts: &Counts, x: u32, y: u32, width: u32) {
    let long = |part: u128| part as f64 / report.total.bytes().max(1) as f64 * f64::from(width);
    let (read, written) = (long(counts.read), long(counts.written));
    let left = f64::from(x);
    svg.bar("track", left, y, f64::from(width), 9);
    svg.bar("r", left, y, read, 9);
    svg.bar("w", left + read, y, written, 9);
}

/// What a tooltip says of pages.
pub struct Description<'a>(pub &'a Report<'a>, pub &'a Group<'a>);

impl Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self(report, group) = *self;
        let counts = &group.counts;
        write!(
            f,
            "{}, {}: {} bytes initialized; {} read in {}; {} written in {}; {} distinct",
            Pages(group.first(), group.last()),
            group.regions,
            Grouped(counts.initialized),
            Grouped(counts.read),
            Count(counts.reads, "read"),
            Grouped(counts.written),
            Count(counts.writes, "write"),
            Grouped(counts.distinct),
        )?;
        let ratio = counts.rewrite_ratio();
        if ratio.is_some() {
            write!(f, ", rewrite ratio {}", Ratio(ratio))?;
        }
        write!(f, "; {} of all bytes", report.share(counts))
    }
}
