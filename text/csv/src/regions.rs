//! What lies on a page.

use core::fmt::{self, Display};

/// The regions that overlap a page, as a set of bits; none is `other`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Regions(u8);

impl Regions {
    /// Their names, in the order in which the CSV joins them.
    pub const NAMES: [&'static str; 4] = ["data", "input", "stack", "output"];
    /// The region of the shadow stack.
    pub const STACK: Regions = Regions(4);

    /// The regions that a field of the CSV names.
    pub fn parse(field: &str) -> Option<Self> {
        if field == "other" {
            return Some(Self::default());
        }
        field.split('+').try_fold(Self::default(), |regions, name| {
            let bit = 1 << Self::NAMES.iter().position(|known| *known == name)?;
            // Each bit is higher than those before it, for the order is fixed.
            (bit > regions.0).then_some(Self(regions.0 | bit))
        })
    }

    /// Every set, `other` last.
    pub fn sets() -> impl Iterator<Item = Self> {
        (1..1 << Self::NAMES.len()).chain([0]).map(Self)
    }

    /// Both sets together.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the region of this number is among them.
    pub fn has(self, number: usize) -> bool {
        self.0 >> number & 1 == 1
    }

    /// Whether all of `other` are among them.
    pub fn contain(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The names of the regions; `other` where there is none.
    pub fn names(self) -> impl Iterator<Item = &'static str> + Clone {
        let named = Self::NAMES.into_iter().enumerate().filter(move |(number, _)| self.has(*number));
        named.map(|(_, name)| name).chain((self.0 == 0).then_some("other"))
    }
}

/// The names, joined as in the CSV.
impl Display for Regions {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let joints = core::iter::once("").chain(core::iter::repeat("+"));
        joints.zip(self.names()).try_for_each(|(joint, name)| write!(f, "{joint}{name}"))
    }
}
