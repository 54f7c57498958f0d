//! The operand stack during translation: where each operand is, so that most need no copy.

use alloc::vec::Vec;

use crate::fallible::push;
use crate::module::Ty;
use crate::rejection::Mode;

/// Frames are addressed by 16-bit byte offsets of 8-byte slots, and the slot behind a frame must have one too.
pub const MAX_FRAME_SLOTS: u32 = 1 << 13;

const NONE: u32 = u32::MAX;

/// Where an operand's value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the operand's own slot.
    Home,
    /// Still in this local.
    Local(u32),
    /// Nowhere yet: a constant's bits.
    Constant(u64),
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its type.
    pub ty: Ty,
    /// The frame slot that belongs to this height of the stack.
    pub home: u32,
    /// Where it is now.
    pub place: Place,
    /// For an operand in a local: the next one below in the same local.
    below: u32,
}

impl Operand {
    /// Whether it is a constant that no slot has yet.
    pub fn is_constant(&self) -> bool {
        matches!(self.place, Place::Constant(_))
    }
}

/// A local: its type and frame slot.
pub struct Local {
    /// Its type.
    pub ty: Ty,
    /// Its frame slot.
    pub slot: u32,
    /// The topmost operand that is still in it.
    top_use: u32,
}

/// The frame of the function that is translated: locals, the return link, and above them the operand stack.
///
/// Every operation takes constant time, amortised: operands that are still in a local are chained per local, and all of
/// them lie at or above `settled`.
pub struct Frame {
    /// The function's locals, parameters first.
    pub locals: Vec<Local>,
    operands: Vec<Operand>,
    /// First slot of the operand stack.
    base: u32,
    /// Slots used by the deepest stack so far.
    slots: u32,
    /// No operand below this index is in a local.
    settled: usize,
}

impl Frame {
    /// An empty frame.
    pub fn new() -> Self {
        Self { locals: Vec::new(), operands: Vec::new(), base: 0, slots: 0, settled: 0 }
    }

    /// Forgets the function before.
    pub fn clear(&mut self) {
        self.locals.clear();
        self.operands.clear();
        (self.base, self.slots, self.settled) = (0, 0, 0);
    }

    /// Adds a local.
    pub fn add_local(&mut self, ty: Ty) -> Result<(), Mode> {
        let slot = self.base;
        self.reserve(slot, ty.slots())?;
        self.base = self.slots;
        push(&mut self.locals, Local { ty, slot, top_use: NONE })
    }

    /// Sets the link's slots aside, between locals and operands, and returns the first.
    pub fn add_link(&mut self, slots: u32) -> Result<u32, Mode> {
        let link = self.base;
        self.reserve(link, slots)?;
        self.base = self.slots;
        Ok(link)
    }

    /// Slots of the whole frame.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// Operands on the stack.
    pub fn height(&self) -> usize {
        self.operands.len()
    }

    /// The operand at an index from the bottom.
    pub fn get(&self, index: usize) -> Operand {
        self.operands[index]
    }

    /// The home of the next operand.
    pub fn next_home(&self) -> u32 {
        self.operands.last().map_or(self.base, |top| top.home + top.ty.slots())
    }

    /// Pushes an operand and returns it.
    pub fn push(&mut self, ty: Ty, place: Place) -> Result<Operand, Mode> {
        let home = self.next_home();
        self.reserve(home, ty.slots())?;
        let mut below = NONE;
        if let Place::Local(local) = place {
            let top_use = &mut self.locals[local as usize].top_use;
            below = core::mem::replace(top_use, self.operands.len() as u32);
        }
        let operand = Operand { ty, home, place, below };
        push(&mut self.operands, operand)?;
        Ok(operand)
    }

    /// Pops an operand.
    pub fn pop(&mut self) -> Operand {
        let operand = self.operands.pop().expect("validation keeps the stack from running empty");
        if let Place::Local(local) = operand.place {
            self.locals[local as usize].top_use = operand.below;
        }
        self.settled = self.settled.min(self.operands.len());
        operand
    }

    /// Pops down to a height.
    pub fn truncate(&mut self, height: usize) {
        while self.operands.len() > height {
            self.pop();
        }
    }

    /// Whether an operand is still in the local at `slot`.
    pub fn is_in_use(&self, slot: u32) -> bool {
        let index = self.locals.partition_point(|local| local.slot < slot);
        self.locals.get(index).is_some_and(|local| local.slot == slot && local.top_use != NONE)
    }

    /// Whether `slot` belongs to an operand on the stack.
    pub fn is_home(&self, slot: u32) -> bool {
        (self.base..self.next_home()).contains(&slot)
    }

    /// Takes one operand out of `local` if there is any: it is home from now on, and the caller must copy it there.
    pub fn evict_from(&mut self, local: u32) -> Option<Operand> {
        let index = self.locals[local as usize].top_use;
        (index != NONE).then(|| {
            let operand = &mut self.operands[index as usize];
            operand.place = Place::Home;
            self.locals[local as usize].top_use = operand.below;
            *operand
        })
    }

    /// Sends all operands home that are still in a local; `copy` gets each with its local's slot.
    ///
    /// Called where control flow parts or meets, since the copies must lie on every path.
    pub fn settle(&mut self, mut copy: impl FnMut(Operand, u32) -> Result<(), Mode>) -> Result<(), Mode> {
        for index in (self.settled..self.operands.len()).rev() {
            if let Place::Local(local) = self.operands[index].place {
                self.send_home(index);
                copy(self.operands[index], self.locals[local as usize].slot)?;
            }
        }
        self.settled = self.operands.len();
        Ok(())
    }

    /// Marks an operand as being home; the caller must copy it there. No operand above it may be in the same local.
    pub fn send_home(&mut self, index: usize) {
        let operand = &mut self.operands[index];
        if let Place::Local(local) = operand.place {
            let top_use = &mut self.locals[local as usize].top_use;
            debug_assert_eq!(*top_use, index as u32);
            *top_use = operand.below;
        }
        operand.place = Place::Home;
    }

    fn reserve(&mut self, slot: u32, slots: u32) -> Result<(), Mode> {
        self.slots = self.slots.max(slot + slots);
        if self.slots >= MAX_FRAME_SLOTS { Err(Mode::Limit) } else { Ok(()) }
    }
}
