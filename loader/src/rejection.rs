//! Why a request is refused, and where (docs/spec.md §4).

/// Defines [`Mode`]. What documents a mode here is what people are told.
macro_rules! modes {
    ($(#[doc = $cause:literal] $mode:ident = $number:literal,)*) => {
        /// The cause of a rejection. The discriminant is the mode number that hosts print; mode 0 is printed without a number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Mode {
            $(#[doc = $cause] $mode = $number,)*
        }

        impl Mode {
            /// Every mode, in the order of their numbers.
            pub const ALL: [Mode; [$($number),*].len()] = [$(Mode::$mode),*];

            /// The cause in words, as a sentence.
            pub fn cause(self) -> &'static str {
                match self {
                    $(Mode::$mode => $cause.trim_ascii_start(),)*
                }
            }
        }
    };
}

modes! {
    /// The body is not the multipart form that docs/spec.md §2 describes.
    MalformedRequest = 0,
    /// A part is unknown, repeated, or the `component` part is missing.
    BadPart = 1,
    /// A uniform's key or value is malformed, or the target has no setter that takes it.
    BadUniform = 2,
    /// The component is not valid WebAssembly.
    InvalidWasm = 3,
    /// The component uses a feature outside Wasm 2.0, extended constants and tail calls.
    Unsupported = 4,
    /// The component is larger than the tool's own limits.
    Limit = 5,
    /// The component breaks the QIP Content contract.
    Contract = 6,
    /// The target cannot take the input: too large, not UTF-8 where it must be, or the target is a generator.
    BadInput = 7,
    /// The target returned an output that its contract does not allow.
    BadOutput = 8,
    /// The instruction budget is spent.
    Budget = 9,
    /// The target itself rejected its input.
    TargetRejected = 10,
    /// The tool's memory is spent.
    OutOfMemory = 11,
    /// Trap: `unreachable` was executed.
    Unreachable = 12,
    /// Trap: integer division or remainder by zero.
    DivideByZero = 13,
    /// Trap: integer overflow.
    IntegerOverflow = 14,
    /// Trap: a NaN was converted to an integer.
    InvalidConversion = 15,
    /// Trap: a memory access, bulk operation or data segment is out of bounds.
    MemoryOutOfBounds = 16,
    /// Trap: a table access, bulk operation or element segment is out of bounds.
    TableOutOfBounds = 17,
    /// Trap: an indirect call's index is beyond the table.
    UndefinedElement = 18,
    /// Trap: an indirect call reached a null element.
    UninitializedElement = 19,
    /// Trap: an indirect call reached a function of another type.
    IndirectCallType = 20,
    /// Trap: calls nest too deep.
    CallStackExhausted = 21,
}

impl Mode {
    /// A rejection for this cause at byte `offset` of the request.
    #[cold]
    pub const fn at(self, offset: u32) -> Rejection {
        Rejection::new(self, offset)
    }

    /// The mode with a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// How many mode numbers share one input offset: what `failure_modes_per_input_offset()` returns.
///
/// A constant with room to spare, so that a new mode does not change the numbers that users have seen.
pub const MODES_PER_OFFSET: u32 = 32;

/// A refused request: the cause and the byte of the request it was found at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The cause.
    pub mode: Mode,
    /// Byte offset within the request, at most its length.
    pub offset: u32,
}

impl Rejection {
    /// A rejection for `mode` at byte `offset` of the request.
    #[cold]
    pub const fn new(mode: Mode, offset: u32) -> Self {
        Self { mode, offset }
    }
}

/// The low half of what `render` returns: `offset * MODES_PER_OFFSET + mode`.
impl From<Rejection> for u32 {
    fn from(rejection: Rejection) -> Self {
        rejection.offset.wrapping_mul(MODES_PER_OFFSET) + rejection.mode as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_has_its_number_and_room() {
        for (number, mode) in Mode::ALL.into_iter().enumerate() {
            assert_eq!(mode as usize, number);
            assert!((number as u32) < MODES_PER_OFFSET);
            assert_eq!(u32::from(Rejection::new(mode, 32 << 20)), (32 << 20) * 32 + number as u32);
        }
    }
}
