//! The operators of reachable code, each in one line that names its instruction.

use wasmparser::{MemArg, Operator};

use super::fuse::Tree;
use super::op::{Op, Side};
use super::operands::{Operand, Place};
use super::translate::{Translator, pair, units};
use crate::module::{Module, Ty};
use crate::rejection::Mode;

/// Bytes between the values of two globals.
pub const GLOBAL_BYTES: u32 = 16;

impl Translator {
    pub(super) fn reachable_operator(
        &mut self,
        module: &Module<'_>,
        operator: &Operator<'_>,
        offset: u32,
    ) -> Result<(), Mode> {
        use Operator as O;
        use Ty::{F32, F64, I32, I64};
        match *operator {
            // Control instructions (spec 4.4.8)
            O::Unreachable => self.unreachable(),
            O::Nop => Ok(()),
            O::Block { blockty } => self.block(module, blockty),
            O::Loop { blockty } => self.loop_(module, blockty),
            O::If { blockty } => self.if_(module, blockty),
            O::Else => self.otherwise(module),
            O::End => self.end(module, offset),
            O::Br { relative_depth } => self.br(module, relative_depth),
            O::BrIf { relative_depth } => self.br_if(module, relative_depth),
            O::BrTable { ref targets } => self.br_table(module, targets),
            O::Return => self.return_(module),
            O::Call { function_index } => self.call(module, function_index),
            O::CallIndirect { type_index, table_index } => self.call_indirect(module, type_index, table_index),
            O::ReturnCall { function_index } => self.return_call(module, function_index),
            O::ReturnCallIndirect { type_index, table_index } => {
                self.return_call_indirect(module, type_index, table_index)
            }

            // Parametric and variable instructions (4.4.4, 4.4.5)
            O::Drop => {
                self.frame.pop();
                Ok(())
            }
            O::Select => self.select(),
            O::TypedSelect { ty } => Ty::new(ty).and_then(|_| self.select()),
            O::LocalGet { local_index } => {
                let ty = self.frame.locals[local_index as usize].ty;
                self.frame.push(ty, Place::Local(local_index)).map(drop)
            }
            O::LocalSet { local_index } => self.set_local(local_index, false),
            O::LocalTee { local_index } => self.set_local(local_index, true),
            O::GlobalGet { global_index } => self.global_get(module, global_index),
            O::GlobalSet { global_index } => self.global_set(module, global_index),

            // Reference and table instructions (4.4.2, 4.4.6)
            O::RefNull { hty } => {
                let ty = Ty::null(hty)?;
                self.constant(ty, 0)
            }
            O::RefFunc { function_index } => self.constant(Ty::FuncRef, u64::from(function_index) + 1),
            O::RefIsNull => self.equals_zero(Op::I32EqI),
            O::TableGet { table } => {
                self.rare(Op::TableGet, 1, Some(module.tables[table as usize].ty), &[table], false)
            }
            O::TableSet { table } => self.rare(Op::TableSet, 2, None, &[table], false),
            O::TableSize { table } => self.rare(Op::TableSize, 0, Some(I32), &[table], false),
            O::TableGrow { table } => self.rare(Op::TableGrow, 2, Some(I32), &[table], false),
            O::TableFill { table } => self.rare(Op::TableFill, 3, None, &[table], true),
            O::TableCopy { dst_table, src_table } => self.rare(Op::TableCopy, 3, None, &[dst_table, src_table], true),
            O::TableInit { elem_index, table } => self.rare(Op::TableInit, 3, None, &[table, elem_index], true),
            O::ElemDrop { elem_index } => self.rare(Op::ElemDrop, 0, None, &[elem_index], false),

            // Memory instructions (4.4.7)
            O::I32Load { memarg } | O::F32Load { memarg } => self.load(Op::Load32, memory_type(operator), memarg),
            O::I64Load { memarg } | O::F64Load { memarg } => self.load(Op::Load64, memory_type(operator), memarg),
            O::I32Load8S { memarg } => self.load(Op::I32Load8S, I32, memarg),
            O::I32Load8U { memarg } => self.load(Op::I32Load8U, I32, memarg),
            O::I32Load16S { memarg } => self.load(Op::I32Load16S, I32, memarg),
            O::I32Load16U { memarg } => self.load(Op::I32Load16U, I32, memarg),
            O::I64Load8S { memarg } => self.load(Op::I64Load8S, I64, memarg),
            O::I64Load8U { memarg } => self.load(Op::I64Load8U, I64, memarg),
            O::I64Load16S { memarg } => self.load(Op::I64Load16S, I64, memarg),
            O::I64Load16U { memarg } => self.load(Op::I64Load16U, I64, memarg),
            O::I64Load32S { memarg } => self.load(Op::I64Load32S, I64, memarg),
            O::I64Load32U { memarg } => self.load(Op::I64Load32U, I64, memarg),
            O::I32Store { memarg } | O::F32Store { memarg } => self.store(Op::Store32, memarg),
            O::I64Store { memarg } | O::F64Store { memarg } => self.store(Op::Store64, memarg),
            O::I32Store8 { memarg } => self.store(Op::I32Store8, memarg),
            O::I32Store16 { memarg } => self.store(Op::I32Store16, memarg),
            O::I64Store8 { memarg } => self.store(Op::I64Store8, memarg),
            O::I64Store16 { memarg } => self.store(Op::I64Store16, memarg),
            O::I64Store32 { memarg } => self.store(Op::I64Store32, memarg),
            O::MemorySize { .. } => self.rare(Op::MemorySize, 0, Some(I32), &[], false),
            O::MemoryGrow { .. } => self.rare(Op::MemoryGrow, 1, Some(I32), &[], false),
            O::MemoryCopy { .. } => self.rare(Op::MemoryCopy, 3, None, &[], true),
            O::MemoryFill { .. } => self.rare(Op::MemoryFill, 3, None, &[], true),
            O::MemoryInit { data_index, .. } => self.rare(Op::MemoryInit, 3, None, &[data_index], true),
            O::DataDrop { data_index } => self.rare(Op::DataDrop, 0, None, &[data_index], false),

            // Numeric instructions (4.4.1)
            O::I32Const { value } => self.constant(I32, u64::from(value as u32)),
            O::I64Const { value } => self.constant(I64, value as u64),
            O::F32Const { value } => self.constant(F32, u64::from(value.bits())),
            O::F64Const { value } => self.constant(F64, value.bits()),
            O::I32Eqz => self.equals_zero(Op::I32EqI),
            O::I64Eqz => self.equals_zero(Op::I64EqI),
            O::I32ReinterpretF32 => self.reinterpret(I32),
            O::I64ReinterpretF64 => self.reinterpret(I64),
            O::F32ReinterpretI32 => self.reinterpret(F32),
            O::F64ReinterpretI64 => self.reinterpret(F64),
            _ => match numeric(operator) {
                Some((Shape::Binary, op, ty)) => self.binary(op, ty),
                Some((Shape::Commutative, op, ty)) => self.commutative(op, ty),
                Some((Shape::Unary, op, ty)) => self.unary(op, ty),
                None => self.vector_operator(operator),
            },
        }
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Result<(), Mode> {
        self.frame.push(ty, Place::Constant(bits)).map(drop)
    }

    fn unary(&mut self, op: Op, ty: Ty) -> Result<(), Mode> {
        let operand = self.frame.pop();
        let slot = self.slot(operand)?;
        self.emit_push(ty, op, &[slot])
    }

    fn binary(&mut self, op: Op, ty: Ty) -> Result<(), Mode> {
        let (b, a) = (self.frame.pop(), self.frame.pop());
        self.combine(op, ty, a, b)
    }

    /// A binary operator whose operands may change places: a constant comes second.
    fn commutative(&mut self, op: Op, ty: Ty) -> Result<(), Mode> {
        let (b, a) = (self.frame.pop(), self.frame.pop());
        let swap = a.is_constant() && !b.is_constant();
        if swap { self.combine(op, ty, b, a) } else { self.combine(op, ty, a, b) }
    }

    /// Emits a binary operator on two popped operands, in the form that suits them.
    fn combine(&mut self, op: Op, ty: Ty, a: Operand, b: Operand) -> Result<(), Mode> {
        if let (Op::I32Sub, Some([low, high])) = (op, self.immediate(b))
            && self.take_stack_pointer(a)
        {
            return self.emit_push(ty, Op::StackPointerSub, &[low, high]);
        }
        if let (Some(op), Some([low, high])) = (op.with_immediate(), self.immediate(b)) {
            let left = self.slot(a)?;
            return self.emit_push(ty, op, &[left, low, high]);
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
    fn equals_zero(&mut self, op: Op) -> Result<(), Mode> {
        let operand = self.frame.pop();
        if let Some(start) = self.last_for(operand)
            && let Some(inverse) = Op::decode(self.emitter.unit(start)).and_then(Op::inverse)
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
            Ty::V128 => Op::Select128,
            ty if ty.is_32_bits() => Op::Select32,
            _ => Op::Select64,
        };
        let fields = [self.slot(condition)?, self.slot(a)?, self.slot(b)?];
        self.emit_push(a.ty, op, &fields)
    }

    fn global_get(&mut self, module: &Module<'_>, global: u32) -> Result<(), Mode> {
        let ty = module.globals[global as usize].ty;
        let op = match ty {
            Ty::V128 => Op::GlobalGet128,
            ty if ty.is_32_bits() => Op::GlobalGet32,
            _ => Op::GlobalGet64,
        };
        self.emit_push(ty, op, &pair(global * GLOBAL_BYTES))
    }

    fn global_set(&mut self, module: &Module<'_>, global: u32) -> Result<(), Mode> {
        let op = match module.globals[global as usize].ty {
            Ty::I32 if global == 0 => {
                let operand = self.frame.pop();
                return self.set_stack_pointer(operand);
            }
            Ty::V128 => Op::GlobalSet128,
            ty if ty.is_32_bits() => Op::GlobalSet32,
            _ => Op::GlobalSet64,
        };
        let operand = self.frame.pop();
        let slot = self.slot(operand)?;
        let [low, high] = pair(global * GLOBAL_BYTES);
        self.emitter.emit(op, &[slot, low, high])
    }

    pub(super) fn load(&mut self, op: Op, ty: Ty, memarg: MemArg) -> Result<(), Mode> {
        let address = self.frame.pop();
        let [low, high] = pair(memarg.offset as u32);
        if let Some(op) = op.indexed()
            && let Some([a, b]) = self.take_sum(address)
        {
            return self.emit_push(ty, op, &[a, b, low, high]);
        }
        let slot = self.slot(address)?;
        self.emit_push(ty, op, &[slot, low, high])
    }

    pub(super) fn store(&mut self, op: Op, memarg: MemArg) -> Result<(), Mode> {
        let (value, address) = (self.frame.pop(), self.frame.pop());
        let slot = self.slot(address)?;
        let [low, high] = pair(memarg.offset as u32);
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
        op: Op,
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

/// The type of a load whose instruction does not depend on it.
fn memory_type(operator: &Operator<'_>) -> Ty {
    match operator {
        Operator::F32Load { .. } => Ty::F32,
        Operator::F64Load { .. } => Ty::F64,
        Operator::I64Load { .. } => Ty::I64,
        _ => Ty::I32,
    }
}

enum Shape {
    Unary,
    Binary,
    Commutative,
}

/// The numeric operators by shape and result type; each has an instruction of the same name.
fn numeric(operator: &Operator<'_>) -> Option<(Shape, Op, Ty)> {
    macro_rules! table {
        ($($shape:ident $ty:ident: $($name:ident)*;)*) => {
            match operator {
                $($(Operator::$name => Some((Shape::$shape, Op::$name, Ty::$ty)),)*)*
                _ => None,
            }
        };
    }
    table! {
        Commutative I32: I32Add I32Mul I32And I32Or I32Xor I32Eq I32Ne I64Eq I64Ne;
        Commutative I64: I64Add I64Mul I64And I64Or I64Xor;
        Binary I32: I32Sub I32DivS I32DivU I32RemS I32RemU I32Shl I32ShrS I32ShrU I32Rotl I32Rotr;
        Binary I32: I32LtS I32LtU I32GtS I32GtU I32LeS I32LeU I32GeS I32GeU;
        Binary I32: I64LtS I64LtU I64GtS I64GtU I64LeS I64LeU I64GeS I64GeU;
        Binary I32: F32Eq F32Ne F32Lt F32Gt F32Le F32Ge F64Eq F64Ne F64Lt F64Gt F64Le F64Ge;
        Binary I64: I64Sub I64DivS I64DivU I64RemS I64RemU I64Shl I64ShrS I64ShrU I64Rotl I64Rotr;
        Commutative F32: F32Add F32Mul;
        Commutative F64: F64Add F64Mul;
        Binary F32: F32Sub F32Div F32Min F32Max F32Copysign;
        Binary F64: F64Sub F64Div F64Min F64Max F64Copysign;
        Unary I32: I32Clz I32Ctz I32Popcnt I32Extend8S I32Extend16S I32WrapI64;
        Unary I32: I32TruncF32S I32TruncF32U I32TruncF64S I32TruncF64U;
        Unary I32: I32TruncSatF32S I32TruncSatF32U I32TruncSatF64S I32TruncSatF64U;
        Unary I64: I64Clz I64Ctz I64Popcnt I64Extend8S I64Extend16S I64Extend32S I64ExtendI32S I64ExtendI32U;
        Unary I64: I64TruncF32S I64TruncF32U I64TruncF64S I64TruncF64U;
        Unary I64: I64TruncSatF32S I64TruncSatF32U I64TruncSatF64S I64TruncSatF64U;
        Unary F32: F32Abs F32Neg F32Ceil F32Floor F32Trunc F32Nearest F32Sqrt F32DemoteF64;
        Unary F32: F32ConvertI32S F32ConvertI32U F32ConvertI64S F32ConvertI64U;
        Unary F64: F64Abs F64Neg F64Ceil F64Floor F64Trunc F64Nearest F64Sqrt F64PromoteF32;
        Unary F64: F64ConvertI32S F64ConvertI32U F64ConvertI64S F64ConvertI64U;
    }
}
