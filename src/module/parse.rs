//! Reads the sections. `wasmparser` validates each before it is read here.
//!
//! It validates for every proposal that it has on by default: its checks for single ones would double its size. So what
//! is left to refuse here, and at translation, is what is valid but unsupported.

use alloc::vec::Vec;

use wasmparser::{
    BinaryReader, CompositeInnerType, DataKind, ElementItems, ElementKind, ExternalKind, FunctionBody, Parser, Payload,
    SectionLimited, TableInit, Validator,
};

use super::types::canonicalize;
use super::{Data, Element, Export, ExportKind, FuncType, Function, Global, MemoryType, Module, Ref, Table, Ty};
use super::{constant, encoding, limits};
use crate::rejection::{Mode, Rejection};

/// The magic number and the version.
const HEADER_BYTES: u64 = 8;

/// A function's body while the module is parsed.
pub struct Body<'a> {
    /// The function's index.
    pub index: u32,
    /// Its undecoded body.
    pub body: FunctionBody<'a>,
}

/// Parses and validates a component. `each_body` must validate the function it gets; the module it sees has everything
/// but the data segments and the later functions' bodies.
///
/// Rejects with `InvalidWasm`, `Unsupported`, `Limit` or `OutOfMemory`, at an offset within `bytes`.
pub fn parse<'a>(
    bytes: &'a [u8],
    mut each_body: impl FnMut(&Module<'a>, Body<'a>) -> Result<(), Rejection>,
) -> Result<Module<'a>, Rejection> {
    let mut module = Module {
        bytes,
        types: Vec::new(),
        functions: Vec::new(),
        tables: Vec::new(),
        memory: None,
        globals: Vec::new(),
        exports: Vec::new(),
        elements: Vec::new(),
        data: Vec::new(),
        data_count: None,
    };
    let mut validator = Validator::new();
    let mut next_body = 0;
    let mut next_section = HEADER_BYTES;
    for payload in Parser::new(0).parse_all(bytes) {
        let section_start = next_section;
        let refuse_here = |error| refuse_section(bytes, section_start, error);
        let payload = payload.map_err(refuse_here)?;
        limits::check(&payload).map_err(|mode| Rejection::new(mode, section_start as u32))?;
        next_section = payload.as_section().map_or(section_start, |(_, range)| range.end);
        // Before the validator takes all of them in, for which it may need more memory than there is.
        if let Payload::ImportSection(section) = &payload
            && let Some(import) = section.clone().into_iter_with_offsets().next()
        {
            return Err(unsupported(import.map_err(refuse)?.0));
        }
        validator.payload(&payload).map_err(refuse_here)?;
        match payload {
            Payload::TypeSection(section) => types(&mut module, section)?,
            Payload::FunctionSection(section) => {
                reserve(&mut module.functions, section.count(), section.range().start)?;
                for type_index in section {
                    module.functions.push(Function { type_index: type_index.map_err(refuse)?, start: 0, end: 0, declared: false });
                }
            }
            Payload::TableSection(section) => tables(&mut module, section)?,
            Payload::MemorySection(section) => memory(&mut module, section)?,
            Payload::TagSection(_) | Payload::StartSection { .. } => return Err(unsupported(section_start)),
            Payload::GlobalSection(section) => globals(&mut module, section)?,
            Payload::ExportSection(section) => exports(&mut module, section)?,
            Payload::ElementSection(section) => elements(&mut module, section)?,
            Payload::DataSection(section) => data(&mut module, section)?,
            Payload::CodeSectionEntry(body) => {
                let index = next_body;
                next_body += 1;
                let range = body.range();
                let entry = &mut module.functions[index as usize];
                (entry.start, entry.end) = (range.start as u32, range.end as u32);
                each_body(&module, Body { index, body })?;
            }
            Payload::DataCountSection { count, .. } => module.data_count = Some(count),
            _ => {}
        }
    }
    Ok(module)
}

/// The rejection for an error that `wasmparser` found.
#[cold]
pub(crate) fn refuse(error: wasmparser::Error) -> Rejection {
    let mode = if error.missing_wasm_feature().is_some() { Mode::Unsupported } else { Mode::InvalidWasm };
    Rejection::new(mode, error.offset() as u32)
}

/// The same, but a section that is refused as a whole is refused at its id, at `start`, and not at its contents.
#[cold]
fn refuse_section(bytes: &[u8], start: u64, error: wasmparser::Error) -> Rejection {
    let mut section = BinaryReader::new(bytes.get(start as usize..).unwrap_or_default(), start);
    let header = section.read_u8().and_then(|_| section.read_var_u32());
    let rejection = refuse(error);
    if header.is_ok() && u64::from(rejection.offset) == section.original_position() {
        return Rejection { offset: start as u32, ..rejection };
    }
    rejection
}

#[cold]
fn unsupported(offset: u64) -> Rejection {
    Rejection::new(Mode::Unsupported, offset as u32)
}

/// Room for a section's `count` entries; validation has bounded the count.
fn reserve<T>(vec: &mut Vec<T>, count: u32, offset: u64) -> Result<(), Rejection> {
    vec.try_reserve_exact(count as usize).map_err(|_| Rejection::new(Mode::OutOfMemory, offset as u32))
}

fn types(module: &mut Module<'_>, section: SectionLimited<'_, wasmparser::RecGroup>) -> Result<(), Rejection> {
    let start = section.range().start;
    reserve(&mut module.types, section.count(), start)?;
    for group in section.into_iter_with_offsets() {
        let (offset, group) = group.map_err(refuse)?;
        encoding::check_type(module.bytes, offset)?;
        for ty in group.types() {
            let CompositeInnerType::Func(function) = &ty.composite_type.inner else { return Err(unsupported(offset)) };
            let at = |mode| Rejection::new(mode, offset as u32);
            let list = |types: &[wasmparser::ValType]| {
                let mut list = Vec::new();
                list.try_reserve_exact(types.len()).map_err(|_| at(Mode::OutOfMemory))?;
                for &ty in types {
                    list.push(Ty::new(ty).map_err(at)?);
                }
                Ok(list)
            };
            let (params, results) = (list(function.params())?, list(function.results())?);
            module.types.push(FuncType { params, results, canonical: 0 });
        }
    }
    canonicalize(&mut module.types).map_err(|mode| Rejection::new(mode, start as u32))
}

fn tables<'a>(module: &mut Module<'a>, section: SectionLimited<'a, wasmparser::Table<'a>>) -> Result<(), Rejection> {
    reserve(&mut module.tables, section.count(), section.range().start)?;
    for table in section.into_iter_with_offsets() {
        let (offset, table) = table.map_err(refuse)?;
        if table.ty.table64 || table.ty.shared || !matches!(table.init, TableInit::RefNull) {
            return Err(unsupported(offset));
        }
        let ty = Ty::reference(table.ty.element_type).map_err(|mode| Rejection::new(mode, offset as u32))?;
        encoding::check_table(module.bytes, offset)?;
        let maximum = table.ty.maximum.map_or(u32::MAX, |maximum| maximum as u32);
        module.tables.push(Table { ty, initial: table.ty.initial as u32, maximum, offset: offset as u32 });
    }
    Ok(())
}

fn memory(module: &mut Module<'_>, section: SectionLimited<'_, wasmparser::MemoryType>) -> Result<(), Rejection> {
    for memory in section.into_iter_with_offsets() {
        let (offset, memory) = memory.map_err(refuse)?;
        if memory.memory64 || memory.shared || memory.page_size_log2.is_some() || module.memory.is_some() {
            return Err(unsupported(offset));
        }
        encoding::check_limits(module.bytes, offset)?;
        let maximum = memory.maximum.map(|maximum| maximum as u32);
        module.memory = Some(MemoryType { initial: memory.initial as u32, maximum });
    }
    Ok(())
}

fn globals<'a>(module: &mut Module<'a>, section: SectionLimited<'a, wasmparser::Global<'a>>) -> Result<(), Rejection> {
    reserve(&mut module.globals, section.count(), section.range().start)?;
    for global in section.into_iter_with_offsets() {
        let (offset, global) = global.map_err(refuse)?;
        if global.ty.shared {
            return Err(unsupported(offset));
        }
        let ty = Ty::new(global.ty.content_type).map_err(|mode| Rejection::new(mode, offset as u32))?;
        let value = constant::evaluate(module, &global.init_expr)?;
        if ty == Ty::FuncRef {
            declare(module, value as Ref);
        }
        module.globals.push(Global { ty, mutable: global.ty.mutable, value });
    }
    Ok(())
}

fn exports<'a>(module: &mut Module<'a>, section: SectionLimited<'a, wasmparser::Export<'a>>) -> Result<(), Rejection> {
    reserve(&mut module.exports, section.count(), section.range().start)?;
    for export in section.into_iter_with_offsets() {
        let (offset, export) = export.map_err(refuse)?;
        let kind = match export.kind {
            ExternalKind::Func => ExportKind::Function,
            ExternalKind::Table => ExportKind::Table,
            ExternalKind::Memory => ExportKind::Memory,
            ExternalKind::Global => ExportKind::Global,
            _ => return Err(unsupported(offset)),
        };
        if kind == ExportKind::Function {
            declare(module, export.index + 1);
        }
        module.exports.push(Export { name: export.name, kind, index: export.index, offset: offset as u32 });
    }
    Ok(())
}

/// Notes that something outside of function bodies refers to a function.
fn declare(module: &mut Module<'_>, reference: Ref) {
    if let Some(function) = reference.checked_sub(1) {
        module.functions[function as usize].declared = true;
    }
}

fn elements<'a>(
    module: &mut Module<'a>,
    section: SectionLimited<'a, wasmparser::Element<'a>>,
) -> Result<(), Rejection> {
    reserve(&mut module.elements, section.count(), section.range().start)?;
    for element in section.into_iter_with_offsets() {
        let (offset, element) = element.map_err(refuse)?;
        let mut items: Vec<Ref> = Vec::new();
        let ty = match element.items {
            ElementItems::Functions(functions) => {
                reserve(&mut items, functions.count(), offset)?;
                for function in functions {
                    items.push(function.map_err(refuse)? + 1);
                }
                Ty::FuncRef
            }
            ElementItems::Expressions(ty, expressions) => {
                let ty = Ty::reference(ty).map_err(|mode| Rejection::new(mode, offset as u32))?;
                reserve(&mut items, expressions.count(), offset)?;
                for expression in expressions {
                    items.push(constant::evaluate(module, &expression.map_err(refuse)?)? as Ref);
                }
                ty
            }
        };
        items.iter().for_each(|&item| declare(module, item));
        let (active, declared) = match element.kind {
            ElementKind::Passive => (None, false),
            ElementKind::Declared => (None, true),
            ElementKind::Active { table_index, offset_expr } => {
                (Some((table_index.unwrap_or(0), constant::evaluate(module, &offset_expr)? as u32)), false)
            }
        };
        module.elements.push(Element { active, ty, declared, items, offset: offset as u32 });
    }
    Ok(())
}

fn data<'a>(module: &mut Module<'a>, section: SectionLimited<'a, wasmparser::Data<'a>>) -> Result<(), Rejection> {
    reserve(&mut module.data, section.count(), section.range().start)?;
    for data in section.into_iter_with_offsets() {
        let (offset, data) = data.map_err(refuse)?;
        let active = match data.kind {
            DataKind::Passive => None,
            DataKind::Active { offset_expr, .. } => Some(constant::evaluate(module, &offset_expr)? as u32),
        };
        module.data.push(Data { active, bytes: data.data, offset: offset as u32 });
    }
    Ok(())
}
