//! Translates function bodies, one operator at a time, together with validation.

mod control;
mod emit;
mod frame;
mod fuse;
mod lower;

use alloc::vec::Vec;
use core::cell::Cell;

use super::isa::Opcode;
use super::{Header, LINK_SLOTS};
use crate::module::{Module, Ty, invalid};
use crate::rejection::{Mode, Rejection};
use crate::wasm::{Operator, Validator, local_declaration};
use control::Control;
use emit::{Emitter, Label};
pub use emit::{Found, Watch};
pub use frame::Local;
use frame::{Frame, Operand, Place};

/// An instruction that may still be changed: it writes one slot, and control comes to it only from above.
#[derive(Clone, Copy)]
pub(super) struct Last {
    pub start: usize,
    pub end: usize,
    /// Offset in the module of the instruction that it was made from.
    pub origin: u32,
}

/// Translates functions; its buffers are reused from one to the next.
pub struct Translator {
    frame: Frame,
    emitter: Emitter,
    controls: Vec<Control>,
    /// First slot of the return link.
    link: u32,
    /// Offset of the function's final `end`.
    end_offset: u32,
    /// Blocks opened in unreachable code, which is not translated.
    skipped: u32,
    reachable: bool,
    /// The last instruction that wrote a slot, and the one before it.
    last: Option<Last>,
    before: Option<Last>,
}

impl Translator {
    /// A translator without a function.
    pub fn new() -> Self {
        Self {
            frame: Frame::new(),
            emitter: Emitter::new(),
            controls: Vec::new(),
            link: 0,
            end_offset: 0,
            skipped: 0,
            reachable: true,
            last: None,
            before: None,
        }
    }

    /// What the last translation's watch found.
    pub fn found(&self) -> Found {
        self.emitter.found()
    }

    /// Translates one function, validating it on the way if it comes with a validator.
    pub fn function(
        &mut self,
        module: &Module<'_>,
        index: u32,
        mut validator: Option<&mut Validator>,
        watch: Watch,
    ) -> Result<&[u16], Rejection> {
        let function = module.functions[index as usize];
        let (start, end) = (function.start, function.end);
        let at = |offset: u32| move |mode| Rejection::new(mode, offset);
        self.frame.clear();
        self.controls.clear();
        (self.skipped, self.reachable) = (0, true);
        self.forget_last();
        self.end_offset = end - 1;
        let ty = module.function_type(index);
        for &param in &ty.params {
            self.frame.add_local(param).map_err(at(start))?;
        }
        let clear = ty.param_slots();
        let mut reader = module.body(index);
        if let Some(validator) = &mut validator {
            validator.start(module, index).map_err(at(start))?;
            validator.locals(reader.clone())?;
        }
        for _ in 0..reader.read_var_u32()? {
            let offset = reader.original_position() as u32;
            let (count, ty) = local_declaration(&mut reader)?;
            for _ in 0..count {
                self.frame.add_local(ty).map_err(at(offset))?;
            }
        }
        self.link = self.frame.add_link(LINK_SLOTS).map_err(at(start))?;
        let clear_slots = self.link - clear;
        self.emitter.start(watch).map_err(at(start))?;
        self.enter_function(module, index).map_err(at(start))?;
        while !reader.eof() {
            let offset = reader.original_position() as u32;
            if validator.as_ref().is_some_and(|validator| validator.is_done()) {
                return Err(invalid(offset));
            }
            let operator = Operator::read(&mut reader)?;
            if let Some(validator) = &mut validator {
                validator.operator(module, &self.frame.locals, &operator).map_err(at(offset))?;
            }
            self.operator(module, &operator, offset).map_err(at(offset))?;
        }
        if validator.is_some_and(|validator| !validator.is_done()) {
            return Err(invalid(end));
        }
        Ok(self.emitter.finish(Header {
            cost: 0,
            link: byte(self.link),
            clear: byte(clear),
            clear_slots: clear_slots as u16,
            frame_bytes: self.frame.slots() * 8,
        }))
    }

    fn operator(&mut self, module: &Module<'_>, operator: &Operator<'_>, offset: u32) -> Result<(), Mode> {
        if !self.reachable {
            return self.unreachable_operator(module, operator, offset);
        }
        // An `end` is counted by its label's branches too, so it counts itself after it is placed.
        if !matches!(operator, Operator::End) {
            self.emitter.count_instruction(offset)?;
        }
        self.reachable_operator(module, operator, offset)
    }

    /// The return link's slot, for the instructions that return.
    pub(super) fn link(&self) -> u16 {
        byte(self.link)
    }

    /// Emits an instruction that writes `dst`, and remembers it for [`Translator::retarget`] and fusion.
    pub(super) fn emit_to(&mut self, op: Opcode, fields: &[u16]) -> Result<(), Mode> {
        let start = self.emitter.position();
        self.emitter.emit(op, fields)?;
        self.before = self.last.filter(|last| last.end == start);
        self.last = Some(Last { start, end: self.emitter.position(), origin: self.emitter.offset() });
        Ok(())
    }

    /// Emits an instruction whose first field is the home of a new operand of type `ty`, which it pushes.
    pub(super) fn emit_push(&mut self, ty: Ty, op: Opcode, fields: &[u16]) -> Result<(), Mode> {
        let home = self.frame.push(ty, Place::Home)?.home;
        let mut all = [byte(home); 12];
        all[1..=fields.len()].copy_from_slice(fields);
        self.emit_to(op, &all[..=fields.len()])
    }

    /// The start of the last instruction if it wrote `operand` and nothing was emitted since.
    pub(super) fn last_for(&self, operand: Operand) -> Option<usize> {
        let last = self.last?;
        let wrote = last.end == self.emitter.position() && self.emitter.unit(last.start + 1) == byte(operand.home);
        (wrote && operand.place == Place::Home).then_some(last.start)
    }

    /// Forgets the last instruction: control flow may come here from elsewhere.
    pub(super) fn forget_last(&mut self) {
        (self.last, self.before) = (None, None);
    }

    /// Places a label here.
    pub(super) fn place(&mut self, label: &Cell<Label>) -> Result<(), Mode> {
        self.forget_last();
        self.emitter.place(label.get())
    }

    /// The slot an operand can be read from; a constant is written to its home first.
    pub(super) fn slot(&mut self, operand: Operand) -> Result<u16, Mode> {
        match operand.place {
            Place::Home => Ok(byte(operand.home)),
            Place::Local(local) => Ok(byte(self.frame.locals[local as usize].slot)),
            Place::Constant(_) => {
                self.copy_to(operand, operand.home)?;
                Ok(byte(operand.home))
            }
        }
    }

    /// The operand as a 32-bit immediate, sign-extended for 64-bit types, if it is a constant that fits.
    pub(super) fn immediate(&self, operand: Operand) -> Option<[u16; 2]> {
        let Place::Constant(bits) = operand.place else { return None };
        let fits = operand.ty.is_32_bits() || bits as i64 == i64::from(bits as i32);
        fits.then_some([bits as u16, (bits >> 16) as u16])
    }

    /// Emits what brings an operand's value to a slot.
    pub(super) fn copy_to(&mut self, operand: Operand, slot: u32) -> Result<(), Mode> {
        let to = byte(slot);
        let from = match operand.place {
            Place::Constant(bits) => return self.constant_to(operand.ty, bits, to),
            Place::Home => operand.home,
            Place::Local(local) => self.frame.locals[local as usize].slot,
        };
        if from == slot {
            return Ok(());
        }
        self.emit_to(copy_op(operand.ty), &[to, byte(from)])
    }

    fn constant_to(&mut self, ty: Ty, bits: u64, to: u16) -> Result<(), Mode> {
        let [a, b, c, d] = units(bits);
        if ty.is_32_bits() {
            self.emit_to(Opcode::Const32, &[to, a, b])
        } else {
            self.emit_to(Opcode::Const64, &[to, a, b, c, d])
        }
    }

    /// Sends the top `count` operands home, and returns the slot of the lowest (the next home if there are none).
    pub(super) fn send_home(&mut self, count: usize) -> Result<u32, Mode> {
        let height = self.frame.height();
        for index in (height - count..height).rev() {
            let operand = self.frame.get(index);
            if operand.place != Place::Home {
                self.copy_to(operand, operand.home)?;
                self.frame.send_home(index);
            }
        }
        if count == 0 { Ok(self.frame.next_home()) } else { Ok(self.frame.get(height - count).home) }
    }

    /// Sends every operand home that is in a local, before control flow parts or meets.
    pub(super) fn settle(&mut self) -> Result<(), Mode> {
        let Self { frame, emitter, .. } = self;
        frame.settle(|operand, slot| emitter.emit(copy_op(operand.ty), &[byte(operand.home), byte(slot)]))
    }

    /// `local.set` and, with `keep`, `local.tee`.
    pub(super) fn set_local(&mut self, local: u32, keep: bool) -> Result<(), Mode> {
        let operand = self.frame.pop();
        let slot = self.frame.locals[local as usize].slot;
        let last = self.last_for(operand);
        let mut evicted = false;
        if operand.place != Place::Local(local) {
            while let Some(waiting) = self.frame.evict_from(local) {
                self.emitter.emit(copy_op(waiting.ty), &[byte(waiting.home), byte(slot)])?;
                evicted = true;
            }
            match last {
                Some(start) if !evicted => self.emitter.patch(start + 1, byte(slot)),
                _ => self.copy_to(operand, slot)?,
            }
        }
        if keep {
            self.frame.push(operand.ty, Place::Local(local))?;
        }
        Ok(())
    }
}

/// A slot's byte offset in its frame.
pub(super) fn byte(slot: u32) -> u16 {
    debug_assert!(slot < frame::MAX_FRAME_SLOTS);
    (slot * 8) as u16
}

/// The copy for a type.
pub(super) fn copy_op(ty: Ty) -> Opcode {
    match ty {
        Ty::V128 => Opcode::Copy128,
        ty if ty.is_32_bits() => Opcode::Copy32,
        _ => Opcode::Copy64,
    }
}

/// A 32-bit field.
pub(super) fn pair(value: u32) -> [u16; 2] {
    [value as u16, (value >> 16) as u16]
}

/// A 64-bit field.
pub(super) fn units(value: u64) -> [u16; 4] {
    [value as u16, (value >> 16) as u16, (value >> 32) as u16, (value >> 48) as u16]
}
