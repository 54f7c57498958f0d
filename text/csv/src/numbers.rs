//! Numbers as people read them.

use core::fmt::{self, Display};

/// What stands for powers of 1000.
const UNITS: [&str; 9] = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"];

/// A number in the first unit from this one on in which it is below `limit`, and that unit.
fn in_units(number: u128, first: usize, limit: u128) -> (u128, &'static str) {
    let mut scaled = (first..UNITS.len()).map(|unit| (number / 1000_u128.pow(unit as u32), UNITS[unit]));
    scaled.find(|(scaled, _)| *scaled < limit).unwrap_or((limit, "Y"))
}

/// A number with a comma between each three digits, in billions (G) and so on where it would be too long.
pub struct Grouped(pub u128);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            0..1000 => write!(f, "{}", self.0),
            1000..100_000_000_000 => write!(f, "{},{:03}", Grouped(self.0 / 1000), self.0 % 1000),
            number => {
                let (scaled, unit) = in_units(number, 3, 1_000_000);
                write!(f, "{} {unit}", Grouped(scaled))
            }
        }
    }
}

/// A number and its noun, which gets an `s` unless there is one.
pub struct Count<'a>(pub u128, pub &'a str);

impl Display for Count<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {}{}", Grouped(self.0), self.1, if self.0 == 1 { "" } else { "s" })
    }
}

/// A part of a whole in per cent, with one decimal below 10. Only all is 100 %, and only nothing is 0 %.
pub struct Share(pub u128, pub u128);

impl Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self(part, whole) = *self;
        let tenths = (part * 2000).checked_div(whole).map_or(0, |halves| halves.div_ceil(2));
        match tenths {
            0 if part > 0 => write!(f, "< 0.1 %"),
            0 => write!(f, "0 %"),
            995.. if part < whole => write!(f, "> 99 %"),
            100.. => write!(f, "{} %", (tenths + 5) / 10),
            _ => write!(f, "{}.{} %", tenths / 10, tenths % 10),
        }
    }
}

/// A range of pages: one number, or the first and the last.
pub struct Span(pub u32, pub u32);

impl Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if self.0 == self.1 { write!(f, "{}", self.0) } else { write!(f, "{}–{}", self.0, self.1) }
    }
}

/// A range of pages with its noun.
pub struct Pages(pub u32, pub u32);

impl Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "page{} {}", if self.0 == self.1 { "" } else { "s" }, Span(self.0, self.1))
    }
}

/// A rewrite ratio from hundredths, in at most six digits and signs; empty where nothing was written.
pub struct Ratio(pub Option<u128>);

impl Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            None => Ok(()),
            Some(hundredths) if hundredths < 10_000 => write!(f, "{}.{:02}×", hundredths / 100, hundredths % 100),
            Some(hundredths) => {
                let (ratio, unit) = in_units((hundredths + 50) / 100, 0, 10_000);
                write!(f, "{}{unit}×", Grouped(ratio))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_share_is_rounded_but_never_to_nothing_or_all() {
        let cases = [
            (0, 0, "0 %"),
            (0, 7, "0 %"),
            (1, 100_000, "< 0.1 %"),
            (1, 2000, "0.1 %"),
            (1, 30, "3.3 %"),
            (2, 30, "6.7 %"),
            (999, 10_000, "10 %"),
            (545, 1000, "55 %"),
            (994, 1000, "99 %"),
            (9999, 10_000, "> 99 %"),
            (7, 7, "100 %"),
        ];
        for (part, whole, text) in cases {
            assert_eq!(Share(part, whole).to_string(), text, "{part} of {whole}");
        }
    }

    #[test]
    fn numbers_are_grouped_and_shortened() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000_000, "1,000,000"),
            (99_999_999_999, "99,999,999,999"),
            (5_000_000_000_123, "5,000 G"),
            (u128::from(u64::MAX) << 17, "2,417 Z"),
        ] {
            assert_eq!(Grouped(number).to_string(), text);
        }
        for (hundredths, text) in [
            (None, ""),
            (Some(416), "4.16×"),
            (Some(39_063), "391×"),
            (Some(999_900), "9,999×"),
            (Some(1_525_878_906_250), "15G×"),
        ] {
            assert_eq!(Ratio(hundredths).to_string(), text);
        }
    }
}
