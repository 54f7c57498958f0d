//! Random control flow against a reference that executes one instruction after the other and writes down which.

use std::fmt::Write;

use qip_interpret::Mode;

use crate::support::{Form, assemble, assert_refused, operator_offsets, render};

const PROGRAMS: u64 = 300;
/// The longest run that is compared, in instructions.
const LONGEST: usize = 2_000;
const FUNCTIONS: usize = 4;
/// Memory from byte 0 on, which no program writes to.
const DATA: [u8; 4] = [0, 1, 1, 0];

/// An instruction of a function `(param i32)` without results.
#[derive(Clone)]
enum Instruction {
    Nop,
    Const(u32),
    Get,
    Set,
    Tee,
    Binary(&'static str, fn(u32, u32) -> u32),
    Eqz,
    Load8,
    Store8,
    Block,
    Loop,
    If,
    Else,
    End,
    Br(usize),
    BrIf(usize),
    BrTable(Vec<usize>),
    Return,
    Call(usize),
}

use Instruction::*;

const MUL: Instruction = Binary("mul", u32::wrapping_mul);
const ADD: Instruction = Binary("add", u32::wrapping_add);
const AND: Instruction = Binary("and", |a, b| a & b);
const SHR: Instruction = Binary("shr_u", |a, b| a >> (b % 32));
const LESS: Instruction = Binary("lt_u", |a, b| u32::from(a < b));
const EQUAL: Instruction = Binary("eq", |a, b| u32::from(a == b));

impl Instruction {
    fn text(&self) -> String {
        let labels = |labels: &[usize]| labels.iter().map(|label| format!(" {label}")).collect::<String>();
        match self {
            Nop => "nop".into(),
            Const(value) => format!("i32.const {value}"),
            Get => "local.get 0".into(),
            Set => "local.set 0".into(),
            Tee => "local.tee 0".into(),
            Binary(name, _) => format!("i32.{name}"),
            Eqz => "i32.eqz".into(),
            Load8 => "i32.load8_u".into(),
            Store8 => "i32.store8".into(),
            Block => "block".into(),
            Loop => "loop".into(),
            If => "if".into(),
            Else => "else".into(),
            End => "end".into(),
            Br(label) => format!("br {label}"),
            BrIf(label) => format!("br_if {label}"),
            BrTable(targets) => format!("br_table{}", labels(targets)),
            Return => "return".into(),
            Call(function) => format!("call {function}"),
        }
    }
}

/// A xorshift generator.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Writes function `index`; it calls later ones only.
struct Writer<'r> {
    random: &'r mut Random,
    index: usize,
    code: Vec<Instruction>,
}

impl Writer<'_> {
    fn function(random: &mut Random, index: usize) -> Vec<Instruction> {
        let mut writer = Writer { random, index, code: Vec::new() };
        writer.statements(0);
        writer.code.push(End);
        writer.code
    }

    /// Statements inside `depth` blocks, each of which leaves the operand stack empty.
    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(4) {
            match self.random.below(if depth < 4 { 12 } else { 7 }) {
                0 => self.code.push(Nop),
                1 => self.step(),
                2 => self.code.extend([Const(64), Get, Store8]),
                3 => {
                    self.condition();
                    let label = self.random.below(depth + 1);
                    self.code.push(BrIf(label));
                }
                4 => {
                    self.code.extend([Get, Const(3), AND]);
                    let targets = (0..1 + self.random.below(4)).map(|_| self.random.below(depth + 1)).collect();
                    self.code.push(BrTable(targets));
                }
                5 if self.index < FUNCTIONS => {
                    self.code.push(Get);
                    let function = self.index + 1 + self.random.below(FUNCTIONS - self.index);
                    self.code.push(Call(function));
                }
                6 if self.random.below(3) == 0 => {
                    let label = self.random.below(depth + 2);
                    self.code.push(if label > depth { Return } else { Br(label) });
                }
                7 | 8 => self.nested(Block, depth),
                9 | 10 => self.nested(Loop, depth),
                11 => {
                    self.condition();
                    self.code.push(If);
                    self.statements(depth + 1);
                    if self.random.below(2) == 0 {
                        self.code.push(Else);
                        self.statements(depth + 1);
                    }
                    self.code.push(End);
                }
                _ => {}
            }
        }
    }

    fn nested(&mut self, opening: Instruction, depth: usize) {
        self.code.push(opening);
        self.statements(depth + 1);
        self.code.push(End);
    }

    /// Gives the local its next value.
    fn step(&mut self) {
        self.code.extend([Get, Const(1_664_525), MUL, Const(1_013_904_223), ADD, Set]);
    }

    /// Pushes a value that is zero about every other time.
    fn condition(&mut self) {
        self.step();
        match self.random.below(6) {
            0 => self.code.extend([Get, Const(1 << 16), AND]),
            1 => self.code.extend([Get, Const(1 << 17), AND, Eqz]),
            2 => self.code.extend([Get, Const(0x8000_0000), LESS]),
            3 => self.code.extend([Get, Const(18), SHR, Const(3), AND, Load8]),
            4 => self.code.extend([Get, Const(18), SHR, Const(3), AND, Load8, Const(1), EQUAL]),
            _ => self.code.extend([Get, Const(18), SHR, Tee, Const(1), AND, Eqz, Eqz]),
        }
    }
}

/// The instructions that a run executes, as pairs of function and index, at most `LONGEST`.
#[derive(Default)]
struct Trace(Vec<(usize, usize)>);

impl Trace {
    /// Runs a function; `None` if the trace is full.
    fn run(&mut self, program: &[Vec<Instruction>], function: usize, mut local: u32) -> Option<()> {
        let code = &program[function];
        // Where each open label is: a loop's first instruction, else the block's `end`.
        let mut labels: Vec<usize> = vec![code.len() - 1];
        let mut stack: Vec<u32> = Vec::new();
        let mut at = 0;
        loop {
            if self.0.len() == LONGEST {
                return None;
            }
            self.0.push((function, at));
            let mut next = at + 1;
            let mut branch = None;
            match &code[at] {
                Nop => {}
                Const(value) => stack.push(*value),
                Get => stack.push(local),
                Set => local = stack.pop().unwrap(),
                Tee => local = *stack.last().unwrap(),
                Binary(_, apply) => {
                    let (b, a) = (stack.pop().unwrap(), stack.pop().unwrap());
                    stack.push(apply(a, b));
                }
                Eqz => {
                    let value = stack.pop().unwrap();
                    stack.push(u32::from(value == 0));
                }
                Load8 => {
                    let address = stack.pop().unwrap();
                    stack.push(DATA[address as usize].into());
                }
                Store8 => stack.truncate(stack.len() - 2),
                Block => labels.push(end(code, at)),
                Loop => labels.push(next),
                If => {
                    labels.push(end(code, at));
                    if stack.pop().unwrap() == 0 {
                        next = otherwise(code, at).map_or(end(code, at), |otherwise| otherwise + 1);
                    }
                }
                Else => next = *labels.last().unwrap(),
                End => {
                    labels.pop();
                    if labels.is_empty() {
                        return Some(());
                    }
                }
                Br(label) => branch = Some(*label),
                BrIf(label) => branch = (stack.pop().unwrap() != 0).then_some(*label),
                BrTable(targets) => {
                    let index = stack.pop().unwrap() as usize;
                    branch = Some(targets[index.min(targets.len() - 1)]);
                }
                // A branch to the function.
                Return => branch = Some(labels.len() - 1),
                Call(callee) => self.run(program, *callee, stack.pop().unwrap())?,
            }
            if let Some(label) = branch {
                labels.truncate(labels.len() - label);
                next = *labels.last().unwrap();
            }
            at = next;
        }
    }
}

/// The instructions at the level of the block that opens at `opening`, from the one after it on.
fn level(code: &[Instruction], opening: usize) -> impl Iterator<Item = usize> {
    let mut depth = 0;
    (opening + 1..code.len()).filter(move |&index| {
        let outer = depth == 0;
        match code[index] {
            Block | Loop | If => depth += 1,
            End if !outer => depth -= 1,
            _ => {}
        }
        outer
    })
}

/// The `end` of the block that opens at `opening`.
fn end(code: &[Instruction], opening: usize) -> usize {
    level(code, opening).find(|&index| matches!(code[index], End)).unwrap()
}

/// The `else` of the `if` at `opening`, if it has one.
fn otherwise(code: &[Instruction], opening: usize) -> Option<usize> {
    let end = end(code, opening);
    level(code, opening).take_while(|&index| index < end).find(|&index| matches!(code[index], Else))
}

/// The module: `render` calls function 1 with the seed.
fn assemble_program(program: &[Vec<Instruction>], seed: u32) -> Vec<u8> {
    let mut wat = format!(
        r#"(module
          (memory (export "memory") 1 1)
          (data (i32.const 0) "\00\01\01\00")
          (func (export "render") (param i32) (result i64) (call 1 (i32.const {seed})) (i64.const 0))"#
    );
    for code in &program[1..] {
        wat += "(func (param i32)";
        // The text format has no `end` of a function.
        for instruction in &code[..code.len() - 1] {
            write!(wat, "\n{}", instruction.text()).unwrap();
        }
        wat += ")\n";
    }
    wat += r#"(func (export "output_bytes_cap") (result i32) (i32.const 0)))"#;
    assemble(&wat)
}

#[test]
fn random_control_flow_is_counted_exactly() {
    let mut finished = 0;
    for number in 1..=PROGRAMS {
        let mut random = Random(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let seed = random.below(1 << 32) as u32;
        // `render`'s own instructions, which are run by hand below.
        let mut program = vec![vec![Nop; 4]];
        program.extend((1..=FUNCTIONS).map(|index| Writer::function(&mut random, index)));
        let wasm = assemble_program(&program, seed);
        let offsets = operator_offsets(&wasm);
        let first: Vec<usize> =
            program.iter().scan(0, |sum, code| Some(std::mem::replace(sum, *sum + code.len()))).collect();
        let mut trace = Trace(vec![(0, 0), (0, 1)]);
        let ended = trace.run(&program, 1, seed).is_some();
        if ended {
            trace.0.extend([(0, 2), (0, 3)]);
        }
        let executed: Vec<u32> = trace.0.iter().map(|&(function, index)| offsets[first[function] + index]).collect();
        let form = Form::component(&wasm);
        let component = form.offset_of("component");
        let last = executed.len() - 1;
        for budget in (0..8).map(|_| 1 + random.below(last)).chain([last]) {
            assert_refused(&form, budget as u32, Mode::Budget, component + executed[budget]);
        }
        if ended {
            finished += 1;
            assert!(render(&form, executed.len() as u32).is_ok(), "program {number}");
        }
    }
    assert!(finished > PROGRAMS / 2, "only {finished} programs come to an end");
}
