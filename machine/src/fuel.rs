//! The budget. The loop pays with fuel, of which it gets a slice at a time; the rest of the budget is the pool.

use super::Machine;
use super::execute::Exit;
use crate::code::Watch;
use crate::memory::Count;
use crate::rejection::{Mode, Rejection};

/// Instructions between two returns of the loop to the driver. A JavaScript engine exchanges a function for its
/// optimised form when it is called again, so a loop that never returned would stay in the baseline form.
const SLICE: u64 = 16_384;

impl<C: Count> Machine<'_, C> {
    /// Budget that is left, in instructions.
    pub fn budget(&self) -> u64 {
        self.pool + u64::from(self.fuel.max(0) as u32)
    }

    /// Replaces the budget that is left, in instructions.
    pub fn set_budget(&mut self, budget: u32) {
        (self.pool, self.fuel) = (u64::from(budget), 0);
    }

    /// Pays what the block that was just entered costs beyond `fuel`, and takes a new slice.
    pub(super) fn refill(&mut self) -> Result<(), Rejection> {
        let owed = u64::from(self.fuel.unsigned_abs());
        if owed > self.pool {
            return Err(self.exhaust(owed));
        }
        let slice = self.pool.min(owed + SLICE);
        self.pool -= slice;
        self.fuel += slice as i32;
        Ok(())
    }

    /// Charges `cost` at once, for an operation that is charged by its size.
    pub(super) fn charge(&mut self, cost: u32) -> Result<(), Mode> {
        let available = self.budget();
        if u64::from(cost) > available {
            return Err(Mode::Budget);
        }
        let slice = (available - u64::from(cost)).min(SLICE);
        self.pool = available - u64::from(cost) - slice;
        self.fuel = slice as i32;
        Ok(())
    }

    /// The budget does not last to the end of the block that was just entered, of whose cost so much is `owed`. Finds the instruction
    /// it does not suffice for, and whether one before it traps.
    #[cold]
    fn exhaust(&mut self, owed: u64) -> Rejection {
        let (block, unpaid) = (self.ip, (owed - self.pool) as u32);
        (self.pool, self.fuel) = (0, 0);
        // Without fuel the next block is not entered, so this ends, in the same function.
        let trap = loop {
            match self.advance() {
                Exit::Rare | Exit::Stepped => {}
                Exit::Trapped(mode) => break Some(mode),
                _ => break None,
            }
        };
        self.fuel = 0;
        let (function, unit) = self.place_of(block);
        let instruction = trap.map(|_| self.place_of(self.ip).1);
        let found = self.locate(function, Watch { instruction, unpaid: Some((unit, unpaid)) });
        let start = self.program.module().functions[function as usize].start;
        let spent = Mode::Budget.at(found.unpaid.unwrap_or(start));
        let trapped = trap.zip(found.instruction).map(|(mode, offset)| mode.at(offset));
        trapped.filter(|trapped| trapped.offset < spent.offset).unwrap_or(spent)
    }
}
