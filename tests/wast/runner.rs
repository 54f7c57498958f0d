//! Runs the commands of one script.

use std::collections::{BTreeMap, HashMap};

use qip_interpret::Mode;
use wasmparser::{ExternalKind, Parser, Payload, ValType};
use wast::core::{NanPattern, V128Const, V128Pattern, WastArgCore, WastRetCore};
use wast::parser::{self, ParseBuffer};
use wast::token::{F32, F64, Id};
use wast::{QuoteWat, Wast, WastArg, WastDirective, WastExecute, WastInvoke, WastRet};

use crate::instance::{Engine, Instance};
use crate::spectest::{self, Standalone};

/// What became of a script's commands.
#[derive(Default)]
pub struct Outcome {
    /// Commands that did what they had to.
    pub passed: usize,
    /// Commands left out, by reason.
    pub skipped: BTreeMap<&'static str, usize>,
    /// Commands that failed, each with its place.
    pub failed: Vec<String>,
}

const TEXT: &str = "text format";
const LINKING: &str = "needs linked modules";
const LEFT_OUT: &str = "of a module left out";

/// How a command ended if it did not fail.
enum Done {
    Passed,
    Skipped(&'static str),
}

type Step = Result<Done, String>;

/// Runs a script.
pub fn run(name: &str, text: &str, engine: &mut dyn Engine) -> Outcome {
    let mut outcome = Outcome::default();
    let mut lexer = wast::lexer::Lexer::new(text);
    lexer.allow_confusing_unicode(true);
    let buffer = ParseBuffer::new_with_lexer(lexer).unwrap_or_else(|error| panic!("{name}: {error}"));
    let script = parser::parse::<Wast>(&buffer).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut runner = Runner { engine, modules: HashMap::new(), current: None, registered: Vec::new() };
    for directive in script.directives {
        let (line, _) = directive.span().linecol_in(text);
        match (runner.step(directive), exception(name, line + 1)) {
            (Ok(Done::Passed), None) => outcome.passed += 1,
            (Ok(Done::Skipped(reason)), None) | (Err(_), Some(reason)) => {
                *outcome.skipped.entry(reason).or_default() += 1;
            }
            (Err(message), None) => outcome.failed.push(format!("{name}:{}: {message}", line + 1)),
            (Ok(_), Some(_)) => outcome.failed.push(format!("{name}:{}: passes, but is an exception", line + 1)),
        }
    }
    outcome
}

/// Why a command cannot pass, from `exceptions.csv`.
fn exception(file: &str, line: usize) -> Option<&'static str> {
    include_str!("exceptions.csv").lines().skip(1).find_map(|row| {
        let mut fields = row.splitn(3, ',');
        let here = fields.next() == Some(file) && fields.next()?.parse() == Ok(line);
        if here { fields.next() } else { None }
    })
}

/// A module that was instantiated, with its exports.
struct Loaded {
    instance: Box<dyn Instance>,
    exports: HashMap<String, Export>,
}

enum Export {
    Function { index: u32, results: Vec<ValType> },
    Global { index: u32, ty: ValType },
}

struct Runner<'e> {
    engine: &'e mut dyn Engine,
    /// Named modules; `None` for one that was left out.
    modules: HashMap<String, Option<std::rc::Rc<std::cell::RefCell<Loaded>>>>,
    current: Option<std::rc::Rc<std::cell::RefCell<Loaded>>>,
    /// Modules that others may import from: one that is left out may have changed their state.
    registered: Vec<Option<String>>,
}

impl Runner<'_> {
    fn step(&mut self, directive: WastDirective<'_>) -> Step {
        match directive {
            WastDirective::Module(module) | WastDirective::ModuleDefinition(module) => self.module(module),
            WastDirective::Register { module, .. } => {
                self.registered.push(module.map(|id| id.name().to_owned()));
                Ok(Done::Skipped(LINKING))
            }
            WastDirective::Invoke(invoke) => match self.invoke(invoke) {
                Some(result) => result.map(|_| Done::Passed).map_err(|mode| format!("trapped: {mode:?}")),
                None => Ok(Done::Skipped(LEFT_OUT)),
            },
            WastDirective::AssertReturn { exec, results, .. } => match self.execute(exec) {
                Some(Ok(slots)) => check(&results, &slots),
                Some(Err(mode)) => Err(format!("trapped: {mode:?}")),
                None => Ok(Done::Skipped(LEFT_OUT)),
            },
            WastDirective::AssertTrap { exec: WastExecute::Wat(mut module), message, .. } => {
                let bytes = module.encode().map_err(|error| error.to_string())?;
                let Some(module) = spectest::stand_alone(&bytes) else {
                    self.leave_out();
                    return Ok(Done::Skipped(LINKING));
                };
                trapped(self.load(module).map(drop), message)
            }
            WastDirective::AssertTrap { exec, message, .. } => match self.execute(exec) {
                Some(result) => trapped(result.map(drop), message),
                None => Ok(Done::Skipped(LEFT_OUT)),
            },
            WastDirective::AssertExhaustion { call, message, .. } => match self.invoke(call) {
                Some(result) => trapped(result.map(drop), message),
                None => Ok(Done::Skipped(LEFT_OUT)),
            },
            WastDirective::AssertInvalid { module, .. } | WastDirective::AssertMalformed { module, .. } => {
                self.refused(module)
            }
            WastDirective::AssertUnlinkable { .. } => Ok(Done::Skipped(LINKING)),
            other => Err(format!("unknown command: {other:?}")),
        }
    }

    fn module(&mut self, mut module: QuoteWat<'_>) -> Step {
        let name = module.name().map(|id| id.name().to_owned());
        let bytes = module.encode().map_err(|error| error.to_string())?;
        let Some(module) = spectest::stand_alone(&bytes) else {
            self.current = None;
            self.leave_out();
            name.map(|name| self.modules.insert(name, None));
            return Ok(Done::Skipped(spectest::OTHER_MODULES));
        };
        let loaded = self.load(module).map_err(|mode| format!("refused: {mode:?}"));
        let loaded = loaded.map(|loaded| std::rc::Rc::new(std::cell::RefCell::new(loaded)));
        self.current = loaded.as_ref().ok().cloned();
        name.map(|name| self.modules.insert(name, self.current.clone()));
        loaded.map(|_| Done::Passed)
    }

    /// A module that imports from others is left out, so what those hold from here on is not known.
    fn leave_out(&mut self) {
        for name in self.registered.drain(..).flatten() {
            self.modules.insert(name, None);
        }
    }

    fn load(&mut self, module: Standalone) -> Result<Loaded, Mode> {
        let mut instance = self.engine.instantiate(&module.bytes)?;
        if let Some(start) = module.start {
            instance.call(start, &[], 0)?;
        }
        Ok(Loaded { instance, exports: exports(&module.bytes) })
    }

    /// Runs an action. `None` if its module was left out.
    fn execute(&mut self, exec: WastExecute<'_>) -> Option<Result<Vec<u64>, Mode>> {
        match exec {
            WastExecute::Invoke(invoke) => self.invoke(invoke),
            WastExecute::Get { module, global, .. } => {
                let loaded = self.find(module)?;
                let mut loaded = loaded.borrow_mut();
                let Some(&Export::Global { index, ty }) = loaded.exports.get(global) else {
                    panic!("no global {global}")
                };
                let bits = loaded.instance.global(index);
                let slots = [bits as u64, (bits >> 64) as u64];
                Some(Ok(slots[..slot_count(&[ty])].to_vec()))
            }
            WastExecute::Wat(_) => panic!("a module is no action"),
        }
    }

    fn invoke(&mut self, invoke: WastInvoke<'_>) -> Option<Result<Vec<u64>, Mode>> {
        let loaded = self.find(invoke.module)?;
        let mut loaded = loaded.borrow_mut();
        let Loaded { instance, exports } = &mut *loaded;
        let Some(Export::Function { index, results }) = exports.get(invoke.name) else {
            panic!("no function {}", invoke.name)
        };
        let arguments: Vec<u64> = invoke.args.iter().flat_map(argument).collect();
        Some(instance.call(*index, &arguments, slot_count(results)))
    }

    fn find(&self, name: Option<Id<'_>>) -> Option<std::rc::Rc<std::cell::RefCell<Loaded>>> {
        match name {
            Some(id) => self.modules.get(id.name()).cloned().flatten(),
            None => self.current.clone(),
        }
    }

    /// A module that must not validate. Malformed text is refused by the assembler, not by us.
    fn refused(&mut self, mut module: QuoteWat<'_>) -> Step {
        if matches!(module, QuoteWat::QuoteModule(..)) {
            return Ok(Done::Skipped(TEXT));
        }
        let bytes = module.encode().map_err(|error| error.to_string())?;
        match self.engine.instantiate(&bytes) {
            Ok(_) => Err("accepted, but it is invalid".into()),
            Err(Mode::InvalidWasm | Mode::Unsupported | Mode::Contract) => Ok(Done::Passed),
            Err(mode) => Err(format!("refused as {mode:?}, but it is invalid")),
        }
    }
}

fn exports(module: &[u8]) -> HashMap<String, Export> {
    let mut validator = wasmparser::Validator::new();
    let types = validator.validate_all(module).expect("an instance's module is valid");
    let types = types.as_ref();
    let mut result = HashMap::new();
    for payload in Parser::new(0).parse_all(module) {
        let Ok(Payload::ExportSection(exports)) = payload else { continue };
        for export in exports {
            let export = export.expect("an instance's module is valid");
            let entry = match export.kind {
                ExternalKind::Func => {
                    let ty = types[types.core_function_at(export.index)].unwrap_func();
                    Export::Function { index: export.index, results: ty.results().to_vec() }
                }
                ExternalKind::Global => {
                    Export::Global { index: export.index, ty: types.global_at(export.index).content_type }
                }
                _ => continue,
            };
            result.insert(export.name.to_owned(), entry);
        }
    }
    result
}

fn slot_count(types: &[ValType]) -> usize {
    types.iter().map(|&ty| if ty == ValType::V128 { 2 } else { 1 }).sum()
}

fn argument(argument: &WastArg<'_>) -> Vec<u64> {
    let WastArg::Core(argument) = argument else { panic!("not a core value: {argument:?}") };
    match argument {
        WastArgCore::I32(value) => vec![u64::from(*value as u32)],
        WastArgCore::I64(value) => vec![*value as u64],
        WastArgCore::F32(value) => vec![u64::from(value.bits)],
        WastArgCore::F64(value) => vec![value.bits],
        WastArgCore::V128(value) => halves(bytes(value)),
        WastArgCore::RefNull(_) => vec![0],
        WastArgCore::RefExtern(value) | WastArgCore::RefHost(value) => vec![u64::from(*value) + 1],
    }
}

fn bytes(value: &V128Const) -> [u8; 16] {
    value.to_le_bytes()
}

fn halves(bytes: [u8; 16]) -> Vec<u64> {
    bytes.as_chunks().0.iter().map(|half| u64::from_le_bytes(*half)).collect()
}

fn check(expected: &[WastRet<'_>], slots: &[u64]) -> Step {
    let mut slots = slots.iter().copied();
    for expected in expected {
        let WastRet::Core(expected) = expected else { return Err(format!("not a core value: {expected:?}")) };
        let low = slots.next().ok_or("too few results")?;
        let high = if matches!(expected, WastRetCore::V128(_)) { slots.next().ok_or("too few results")? } else { 0 };
        if !matches(expected, low, high) {
            return Err(format!("expected {expected:?}, got {low:#x} {high:#x}"));
        }
    }
    if slots.next().is_some() { Err("too many results".into()) } else { Ok(Done::Passed) }
}

fn matches(expected: &WastRetCore<'_>, low: u64, high: u64) -> bool {
    match expected {
        WastRetCore::I32(value) => low as u32 == *value as u32,
        WastRetCore::I64(value) => low == *value as u64,
        WastRetCore::F32(pattern) => matches_f32(pattern, low as u32),
        WastRetCore::F64(pattern) => matches_f64(pattern, low),
        WastRetCore::V128(pattern) => matches_v128(pattern, u128::from(low) | u128::from(high) << 64),
        WastRetCore::RefNull(_) => low as u32 == 0,
        WastRetCore::RefExtern(Some(value)) | WastRetCore::RefHost(value) => low as u32 == *value + 1,
        WastRetCore::RefExtern(None) | WastRetCore::RefFunc(_) => low as u32 != 0,
        WastRetCore::Either(options) => options.iter().any(|option| matches(option, low, high)),
        _ => false,
    }
}

/// The interpreter promises the deterministic profile, so an arithmetic NaN must be the canonical one, too.
fn matches_f32(pattern: &NanPattern<F32>, bits: u32) -> bool {
    match pattern {
        NanPattern::CanonicalNan => bits & 0x7fff_ffff == 0x7fc0_0000,
        NanPattern::ArithmeticNan => bits & 0x7fc0_0000 == 0x7fc0_0000,
        NanPattern::Value(value) => bits == value.bits,
    }
}

fn matches_f64(pattern: &NanPattern<F64>, bits: u64) -> bool {
    match pattern {
        NanPattern::CanonicalNan => bits & 0x7fff_ffff_ffff_ffff == 0x7ff8_0000_0000_0000,
        NanPattern::ArithmeticNan => bits & 0x7ff8_0000_0000_0000 == 0x7ff8_0000_0000_0000,
        NanPattern::Value(value) => bits == value.bits,
    }
}

fn matches_v128(pattern: &V128Pattern, bits: u128) -> bool {
    let lane = |width: usize, index: usize| bits >> (width * index);
    match pattern {
        V128Pattern::I8x16(lanes) => lanes.iter().enumerate().all(|(i, &value)| lane(8, i) as i8 == value),
        V128Pattern::I16x8(lanes) => lanes.iter().enumerate().all(|(i, &value)| lane(16, i) as i16 == value),
        V128Pattern::I32x4(lanes) => lanes.iter().enumerate().all(|(i, &value)| lane(32, i) as i32 == value),
        V128Pattern::I64x2(lanes) => lanes.iter().enumerate().all(|(i, &value)| lane(64, i) as i64 == value),
        V128Pattern::F32x4(lanes) => lanes.iter().enumerate().all(|(i, value)| matches_f32(value, lane(32, i) as u32)),
        V128Pattern::F64x2(lanes) => lanes.iter().enumerate().all(|(i, value)| matches_f64(value, lane(64, i) as u64)),
    }
}

/// Whether an action trapped, and for the reason that the message names.
fn trapped(result: Result<(), Mode>, message: &str) -> Step {
    const REASONS: [(&str, Mode); 10] = [
        ("unreachable", Mode::Unreachable),
        ("integer divide by zero", Mode::DivideByZero),
        ("integer overflow", Mode::IntegerOverflow),
        ("invalid conversion to integer", Mode::InvalidConversion),
        ("out of bounds memory access", Mode::MemoryOutOfBounds),
        ("out of bounds table access", Mode::TableOutOfBounds),
        ("undefined element", Mode::UndefinedElement),
        ("uninitialized element", Mode::UninitializedElement),
        ("indirect call type mismatch", Mode::IndirectCallType),
        ("call stack exhausted", Mode::CallStackExhausted),
    ];
    // Older files name a reason by its first words.
    let fits = |reason: &str| message.starts_with(reason) || reason.starts_with(message);
    if !REASONS.iter().any(|(reason, _)| fits(reason)) {
        return Err(format!("unknown trap: {message}"));
    }
    match result {
        Err(mode) if REASONS.iter().any(|&(reason, other)| fits(reason) && other == mode) => Ok(Done::Passed),
        Err(mode) => Err(format!("trapped as {mode:?}, expected {message}")),
        Ok(()) => Err(format!("did not trap, expected {message}")),
    }
}
