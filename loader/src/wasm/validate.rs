//! Validates function bodies (Wasm 3.3), by the algorithm of the specification's appendix.

use alloc::vec::Vec;

use wasmparser::BinaryReader;

use super::operator::{BlockType, MemoryArgument, Operator, local_declaration};
use super::signatures::Row;
use crate::code::Local;
use crate::fallible::push;
use crate::module::{FuncType, Module, Ty, limits};
use crate::rejection::{Mode, Rejection};

/// What a block began with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Function,
    Block,
    Loop,
    If,
}

/// A block that is open.
#[derive(Clone, Copy)]
struct Block {
    kind: Kind,
    ty: BlockType,
    /// Operands below it.
    height: usize,
    /// Whether control cannot come here: then the block has any operand that is asked for.
    unreachable: bool,
}

impl Block {
    /// The types of the operands that a branch to it takes along.
    fn branch_types<'m>(&'m self, module: &'m Module<'_>) -> &'m [Ty] {
        if self.kind == Kind::Loop { self.ty.params(module) } else { self.ty.results(module) }
    }
}

/// Follows the types of the operands through function bodies; its buffers are reused from one to the next.
#[derive(Default)]
pub struct Validator {
    /// The types of the operands on the stack; `None` where unreachable code may have any.
    operands: Vec<Option<Ty>>,
    blocks: Vec<Block>,
    /// Values that the instructions so far, of all functions, take and leave by a type of their own.
    moved_values: u64,
    /// Locals of the functions so far.
    declared_locals: u64,
}

impl Validator {
    /// Validates a function's declarations of locals, at which the reader is.
    pub fn locals(&mut self, mut reader: BinaryReader<'_>) -> Result<(), Rejection> {
        let (mut count, mut over) = (0, None);
        for _ in 0..reader.read_var_u32()? {
            let offset = reader.original_position() as u32;
            count += u64::from(local_declaration(&mut reader)?.0);
            if count > u32::MAX.into() {
                return Err(Mode::InvalidWasm.at(offset));
            }
            if self.declared_locals + count > limits::LOCALS {
                over.get_or_insert(offset);
            }
        }
        self.declared_locals += count;
        over.map_or(Ok(()), |offset| Err(Mode::Limit.at(offset)))
    }

    /// Starts a function.
    pub fn start(&mut self, module: &Module<'_>, function: u32) -> Result<(), Mode> {
        self.operands.clear();
        self.blocks.clear();
        let ty = BlockType::Function(module.functions[function as usize].type_index);
        push(&mut self.blocks, Block { kind: Kind::Function, ty, height: 0, unreachable: false })
    }

    /// Whether the function's last `end` has been seen.
    pub fn is_done(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Validates the next operator of a function that is not done. Rejects with `InvalidWasm`, `Limit` or `OutOfMemory`.
    pub fn operator(&mut self, module: &Module<'_>, locals: &[Local], operator: &Operator<'_>) -> Result<(), Mode> {
        use Operator as O;
        use Ty::{FuncRef, I32};
        match *operator {
            // Most operators: those of fixed type.
            O::Plain(row) => self.row(row),
            O::Access(row, argument) => self.access(module, row, argument),
            O::Lane(row, lane) => check(lane < row.lanes()).and_then(|()| self.row(row)),
            O::AccessLane(row, argument, lane) => {
                check(lane < row.lanes())?;
                self.access(module, row, argument)
            }
            O::Shuffle(row, lanes) => check(lanes.iter().all(|&lane| lane < row.lanes())).and_then(|()| self.row(row)),
            O::Const(ty, _) => self.push(ty),
            O::ConstVector(_) => self.push(Ty::V128),

            // Control instructions (3.3.8)
            O::Unreachable => self.leave(),
            O::Nop => Ok(()),
            O::Block(ty) => self.open(module, Kind::Block, ty),
            O::Loop(ty) => self.open(module, Kind::Loop, ty),
            O::If(ty) => self.pop(I32).and_then(|()| self.open(module, Kind::If, ty)),
            O::Else => {
                let block = self.close(module)?;
                check(block.kind == Kind::If)?;
                self.enter(module, Kind::Block, block.ty)
            }
            O::End => {
                let block = self.close(module)?;
                let (params, results) = (block.ty.params(module), block.ty.results(module));
                // An `if` without an `else` leaves what it takes.
                check(block.kind != Kind::If || params == results)?;
                if self.blocks.is_empty() { Ok(()) } else { self.push_all(results) }
            }
            O::Br(depth) => {
                let label = self.label(depth)?;
                self.branch(module, &label)?;
                self.leave()
            }
            O::BrIf(depth) => {
                self.pop(I32)?;
                let label = self.label(depth)?;
                self.branch(module, &label)?;
                self.push_all(label.branch_types(module))
            }
            O::BrTable(ref table) => {
                self.pop(I32)?;
                let default = self.label(table.default)?;
                let arity = default.branch_types(module).len();
                for depth in table.labels() {
                    let label = self.label(depth)?;
                    let types = label.branch_types(module);
                    self.moves(types.len())?;
                    check(types.len() == arity && self.are_on_top(types))?;
                }
                self.leave()
            }
            O::Return => {
                let function = self.blocks[0];
                self.branch(module, &function)?;
                self.leave()
            }
            O::Call(function) => {
                let function = module.functions.get(function as usize).ok_or(Mode::InvalidWasm)?;
                self.call(module, function.type_index)
            }
            O::CallIndirect { ty, table } => self.table_call(module, table).and_then(|()| self.call(module, ty)),
            O::ReturnCall(function) => {
                let function = module.functions.get(function as usize).ok_or(Mode::InvalidWasm)?;
                self.return_call(module, function.type_index)
            }
            O::ReturnCallIndirect { ty, table } => {
                self.table_call(module, table).and_then(|()| self.return_call(module, ty))
            }

            // Parametric and variable instructions (3.3.4, 3.3.5)
            O::Drop => self.pop_any().map(drop),
            O::Select => {
                self.pop(I32)?;
                let (a, b) = (self.pop_any()?, self.pop_any()?);
                let is_reference = |ty: Option<Ty>| ty.is_some_and(Ty::is_reference);
                check(!is_reference(a) && !is_reference(b) && (a == b || a.is_none() || b.is_none()))?;
                push(&mut self.operands, a.or(b))
            }
            O::TypedSelect(ty) => {
                self.pop(I32)?;
                self.pop(ty)?;
                self.pop(ty)?;
                self.push(ty)
            }
            O::LocalGet(local) => self.push(locals.get(local as usize).ok_or(Mode::InvalidWasm)?.ty),
            O::LocalSet(local) => self.pop(locals.get(local as usize).ok_or(Mode::InvalidWasm)?.ty),
            O::LocalTee(local) => {
                let ty = locals.get(local as usize).ok_or(Mode::InvalidWasm)?.ty;
                self.pop(ty)?;
                self.push(ty)
            }
            O::GlobalGet(global) => self.push(module.globals.get(global as usize).ok_or(Mode::InvalidWasm)?.ty),
            O::GlobalSet(global) => {
                let global = module.globals.get(global as usize).ok_or(Mode::InvalidWasm)?;
                check(global.mutable)?;
                self.pop(global.ty)
            }

            // Reference and table instructions (3.3.2, 3.3.6)
            O::RefNull(ty) => self.push(ty),
            O::RefIsNull => {
                check(self.pop_any()?.is_none_or(Ty::is_reference))?;
                self.push(I32)
            }
            O::RefFunc(function) => {
                check(module.functions.get(function as usize).is_some_and(|function| function.declared))?;
                self.push(FuncRef)
            }
            O::TableGet(table) => {
                let ty = self.table(module, table)?;
                self.pop(I32)?;
                self.push(ty)
            }
            O::TableSet(table) => {
                let ty = self.table(module, table)?;
                self.pop(ty)?;
                self.pop(I32)
            }
            O::TableSize(table) => self.table(module, table).and_then(|_| self.push(I32)),
            O::TableGrow(table) => {
                let ty = self.table(module, table)?;
                self.pop(I32)?;
                self.pop(ty)?;
                self.push(I32)
            }
            O::TableFill(table) => {
                let ty = self.table(module, table)?;
                self.pop(I32)?;
                self.pop(ty)?;
                self.pop(I32)
            }
            O::TableCopy { to, from } => {
                check(self.table(module, to)? == self.table(module, from)?)?;
                self.pop_all(&[I32; 3])
            }
            O::TableInit { segment, table } => {
                let element = module.elements.get(segment as usize).ok_or(Mode::InvalidWasm)?;
                check(self.table(module, table)? == element.ty)?;
                self.pop_all(&[I32; 3])
            }
            O::ElemDrop(segment) => check((segment as usize) < module.elements.len()),

            // Memory instructions (3.3.7)
            O::MemorySize => memory(module).and_then(|()| self.push(I32)),
            O::MemoryGrow => {
                memory(module)?;
                self.pop(I32)?;
                self.push(I32)
            }
            O::MemoryFill | O::MemoryCopy => memory(module).and_then(|()| self.pop_all(&[I32; 3])),
            O::MemoryInit(segment) => {
                memory(module)?;
                check(module.data_count.is_some_and(|count| segment < count))?;
                self.pop_all(&[I32; 3])
            }
            O::DataDrop(segment) => check(module.data_count.is_some_and(|count| segment < count)),
        }
    }

    fn row(&mut self, row: &Row) -> Result<(), Mode> {
        self.pop(row.last)?;
        for _ in 1..row.operands {
            self.pop(row.operand)?;
        }
        row.result.map_or(Ok(()), |ty| self.push(ty))
    }

    fn access(&mut self, module: &Module<'_>, row: &Row, argument: MemoryArgument) -> Result<(), Mode> {
        memory(module)?;
        check(argument.align <= row.natural_alignment())?;
        self.row(row)
    }

    fn push(&mut self, ty: Ty) -> Result<(), Mode> {
        push(&mut self.operands, Some(ty))?;
        if self.operands.len() > limits::OPERANDS { Err(Mode::Limit) } else { Ok(()) }
    }

    fn push_all(&mut self, types: &[Ty]) -> Result<(), Mode> {
        types.iter().try_for_each(|&ty| self.push(ty))
    }

    /// Pops an operand of any type, which is returned if it is known.
    fn pop_any(&mut self) -> Result<Option<Ty>, Mode> {
        let block = self.blocks.last().expect("the function is not done");
        if self.operands.len() > block.height {
            return Ok(self.operands.pop().flatten());
        }
        check(block.unreachable).map(|()| None)
    }

    fn pop(&mut self, ty: Ty) -> Result<(), Mode> {
        let found = self.pop_any()?;
        check(found.is_none_or(|found| found == ty))
    }

    fn pop_all(&mut self, types: &[Ty]) -> Result<(), Mode> {
        types.iter().rev().try_for_each(|&ty| self.pop(ty))
    }

    /// Whether [`Validator::pop_all`] would succeed.
    fn are_on_top(&self, types: &[Ty]) -> bool {
        let block = self.blocks.last().expect("the function is not done");
        let mut operands = self.operands[block.height..].iter().rev();
        types.iter().rev().all(|&ty| match operands.next() {
            Some(operand) => operand.is_none_or(|found| found == ty),
            None => block.unreachable,
        })
    }

    /// Opens a block, which takes its parameters from the one around it.
    fn open(&mut self, module: &Module<'_>, kind: Kind, ty: BlockType) -> Result<(), Mode> {
        if let BlockType::Function(index) = ty {
            check((index as usize) < module.types.len())?;
        }
        self.moves(ty.params(module).len() + ty.results(module).len())?;
        self.pop_all(ty.params(module))?;
        self.enter(module, kind, ty)
    }

    fn enter(&mut self, module: &Module<'_>, kind: Kind, ty: BlockType) -> Result<(), Mode> {
        if self.blocks.len() >= limits::NESTING {
            return Err(Mode::Limit);
        }
        push(&mut self.blocks, Block { kind, ty, height: self.operands.len(), unreachable: false })?;
        self.push_all(ty.params(module))
    }

    /// Closes a block, which must have its results on the stack and nothing else.
    fn close(&mut self, module: &Module<'_>) -> Result<Block, Mode> {
        let block = *self.blocks.last().expect("the function is not done");
        self.moves(block.ty.params(module).len() + block.ty.results(module).len())?;
        self.pop_all(block.ty.results(module))?;
        check(self.operands.len() == block.height)?;
        self.blocks.pop();
        Ok(block)
    }

    /// What follows is not reached from here.
    fn leave(&mut self) -> Result<(), Mode> {
        let block = self.blocks.last_mut().expect("the function is not done");
        block.unreachable = true;
        self.operands.truncate(block.height);
        Ok(())
    }

    /// The block that a branch of a depth goes to.
    fn label(&self, depth: u32) -> Result<Block, Mode> {
        let outer = self.blocks.len().checked_sub(depth as usize).and_then(|count| count.checked_sub(1));
        outer.map(|index| self.blocks[index]).ok_or(Mode::InvalidWasm)
    }

    /// Takes the operands that a branch to a block takes along.
    fn branch(&mut self, module: &Module<'_>, block: &Block) -> Result<(), Mode> {
        self.moves(block.branch_types(module).len())?;
        self.pop_all(block.branch_types(module))
    }

    fn call(&mut self, module: &Module<'_>, ty: u32) -> Result<(), Mode> {
        let ty = self.arguments(module, ty)?;
        self.push_all(&ty.results)
    }

    fn return_call(&mut self, module: &Module<'_>, ty: u32) -> Result<(), Mode> {
        let ty = self.arguments(module, ty)?;
        check(ty.results == self.blocks[0].ty.results(module))?;
        self.leave()
    }

    /// Takes the arguments of a call, and returns the callee's type.
    fn arguments<'m>(&mut self, module: &'m Module<'_>, ty: u32) -> Result<&'m FuncType, Mode> {
        let ty = module.types.get(ty as usize).ok_or(Mode::InvalidWasm)?;
        self.moves(ty.params.len() + ty.results.len())?;
        self.pop_all(&ty.params)?;
        Ok(ty)
    }

    /// The table and the index of an indirect call.
    fn table_call(&mut self, module: &Module<'_>, table: u32) -> Result<(), Mode> {
        check(self.table(module, table)? == Ty::FuncRef)?;
        self.pop(Ty::I32)
    }

    fn table(&self, module: &Module<'_>, table: u32) -> Result<Ty, Mode> {
        module.tables.get(table as usize).map(|table| table.ty).ok_or(Mode::InvalidWasm)
    }

    /// Counts values that an instruction takes and leaves.
    fn moves(&mut self, values: usize) -> Result<(), Mode> {
        self.moved_values += values as u64;
        if self.moved_values > limits::MOVED_VALUES { Err(Mode::Limit) } else { Ok(()) }
    }
}

fn memory(module: &Module<'_>) -> Result<(), Mode> {
    check(module.memory.is_some())
}

fn check(valid: bool) -> Result<(), Mode> {
    if valid { Ok(()) } else { Err(Mode::InvalidWasm) }
}
