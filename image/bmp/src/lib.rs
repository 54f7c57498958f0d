//! Draws the Mandelbrot set: `WIDTH HEIGHT STEPS` in, a BMP picture out.
//!
//! How many steps a point takes to leave is found in two ways, which give the same picture: [`by_points`] follows one point to its
//! end, [`by_sweeps`] takes all points one step further, again and again.

#![no_std]

extern crate alloc;

use alloc::vec;
use alloc::vec::Vec;

/// Most pixels a side, and most steps.
pub const MAX: [usize; 3] = [256, 256, 1000];

/// Bytes of the largest picture.
pub const MAX_BYTES: usize = HEADER_BYTES + MAX[0] * MAX[1] * 3;

const HEADER_BYTES: usize = 54;

/// What is drawn: the plane from -2 - 1.25i to 0.5 + 1.25i.
#[derive(Clone, Copy)]
pub struct View {
    width: usize,
    height: usize,
    steps: usize,
}

type Complex = (f64, f64);

impl View {
    /// Reads the three numbers. Rejects with the byte of the first word that is not one within [`MAX`], is missing or too many.
    pub fn parse(text: &[u8]) -> Result<Self, u32> {
        let mut words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let place = |word: &[u8]| (word.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let mut numbers = [0; 3];
        for (number, max) in numbers.iter_mut().zip(MAX) {
            let word = words.next().ok_or(text.len() as u32)?;
            let parsed = str::from_utf8(word).ok().and_then(|word| word.parse().ok());
            *number = parsed.filter(|number| (1..=max).contains(number)).ok_or(place(word))?;
        }
        match words.next() {
            Some(word) => Err(place(word)),
            None => Ok(Self { width: numbers[0], height: numbers[1], steps: numbers[2] }),
        }
    }

    fn points(&self) -> impl Iterator<Item = Complex> {
        let at = |index: usize, of: usize| (index as f64 + 0.5) * 2.5 / of as f64;
        let Self { width, height, .. } = *self;
        (0..height).flat_map(move |y| (0..width).map(move |x| (at(x, width) - 2.0, at(y, height) - 1.25)))
    }
}

fn is_near((re, im): Complex) -> bool {
    re * re + im * im <= 4.0
}

fn step((re, im): Complex, point: Complex) -> Complex {
    (re * re - im * im + point.0, 2.0 * re * im + point.1)
}

/// The steps that each point takes to leave, at most the view's: one point after the other.
pub fn by_points(view: &View) -> Vec<u16> {
    let mut steps = Vec::with_capacity(view.width * view.height);
    steps.extend(view.points().map(|point| steps_of(point, view.steps)));
    steps
}

fn steps_of(point: Complex, most: usize) -> u16 {
    let (mut z, mut steps) = ((0.0, 0.0), 0);
    while steps < most && is_near(z) {
        z = step(z, point);
        steps += 1;
    }
    steps as u16
}

/// The same: all points one step further at a time.
pub fn by_sweeps(view: &View) -> Vec<u16> {
    let mut zs = vec![(0.0, 0.0); view.width * view.height];
    let mut steps = vec![0; zs.len()];
    for _ in 0..view.steps {
        for ((z, steps), point) in zs.iter_mut().zip(&mut steps).zip(view.points()) {
            if is_near(*z) {
                *z = step(*z, point);
                *steps += 1;
            }
        }
    }
    steps
}

/// The picture: black where a point never leaves, the brighter the later it does elsewhere. Rejects like [`View::parse`].
pub fn picture(text: &[u8], steps: impl FnOnce(&View) -> Vec<u16>) -> Result<Vec<u8>, u32> {
    let view = View::parse(text)?;
    let row = (view.width * 3).next_multiple_of(4);
    let size = HEADER_BYTES + row * view.height;
    let mut bmp = Vec::with_capacity(size);
    bmp.extend(b"BM");
    bmp.extend([size as u32, 0, HEADER_BYTES as u32].iter().flat_map(|field| field.to_le_bytes()));
    // The header of the form that every program reads; one plane, 24 bits a pixel, not compressed.
    bmp.extend([40, view.width as u32, view.height as u32, 24 << 16 | 1].iter().flat_map(|field| field.to_le_bytes()));
    bmp.resize(HEADER_BYTES, 0);
    for (line, y) in steps(&view).chunks(view.width).zip(1..) {
        let grey =
            |&steps: &u16| if usize::from(steps) == view.steps { 0 } else { 255 * usize::from(steps) / view.steps };
        line.iter().map(grey).for_each(|grey| bmp.extend([grey as u8; 3]));
        bmp.resize(HEADER_BYTES + y * row, 0);
    }
    Ok(bmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_find_the_same() {
        for text in ["1 1 1", "64 48 100", "255 3 7"] {
            let view = View::parse(text.as_bytes()).unwrap();
            assert_eq!(by_points(&view), by_sweeps(&view), "{text}");
        }
    }

    #[test]
    fn points_leave_when_they_should() {
        // From 0 on: 0 stays; -1 goes to -1, 0, -1, ...; 1 to 1, 2, 5; -2 + i is too far at once.
        for (point, steps) in [((0.0, 0.0), 9), ((-1.0, 0.0), 9), ((1.0, 0.0), 3), ((-2.0, 1.0), 1)] {
            assert_eq!(steps_of(point, 9), steps, "{point:?}");
        }
    }

    #[test]
    fn a_picture_has_its_size_and_padded_rows() {
        let bmp = picture(b" 3 2 50\n", by_points).unwrap();
        assert_eq!(bmp.len(), 54 + 2 * 12);
        assert_eq!((&bmp[..2], bmp[2], bmp[10], bmp[18], bmp[22], bmp[28]), (&b"BM"[..], 78, 54, 3, 2, 24));
        assert_eq!(bmp[54 + 9..54 + 12], [0; 3]);
    }

    #[test]
    fn what_is_no_view_is_rejected_where_it_goes_wrong() {
        for (text, at) in
            [("", 0), ("3 2", 3), ("3 0 2", 2), ("3 257 2", 2), ("3 2 x", 4), ("3 2 1001", 4), ("3 2 1 1", 6)]
        {
            assert_eq!(picture(text.as_bytes(), by_points), Err(at), "{text}");
        }
    }
}
