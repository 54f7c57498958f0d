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
            return Err(self.exhaust());
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

    /// The budget does not last to the end of the block that was just entered. Finds the instruction it does not suffice
    /// for, and whether one before it traps.
    #[cold]
    fn exhaust(&mut self) -> Rejection {
        let site = self.site;
        // SAFETY: `site` is a unit of a function's code.
        let cost = i64::from(unsafe { *site });
        let left = self.pool as i64 + i64::from(self.fuel) + cost;
        (self.pool, self.fuel) = (0, 0);
        // Without fuel the next block is not entered, so this ends.
        let trap = loop {
            match self.advance() {
                Exit::Rare | Exit::Stepped => {}
                Exit::Trapped(mode) => break Some(mode),
                _ => break None,
            }
        };
        self.fuel = 0;
        let (function, unit) = self.place_of(site);
        let start = self.locate(function, Watch::Site(unit));
        let spent = Rejection::new(Mode::Budget, self.locate(function, Watch::Count(start + left as u32)));
        let trapped = trap.map(|mode| Rejection::new(mode, self.offset()));
        trapped.filter(|trapped| trapped.offset < spent.offset).unwrap_or(spent)
    }
}
