//! Requests of all kinds: reports, every mode of rejection, and every operator on values that are special.

use std::path::Path;

use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, Ieee32, Ieee64, Instruction, MemArg,
    MemorySection, MemoryType, Module, TypeSection, ValType,
};
use wasmparser::Validator;

use crate::failures::target;
use crate::mixed::{self, Random, Request};
use crate::support::{BUDGET, Form, assemble};

const MARKDOWN: &str = "text/markdown/commonmark.0.31.2.wasm";

/// Those that take all memory come last.
pub fn requests() -> Vec<Request> {
    let request = |form: Form| Request { body: form.body(), budget: BUDGET };
    let markdown = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(MARKDOWN)).expect("`make test` builds it");
    let forms = [
        Form::component(&markdown).input(b"# Hello\n\nSome *text* with [a link](https://example.com)."),
        Form::component(&markdown).input(b"- a\n- b\n\n```\ncode\n```\n\n| a | b |\n").uniform("none", "1"),
        Form::component(b"\0asm"),
        // A trap, bad output, a limit, what is unsupported, and the contract.
        Form::component(&target("(i64.div_u (i64.const 1) (i64.const 0))", "")),
        Form::component(&target("(i64.const 17)", "")),
        Form::component(&target("(i64.const 0)", &format!("(func (local {}))", "i64 ".repeat(9_000)))),
        Form::component(&assemble(r#"(module (import "a" "b" (func)))"#)),
        Form::component(&assemble("(module (memory 1))")),
        Form::component(&operators(1)),
        Form::component(&operators(2)),
    ];
    forms.into_iter().map(request).chain((0..250).map(mixed::request)).chain(mixed::exhausting()).collect()
}

const TYPES: [ValType; 5] = [ValType::I32, ValType::I64, ValType::F32, ValType::F64, ValType::V128];

/// An operator without immediates, which takes and leaves values of these types.
struct Operator {
    bytes: Vec<u8>,
    takes: Vec<ValType>,
    leaves: ValType,
}

/// All of them but those that trap.
fn all() -> Vec<Operator> {
    let traps = |opcode| matches!(opcode, 0x6d..=0x70 | 0x7f..=0x82 | 0xa8..=0xab | 0xae..=0xb1);
    let scalar = (0x45..=0xc4).filter(|&opcode| !traps(opcode)).map(|opcode| vec![opcode]);
    let saturating = (0..8).map(|opcode| vec![0xfc, opcode]);
    let vector = (14..=255).map(|opcode| if opcode < 128 { vec![0xfd, opcode] } else { vec![0xfd, opcode, 1] });
    let takes: Vec<Vec<ValType>> = (TYPES.iter().map(|&one| vec![one]))
        .chain(TYPES.iter().flat_map(|&one| TYPES.map(|other| vec![one, other])))
        .chain([vec![ValType::V128; 3]])
        .collect();
    let typed = |bytes: Vec<u8>| {
        let signatures = takes.iter().flat_map(|takes| TYPES.map(|leaves| (takes, leaves)));
        let operators =
            signatures.map(|(takes, leaves)| Operator { bytes: bytes.clone(), takes: takes.clone(), leaves });
        operators.into_iter().find(Operator::is_valid)
    };
    scalar.chain(saturating).chain(vector).filter_map(typed).collect()
}

impl Operator {
    fn is_valid(&self) -> bool {
        let mut function = Function::new([]);
        for index in 0..self.takes.len() as u32 {
            function.instruction(&Instruction::LocalGet(index));
        }
        function.raw(self.bytes.iter().copied()).instruction(&Instruction::End);
        let (mut types, mut functions, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        types.ty().function(self.takes.iter().copied(), [self.leaves]);
        functions.function(0);
        code.function(&function);
        let mut module = Module::new();
        Validator::new().validate_all(module.section(&types).section(&functions).section(&code).as_slice()).is_ok()
    }
}

/// A target that returns what each operator makes of some values.
fn operators(seed: u64) -> Vec<u8> {
    const VALUES: usize = 12;
    const BYTES: u64 = 16;
    let operators = all();
    assert_eq!(operators.len(), 318);
    let random = &mut Random::new(seed);
    let mut render = Function::new([]);
    let mut at = 0;
    for operator in operators.iter().flat_map(|operator| std::iter::repeat_n(operator, VALUES)) {
        render.instruction(&Instruction::I32Const(0));
        for ty in &operator.takes {
            render.instruction(&constant(*ty, random));
        }
        render.raw(operator.bytes.iter().copied());
        render.instruction(&store(
            operator.leaves,
            MemArg { offset: at, align: 0, target: Default::default(), ordering: None },
        ));
        at += BYTES;
    }
    render.instruction(&Instruction::I64Const(at as i64)).instruction(&Instruction::End);
    let mut capacity = Function::new([]);
    capacity.instruction(&Instruction::I32Const(at as i32)).instruction(&Instruction::End);

    let (mut types, mut functions, mut memories) = (TypeSection::new(), FunctionSection::new(), MemorySection::new());
    let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
    types.ty().function([ValType::I32], [ValType::I64]);
    types.ty().function([], [ValType::I32]);
    functions.function(0).function(1);
    let pages = at.div_ceil(65_536);
    memories.memory(MemoryType {
        minimum: pages,
        maximum: Some(pages),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    exports.export("memory", ExportKind::Memory, 0);
    exports.export("render", ExportKind::Func, 0);
    exports.export("output_bytes_cap", ExportKind::Func, 1);
    code.function(&render).function(&capacity);
    let mut module = Module::new();
    module.section(&types).section(&functions).section(&memories).section(&exports).section(&code);
    module.finish()
}

fn constant(ty: ValType, random: &mut Random) -> Instruction<'static> {
    let (low, high) = (random.slot(), random.slot());
    match ty {
        ValType::I32 => Instruction::I32Const(low as i32),
        ValType::I64 => Instruction::I64Const(low as i64),
        ValType::F32 => Instruction::F32Const(Ieee32::new(low as u32)),
        ValType::F64 => Instruction::F64Const(Ieee64::new(low)),
        _ => Instruction::V128Const(((u128::from(high) << 64) | u128::from(low)) as i128),
    }
}

fn store(ty: ValType, to: MemArg) -> Instruction<'static> {
    match ty {
        ValType::I32 => Instruction::I32Store(to),
        ValType::I64 => Instruction::I64Store(to),
        ValType::F32 => Instruction::F32Store(to),
        ValType::F64 => Instruction::F64Store(to),
        _ => Instruction::V128Store(to),
    }
}
