//! Fusion: instructions that do the work of two or three which often follow each other.
//!
//! What is fused with is the last instruction, if nothing was emitted and no label placed since; its result must be an
//! operand that is gone from the stack, or be written by the fused instruction too.

use super::emit::Target;
use super::frame::{Operand, Place};
use super::{Last, Translator, byte, pair};
use crate::code::isa::{Opcode, Side};
use crate::rejection::Mode;

/// What a conditional branch tests.
pub(super) struct Condition {
    /// The branch that is taken where the condition holds.
    branch: Opcode,
    /// The branch that is taken where it does not.
    inverse: Opcode,
    fields: [u16; 6],
    count: usize,
    /// Offset in the module of the instruction that may trap, or of the branch.
    origin: u32,
}

/// Two operators in one instruction, without its destination.
pub(super) struct Tree {
    pub op: Opcode,
    pub fields: [u16; 6],
    pub count: usize,
}

impl Condition {
    /// The opposite condition.
    pub fn negate(self) -> Self {
        Self { branch: self.inverse, inverse: self.branch, ..self }
    }
}

impl Translator {
    /// Emits a branch to `target` where the condition holds.
    pub(super) fn branch_if(&mut self, condition: &Condition, target: Target<'_>) -> Result<(), Mode> {
        self.forget_last();
        let Condition { branch, fields, count, origin, .. } = condition;
        self.emitter.branch_if(*origin, *branch, &fields[..*count], target)
    }

    /// Pops an `i32` as a condition, fused with what made it.
    pub(super) fn condition(&mut self) -> Result<Condition, Mode> {
        let operand = self.frame.pop();
        let (mut op, mut fields, mut count) = (Opcode::I32NeI, [0; 6], 3);
        match self.op_for(operand).filter(|op| op.branch().is_some()) {
            Some(comparison) => {
                op = comparison;
                count = self.take_last(&mut fields);
            }
            None => fields[0] = self.slot(operand)?,
        }
        if let Some(last) = self.last_at_end() {
            let is_zero_test = matches!(op, Opcode::I32NeI | Opcode::I32EqI) && fields[1..3] == [0, 0];
            let fused = match is_zero_test.then(|| self.zero_condition(last, op, fields[0])).flatten() {
                Some(condition) => Some(condition),
                None => self.load_condition(last, op, &fields[..count]),
            };
            if let Some(condition) = fused {
                return Ok(condition);
            }
        }
        let inverse = op.inverse().and_then(Opcode::branch).expect("comparisons of integers have inverses");
        let branch = op.branch().expect("comparisons of integers have branches");
        Ok(Condition { branch, inverse, fields, count, origin: self.emitter.offset() })
    }

    /// Fuses a comparison of `slot` with zero and the addition or mask that made it.
    fn zero_condition(&mut self, last: Last, op: Opcode, slot: u16) -> Option<Condition> {
        let made = Opcode::decode(self.emitter.unit(last.start))?;
        let (nonzero, zero) = self.zero_test(made, last).filter(|_| self.emitter.unit(last.start + 1) == slot)?;
        let (branch, inverse) = if op == Opcode::I32NeI { (nonzero, zero) } else { (zero, nonzero) };
        let mut fields = [0; 6];
        let mut count = self.take_last(&mut fields);
        if made != Opcode::I32AndI {
            fields.copy_within(0..count, 1);
            fields[0] = slot;
            count += 1;
        }
        Some(Condition { branch, inverse, fields, count, origin: self.emitter.offset() })
    }

    /// Fuses a comparison and the load of one of its operands.
    fn load_condition(&mut self, last: Last, op: Opcode, operands: &[u16]) -> Option<Condition> {
        let load = Opcode::decode(self.emitter.unit(last.start))?;
        let written = self.emitter.unit(last.start + 1);
        // The loaded operand comes first in the fused form.
        let (comparison, rest) = match *operands {
            [a, b] if a != b && b == written => (op.swapped()?, &operands[..1]),
            [a, b] if a != b && a == written => (op, &operands[1..]),
            [a, _, _] if a == written => (op, &operands[1..]),
            _ => return None,
        };
        let branch = load.load_branch(comparison).filter(|_| self.is_dead(written))?;
        let inverse = comparison.inverse().and_then(|op| load.load_branch(op))?;
        let mut fields = [0; 6];
        let taken = self.take_last(&mut fields);
        fields[taken..taken + rest.len()].copy_from_slice(rest);
        Some(Condition { branch, inverse, fields, count: taken + rest.len(), origin: last.origin })
    }

    /// Whether a slot belongs to no local and no operand on the stack.
    fn is_dead(&self, slot: u16) -> bool {
        slot >= byte(self.frame.next_home())
    }

    /// The branches on the result of the operator `op`, which `last` is, being nonzero and zero.
    ///
    /// Operands that are still in a local are sent home before the branch. So it may write no local of theirs, and read
    /// no slot that has become the home of one since.
    fn zero_test(&self, op: Opcode, last: Last) -> Option<(Opcode, Opcode)> {
        // Other operators may not read a slot at all.
        if !matches!(op, Opcode::I32AndI | Opcode::I32AddI) {
            return None;
        }
        let [written, read] = [1, 2].map(|at| self.emitter.unit(last.start + at));
        let is_dead = self.is_dead(written);
        let can_move = !self.frame.is_in_use(u32::from(written) / 8) && !self.frame.is_home(u32::from(read) / 8);
        match op {
            Opcode::I32AndI if is_dead => Some((Opcode::I32AndBrNonzero, Opcode::I32AndBrZero)),
            Opcode::I32AddI if is_dead || can_move => Some((Opcode::I32AddBrNonzero, Opcode::I32AddBrZero)),
            _ => None,
        }
    }

    /// Pops the selector of a branch table: its slot, and a constant to take off it.
    pub(super) fn selector(&mut self) -> Result<(u16, u32), Mode> {
        let operand = self.frame.pop();
        if self.op_for(operand) == Some(Opcode::I32AddI) {
            let mut fields = [0; 6];
            self.take_last(&mut fields);
            let immediate = u32::from(fields[1]) | u32::from(fields[2]) << 16;
            return Ok((fields[0], immediate.wrapping_neg()));
        }
        Ok((self.slot(operand)?, 0))
    }

    /// The two slots whose sum is the popped operand, if that was just added up.
    pub(super) fn take_sum(&mut self, operand: Operand) -> Option<[u16; 2]> {
        (self.op_for(operand)? == Opcode::I32Add).then(|| {
            let mut fields = [0; 6];
            self.take_last(&mut fields);
            [fields[0], fields[1]]
        })
    }

    /// The instruction for the operator `outer` on what the last instruction made, the popped operand `inner`, and on
    /// another, if there is one for both.
    pub(super) fn take_tree(&mut self, inner: Operand, outer: Opcode, side: Side, other: Operand) -> Option<Tree> {
        // A constant would be written first, perhaps over what the inner operator reads.
        let made = self.op_for(inner).filter(|_| !other.is_constant())?;
        let is_scaled = (made, outer) == (Opcode::I32ShlI, Opcode::I32Add);
        let op = if is_scaled { Opcode::I32MulI } else { made }.tree(outer, side)?;
        let mut fields = [0; 6];
        let count = self.take_last(&mut fields);
        if is_scaled {
            let factor = 1 << (fields[1] & 31);
            fields[1..3].copy_from_slice(&pair(factor));
        }
        fields[count] = self.slot(other).expect("only a constant's slot is written");
        Some(Tree { op, fields, count: count + 1 })
    }

    /// Subtracting a constant from the stack pointer that was just read.
    pub(super) fn take_stack_pointer(&mut self, operand: Operand) -> bool {
        let reads = self.last_for(operand).is_some_and(|start| {
            self.emitter.unit(start) == Opcode::GlobalGet32 as u16
                && (2..4).all(|at| self.emitter.unit(start + at) == 0)
        });
        if reads {
            self.take_last(&mut [0; 6]);
        }
        reads
    }

    /// Sets the stack pointer to a popped operand, together with the addition or subtraction that made it.
    pub(super) fn set_stack_pointer(&mut self, operand: Operand) -> Result<(), Mode> {
        let slot = match operand.place {
            Place::Local(local) => byte(self.frame.locals[local as usize].slot),
            _ => byte(operand.home),
        };
        if let Some(last) = self.last_at_end()
            && self.emitter.unit(last.start) == Opcode::StackPointerSub as u16
            && self.emitter.unit(last.start + 1) == slot
        {
            self.emitter.patch(last.start, Opcode::StackEnter as u16);
            self.forget_last();
            return Ok(());
        }
        if self.op_for(operand) == Some(Opcode::I32AddI) {
            let mut fields = [0; 6];
            self.take_last(&mut fields);
            return self.emitter.emit(Opcode::StackLeave, &fields[..3]);
        }
        let slot = self.slot(operand)?;
        self.emitter.emit(Opcode::StackPointerSet, &[slot, 0, 0])
    }

    /// The operator of the last instruction if it wrote the popped `operand` to its home, so that it can be taken back.
    fn op_for(&self, operand: Operand) -> Option<Opcode> {
        self.last_for(operand).and_then(|start| Opcode::decode(self.emitter.unit(start)))
    }

    /// The last instruction that wrote a slot, if nothing was emitted since.
    fn last_at_end(&self) -> Option<Last> {
        self.last.filter(|last| last.end == self.emitter.position())
    }

    /// Takes the last instruction back; `fields` gets what follows its destination. Returns how many those are.
    fn take_last(&mut self, fields: &mut [u16]) -> usize {
        let last = self.last.expect("the caller has found it");
        let count = last.end - last.start - 2;
        for (index, field) in fields.iter_mut().take(count).enumerate() {
            *field = self.emitter.unit(last.start + 2 + index);
        }
        self.emitter.take_back(last.start);
        (self.last, self.before) = (self.before, None);
        count
    }
}
