//! The code buffer: instructions, labels and what each basic block costs.
//!
//! The budget counts WebAssembly instructions (docs/spec.md §3) and is charged once per basic block, on entry. The cost
//! stands in the instruction that enters the block, so falling into a label costs nothing at run time: a block and the
//! blocks it falls into are charged together. `count` numbers the function's instructions in order; a *cost site* is a
//! code unit that receives, when the block closes, the distance from the site's first instruction to the block's end.

use alloc::vec::Vec;

use crate::code::header::{Header, SLOTS_PER_INSTRUCTION};
use crate::code::isa::{Opcode, mark_pairs};
use crate::fallible::{self, push};
use crate::module::limits;
use crate::rejection::Mode;

/// A block is split when it reaches this cost, well before its 16 bits overflow.
const MAX_BLOCK_COST: u32 = 60_000;

const NONE: u32 = u32::MAX;

/// What to find out about code that was translated before, by translating it again.
#[derive(Clone, Copy, Default)]
pub struct Watch {
    /// A unit where an instruction starts: which one of the module it was made from.
    pub instruction: Option<usize>,
    /// A unit where a basic block was entered, and how much of its cost was not paid, at least 1: which is the first instruction of the
    /// module that this does not suffice for.
    pub unpaid: Option<(usize, u32)>,
}

/// What a watch has found: offsets in the module.
#[derive(Clone, Copy, Default)]
pub struct Found {
    /// Of the instruction that was asked for.
    pub instruction: Option<u32>,
    /// Of the first instruction that was not paid for.
    pub unpaid: Option<u32>,
}

struct Site {
    at: usize,
    start: u32,
}

struct Fixup {
    instruction: usize,
    target: usize,
    cost: usize,
    next: u32,
}

/// A forward label: the branches that wait for its place.
#[derive(Clone, Copy)]
pub struct Label(u32);

impl Label {
    /// A label that no branch uses yet.
    pub const fn new() -> Self {
        Self(NONE)
    }

    /// Whether a branch uses it.
    pub fn is_used(self) -> bool {
        self.0 != NONE
    }
}

/// The start of a loop, which its branches go back to.
#[derive(Clone, Copy)]
pub struct LoopStart {
    at: usize,
    /// Index in `loops`, where its block's cost is found once that is known.
    index: usize,
}

/// Where a branch goes.
#[derive(Clone, Copy)]
pub enum Target<'a> {
    /// To a label that is placed later.
    Forward(&'a core::cell::Cell<Label>),
    /// Back to a loop.
    Back(LoopStart),
}

/// The code of one function while it is written.
pub struct Emitter {
    code: Vec<u16>,
    count: u32,
    offset: u32,
    open: Vec<Site>,
    fixups: Vec<Fixup>,
    /// For each loop the cost of its first block; `None` while that block is open.
    loops: Vec<Option<u16>>,
    open_loops: Vec<(usize, u32)>,
    watch: Watch,
    found: Found,
    /// The offsets of the instructions that were counted since a block was entered where the watch says. All blocks that are entered
    /// at one unit end together.
    watched: Option<Vec<u32>>,
}

impl Emitter {
    /// An emitter without a function; its buffers are reused from one function to the next.
    pub fn new() -> Self {
        Self {
            code: Vec::new(),
            count: 0,
            offset: 0,
            open: Vec::new(),
            fixups: Vec::new(),
            loops: Vec::new(),
            open_loops: Vec::new(),
            watch: Watch::default(),
            found: Found::default(),
            watched: None,
        }
    }

    /// Starts a function: room for the header, and its entry block.
    pub fn start(&mut self, watch: Watch) -> Result<(), Mode> {
        self.code.clear();
        self.open.clear();
        self.fixups.clear();
        self.loops.clear();
        self.open_loops.clear();
        (self.count, self.watch, self.found, self.watched) = (0, watch, Found::default(), None);
        self.put(&[0; Header::UNITS])?;
        self.open_site(0)
    }

    /// Writes the header, but for the cost, which is there, and pairs the instructions.
    pub fn finish(&mut self, header: Header) -> &[u16] {
        debug_assert!(self.open.is_empty());
        let (before, instructions) = self.code.split_at_mut(Header::UNITS);
        before.copy_from_slice(&Header { cost: before[0] + header.locals_cost(), ..header }.units());
        mark_pairs(instructions);
        &self.code
    }

    /// What the watch found.
    pub fn found(&self) -> Found {
        self.found
    }

    /// The unit where the next instruction starts.
    pub fn position(&self) -> usize {
        self.code.len()
    }

    /// A unit of the code.
    pub fn unit(&self, at: usize) -> u16 {
        self.code[at]
    }

    /// Replaces a unit of the code.
    pub fn patch(&mut self, at: usize, unit: u16) {
        self.code[at] = unit;
    }

    /// Takes the last instruction, which starts at `at`, out again.
    pub fn take_back(&mut self, at: usize) {
        self.code.truncate(at);
    }

    /// Counts the instruction at `offset` of the module; what is emitted from here on is made from it.
    pub fn count_instruction(&mut self, offset: u32) -> Result<(), Mode> {
        self.offset = offset;
        let oldest = self.open.first().map_or(self.count, |site| site.start);
        if self.count - oldest >= MAX_BLOCK_COST {
            self.close_block();
            self.emit(Opcode::Charge, &[0])?;
            self.open_site(self.position() - 1)?;
        }
        if let Some(offsets) = &mut self.watched {
            push(offsets, offset)?;
        }
        self.count += 1;
        Ok(())
    }

    /// Counts the instruction that is translated again for each `SLOTS_PER_INSTRUCTION` of these slots that it moves.
    pub fn count_moved(&mut self, slots: u32) -> Result<(), Mode> {
        (0..slots / u32::from(SLOTS_PER_INSTRUCTION)).try_for_each(|_| self.count_instruction(self.offset))
    }

    /// The offset in the module of the instruction that is translated.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// Emits an instruction.
    pub fn emit(&mut self, op: Opcode, fields: &[u16]) -> Result<(), Mode> {
        self.emit_from(self.offset, op, fields)
    }

    /// Emits an instruction that traps, if it does, as the one at `origin` of the module.
    fn emit_from(&mut self, origin: u32, op: Opcode, fields: &[u16]) -> Result<(), Mode> {
        if self.watch.instruction == Some(self.code.len()) {
            self.found.instruction = Some(origin);
        }
        self.put(&[op as u16])?;
        self.put(fields)
    }

    /// Emits an instruction whose last field is the cost of what follows it, in a block of its own.
    pub fn emit_block_end(&mut self, op: Opcode, fields: &[u16]) -> Result<(), Mode> {
        self.emit(op, fields)?;
        self.put(&[0])?;
        self.close_block();
        self.open_site(self.position() - 1)
    }

    /// Emits a conditional branch: `fields`, the target, and the costs of both ways. It traps as the one at `origin`.
    pub fn branch_if(&mut self, origin: u32, op: Opcode, fields: &[u16], target: Target<'_>) -> Result<(), Mode> {
        let instruction = self.position();
        self.emit_from(origin, op, fields)?;
        self.close_block();
        self.target(instruction, target)?;
        self.put(&[0])?;
        self.open_site(self.position() - 1)
    }

    /// Emits an unconditional branch; what follows is not reached by falling through.
    pub fn branch(&mut self, target: Target<'_>) -> Result<(), Mode> {
        let instruction = self.position();
        self.emit(Opcode::Br, &[])?;
        self.close_block();
        self.target(instruction, target)
    }

    /// Emits the head of a branch table; its entries follow through [`Emitter::table_entry`].
    pub fn branch_table(&mut self, index: u16, bias: u32, last: u32) -> Result<usize, Mode> {
        let instruction = self.position();
        let fields = [index, bias as u16, (bias >> 16) as u16, last as u16, (last >> 16) as u16];
        self.emit(Opcode::BrTable, &fields)?;
        self.close_block();
        Ok(instruction)
    }

    /// Emits one entry of the branch table that starts at `instruction`.
    pub fn table_entry(&mut self, instruction: usize, target: Target<'_>) -> Result<(), Mode> {
        self.target(instruction, target)
    }

    /// Places a label here: its branches charge what follows from here on.
    pub fn place(&mut self, label: Label) -> Result<(), Mode> {
        let mut next = label.0;
        while next != NONE {
            let Fixup { instruction, target, cost, next: after } = self.fixups[next as usize];
            self.set_target(instruction, target, self.position());
            self.open_site(cost)?;
            next = after;
        }
        Ok(())
    }

    /// Starts a loop here: its branches charge what follows from here on.
    pub fn place_loop(&mut self) -> Result<LoopStart, Mode> {
        let index = self.loops.len();
        push(&mut self.loops, None)?;
        push(&mut self.open_loops, (index, self.count))?;
        self.watch_block();
        Ok(LoopStart { at: self.position(), index })
    }

    /// Closes the basic block before an instruction that leaves it for good, such as a return.
    pub fn close_block(&mut self) {
        for site in self.open.drain(..) {
            self.code[site.at] = (self.count - site.start) as u16;
        }
        for (index, start) in self.open_loops.drain(..) {
            self.loops[index] = Some((self.count - start) as u16);
        }
        if let Some(offsets) = self.watched.take()
            && let Some((_, unpaid)) = self.watch.unpaid.take()
        {
            // What a call costs by the callee's locals is charged with the callee's first instruction.
            self.found.unpaid = offsets.get(offsets.len().saturating_sub(unpaid as usize)).copied();
        }
    }

    fn put(&mut self, units: &[u16]) -> Result<(), Mode> {
        if self.code.len() + units.len() > limits::CODE_UNITS {
            return Err(Mode::Limit);
        }
        fallible::extend(&mut self.code, units)
    }

    fn open_site(&mut self, at: usize) -> Result<(), Mode> {
        self.watch_block();
        push(&mut self.open, Site { at, start: self.count })
    }

    /// Notes that a block is entered here.
    fn watch_block(&mut self) {
        if self.watched.is_none() && self.watch.unpaid.is_some_and(|(unit, _)| unit == self.code.len()) {
            self.watched = Some(Vec::new());
        }
    }

    /// Emits `target32 cost`.
    fn target(&mut self, instruction: usize, target: Target<'_>) -> Result<(), Mode> {
        let at = self.position();
        self.put(&[0; 3])?;
        let cost = at + 2;
        match target {
            Target::Forward(label) => {
                let index = self.fixups.len() as u32;
                if self.fixups.len() == limits::FORWARD_BRANCHES {
                    return Err(Mode::Limit);
                }
                push(&mut self.fixups, Fixup { instruction, target: at, cost, next: label.get().0 })?;
                label.set(Label(index));
            }
            Target::Back(start) => {
                self.set_target(instruction, at, start.at);
                // The loop's first block is closed: it ends before this branch or with it.
                self.code[cost] = self.loops[start.index].unwrap_or(0);
            }
        }
        Ok(())
    }

    fn set_target(&mut self, instruction: usize, at: usize, to: usize) {
        let distance = (to as i64 - instruction as i64) as i32 as u32;
        self.code[at] = distance as u16;
        self.code[at + 1] = (distance >> 16) as u16;
    }
}
