//! Makes a module from a seed.

use std::convert::Infallible;

use arbitrary::Unstructured;
use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{Instruction, Module};
use wasm_smith::{Config, InstructionKind, InstructionKinds, MemoryOffsetChoices};
use wasmparser::{Operator, Parser};

use crate::random::Random;

/// Bytes of the memories, and entries of the tables, at most.
const MEMORY_BYTES: u64 = 4 << 16;
const TABLE_ENTRIES: u64 = 40;

/// Functions entered and loop rounds run at most, where the module itself ensures that it terminates.
const ROUNDS: u32 = 300;

/// A module to run.
pub struct Case {
    pub module: Vec<u8>,
    /// Whether every call ends, whatever the budget.
    pub terminates: bool,
    /// Whether bytes were damaged, so that the module may be invalid or use later proposals.
    pub damaged: bool,
}

/// The case of a seed. One in eight has damaged bytes and is perhaps invalid.
pub fn case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let config = config(&mut random);
    let entropy: Vec<u8> =
        (0..random.pick(&[16, 32, 64, 64, 128, 256])).flat_map(|_| random.next().to_le_bytes()).collect();
    let generated = wasm_smith::Module::new(config, &mut Unstructured::new(&entropy));
    let mut generated = generated.expect("a module is made of any bytes");
    let ensured = !random.one_in(4);
    if ensured {
        generated.ensure_termination(ROUNDS).expect("no body is made of arbitrary bytes");
    }
    let mut module = generated.to_bytes();
    if !random.one_in(3) {
        module = near_addresses(&module);
    }
    let damaged = random.one_in(8);
    if damaged {
        damage(&mut module, &mut random);
    }
    Case { module, terminates: ensured && !damaged, damaged }
}

/// A choice of instructions and sizes. Everything behind Wasm 2.0, extended constants and tail calls is off.
pub fn config(random: &mut Random) -> Config {
    use InstructionKind::*;
    let kinds = [Numeric, NumericInt, Vector, VectorInt, Reference, Parametric, Variable, Table, Memory, Control];
    let kinds: Vec<_> = kinds.into_iter().filter(|_| !random.one_in(3)).collect();
    Config {
        allowed_instructions: InstructionKinds::new(&kinds),
        disallow_traps: random.one_in(2),
        export_everything: true,
        max_imports: 0,
        allow_start_export: false,
        min_funcs: 2,
        max_funcs: random.pick(&[2, 4, 10]),
        max_instructions: random.pick(&[30, 100, 400]),
        min_types: 3,
        max_types: 10,
        max_globals: 8,
        max_tables: 3,
        table_max_size_required: true,
        max_table_elements: TABLE_ENTRIES,
        max_element_segments: 4,
        max_elements: 10,
        min_memories: 1,
        memory_max_size_required: true,
        max_memory32_bytes: MEMORY_BYTES,
        memory_offset_choices: MemoryOffsetChoices(90, 9, random.pick(&[0, 1])),
        max_data_segments: 4,
        min_uleb_size: random.pick(&[1, 1, 1, 2, 5]),
        compact_imports_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    }
}

/// The module with its large `i32` constants made small, so that addresses lie within memory more often.
pub fn near_addresses(module: &[u8]) -> Vec<u8> {
    struct Near;
    impl Reencode for Near {
        type Error = Infallible;

        fn instruction<'a>(&mut self, operator: Operator<'a>) -> Result<Instruction<'a>, Error<Infallible>> {
            match utils::instruction(self, operator)? {
                Instruction::I32Const(value) if !(-0x100..0x4_0000).contains(&value) => {
                    Ok(Instruction::I32Const(value & 0x1_ffff))
                }
                instruction => Ok(instruction),
            }
        }
    }
    let mut near = Module::new();
    Near.parse_core_module(&mut near, Parser::new(0), module).expect("a generated module is well formed");
    near.finish()
}

/// Overwrites up to three bytes.
pub fn damage(module: &mut [u8], random: &mut Random) {
    const HEADER: usize = 8;
    if module.len() > HEADER {
        for _ in 0..=random.below(3) {
            module[HEADER + random.below(module.len() - HEADER)] = random.next() as u8;
        }
    }
}
