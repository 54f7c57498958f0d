//! Numbers that depend on a seed alone.

/// A SplitMix64 generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// The bits of an argument of 64 bits or less; often a special value of some type.
    pub fn slot(&mut self) -> u64 {
        match self.below(8) {
            0..3 => self.next() % 256,
            3 => self.next() % 0x4_0000,
            4 => u64::from(self.pick(&SPECIAL_32)),
            5 => self.pick(&SPECIAL_64),
            6 => u64::MAX - self.next() % 256,
            _ => self.next(),
        }
    }
}

/// Signed edges; zeros, infinities, NaNs with and without payload, subnormals and the edges of conversions as `f32`.
const SPECIAL_32: [u32; 14] = [
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_0001,
    0x7fa0_0000,
    0x0000_0001,
    0x3f00_0000,
    0xbf00_0000,
    0x4f00_0000,
    0xcf00_0000,
    0x4b7f_ffff,
];

/// The same as `f64`.
const SPECIAL_64: [u64; 14] = [
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0x8000_0000_0000_0001,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_0000_0001,
    0x7ff4_0000_0000_0000,
    0x0000_0000_8000_0000,
    0x3fe0_0000_0000_0000,
    0xbfe0_0000_0000_0000,
    0x41e0_0000_0000_0000,
    0xc3e0_0000_0000_0000,
    0x433f_ffff_ffff_ffff,
];
