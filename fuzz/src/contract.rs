//! Adds to a module what QIP's Content contract asks for.

use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, Function, FunctionSection, HeapType, InstructionSink, MemArg, MemArgTarget,
    Module, TypeSection, ValType,
};
use wasmparser::{CodeSectionReader, ExportSectionReader, FunctionSectionReader, Parser, Payload, TypeSectionReader};

use crate::random::Random;

/// The target's input capacity.
pub const INPUT_CAP: u32 = 64;

/// The key of the uniform that the target takes.
pub const UNIFORM: &str = "key";

/// Functions of the module that `render` calls.
const CALLS: usize = 8;

/// The module with what the contract asks for. Its `render` calls the module's functions; the arguments, and what else there
/// is to choose, are of `random`.
///
/// The module has sections of types, functions, exports and code, and a memory.
pub fn keep(module: &[u8], random: &mut Random) -> Vec<u8> {
    let mut contract = Contract { added: added(module, random), types: 0, functions: 0 };
    let mut kept = Module::new();
    contract.parse_core_module(&mut kept, Parser::new(0), module).expect("a generated module is well formed");
    kept.finish()
}

/// An exported function with a result, and with a parameter or none.
struct Added {
    name: String,
    param: Option<ValType>,
    result: ValType,
    body: Function,
}

fn added(module: &[u8], random: &mut Random) -> Vec<Added> {
    let getter = |name: &str, value: u32| {
        let mut body = Function::new([]);
        body.instructions().i32_const(value as i32).end();
        Added { name: name.to_owned(), param: None, result: ValType::I32, body }
    };
    let mut setter = Function::new([]);
    let address = MemArg { offset: 0, align: 0, target: MemArgTarget::Memory(0), ordering: None };
    setter.instructions().local_get(0).local_get(0).i32_load(address).end();
    let mut added = vec![
        Added {
            name: "render".to_owned(),
            param: Some(ValType::I32),
            result: ValType::I64,
            body: render(module, random),
        },
        Added { name: format!("uniform_set_{UNIFORM}"), param: Some(ValType::I32), result: ValType::I32, body: setter },
        getter(random.pick(&["output_utf8_cap", "output_bytes_cap"]), 1 << 16),
    ];
    if random.one_in(2) {
        added.push(getter("input_ptr", random.below(1 << 16) as u32));
        added.push(getter(random.pick(&["input_utf8_cap", "input_bytes_cap"]), INPUT_CAP));
    }
    if random.one_in(4) {
        added.push(getter("failure_modes_per_input_offset", random.below(4) as u32));
    }
    added
}

/// Calls the first functions of the module, one after the other, and returns some output.
fn render(module: &[u8], random: &mut Random) -> Function {
    let (mut types, mut functions) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload.expect("a generated module is well formed") {
            Payload::TypeSection(section) => {
                types.extend(section.into_iter_err_on_gc_types().map(|ty| ty.expect("types are functions")));
            }
            Payload::FunctionSection(section) => {
                functions.extend(section.into_iter().map(|ty| ty.expect("the section is whole")));
                break;
            }
            _ => {}
        }
    }
    let mut render = Function::new([]);
    let mut code = render.instructions();
    for (index, &ty) in functions.iter().enumerate().take(CALLS) {
        let ty = &types[ty as usize];
        ty.params().iter().for_each(|&ty| constant(&mut code, ty, random));
        code.call(index as u32);
        ty.results().iter().for_each(|_| {
            code.drop();
        });
    }
    let output = (random.below(1 << 16) as i64) << 32 | random.below(1 << 8) as i64;
    code.i64_const(if random.one_in(8) { random.slot() as i64 } else { output }).end();
    render
}

fn constant(code: &mut InstructionSink<'_>, ty: wasmparser::ValType, random: &mut Random) {
    match ty {
        wasmparser::ValType::I32 => code.i32_const(random.slot() as i32),
        wasmparser::ValType::I64 => code.i64_const(random.slot() as i64),
        wasmparser::ValType::F32 => code.f32_const(f32::from_bits(random.slot() as u32).into()),
        wasmparser::ValType::F64 => code.f64_const(f64::from_bits(random.slot()).into()),
        wasmparser::ValType::V128 => {
            code.v128_const((u128::from(random.slot()) << 64 | u128::from(random.slot())) as i128)
        }
        wasmparser::ValType::Ref(ty) if ty.is_func_ref() => code.ref_null(HeapType::FUNC),
        wasmparser::ValType::Ref(_) => code.ref_null(HeapType::EXTERN),
    };
}

struct Contract {
    added: Vec<Added>,
    /// Types and functions of the module alone.
    types: u32,
    functions: u32,
}

impl Reencode for Contract {
    type Error = Infallible;

    fn parse_type_section(
        &mut self,
        types: &mut TypeSection,
        section: TypeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_type_section(self, types, section)?;
        self.types = types.len();
        for function in &self.added {
            types.ty().function(function.param, [function.result]);
        }
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_function_section(self, functions, section)?;
        self.functions = functions.len();
        for index in 0..self.added.len() as u32 {
            functions.function(self.types + index);
        }
        Ok(())
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_export_section(self, exports, section)?;
        exports.export("memory", ExportKind::Memory, 0);
        for (index, function) in self.added.iter().enumerate() {
            exports.export(&function.name, ExportKind::Func, self.functions + index as u32);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Result<(), Error<Infallible>> {
        utils::parse_code_section(self, code, section)?;
        for function in &self.added {
            code.function(&function.body);
        }
        Ok(())
    }
}
