//! Structured control: blocks, branches, calls and returns.

use core::cell::Cell;

use super::emit::{Label, LoopStart, Target};
use super::frame::Place;
use super::{Translator, byte, pair};
use crate::code::isa::Opcode;
use crate::fallible::push;
use crate::module::{Module, Ty};
use crate::rejection::Mode;
use crate::wasm::{BlockType, BrTable, Operator};

enum Kind {
    Function,
    Block,
    Loop(LoopStart),
    /// With the label of the `else`, or of the `end` if there is none.
    If(Cell<Label>),
}

/// A block that is open.
pub(super) struct Control {
    kind: Kind,
    ty: BlockType,
    /// Operands below the block's parameters.
    height: usize,
    /// Home of the first operand above those.
    base: u32,
    /// Its `end`. Branches to a function that returns values return instead.
    label: Cell<Label>,
    /// During a branch table: the code that moves values before it branches to this block.
    stub: Cell<Label>,
}

impl Control {
    fn target(&self) -> Target<'_> {
        match self.kind {
            Kind::Loop(start) => Target::Back(start),
            _ => Target::Forward(&self.label),
        }
    }

    /// How many values a branch to this block takes along.
    fn branch_arity(&self, module: &Module<'_>) -> usize {
        match self.kind {
            Kind::Loop(_) => self.ty.params(module).len(),
            _ => self.ty.results(module).len(),
        }
    }
}

impl Translator {
    /// Opens the function's own block.
    pub(super) fn enter_function(&mut self, module: &Module<'_>, index: u32) -> Result<(), Mode> {
        let ty = BlockType::Function(module.functions[index as usize].type_index);
        self.open(Kind::Function, ty, 0)
    }

    /// In unreachable code only the nesting counts.
    pub(super) fn unreachable_operator(
        &mut self,
        module: &Module<'_>,
        operator: &Operator<'_>,
        offset: u32,
    ) -> Result<(), Mode> {
        match operator {
            Operator::Block(_) | Operator::Loop(_) | Operator::If(_) => self.skipped += 1,
            Operator::Else if self.skipped == 0 => self.otherwise(module)?,
            Operator::End if self.skipped == 0 => self.end(module, offset)?,
            Operator::End => self.skipped -= 1,
            _ => {}
        }
        Ok(())
    }

    pub(super) fn block(&mut self, module: &Module<'_>, ty: BlockType) -> Result<(), Mode> {
        let params = ty.params(module).len();
        self.settle()?;
        self.open(Kind::Block, ty, params)
    }

    pub(super) fn loop_(&mut self, module: &Module<'_>, ty: BlockType) -> Result<(), Mode> {
        let params = ty.params(module).len();
        self.send_home(params)?;
        self.settle()?;
        self.forget_last();
        let start = self.emitter.place_loop()?;
        self.open(Kind::Loop(start), ty, params)
    }

    pub(super) fn if_(&mut self, module: &Module<'_>, ty: BlockType) -> Result<(), Mode> {
        let condition = self.condition()?.negate();
        let params = ty.params(module).len();
        self.send_home(params)?;
        self.settle()?;
        let otherwise = Cell::new(Label::new());
        self.branch_if(&condition, Target::Forward(&otherwise))?;
        self.open(Kind::If(otherwise), ty, params)
    }

    fn open(&mut self, kind: Kind, ty: BlockType, params: usize) -> Result<(), Mode> {
        let height = self.frame.height() - params;
        let base = if params == 0 { self.frame.next_home() } else { self.frame.get(height).home };
        let (label, stub) = (Cell::new(Label::new()), Cell::new(Label::new()));
        push(&mut self.controls, Control { kind, ty, height, base, label, stub })
    }

    /// `else`: ends the first branch of an `if`, if that can end, and starts the other.
    pub(super) fn otherwise(&mut self, module: &Module<'_>) -> Result<(), Mode> {
        let mut control = self.controls.pop().expect("validated: an else belongs to an if");
        if self.reachable {
            self.send_home(control.ty.results(module).len())?;
            self.emitter.branch(Target::Forward(&control.label))?;
        }
        let Kind::If(otherwise) = core::mem::replace(&mut control.kind, Kind::Block) else {
            unreachable!("validated: an else belongs to an if")
        };
        self.place(&otherwise)?;
        self.frame.truncate(control.height);
        for &ty in control.ty.params(module) {
            self.frame.push(ty, Place::Home)?;
        }
        self.reachable = true;
        push(&mut self.controls, control)
    }

    pub(super) fn end(&mut self, module: &Module<'_>, offset: u32) -> Result<(), Mode> {
        let control = self.controls.pop().expect("validated: an end belongs to a block");
        let results = control.ty.results(module);
        let is_target = control.label.get().is_used() || matches!(control.kind, Kind::If(_));
        let falls_through = self.reachable;
        self.reachable |= is_target;
        if matches!(control.kind, Kind::Function) {
            self.place(&control.label)?;
            if self.reachable {
                self.emitter.count_instruction(offset)?;
                self.return_values(results.len())?;
            }
            return Ok(());
        }
        if is_target {
            if falls_through {
                self.send_home(results.len())?;
            }
            self.frame.truncate(control.height);
            for &ty in results {
                self.frame.push(ty, Place::Home)?;
            }
            self.place(&control.label)?;
            if let Kind::If(otherwise) = &control.kind {
                self.place(otherwise)?;
            }
        }
        if self.reachable {
            self.emitter.count_instruction(offset)?;
        }
        Ok(())
    }

    pub(super) fn br(&mut self, module: &Module<'_>, depth: u32) -> Result<(), Mode> {
        let index = self.control(depth);
        let arity = self.controls[index].branch_arity(module);
        if matches!(self.controls[index].kind, Kind::Function) {
            self.emitter.count_instruction(self.end_offset)?;
            return self.return_values(arity);
        }
        if arity > 1 {
            self.send_home(arity)?;
        }
        self.move_values(index, arity)?;
        self.branch_to(index)
    }

    pub(super) fn br_if(&mut self, module: &Module<'_>, depth: u32) -> Result<(), Mode> {
        let condition = self.condition()?;
        let index = self.control(depth);
        let arity = self.controls[index].branch_arity(module);
        let returns = arity > 0 && matches!(self.controls[index].kind, Kind::Function);
        let in_place = self.is_in_place(index, arity);
        // Here, before control parts: on one of its ways alone a value must not be sent home.
        if arity > 1 || (in_place && !returns) || (returns && self.returns_many(arity)) {
            self.send_home(arity)?;
        }
        if in_place && !returns {
            let controls = core::mem::take(&mut self.controls);
            let branched = self.branch_if(&condition, controls[index].target());
            self.controls = controls;
            return branched;
        }
        let skip = Cell::new(Label::new());
        self.branch_if(&condition.negate(), Target::Forward(&skip))?;
        if returns {
            self.emitter.count_instruction(self.end_offset)?;
            self.return_values(arity)?;
        } else {
            self.move_values(index, arity)?;
            self.branch_to(index)?;
        }
        self.reachable = true;
        self.place(&skip)
    }

    pub(super) fn br_table(&mut self, module: &Module<'_>, table: &BrTable<'_>) -> Result<(), Mode> {
        let (selector, bias) = self.selector()?;
        let arity = self.controls[self.control(table.default)].branch_arity(module);
        self.send_home(arity)?;
        let instruction = self.emitter.branch_table(selector, bias, table.count)?;
        let mut stubs = alloc::vec::Vec::new();
        for depth in table.labels() {
            let index = self.control(depth);
            let control = &self.controls[index];
            let returns = arity > 0 && matches!(control.kind, Kind::Function);
            if self.is_in_place(index, arity) && !returns {
                self.emitter.table_entry(instruction, control.target())?;
            } else {
                if !control.stub.get().is_used() {
                    push(&mut stubs, index)?;
                }
                self.emitter.table_entry(instruction, Target::Forward(&control.stub))?;
            }
        }
        for index in stubs {
            let stub = self.controls[index].stub.replace(Label::new());
            self.place(&Cell::new(stub))?;
            if matches!(self.controls[index].kind, Kind::Function) {
                self.emitter.count_instruction(self.end_offset)?;
                self.return_values(arity)?;
            } else {
                self.move_values(index, arity)?;
                self.branch_to(index)?;
            }
        }
        self.reachable = false;
        Ok(())
    }

    /// `return`, which lands on the function's `end` as a branch to the function does.
    pub(super) fn return_(&mut self, module: &Module<'_>) -> Result<(), Mode> {
        let arity = self.controls[0].branch_arity(module);
        self.emitter.count_instruction(self.end_offset)?;
        self.return_values(arity)
    }

    pub(super) fn call(&mut self, module: &Module<'_>, function: u32) -> Result<(), Mode> {
        let ty = module.function_type(function);
        let base = self.arguments(ty.params.len())?;
        let [low, high] = pair(function);
        self.emitter.emit_block_end(Opcode::Call, &[base, low, high])?;
        self.results(&ty.results)
    }

    pub(super) fn call_indirect(&mut self, module: &Module<'_>, ty: u32, table: u32) -> Result<(), Mode> {
        let ty = &module.types[ty as usize];
        let index = self.frame.pop();
        let index = self.slot(index)?;
        let base = self.arguments(ty.params.len())?;
        let ([t0, t1], [c0, c1]) = (pair(table), pair(ty.canonical));
        self.emitter.emit_block_end(Opcode::CallIndirect, &[base, index, t0, t1, c0, c1])?;
        self.results(&ty.results)
    }

    pub(super) fn return_call(&mut self, module: &Module<'_>, function: u32) -> Result<(), Mode> {
        let ty = module.function_type(function);
        let base = self.arguments(ty.params.len())?;
        self.emitter.count_moved(ty.param_slots())?;
        let [low, high] = pair(function);
        self.emitter.emit(Opcode::ReturnCall, &[self.link(), base, ty.param_slots() as u16, low, high])?;
        self.leave();
        Ok(())
    }

    pub(super) fn return_call_indirect(&mut self, module: &Module<'_>, ty: u32, table: u32) -> Result<(), Mode> {
        let ty = &module.types[ty as usize];
        let index = self.frame.pop();
        let index = self.slot(index)?;
        let base = self.arguments(ty.params.len())?;
        self.emitter.count_moved(ty.param_slots())?;
        let ([t0, t1], [c0, c1]) = (pair(table), pair(ty.canonical));
        let fields = [self.link(), base, ty.param_slots() as u16, index, t0, t1, c0, c1];
        self.emitter.emit(Opcode::ReturnCallIndirect, &fields)?;
        self.leave();
        Ok(())
    }

    pub(super) fn unreachable(&mut self) -> Result<(), Mode> {
        self.emitter.emit(Opcode::Unreachable, &[])?;
        self.leave();
        Ok(())
    }

    /// Pops `count` arguments, at home one behind the other, and returns the byte offset of the callee's frame.
    fn arguments(&mut self, count: usize) -> Result<u16, Mode> {
        let base = self.send_home(count)?;
        self.frame.truncate(self.frame.height() - count);
        Ok(byte(base))
    }

    /// Pushes what a call returned, which lies at home.
    fn results(&mut self, types: &[Ty]) -> Result<(), Mode> {
        self.forget_last();
        for &ty in types {
            self.frame.push(ty, Place::Home)?;
        }
        Ok(())
    }

    fn return_values(&mut self, arity: usize) -> Result<(), Mode> {
        let link = self.link();
        if arity == 0 {
            self.emitter.emit(Opcode::Return, &[link])?;
        } else {
            let height = self.frame.height();
            let top = self.frame.get(height - 1);
            if self.returns_many(arity) {
                let first = self.send_home(arity)?;
                let slots = top.home + top.ty.slots() - first;
                self.emitter.count_moved(slots)?;
                self.emitter.emit(Opcode::ReturnMany, &[link, byte(first), slots as u16])?;
            } else {
                let value = self.slot(top)?;
                let op = if top.ty.is_32_bits() { Opcode::Return32 } else { Opcode::Return64 };
                self.emitter.emit(op, &[link, value])?;
            }
        }
        self.leave();
        Ok(())
    }

    /// Whether the top `arity` values take more than one slot, and are returned from home.
    fn returns_many(&self, arity: usize) -> bool {
        arity > 1 || self.frame.get(self.frame.height() - 1).ty == Ty::V128
    }

    /// Moves the top `arity` values to where a block expects them. More than one must be home; none changes its place.
    fn move_values(&mut self, index: usize, arity: usize) -> Result<(), Mode> {
        if arity == 0 {
            return Ok(());
        }
        let base = self.controls[index].base;
        let (first, top) = (self.frame.get(self.frame.height() - arity), self.frame.get(self.frame.height() - 1));
        if arity == 1 {
            return self.copy_to(top, base);
        }
        if first.home != base {
            let slots = top.home + top.ty.slots() - first.home;
            self.emitter.count_moved(slots)?;
            self.emitter.emit(Opcode::CopyMany, &[byte(base), byte(first.home), slots as u16])?;
        }
        Ok(())
    }

    /// Whether the top `arity` values, once home, are where the block expects them.
    fn is_in_place(&self, index: usize, arity: usize) -> bool {
        arity == 0 || self.frame.get(self.frame.height() - arity).home == self.controls[index].base
    }

    fn branch_to(&mut self, index: usize) -> Result<(), Mode> {
        self.emitter.branch(self.controls[index].target())?;
        self.leave();
        Ok(())
    }

    /// What follows is not reached from here.
    fn leave(&mut self) {
        self.emitter.close_block();
        self.reachable = false;
        self.forget_last();
    }

    fn control(&self, depth: u32) -> usize {
        self.controls.len() - 1 - depth as usize
    }
}
