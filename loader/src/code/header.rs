//! What a function's code starts with.

/// Slots that one instruction of the budget pays for: of declared locals that a call clears (docs/spec.md §3), and of values that a
/// branch, a return or a tail call moves.
pub const SLOTS_PER_INSTRUCTION: u16 = 512;

/// A function's header, as it lies before the first instruction.
#[derive(Clone, Copy)]
#[repr(C, packed(2))]
pub struct Header {
    /// The cost site of the function's first block.
    pub cost: u16,
    /// The return link, as a byte offset in the frame.
    pub link: u16,
    /// The first slot that is zero on entry, as a byte offset.
    pub clear: u16,
    /// How many such slots there are.
    pub clear_slots: u16,
    /// The frame's size in bytes.
    pub frame_bytes: u32,
}

impl Header {
    /// Units of the header, after which the first instruction starts.
    pub const UNITS: usize = size_of::<Self>() / 2;

    /// The header of a function's code. Panics where that is shorter.
    pub fn of(code: &[u16]) -> Self {
        let &[cost, link, clear, clear_slots, low, high] = code.first_chunk().expect("code starts with a header");
        Self { cost, link, clear, clear_slots, frame_bytes: u32::from(low) | u32::from(high) << 16 }
    }

    /// What a call costs by the locals that it clears, beside the instructions (docs/spec.md §3).
    pub fn locals_cost(self) -> u16 {
        self.clear_slots / SLOTS_PER_INSTRUCTION
    }

    /// The header as code has it.
    pub fn units(self) -> [u16; Self::UNITS] {
        let Self { cost, link, clear, clear_slots, frame_bytes } = self;
        [cost, link, clear, clear_slots, frame_bytes as u16, (frame_bytes >> 16) as u16]
    }
}
