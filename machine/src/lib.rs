//! Runs a program: the state of an instance, the driver around the loop, and traps.

#![no_std]

extern crate alloc;

mod bulk;
mod cursor;
mod execute;
pub mod frames;
mod fuel;
pub mod memory;
mod num;
mod rare;
mod simd;
mod tables;
#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use loader::{code, fallible, module, rejection};

use crate::code::isa::Opcode;
use crate::code::{Found, Header, Program, Watch};
use crate::memory::{Count, Memory};
use crate::module::{Ref, Ty};
use crate::rejection::{Mode, Rejection};

use cursor::Cursor;
use execute::{Exit, FAST, STEP, VECTOR, execute};
use tables::Table;

/// Slots of the stack at the start; it grows by doubling.
const INITIAL_STACK_SLOTS: usize = 1 << 12;

/// Bytes of the stack at most: 10,000 frames of up to 419 slots.
const MAX_STACK_BYTES: usize = 32 << 20;

/// What the host's frame returns to: a cost site that charges nothing, and the operator that leaves the loop.
static HOST_RETURN: [u16; 2] = [0, Opcode::Halt as u16];

/// An instance of a program.
///
/// Its memory is there to read alone, since pages point into what is counted beside them:
///
/// ```compile_fail,E0616
/// # use machine::{Machine, memory::PerFunction};
/// fn forget_what_was_counted(machine: &mut Machine<'_, PerFunction>) {
///     machine.memory.count = PerFunction::default();
/// }
/// ```
///
/// Invariant between calls of the loop: `ip` is an instruction of `program.code()`, `fp` the frame of its function in
/// `stack`, `stack_end` the stack's end, and `entry_points` the start of each function's code.
pub struct Machine<'p, C: Count> {
    ip: *const u16,
    fp: *mut u8,
    fuel: i32,
    stack_end: *mut u8,
    entry_points: Vec<*const Header>,
    globals: Vec<u128>,
    /// The lowest value that global 0 was set to, for [`Machine::stack_range`].
    lowest_stack_pointer: u32,
    memory: Memory<C>,
    stack: Vec<u64>,
    tables: Vec<Table>,
    /// By segment index, whether it was dropped.
    dropped_data: Vec<bool>,
    dropped_elements: Vec<bool>,
    /// Budget that is not in `fuel`.
    pool: u64,
    program: &'p Program<'p>,
}

impl<'p, C: Count> Machine<'p, C> {
    /// Instantiates a program: globals, tables, memory, and active segments in their order.
    ///
    /// Rejects with a trap at the segment that is out of bounds, or with `OutOfMemory`, at a table that there is no
    /// memory for.
    pub fn new(program: &'p Program<'p>, budget: u32) -> Result<Self, Rejection> {
        let module = program.module();
        let start = |mode| Rejection::new(mode, 0);
        let entry_points = fallible::collect(program.code().iter().map(|code| code.as_ptr().cast())).map_err(start)?;
        let globals = fallible::collect(module.globals.iter().map(|global| global.value)).map_err(start)?;
        let mut tables = fallible::with_capacity(module.tables.len()).map_err(start)?;
        for table in &module.tables {
            tables.push(Table::new(table).map_err(|mode| Rejection::new(mode, table.offset))?);
        }
        let (pages, maximum) =
            module.memory.map_or((0, 0), |memory| (memory.initial, memory.maximum.unwrap_or(crate::memory::MAX_PAGES)));
        let mut machine = Self {
            ip: core::ptr::null(),
            fp: core::ptr::null_mut(),
            fuel: 0,
            stack_end: core::ptr::null_mut(),
            entry_points,
            globals,
            lowest_stack_pointer: u32::MAX,
            memory: Memory::new(pages, maximum).map_err(start)?,
            stack: Vec::new(),
            tables,
            dropped_data: fallible::filled(module.data.len(), false).map_err(start)?,
            dropped_elements: fallible::filled(module.elements.len(), false).map_err(start)?,
            pool: u64::from(budget),
            program,
        };
        machine.memory.place_functions(program.code()).map_err(start)?;
        machine.resize_stack(INITIAL_STACK_SLOTS).map_err(start)?;
        machine.instantiate()?;
        Ok(machine)
    }

    fn instantiate(&mut self) -> Result<(), Rejection> {
        let module = self.program.module();
        for (index, element) in module.elements.iter().enumerate() {
            if let Some((table, at)) = element.active {
                let table = &mut self.tables[table as usize];
                let len = element.items.len() as u32;
                table.init(&element.items, at, 0, len).map_err(|mode| Rejection::new(mode, element.offset))?;
            }
            self.dropped_elements[index] = element.active.is_some() || element.declared;
        }
        for (index, data) in module.data.iter().enumerate() {
            if let Some(address) = data.active {
                self.memory.initialize(address, data.bytes, true).map_err(|mode| Rejection::new(mode, data.offset))?;
                self.dropped_data[index] = true;
            }
        }
        Ok(())
    }

    /// The program.
    pub fn program(&self) -> &'p Program<'p> {
        self.program
    }

    /// Linear memory and what was counted on it.
    pub fn memory(&self) -> &Memory<C> {
        &self.memory
    }

    /// Copies `bytes` to `address` as the target's input, which counts as initialized.
    ///
    /// Fails with `MemoryOutOfBounds` beyond memory, and with `OutOfMemory` where the tool's own is spent.
    pub fn write_input(&mut self, address: u32, bytes: &[u8]) -> Result<(), Mode> {
        self.memory.initialize(address, bytes, false)
    }

    /// Replaces bytes of the target's memory, which counts as nothing. Fails like [`Machine::write_input`].
    pub fn replace(&mut self, address: u32, bytes: &[u8]) -> Result<(), Mode> {
        self.memory.replace(address, bytes)
    }

    /// Where the shadow stack was: from the lowest value that global 0 took up to its initial one, if it is a mutable
    /// `i32`; else empty.
    pub fn stack_range(&self) -> core::ops::Range<u64> {
        match self.program.module().globals.first() {
            Some(global) if global.mutable && global.ty == Ty::I32 => {
                let initial = global.value as u32;
                u64::from(initial.min(self.lowest_stack_pointer))..u64::from(initial)
            }
            _ => 0..0,
        }
    }

    /// A global's bits.
    pub fn global_value(&self, index: u32) -> u128 {
        self.globals[index as usize]
    }

    /// Calls a function with its arguments' slots and returns its results' slots. A v128 takes two, low half first; of the slot of a
    /// value of 32 bits the high half is anything.
    ///
    /// Rejects with a trap or `Budget`, at the offset of an instruction within the component. After a rejection the
    /// machine can be called again, but if its memory was spent, that is empty.
    ///
    /// # Panics
    /// If the module has no such function, or if these are not arguments of it: slots too few or too many, or a reference to a
    /// function that the module does not have.
    pub fn call(&mut self, function: u32, arguments: &[u64]) -> Result<&[u64], Rejection> {
        let module = self.program.module();
        let ty = module.function_type(function);
        assert!(are_values(&ty.params, arguments, module.functions.len()));
        let start = module.functions[function as usize].start;
        let header = self.entry_points[function as usize];
        self.fp = self.stack.as_mut_ptr().cast();
        // SAFETY: entry points are headers. The arguments lie at the frame's start, and the frame fits in the stack where it is entered.
        unsafe {
            self.grow_stack((*header).frame_bytes as usize).map_err(|mode| Rejection::new(mode, start))?;
            self.stack[..arguments.len()].copy_from_slice(arguments);
            self.ip = Cursor::new(self.ip, self.fp).enter(header, 0, HOST_RETURN.as_ptr()).ip;
            self.fuel -= i32::from((*header).cost);
        }
        self.memory.change_function();
        // SAFETY: the machine is in the function's frame, at its first instruction.
        unsafe { C::run(self)? };
        let results: u32 = ty.results.iter().map(|ty| ty.slots()).sum();
        Ok(&self.stack[..results as usize])
    }

    fn run(&mut self) -> Result<(), Rejection> {
        if self.fuel < 0 {
            self.refill()?;
        }
        loop {
            match self.advance() {
                Exit::Fuel => self.refill()?,
                Exit::Halted => return Ok(()),
                Exit::Trapped(mode) => return Err(Rejection::new(mode, self.offset())),
                Exit::Rare | Exit::Stepped => {}
            }
        }
    }

    /// Goes on until fuel or something rare ends it, and executes what is rare.
    fn advance(&mut self) -> Exit {
        // SAFETY: the invariant holds: `call` established it, and every form of the loop keeps it. A form leaves as `Rare`
        // at an instruction that it does not execute, or not this time; the stepping form executes each of the latter.
        unsafe {
            let mut exit = execute::<C, FAST>(self);
            while exit == Exit::Rare
                && let op = self.operator()
                && op.is_bulk()
                && self.bulk_if_open(op)
            {
                exit = execute::<C, FAST>(self);
            }
            if exit == Exit::Rare && self.operator().is_vector() {
                exit = execute::<C, VECTOR>(self);
                if exit == Exit::Rare && !self.operator().is_vector() {
                    return exit;
                }
            }
            if exit != Exit::Rare {
                return exit;
            }
            self.memory.set_instruction(self.ip);
            execute::<C, STEP>(self)
        }
    }

    /// The operator at `ip`.
    fn operator(&self) -> Opcode {
        // SAFETY: `ip` is at an instruction, which starts with an operator.
        unsafe { core::mem::transmute::<u16, Opcode>(*self.ip) }
    }

    /// The offset in the component of the instruction at `ip`.
    #[cold]
    fn offset(&mut self) -> u32 {
        let (function, unit) = self.place_of(self.ip);
        let found = self.locate(function, Watch { instruction: Some(unit), unpaid: None });
        found.instruction.unwrap_or(self.program.module().functions[function as usize].start)
    }

    /// What [`Program::locate`] finds. That takes memory: if there is none, the run gives up its own, of which no more is needed.
    fn locate(&mut self, function: u32, watch: Watch) -> Found {
        let found = self.program.locate(function, watch).or_else(|| {
            self.memory.clear();
            self.tables.iter_mut().for_each(Table::clear);
            self.program.locate(function, watch)
        });
        found.unwrap_or_default()
    }

    /// The function and unit of a pointer into the code.
    fn place_of(&self, at: *const u16) -> (u32, usize) {
        let function = self.program.code().iter().position(|code| code.as_ptr_range().contains(&at));
        function.map_or((0, 0), |function| {
            let unit = (at as usize - self.entry_points[function] as usize) / 2;
            (function as u32, unit)
        })
    }

    /// The address of a global's value.
    #[inline(always)]
    fn global(&mut self, byte_offset: u32) -> *mut u8 {
        self.globals.as_mut_ptr().cast::<u8>().wrapping_add(byte_offset as usize)
    }

    /// Sets global 0 and keeps its lowest value.
    #[inline(always)]
    fn set_stack_pointer(&mut self, value: u32) {
        // SAFETY: a function that sets global 0 belongs to a module that has it.
        unsafe { self.global(0).cast::<u32>().write(value) };
        self.lowest_stack_pointer = self.lowest_stack_pointer.min(value);
    }

    /// The function at an index of a table, if its type has the given canonical number.
    #[inline(always)]
    fn indirect(&self, index: u32, table: u32, canonical: u32) -> Result<usize, Mode> {
        // SAFETY: tables, functions and types are numbered by validation; a reference in a table of functions is null
        // or a valid function index plus one.
        unsafe {
            let entries = self.tables.get_unchecked(table as usize).entries();
            let reference = *entries.get(index as usize).ok_or(Mode::UndefinedElement)?;
            let function = reference.checked_sub(1).ok_or(Mode::UninitializedElement)? as usize;
            let module = self.program.module();
            let ty = module.functions.get_unchecked(function).type_index;
            if module.types.get_unchecked(ty as usize).canonical == canonical {
                Ok(function)
            } else {
                Err(Mode::IndirectCallType)
            }
        }
    }

    /// Makes room for `bytes` from `fp` on. Fails with `CallStackExhausted`, or with `OutOfMemory` before that.
    #[cold]
    fn grow_stack(&mut self, bytes: usize) -> Result<(), Mode> {
        let used = self.fp as usize - self.stack.as_ptr() as usize;
        let needed = used + bytes;
        if needed <= self.stack.len() * 8 {
            return Ok(());
        }
        if needed > MAX_STACK_BYTES {
            return Err(Mode::CallStackExhausted);
        }
        let slots = needed.next_power_of_two().min(MAX_STACK_BYTES) / 8;
        self.resize_stack(slots)?;
        self.fp = self.stack.as_mut_ptr().cast::<u8>().wrapping_add(used);
        Ok(())
    }

    fn resize_stack(&mut self, slots: usize) -> Result<(), Mode> {
        fallible::resize(&mut self.stack, slots, 0)?;
        self.stack_end = self.stack.as_mut_ptr_range().end.cast();
        Ok(())
    }
}

/// Whether the slots hold values of these types in a module of so many functions. The loop trusts references to functions.
fn are_values(types: &[Ty], mut slots: &[u64], functions: usize) -> bool {
    for ty in types {
        match slots.split_at_checked(ty.slots() as usize) {
            Some(([reference], _)) if *ty == Ty::FuncRef && *reference as Ref as usize > functions => return false,
            Some((_, rest)) => slots = rest,
            None => return false,
        }
    }
    slots.is_empty()
}
