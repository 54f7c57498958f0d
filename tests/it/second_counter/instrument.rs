//! Rewrites a target so that each memory access is followed by a call that reports it.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, EntityType, Function, ImportSection, Instruction, MemArg, Module, SectionId, TypeSection, ValType,
};
use wasmparser::{FunctionBody, Operator, Parser, Payload};

/// The module name that the reporting functions are imported from.
pub const HOOKS: &str = "second-counter";

/// Reporting functions: their names, in the order of their function indices.
const IMPORTS: [&str; 3] = ["read", "write", "global"];
const READ: u32 = 0;
const WRITE: u32 = 1;
const GLOBAL: u32 = 2;

/// `component` with calls to `read(address, offset, bytes, function)` and `write(address, offset, bytes, function)` behind each
/// access that succeeded, and to `global(value, 0, 0, function)` behind each `global.set 0` where that is a mutable i32.
pub fn instrument(component: &[u8]) -> wasmtime::Result<Vec<u8>> {
    let mut instrumenter = Instrumenter::survey(component)?;
    let mut module = Module::new();
    instrumenter.parse_core_module(&mut module, Parser::new(0), component)?;
    Ok(module.finish())
}

/// The locals added to each function, to keep operands in while an access is made.
const SCRATCH: [ValType; 7] =
    [ValType::I32, ValType::I32, ValType::I32, ValType::I64, ValType::F32, ValType::F64, ValType::V128];

struct Instrumenter {
    /// The number of the target's types; the reporting functions' type comes behind them.
    types: u32,
    /// Parameters of each type, and the type of each function.
    parameters: Vec<u32>,
    functions: Vec<u32>,
    watches_global: bool,
    /// Functions rewritten so far, with the one that is.
    rewritten: usize,
}

type Result<T> = std::result::Result<T, Error<Infallible>>;

impl Instrumenter {
    fn survey(component: &[u8]) -> wasmtime::Result<Self> {
        let mut found = Self { types: 0, parameters: vec![], functions: vec![], watches_global: false, rewritten: 0 };
        for payload in Parser::new(0).parse_all(component) {
            match payload? {
                Payload::TypeSection(section) => {
                    for ty in section.into_iter_err_on_gc_types() {
                        found.parameters.push(ty?.params().len() as u32);
                    }
                    found.types = found.parameters.len() as u32;
                }
                Payload::FunctionSection(section) => {
                    found.functions = section.into_iter().collect::<std::result::Result<_, _>>()?;
                }
                Payload::GlobalSection(section) => {
                    let first = section.into_iter().next().transpose()?;
                    found.watches_global = first
                        .is_some_and(|global| global.ty.mutable && global.ty.content_type == wasmparser::ValType::I32);
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn import(&self, imports: &mut ImportSection) {
        for name in IMPORTS {
            imports.import(HOOKS, name, EntityType::Function(self.types));
        }
    }

    /// Emits one operator of a function whose scratch locals start at `scratch`.
    fn emit(&mut self, function: &mut Function, scratch: u32, operator: Operator<'_>) -> Result<()> {
        let instruction = self.instruction(operator)?;
        if let Some((access, offset, bytes)) = access(&instruction) {
            let value = access.value().map(|ty| scratch + SCRATCH.iter().rposition(|&s| s == ty).unwrap() as u32);
            if let Some(value) = value {
                function.instruction(&Instruction::LocalSet(value));
            }
            function.instruction(&Instruction::LocalTee(scratch));
            if let Some(value) = value {
                function.instruction(&Instruction::LocalGet(value));
            }
            function.instruction(&instruction);
            function.instruction(&Instruction::LocalGet(scratch));
            function.instruction(&Instruction::I32Const(offset as u32 as i32));
            function.instruction(&Instruction::I32Const(bytes));
            self.report(function, access.hook());
            return Ok(());
        }
        match instruction {
            Instruction::MemoryCopy { .. } | Instruction::MemoryFill(_) | Instruction::MemoryInit { .. } => {
                let [destination, source, length] = [scratch, scratch + 1, scratch + 2];
                function.instruction(&Instruction::LocalSet(length));
                function.instruction(&Instruction::LocalSet(source));
                function.instruction(&Instruction::LocalTee(destination));
                function.instruction(&Instruction::LocalGet(source));
                function.instruction(&Instruction::LocalGet(length));
                function.instruction(&instruction);
                if let Instruction::MemoryCopy { .. } = instruction {
                    self.range(function, source, length, READ);
                }
                self.range(function, destination, length, WRITE);
            }
            Instruction::GlobalSet(0) if self.watches_global => {
                function.instruction(&instruction);
                function.instruction(&Instruction::GlobalGet(0));
                function.instruction(&Instruction::I32Const(0));
                function.instruction(&Instruction::I32Const(0));
                self.report(function, GLOBAL);
            }
            _ => {
                function.instruction(&instruction);
            }
        }
        Ok(())
    }

    /// Reports a range whose start and length are in locals.
    fn range(&self, function: &mut Function, start: u32, length: u32, hook: u32) {
        function.instruction(&Instruction::LocalGet(start));
        function.instruction(&Instruction::I32Const(0));
        function.instruction(&Instruction::LocalGet(length));
        self.report(function, hook);
    }

    /// Calls a hook, whose other arguments are on the stack, with the index that the function had.
    fn report(&self, function: &mut Function, hook: u32) {
        function.instruction(&Instruction::I32Const(self.rewritten as i32 - 1));
        function.instruction(&Instruction::Call(hook));
    }
}

impl Reencode for Instrumenter {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32> {
        Ok(function + IMPORTS.len() as u32)
    }

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: wasmparser::TypeSectionReader<'_>,
    ) -> Result<()> {
        utils::parse_type_section(self, types, section)?;
        types.ty().function([ValType::I32; 4], []);
        Ok(())
    }

    fn parse_import_section(
        &mut self,
        imports: &mut ImportSection,
        section: wasmparser::ImportSectionReader<'_>,
    ) -> Result<()> {
        assert_eq!(section.count(), 0, "a target has no imports");
        self.import(imports);
        Ok(())
    }

    fn intersperse_section_hook(
        &mut self,
        module: &mut Module,
        after: Option<SectionId>,
        before: Option<SectionId>,
    ) -> Result<()> {
        if after == Some(SectionId::Type) && before != Some(SectionId::Import) {
            let mut imports = ImportSection::new();
            self.import(&mut imports);
            module.section(&imports);
        }
        Ok(())
    }

    fn parse_custom_section(&mut self, _: &mut Module, _: wasmparser::CustomSectionReader<'_>) -> Result<()> {
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<()> {
        let ty = self.functions[self.rewritten];
        self.rewritten += 1;
        let mut locals = Vec::new();
        let mut scratch = self.parameters[ty as usize];
        for group in body.get_locals_reader()? {
            let (count, ty) = group?;
            locals.push((count, self.val_type(ty)?));
            scratch += count;
        }
        locals.extend(SCRATCH.map(|ty| (1, ty)));
        let mut function = Function::new(locals);
        for operator in body.get_operators_reader()? {
            self.emit(&mut function, scratch, operator?)?;
        }
        code.function(&function);
        Ok(())
    }
}

/// What an access does with its operands: an address, and for all but a plain load a value above it.
#[derive(Clone, Copy)]
enum Access {
    Load,
    LoadLane,
    Store(ValType),
}

impl Access {
    fn value(self) -> Option<ValType> {
        match self {
            Self::Load => None,
            Self::LoadLane => Some(ValType::V128),
            Self::Store(ty) => Some(ty),
        }
    }

    fn hook(self) -> u32 {
        match self {
            Self::Load | Self::LoadLane => READ,
            Self::Store(_) => WRITE,
        }
    }
}

/// The access that `instruction` makes, its static offset, and the bytes it moves.
fn access(instruction: &Instruction<'_>) -> Option<(Access, u64, i32)> {
    use Instruction as I;
    let loads = |m: &MemArg, bytes| Some((Access::Load, m.offset, bytes));
    let loads_lane = |m: &MemArg, bytes| Some((Access::LoadLane, m.offset, bytes));
    let stores = |m: &MemArg, ty, bytes| Some((Access::Store(ty), m.offset, bytes));
    match instruction {
        I::I32Load8S(m) | I::I32Load8U(m) | I::I64Load8S(m) | I::I64Load8U(m) => loads(m, 1),
        I::I32Load16S(m) | I::I32Load16U(m) | I::I64Load16S(m) | I::I64Load16U(m) => loads(m, 2),
        I::I32Load(m) | I::F32Load(m) | I::I64Load32S(m) | I::I64Load32U(m) => loads(m, 4),
        I::I64Load(m) | I::F64Load(m) => loads(m, 8),
        I::V128Load8Splat(m) => loads(m, 1),
        I::V128Load16Splat(m) => loads(m, 2),
        I::V128Load32Splat(m) | I::V128Load32Zero(m) => loads(m, 4),
        I::V128Load64Splat(m) | I::V128Load64Zero(m) => loads(m, 8),
        I::V128Load8x8S(m) | I::V128Load8x8U(m) => loads(m, 8),
        I::V128Load16x4S(m) | I::V128Load16x4U(m) => loads(m, 8),
        I::V128Load32x2S(m) | I::V128Load32x2U(m) => loads(m, 8),
        I::V128Load(m) => loads(m, 16),
        I::V128Load8Lane { memarg, .. } => loads_lane(memarg, 1),
        I::V128Load16Lane { memarg, .. } => loads_lane(memarg, 2),
        I::V128Load32Lane { memarg, .. } => loads_lane(memarg, 4),
        I::V128Load64Lane { memarg, .. } => loads_lane(memarg, 8),
        I::I32Store8(m) => stores(m, ValType::I32, 1),
        I::I32Store16(m) => stores(m, ValType::I32, 2),
        I::I32Store(m) => stores(m, ValType::I32, 4),
        I::I64Store8(m) => stores(m, ValType::I64, 1),
        I::I64Store16(m) => stores(m, ValType::I64, 2),
        I::I64Store32(m) => stores(m, ValType::I64, 4),
        I::I64Store(m) => stores(m, ValType::I64, 8),
        I::F32Store(m) => stores(m, ValType::F32, 4),
        I::F64Store(m) => stores(m, ValType::F64, 8),
        I::V128Store8Lane { memarg, .. } => stores(memarg, ValType::V128, 1),
        I::V128Store16Lane { memarg, .. } => stores(memarg, ValType::V128, 2),
        I::V128Store32Lane { memarg, .. } => stores(memarg, ValType::V128, 4),
        I::V128Store64Lane { memarg, .. } => stores(memarg, ValType::V128, 8),
        I::V128Store(m) => stores(m, ValType::V128, 16),
        _ => None,
    }
}
