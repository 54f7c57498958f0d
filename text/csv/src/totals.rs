//! Totals by region, which are the patterns' legend too.

use crate::draw::{LEFT, RIGHT, SHARE_X, share_bar};
use crate::numbers::{Grouped, Ratio};
use crate::pages::Counts;
use crate::regions::Regions;
use crate::story::Report;
use crate::svg::Svg;

/// A table with a line for each set of regions. Returns where it ends.
pub fn totals(svg: &mut Svg, report: &Report, y: u32) -> u32 {
    const COLUMNS: [(&str, u32); 5] =
        [("pages", 312), ("initialized", 388), ("read", 466), ("written", 544), ("distinct", 616)];
    svg.text("s", LEFT, y, "region");
    svg.text("s", SHARE_X, y - 14, "share of");
    svg.text("s", SHARE_X, y, "all bytes");
    for (name, x) in COLUMNS {
        svg.text("s e", x, y, name);
    }
    svg.text("s e", RIGHT, y - 14, "rewrite");
    svg.text("s e", RIGHT, y, "ratio");
    svg.path("line", format_args!("M{LEFT} {}.5H{RIGHT}", y + 6));
    let line = |svg: &mut Svg, y: u32, class: &str, count: usize, counts: &Counts| {
        share_bar(svg, report, counts, SHARE_X, y - 8, 36);
        svg.text(class, SHARE_X + 80, y, report.share(counts));
        let figures = [count as u128, counts.initialized, counts.read, counts.written, counts.distinct];
        for (figure, (_, x)) in figures.into_iter().zip(COLUMNS) {
            svg.text(class, x, y, Grouped(figure));
        }
        svg.text(class, RIGHT, y, Ratio(counts.rewrite_ratio()));
    };
    let mut y = y + 23;
    let mut lines = 0;
    for regions in Regions::sets() {
        let of_set = || report.pages.iter().filter(|page| page.regions == regions);
        let count = of_set().count();
        if count > 0 {
            svg.swatch(regions, LEFT, y - 10, 22, 12);
            svg.text("", LEFT + 28, y, regions);
            line(svg, y, "e", count, &Counts::of(of_set()));
            y += 19;
            lines += 1;
        }
    }
    if lines > 1 {
        svg.text("b", LEFT + 28, y, "all");
        line(svg, y, "e", report.pages.len(), &report.total);
        y += 19;
    }
    y - 19
}
