//! How counts become lengths and colours. Both are logarithmic, for counts differ by orders of magnitude.

use crate::pages::PAGE_BYTES;

/// Lengths from 1 to at least the largest count.
pub struct Scale {
    /// Steps of 16.
    steps: u32,
    /// Pixels of the longest.
    length: f64,
}

impl Scale {
    /// A scale for counts up to this one.
    pub fn new(largest: u128, length: u32) -> Self {
        // A whole page and what is beyond it are always on the scale.
        let steps = (largest.max(1) - 1).checked_ilog2().map_or(0, |log| log / 4 + 1).max(5);
        Self { steps, length: f64::from(length) }
    }

    /// How long a count is. 0 has no length, 1 a visible one.
    pub fn at(&self, count: u128) -> f64 {
        if count == 0 {
            return 0.0;
        }
        (libm::log2(count as f64) + 1.0) / f64::from(self.steps * 4 + 1) * self.length
    }

    /// The powers of 16 on the scale.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = u128> {
        (0..self.steps as usize + 1).map(|step| 1 << (step * 4))
    }
}

/// Colours of heat: the classes `r1` to `r6` for what is read, `w1` to `w6` for what is written.
pub struct Heat {
    largest: u128,
}

/// The number of colours for each.
pub const HEATS: u32 = 6;

impl Heat {
    /// The hottest colour for more than a quarter of this count, the next for more than a quarter of that, and so on. A page that
    /// is read or written once from end to end is not hot, however little is done to the others.
    pub fn new(largest: u128) -> Self {
        Self { largest: largest.max(16 * u128::from(PAGE_BYTES)) }
    }

    /// The count for which the colours are made.
    pub fn largest(&self) -> u128 {
        self.largest
    }

    /// How hot a count is, up to [`HEATS`]; 0 where there is none.
    pub fn of(&self, count: u128) -> u32 {
        if count == 0 {
            return 0;
        }
        let quarters = (self.largest / count).checked_ilog2().unwrap_or(0) / 2;
        HEATS.saturating_sub(quarters).max(1)
    }
}

/// The class of what is read this hot.
pub fn read_class(heat: u32) -> &'static str {
    ["track", "r1", "r2", "r3", "r4", "r5", "r6"][heat as usize]
}

/// The class of what is written this hot.
pub fn written_class(heat: u32) -> &'static str {
    ["track", "w1", "w2", "w3", "w4", "w5", "w6"][heat as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_is_one_colour_less_hot() {
        let heat = Heat::new(4 << 20);
        let hot =
            [4 << 20, (1 << 20) + 1, 1 << 20, 1 << 18, 1 << 16, 1 << 14, 1 << 12, 1, 0].map(|count| heat.of(count));
        assert_eq!(hot, [6, 6, 5, 4, 3, 2, 1, 1, 0]);
        assert_eq!((read_class(HEATS), written_class(1), read_class(0)), ("r6", "w1", "track"));
        assert_eq!(Heat::new(PAGE_BYTES.into()).of(PAGE_BYTES.into()), 4, "written once");
    }

    #[test]
    fn each_power_of_16_is_as_much_longer() {
        let scale = Scale::new(1 << 20, 210);
        assert_eq!(scale.steps().len(), 6);
        let lengths: [f64; 4] = [0, 1, 16, 256].map(|count| scale.at(count));
        assert_eq!(lengths, [0.0, 10.0, 50.0, 90.0]);
        assert_eq!(scale.at(1 << 20), 210.0);
    }
}
