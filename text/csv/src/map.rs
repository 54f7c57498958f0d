//! The map of all pages: a cell for each, in lines, where rows stand for several.

use alloc::vec::Vec;

use crate::draw::{Description, LEFT, RIGHT};
use crate::groups::Group;
use crate::numbers::Count;
use crate::pages::Page;
use crate::scale::{HEATS, Heat, read_class, written_class};
use crate::story::Report;
use crate::svg::Svg;

/// Cells at most: several pages share one where there are more.
const CELLS: usize = 4096;
/// Where the cells begin, behind the number of the line's first page.
const CELLS_X: u32 = LEFT + 46;
/// Pixels of what was read, and of what was written below it.
const HALF: u32 = 9;
/// Pixels from one line of cells to the next, with room for a badge.
const LINE_HEIGHT: u32 = 2 * HALF + 18;

/// One or several pages, and the top left corner of their cell.
struct Cell<'a> {
    group: Group<'a>,
    x: u32,
    y: u32,
}

/// Draws the map from `y` on. Returns where it ends.
pub fn map(svg: &mut Svg, report: &Report, y: u32) -> u32 {
    let each = report.pages.len().div_ceil(CELLS);
    let width = if report.pages.len() > 800 { 5 } else { 8 };
    svg.text("b", LEFT, y, format_args!("Map of all {}", Count(report.pages.len() as u128, "touched page")));
    let largest = report.pages.iter().map(|page| page.counts.read.max(page.counts.written)).max();
    let heat = Heat::new(largest.unwrap_or(0));
    let top = key(svg, each, y + 20);
    let top = heat_key(svg, &heat, top + 19);
    let cells = layout(report.pages, each, width, top + 26);
    for Cell { group, x, y } in &cells {
        if *x == CELLS_X {
            svg.text("s e", CELLS_X - 6, y + HALF + 4, group.first());
        }
        let (_, read) = group.range(|counts| counts.read);
        let (_, written) = group.range(|counts| counts.written);
        let unread = read == 0 && group.counts.initialized > 0;
        let read = if unread { "i" } else { read_class(heat.of(read)) };
        svg.group("cell", Description(report, group), |svg| {
            for (class, y) in [(read, *y), (written_class(heat.of(written)), y + HALF)] {
                svg.bar(class, f64::from(*x), y, f64::from(width - 1), HALF);
            }
        });
    }
    for run in cells.chunk_by(|a, b| a.y == b.y && a.x + width == b.x && a.group.regions == b.group.regions) {
        let first = &run[0];
        svg.strip(first.group.regions, first.x, first.y + 2 * HALF + 1, width * run.len() as u32 - 1, 5);
    }
    marks(svg, report, &cells, width);
    cells.last().map_or(y, |cell| cell.y + 2 * HALF + 6)
}

/// Frames the cells of the busiest pages, with their numbers above.
fn marks(svg: &mut Svg, report: &Report, cells: &[Cell], width: u32) {
    let frame = width + 2;
    let mut marked: Vec<(usize, usize)> = Vec::new();
    for (rank, page) in report.busiest().enumerate() {
        let cell = cells.partition_point(|cell| cell.group.first() <= page.index) - 1;
        let at = marked.partition_point(|&(before, _)| before < cell);
        marked.insert(at, (cell, rank));
    }
    // Where the badge before ends: neighbours' badges do not cover each other.
    let mut free = (0, 0);
    for (index, &(cell, rank)) in marked.iter().enumerate() {
        let Cell { x, y, .. } = cells[cell];
        let later = marked[index + 1..].iter().filter(|(cell, _)| cells[*cell].y == y).count() as u32;
        svg.path("range", format_args!("M{}.5 {}.5h{frame}v{}h-{frame}z", x - 2, y - 2, 2 * HALF + 9));
        let middle = x + width / 2;
        let badge = if free.0 == y { free.1.max(middle) } else { middle };
        let badge = badge.min(RIGHT - 17 * later);
        svg.path("range", format_args!("M{middle} {}L{badge} {}", y - 2, y - 10));
        svg.badge(badge, y - 10, rank + 1);
        free = (y, badge + 17);
    }
}

/// How cells are read. Returns where that ends.
fn key(svg: &mut Svg, each: usize, y: u32) -> u32 {
    svg.text("s", LEFT, y, "A cell: read above, written below, the region under it. A gap: untouched pages.");
    if each == 1 {
        return y;
    }
    svg.text("s", LEFT, y + 17, format_args!("Each cell is {each} pages, with the colours of the busiest of them."));
    y + 17
}

/// What the colours mean. Returns where that ends.
fn heat_key(svg: &mut Svg, heat: &Heat, y: u32) -> u32 {
    let mut x = LEFT;
    for (name, class) in [("read", read_class as fn(u32) -> &'static str), ("written", written_class)] {
        svg.text("s", x, y, name);
        x += 50;
        for heat in 1..=HEATS {
            svg.bar(class(heat), f64::from(x), y - 9, 15.0, 10);
            x += 16;
        }
        x += 16;
    }
    svg.text("s", x, y, format_args!("up to {}, by factors of 4", Count(heat.largest(), "byte")));
    let y = y + 17;
    svg.bar("i", f64::from(LEFT), y - 9, 15.0, 10);
    svg.text("s", LEFT + 21, y, "initialized, never read");
    y
}

/// The cells in lines as wide as the picture; a cell stays free where pages in between are untouched.
fn layout(pages: &[Page], each: usize, width: u32, top: u32) -> Vec<Cell<'_>> {
    let per_line = (RIGHT - CELLS_X) / width;
    let (mut line, mut column) = (0, 0);
    let mut next = pages[0].index;
    let mut cells = Vec::with_capacity(pages.len().div_ceil(each));
    for chunk in pages.chunks(each) {
        let group = Group::new(chunk);
        column += u32::from(next < group.first());
        next = group.last() + 1;
        if column >= per_line {
            (line, column) = (line + 1, 0);
        }
        cells.push(Cell { group, x: CELLS_X + column * width, y: top + line * LINE_HEIGHT });
        column += 1;
    }
    cells
}
