//! The map of all pages: a cell for each, in rows, where the rows of the picture stand for several.

use alloc::vec::Vec;

use crate::draw::{LEFT, RIGHT, Scale, describe};
use crate::groups::Group;
use crate::pages::Page;
use crate::svg::{Count, Svg};

/// Cells at most: several pages share one where there are more.
const CELLS: usize = 4096;
/// Where the cells begin, behind the number of the line's first page.
const CELLS_X: u32 = LEFT + 46;
/// Pixels of the longest bar, up or down.
const BAR: u32 = 13;
/// Pixels from one line of cells to the next.
const LINE_HEIGHT: u32 = 40;

/// One or several pages, and the top left corner of their cell.
struct Cell<'a> {
    group: Group<'a>,
    x: u32,
    y: u32,
}

/// Draws the map from `y` on: read upwards, written downwards, regions below. Returns where it ends.
pub fn map(svg: &mut Svg, pages: &[Page], y: u32) -> u32 {
    let share = pages.len().div_ceil(CELLS);
    let width = if pages.len() > 800 { 5 } else { 8 };
    let cells = layout(pages, share, width, y + 28);
    let each = if share == 1 { "" } else { ", several to a cell" };
    svg.text("b", LEFT, y, format_args!("All {}{each}", Count(pages.len() as u128, "touched page")));
    svg.text(
        "s",
        LEFT,
        y + 16,
        "Up: read. Down: written, pale where written again. Logarithmic; the strip is the region, a gap untouched pages.",
    );
    let largest = cells.iter().map(|cell| cell.group.counts.read.max(cell.group.counts.written)).max();
    let scale = Scale::new(largest.unwrap_or(0));
    for Cell { group, x, y } in &cells {
        if *x == CELLS_X {
            svg.text("s e", CELLS_X - 6, y + BAR + 4, group.first());
        }
        svg.put(format_args!("<g class=\"cell\"><title>"));
        describe(svg, group);
        svg.put(format_args!("</title><path class=\"hit\" d=\"M{x} {y}h{width}v{LINE_HEIGHT}h-{width}z\"/>"));
        let middle = y + BAR;
        let counts = &group.counts;
        for (class, direction, count) in
            [("r", "-", counts.read), ("wa", "", counts.written), ("w", "", counts.distinct)]
        {
            if count > 0 {
                let (height, width) = (scale.at(count, f64::from(BAR)), width - 1);
                svg.put(format_args!(
                    "<path class=\"{class}\" d=\"M{x} {middle}h{width}v{direction}{height:.1}h-{width}z\"/>"
                ));
            }
        }
        svg.put(format_args!("</g>\n"));
    }
    for run in cells.chunk_by(|a, b| a.y == b.y && a.x + width == b.x && a.group.regions == b.group.regions) {
        let first = &run[0];
        svg.swatch(first.group.regions, first.x, first.y + 2 * BAR + 2, width * run.len() as u32, 6);
    }
    cells.last().map_or(y, |cell| cell.y + LINE_HEIGHT)
}

/// The cells in lines as wide as the picture; a cell stays free where pages in between are untouched.
fn layout(pages: &[Page], share: usize, width: u32, top: u32) -> Vec<Cell<'_>> {
    let per_line = (RIGHT - CELLS_X) / width;
    let (mut line, mut column) = (0, 0);
    let mut next = pages[0].index;
    let mut cells = Vec::with_capacity(pages.len().div_ceil(share));
    for chunk in pages.chunks(share) {
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
