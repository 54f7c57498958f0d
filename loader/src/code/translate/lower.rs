//! The operators of reachable code, each in one line that names its instruction.

use super::frame::{Operand, Place};
use super::fuse::Tree;
use super::{Translator, pair, units};
use crate::code::GLOBAL_BYTES;
use crate::code::isa::{Opcode, Side};
use crate::module::{Module, Ty};
use crate::rejection::Mode;
use crate::wasm::{Operator, Row, Shape};

impl Translator {
    pub(super) fn reachable_operator(
        &mut self,
        module: &Module<'_>,
        operator: &Operator<'_>,
        offset: u32,
    ) -> Result<(), Mode> {
        use Operator as O;
        use Ty::I32;
        match *operator {
            // Numeric, vector and memory instructions of fixed type (Wasm 4.4.1, 4.4.3, 4.4.7)
            O::Plain(row) => self.plain(row),
            O::Lane(row, lane) => self.vector(row, &[lane.into()]),
            O::Shuffle(row, lanes) => self.vector(row, &vector_units(lanes)),
            O::Access(row, argument) => match row.result {
                Some(ty) => self.load(row.op, ty, argument.offset),
                None => self.store(row.op, argument.offset),
            },
            O::AccessLane(row, argument, lane) => self.access_lane(row, argument.offset, lane),
            O::Const(ty, bits) => self.constant(ty, bits),
            O::ConstVector(bytes) => self.emit_push(Ty::V128, Opcode::Const128, &vector_units(bytes)),

            // Control instructions (4.4.8)
            O::Unreachable => self.unreachable(),
            O::Nop => Ok(()),
            O::Block(ty) => self.block(module, ty),
            O::Loop(ty) => self.loop_(module, ty),
            O::If(ty) => self.if_(module, ty),
            O::Else => self.otherwise(module),
            O::End => self.end(module, offset),
            O::Br(depth) => self.br(module, depth),
            O::BrIf(depth) => self.br_if(module, depth),
            O::BrTable(ref table) => self.br_table(module, table),
            O::Return => self.return_(module),
            O::Call(function) => self.call(module, function),
            O::CallIndirect { ty, table } => self.call_indirect(module, ty, table),
            O::ReturnCall(function) => self.return_call(module, function),
            O::ReturnCallIndirect { ty, table } => self.return_call_indirect(module, ty, table),

            // Parametric and variable instructions (4.4.4, 4.4.5)
            O::Drop => {
                self.frame.pop();
                Ok(())
            }
            O::Select | O::TypedSelect(_) => self.select(),
            O::LocalGet(local) => {
                let ty = self.frame.locals[local as usize].ty;
                self.frame.push(ty, Place::Local(local)).map(drop)
            }
            O::LocalSet(local) => self.set_local(local, false),
            O::LocalTee(local) => self.set_local(local, true),
            O::GlobalGet(global) => self.global_get(module, global),
            O::GlobalSet(global) => self.global_set(module, global),

            // Reference and table instructions (4.4.2, 4.4.6)
            O::RefNull(ty) => self.constant(ty, 0),
            O::RefFunc(function) => self.constant(Ty::FuncRef, u64::from(function) + 1),
            O::RefIsNull => self.equals_zero(Opcode::I32EqI),
            O::TableGet(table) => {
                self.rare(Opcode::TableGet, 1, Some(module.tables[table as usize].ty), &[table], false)
            }
            O::TableSet(table) => self.rare(Opcode::TableSet, 2, None, &[table], false),
            O::TableSize(table) => self.rare(Opcode::TableSize, 0, Some(I32), &[table], false),
            O::TableGrow(table) => self.rare(Opcode::TableGrow, 2, Some(I32), &[table], false),
            O::TableFill(table) => self.rare(Opcode::TableFill, 3, None, &[table], true),
            O::TableCopy { to, from } => self.rare(Opcode::TableCopy, 3, None, &[to, from], true),
            O::TableInit { segment, table } => self.rare(Opcode::TableInit, 3, None, &[table, segment], true),
            O::ElemDrop(segment) => self.rare(Opcode::ElemDrop, 0, None, &[segment], false),

            // Memory instructions (4.4.7)
            O::MemorySize => self.rare(Opcode::MemorySize, 0, Some(I32), &[], false),
            O::MemoryGrow => self.rare(Opcode::MemoryGrow, 1, Some(I32), &[], false),
            O::MemoryCopy => self.rare(Opcode::MemoryCopy, 3, None, &[], true),
            O::MemoryFill => self.rare(Opcode::MemoryFill, 3, None, &[], true),
            O::MemoryInit(segment) => self.rare(Opcode::MemoryInit, 3, None, &[segment], true),
            O::DataDrop(segment) => self.rare(Opcode::DataDrop, 0, None, &[segment], false),
        }
    }

    fn plain(&mut self, row: &Row) -> Result<(), Mode> {
        let result = row.result.expect("operators without immediates have a result");
        match row.shape {
            Shape::Unary => self.unary(row.op, result),
            Shape::Binary => self.binary(row.op, result),
            Shape::Commutative => self.commutative(row.op, result),
            Shape::EqualsZero => self.equals_zero(row.op),
            Shape::Reinterpret => self.reinterpret(result),
            _ => self.vector(row, &[]),
        }
    }

    /// A vector instruction: the operands' slots, then units that are given.
    fn vector(&mut self, row: &Row, immediates: &[u16]) -> Result<(), Mode> {
        let mut fields = [0; 10];
        let operands = usize::from(row.operands);
        for index in (0..operands).rev() {
            let operand = self.frame.pop();
            fields[index] = self.slot(operand)?;
        }
        let count = operands + immediates.len();
        fields[operands..count].copy_from_slice(immediates);
        let result = row.result.expect("vector operators have a result");
        self.emit_push(result, row.op, &fields[..count])
    }

    fn access_lane(&mut self, row: &Row, offset: u32, lane: u8) -> Result<(), Mode> {
        let (vector, address) = (self.frame.pop(), self.frame.pop());
        let (vector, address) = (self.slot(vector)?, self.slot(address)?);
        let [low, high] = pair(offset);
        match row.result {
            Some(ty) => self.emit_push(ty, row.op, &[address, low, high, vector, lane.into()]),
            None => self.emitter.emit(row.op, &[vector, address, low, high, lane.into()]),
        }
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Result<(), Mode> {
        self.frame.push(ty, Place::Constant(bits)).map(drop)
    }

    fn unary(&mut self, op: Opcode, ty: Ty) -> Result<(), Mode> {
        let operand = self.frame.pop();
        let slot = self.slot(operand)?;
        self.emit_push(ty, op, &[slot])
    }

    fn binary(&mut self, op: Opcode, ty: Ty) -> Result<(), Mode> {
        let (b, a) = (self.frame.pop(), self.frame.pop());
        self.combine(op, ty, a, b)
    }

    /// A binary operator whose operands may change places: a constant comes second.
    fn commutative(&mut self, op: Opcode, ty: Ty) -> Result<(), Mode> {
        let (b, a) = (self.frame.pop(), self.frame.pop());
        let swap = a.is_constant() && !b.is_constant();
        if swap { self.combine(op, ty, b, a) } else { self.combine(op, ty, a, b) }
    }

    /// Emits a binary operator on two popped operands, in the form that suits them.
    fn combine(&mut self, op: Opcode, ty: Ty, a: Operand, b: Operand) -> Result<(), Mode> {
        if let (Opcode::I32Sub, Some([low, high])) = (op, self.immediate(b))
            && self.take_stack_pointer(a)
        {
            return self.emit_push(ty, Opcode::StackPointerSub, &[low, high]);
        }
        let immediate = self.immediate(b);
        for (op, immediate) in
            [(op.with_immediate(), immediate), (op.opposite(), immediate.and_then(|it| negative(ty, it)))]
        {
            if let (Some(op), Some([low, high])) = (op, immediate) {
                let left = self.slot(a)?;
                return self.emit_push(ty, op, &[left, low, high]);
            }
        }
        if let (Some(op), Place::Constant(bits)) = (op.with_constant(), b.place) {
            let (left, [c0, c1, c2, c3]) = (self.slot(a)?, units(bits));
            return self.emit_push(ty, op, &[left, c0, c1, c2, c3][..if ty.is_32_bits() { 3 } else { 5 }]);
        }
        for (inner, side, other) in [(b, Side::Right, a), (a, Side::Left, b)] {
            if let Some(Tree { op, fields, count }) = self.take_tree(inner, op, side, other) {
                return self.emit_push(ty, op, &fields[..count]);
            }
        }
        let (left, right) = (self.slot(a)?, self.slot(b)?);
        self.emit_push(ty, op, &[left, right])
    }

    /// `eqz` and `ref.is_null`: inverts the comparison before it, or compares with zero.
    fn equals_zero(&mut self, op: Opcode) -> Result<(), Mode> {
        let operand = self.frame.pop();
        if let Some(start) = self.last_for(operand)
            && let Some(inverse) = Opcode::decode(self.emitter.unit(start)).and_then(Opcode::inverse)
        {
            self.emitter.patch(start, inverse as u16);
            return self.frame.push(Ty::I32, Place::Home).map(drop);
        }
        let slot = self.slot(operand)?;
        self.emit_push(Ty::I32, op, &[slot, 0, 0])
    }

    /// The same bits under another type, in the same place.
    fn reinterpret(&mut self, ty: Ty) -> Result<(), Mode> {
        let operand = self.frame.pop();
        self.frame.push(ty, operand.place).map(drop)
    }

    fn select(&mut self) -> Result<(), Mode> {
        let (condition, b, a) = (self.frame.pop(), self.frame.pop(), self.frame.pop());
        let op = match a.ty {
            Ty::V128 => Opcode::Select128,
            ty if ty.is_32_bits() => Opcode::Select32,
            _ => Opcode::Select64,
        };
        let fields = [self.slot(condition)?, self.slot(a)?, self.slot(b)?];
        self.emit_push(a.ty, op, &fields)
    }

    fn global_get(&mut self, module: &Module<'_>, global: u32) -> Result<(), Mode> {
        let ty = module.globals[global as usize].ty;
        let op = match ty {
            Ty::V128 => Opcode::GlobalGet128,
            ty if ty.is_32_bits() => Opcode::GlobalGet32,
            _ => Opcode::GlobalGet64,
        };
        self.emit_push(ty, op, &pair(global * GLOBAL_BYTES))
    }

    fn global_set(&mut self, module: &Module<'_>, global: u32) -> Result<(), Mode> {
        let op = match module.globals[global as usize].ty {
            Ty::I32 if global == 0 => {
                let operand = self.frame.pop();
                return self.set_stack_pointer(operand);
            }
            Ty::V128 => Opcode::GlobalSet128,
            ty if ty.is_32_bits() => Opcode::GlobalSet32,
            _ => Opcode::GlobalSet64,
        };
        let operand = self.frame.pop();
        let slot = self.slot(operand)?;
        let [low, high] = pair(global * GLOBAL_BYTES);
        self.emitter.emit(op, &[slot, low, high])
    }

    fn load(&mut self, op: Opcode, ty: Ty, offset: u32) -> Result<(), Mode> {
        let address = self.frame.pop();
        let [low, high] = pair(offset);
        if let Some(op) = op.indexed()
            && let Some([a, b]) = self.take_sum(address)
        {
            return self.emit_push(ty, op, &[a, b, low, high]);
        }
        let slot = self.slot(address)?;
        self.emit_push(ty, op, &[slot, low, high])
    }

    fn store(&mut self, op: Opcode, offset: u32) -> Result<(), Mode> {
        let (value, address) = (self.frame.pop(), self.frame.pop());
        let slot = self.slot(address)?;
        let [low, high] = pair(offset);
        if let (Some(op), Some([a, b])) = (op.with_immediate(), self.immediate(value)) {
            return self.emitter.emit(op, &[slot, a, b, low, high]);
        }
        let value = self.slot(value)?;
        self.emitter.emit(op, &[slot, value, low, high])
    }

    /// An instruction of the stepping loop: `operands` slots, then 32-bit `immediates`. One that is charged by size ends
    /// its basic block, so that what follows it is charged after it.
    fn rare(
        &mut self,
        op: Opcode,
        operands: usize,
        result: Option<Ty>,
        immediates: &[u32],
        sized: bool,
    ) -> Result<(), Mode> {
        let mut fields = [0; 7];
        for index in (0..operands).rev() {
            let operand = self.frame.pop();
            fields[index] = self.slot(operand)?;
        }
        let mut count = operands;
        for &immediate in immediates {
            fields[count..count + 2].copy_from_slice(&pair(immediate));
            count += 2;
        }
        match result {
            Some(ty) => self.emit_push(ty, op, &fields[..count]),
            None if sized => self.emitter.emit_block_end(op, &fields[..count]),
            None => self.emitter.emit(op, &fields[..count]),
        }
    }
}

/// The negative of an immediate for an operand of a type, if it fits.
fn negative(ty: Ty, [low, high]: [u16; 2]) -> Option<[u16; 2]> {
    let immediate = (u32::from(low) | u32::from(high) << 16) as i32;
    (ty.is_32_bits() || immediate != i32::MIN).then(|| pair(immediate.wrapping_neg() as u32))
}

/// The units of a vector in the code.
fn vector_units(bytes: [u8; 16]) -> [u16; 8] {
    let (pairs, _) = bytes.as_chunks();
    core::array::from_fn(|index| u16::from_le_bytes(pairs[index]))
}
