//! Components that break the contract. What [`crate::content`] refuses by an offset is looked for again here, in the same order.

use core::fmt::{self, Display, Formatter, Write};

use super::super::text::{Text, printable};
use super::words::Exported;
use crate::code::Program;
use crate::machine::Machine;
use crate::memory::{PAGE_BYTES, PerPage};
use crate::module::{self, Export, ExportKind, FuncType, Import, Module, Ty};
use crate::rejection::Mode;

/// Instructions that a getter may execute.
const GETTER_BUDGET: u32 = 10_000;

/// Names that a render function is given elsewhere.
const RENDER_ELSEWHERE: [&str; 6] = ["run", "main", "_start", "process", "transform", "convert"];

/// What is done about an import, by the start of its names.
const IMPORTS: [(&str, &str, &str); 5] = [
    (
        "env",
        "memory",
        "let the module define its memory: clang and zig without --import-memory, rustc without -C link-arg=--import-memory, asc without --importMemory",
    ),
    ("env", "abort", "asc --use abort= compiles an abort to unreachable"),
    (
        "wasi_",
        "",
        "build for no operating system: rustc --target wasm32-unknown-unknown, zig -target wasm32-freestanding, clang --target=wasm32 -nostdlib",
    ),
    ("__wbindgen", "", "build without wasm-bindgen"),
    ("", "", "define it in the module: a component runs without imports"),
];

/// Says what a component imports.
pub fn imports(text: &mut Text, component: &[u8]) -> fmt::Result {
    let imports = || module::imports(component);
    let count = imports().count();
    let Some(first) = imports().next() else { return writeln!(text, "the component has imports, and must have none") };
    text.write_str("the component imports ")?;
    const NAMED: usize = 4;
    for (index, import) in imports().take(NAMED).enumerate() {
        text.write_str(if index > 0 { ", " } else { "" })?;
        printable(import.module).try_for_each(|c| text.write_char(c))?;
        text.write_char('.')?;
        printable(import.name).try_for_each(|c| text.write_char(c))?;
    }
    match count.checked_sub(NAMED).filter(|&more| more > 0) {
        Some(more) => writeln!(text, " and {more} more, and must import nothing")?,
        None => writeln!(text, ", and must import nothing")?,
    }
    let does = |&&(module, name, _): &&(&str, &str, &str)| {
        let Import { module: from, name: what } = first;
        from.starts_with(module) && (name.is_empty() || what == name)
    };
    let hint = IMPORTS.iter().find(does).map_or("", |(.., hint)| hint);
    writeln!(text, "hint: {hint}")
}

/// Says that a component has a start function.
pub fn start_function(text: &mut Text) -> fmt::Result {
    writeln!(text, "the component has a start function, and must have none")?;
    writeln!(
        text,
        "hint: build it as a library: clang -Wl,--no-entry, zig -fno-entry, rustc --crate-type cdylib, asc --exportStart _start"
    )
}

/// Says which rule a component breaks, of which the export is at byte `at`; false where none is found.
pub fn broken(text: &mut Text, program: &Program<'_>, at: u32) -> Result<bool, fmt::Error> {
    let module = program.module();
    let mut getters = Getters::new(program);
    let fault = match find(module, &mut getters) {
        Err(fault) => fault,
        Ok(()) => match module.exports.iter().find(|export| export.offset == at) {
            Some(export) => rest(module, &mut getters, export),
            None => return Ok(false),
        },
    };
    writeln!(text, "{fault}").map(|()| true)
}

/// What is refused though all getters return: an input over data, and what is no constant.
fn rest<'p>(module: &'p Module<'p>, getters: &mut Getters<'p>, export: &'p Export<'p>) -> Fault<'p> {
    let capacity = getters.value("input_utf8_cap").or_else(|| getters.value("input_bytes_cap"));
    if let ("input_ptr", Some(start), Some(capacity)) = (export.name, getters.value("input_ptr"), capacity) {
        for data in module.data.iter().filter(|data| !data.bytes.is_empty()) {
            let Some(data_start) = data.active.map(u64::from) else { continue };
            let over = |end: u64| data_start < end && u64::from(start) < data_start + data.bytes.len() as u64;
            if over(u64::from(start) + u64::from(capacity)) {
                return Fault::OverData { start, capacity, data: data_start as u32 };
            }
        }
    }
    Fault::NotConstant(export)
}

/// The getters of a program, which are executed.
pub struct Getters<'p>(Option<Machine<'p, PerPage>>, &'p Module<'p>);

impl<'p> Getters<'p> {
    /// The getters of a program of which no instance is alive.
    pub fn new(program: &'p Program<'p>) -> Self {
        Self(Machine::new(program, GETTER_BUDGET).ok(), program.module())
    }

    /// A getter's value, if it has one.
    pub fn value(&mut self, name: &'static str) -> Option<u32> {
        self.get(name).ok().flatten()
    }

    fn get(&mut self, name: &'static str) -> Result<Option<u32>, Fault<'p>> {
        let module = self.1;
        let Some(export) = module.export(name) else { return Ok(None) };
        if !is_function(module, export, &[], &[Ty::I32]) {
            return Err(Fault::Type(module, export, "() -> i32"));
        }
        let Some(machine) = &mut self.0 else { return Err(Fault::NoInstance(name)) };
        match machine.call(export.index, &[]) {
            Ok(results) => Ok(Some(results[0] as u32)),
            Err(why) => Err(Fault::Getter(name, why.mode)),
        }
    }
}

/// A rule that is broken.
enum Fault<'a> {
    NoExport(&'static str, &'static str, Option<(&'a Module<'a>, &'a Export<'a>)>),
    Type(&'a Module<'a>, &'a Export<'a>, &'static str),
    NoMaximum(u32),
    NoOutput(Option<(&'a Module<'a>, &'a Export<'a>)>),
    Both(&'static str, &'static str),
    Alone(&'static str, &'static str),
    Beyond { start: u32, capacity: u32, memory: u64 },
    OverData { start: u32, capacity: u32, data: u32 },
    Getter(&'static str, Mode),
    NoInstance(&'static str),
    NotConstant(&'a Export<'a>),
}

fn find<'p>(module: &'p Module<'p>, getters: &mut Getters<'p>) -> Result<(), Fault<'p>> {
    let near = |fits: &dyn Fn(&Export<'p>) -> bool| {
        module.exports.iter().find(|export| fits(export)).map(|export| (module, export))
    };
    let Some(memory) = module.export("memory") else {
        let other = near(&|export| export.kind == ExportKind::Memory);
        return Err(Fault::NoExport("memory", "its memory", other));
    };
    let memory = match module.memory {
        Some(ty) if memory.kind == ExportKind::Memory => ty,
        _ => return Err(Fault::Type(module, memory, "a memory")),
    };
    if memory.maximum.is_none() {
        return Err(Fault::NoMaximum(memory.initial));
    }
    let Some(render) = module.export("render") else {
        let fits = |export: &Export<'_>| is_function(module, export, &[Ty::I32], &[Ty::I64]);
        let named = |export: &Export<'_>| {
            export.kind == ExportKind::Function
                && (RENDER_ELSEWHERE.contains(&export.name) || export.name.eq_ignore_ascii_case("render"))
        };
        return Err(Fault::NoExport("render", "render (i32) -> i64", near(&named).or_else(|| near(&fits))));
    };
    if !is_function(module, render, &[Ty::I32], &[Ty::I64]) {
        return Err(Fault::Type(module, render, "(i32) -> i64"));
    }
    if capacity(getters, "output_utf8_cap", "output_bytes_cap")?.is_none() {
        return Err(Fault::NoOutput(near(&|export| export.name.contains("output"))));
    }
    match (getters.get("input_ptr")?, capacity(getters, "input_utf8_cap", "input_bytes_cap")?) {
        (Some(start), Some((_, capacity))) => {
            let (end, memory) = (u64::from(start) + u64::from(capacity), u64::from(memory.initial) * PAGE_BYTES as u64);
            if end > memory {
                return Err(Fault::Beyond { start, capacity, memory });
            }
        }
        (Some(_), None) => return Err(Fault::Alone("input_ptr", "input_utf8_cap or input_bytes_cap")),
        (None, Some((name, _))) => return Err(Fault::Alone(name, "input_ptr")),
        (None, None) => {}
    }
    getters.get("failure_modes_per_input_offset").map(|_| ())
}

fn capacity<'p>(
    getters: &mut Getters<'p>,
    utf8: &'static str,
    bytes: &'static str,
) -> Result<Option<(&'static str, u32)>, Fault<'p>> {
    match (getters.get(utf8)?, getters.get(bytes)?) {
        (Some(_), Some(_)) => Err(Fault::Both(utf8, bytes)),
        (Some(capacity), None) => Ok(Some((utf8, capacity))),
        (None, Some(capacity)) => Ok(Some((bytes, capacity))),
        (None, None) => Ok(None),
    }
}

fn is_function(module: &Module<'_>, export: &Export<'_>, params: &[Ty], results: &[Ty]) -> bool {
    let is = |ty: &FuncType| ty.is(params, results);
    export.kind == ExportKind::Function && is(module.function_type(export.index))
}

impl Display for Fault<'_> {
    fn fmt(&self, text: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoExport(name, needs, near) => {
                write!(text, "no export \"{name}\"; a component needs {needs}")?;
                rename(text, near, name)?;
                match near {
                    None if name == "memory" => text.write_str("\nhint: export it: clang and rustc do so by default, zig with -rdynamic, WAT by (memory (export \"memory\") 1 1)"),
                    None => write!(text, "\nhint: export it: clang -Wl,--export={name}, zig export fn, Rust #[unsafe(no_mangle)] pub extern \"C\" fn in a cdylib"),
                    Some(_) => Ok(()),
                }
            }
            Self::Type(module, export, must) => {
                write!(text, "\"{}\" is {}, must be {must}", export.name, Exported(module, export))
            }
            Self::NoMaximum(pages) => write!(
                text,
                "memory has no maximum; it starts with {pages} pages, and a component must declare how many it may grow to\n\
                hint: declare one: zig --max-memory=BYTES, clang -Wl,--max-memory=BYTES, rustc -C link-arg=--max-memory=BYTES, asc --maximumMemory PAGES"
            ),
            Self::NoOutput(near) => {
                text.write_str("no output capacity; a component needs an export \"output_utf8_cap\" () -> i32 for text, or \"output_bytes_cap\" for other bytes")?;
                rename(text, near, "output_utf8_cap or output_bytes_cap")
            }
            Self::Both(utf8, bytes) => write!(
                text,
                "both \"{utf8}\" and \"{bytes}\" are exported, and only one may be\nhint: keep {utf8} for text, {bytes} for other bytes"
            ),
            Self::Alone(name, missing) => write!(
                text,
                "\"{name}\" is exported without {missing}\nhint: a component with an input has both, a generator neither"
            ),
            Self::Beyond { start, capacity, memory } => write!(
                text,
                "the input region is beyond memory: {start} + {capacity} bytes end at {}, memory at {memory}\n\
                hint: let the memory start larger, or input_ptr or the capacity be smaller",
                u64::from(start) + u64::from(capacity)
            ),
            Self::OverData { start, capacity, data } => {
                write!(text, "the input region of {capacity} bytes at {start} lies over the data segment at {data}")
            }
            Self::Getter(name, Mode::Budget) => {
                write!(text, "getter \"{name}\" runs longer than {GETTER_BUDGET} instructions\nhint: return a constant")
            }
            Self::Getter(name, mode) => {
                write!(text, "getter \"{name}\" does not return: {}\nhint: return a constant", super::run::trap(mode))
            }
            Self::NoInstance(name) => write!(text, "getter \"{name}\" is no constant, and cannot be executed"),
            Self::NotConstant(export) => {
                write!(text, "getter \"{}\" is not one constant\nhint: build it with optimisation", export.name)
            }
        }
    }
}

fn rename(text: &mut Formatter<'_>, near: Option<(&Module<'_>, &Export<'_>)>, name: &str) -> fmt::Result {
    let Some((module, export)) = near else { return Ok(()) };
    text.write_str("\nhint: it exports \"")?;
    printable(export.name).try_for_each(|c| text.write_char(c))?;
    write!(text, "\", which is {}; is that meant to be {name}?", Exported(module, export))
}
