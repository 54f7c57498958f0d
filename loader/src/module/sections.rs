//! Reads and validates the entries of sections (Wasm 3.4, 5.5): those of version 2.0.
//!
//! `wasmparser` reads what the entries are made of. Its readers for whole entries are used where they take the same as version 2.0:
//! others read constant expressions, sizes of 64 bits, types at length, or take memory for as many items as are claimed.

use alloc::vec::Vec;

use wasmparser::{
    BinaryReader, DataSectionReader, ElementSectionReader, ExportSectionReader, ExternalKind, FunctionSectionReader,
    GlobalSectionReader, ImportSectionReader, MemorySectionReader, SectionLimited, TableSectionReader,
    TypeSectionReader,
};

use super::constant::evaluate;
use super::types::canonicalize;
use super::{
    Data, Element, Export, ExportKind, FuncType, Function, Global, MemoryType, Module, Ref, TableType, Ty, invalid,
    limits, refused_name, unsupported,
};
use crate::fallible;
use crate::rejection::{Mode, Rejection};

/// Pages of the largest memory there can be.
const MEMORY_PAGES: u32 = 1 << 16;

/// Reads a section's entries, each with `read`, which gets the entry's offset. What is not supported in an entry is refused at the
/// entry.
fn each<'a, E>(
    module: &mut Module<'a>,
    section: &SectionLimited<'a, E>,
    mut read: impl FnMut(&mut Module<'a>, &mut BinaryReader<'a>, u32) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    let mut reader = contents(module, section);
    for _ in 0..section.count() {
        let offset = position(&reader);
        read(module, &mut reader, offset).map_err(|rejection| match rejection.mode {
            Mode::Unsupported => unsupported(offset),
            _ => rejection,
        })?;
    }
    check(reader.eof(), position(&reader))
}

/// The same, into a list of the module's.
fn entries<'a, E, T>(
    module: &mut Module<'a>,
    section: &SectionLimited<'a, E>,
    list: for<'m> fn(&'m mut Module<'a>) -> &'m mut Vec<T>,
    mut read: impl FnMut(&mut Module<'a>, &mut BinaryReader<'a>, u32) -> Result<T, Rejection>,
) -> Result<(), Rejection> {
    *list(module) = room(section.count(), &contents(module, section))?;
    each(module, section, |module, reader, offset| {
        let entry = read(module, reader, offset)?;
        list(module).push(entry);
        Ok(())
    })
}

/// A reader of a section behind the count of its entries.
fn contents<'a, E>(module: &Module<'a>, section: &SectionLimited<'a, E>) -> BinaryReader<'a> {
    let (start, end) = (section.original_position(), section.range().end);
    BinaryReader::new(&module.bytes[start as usize..end as usize], start)
}

fn position(reader: &BinaryReader<'_>) -> u32 {
    reader.original_position() as u32
}

/// An empty list with room for `count` entries, if there are bytes for them: each takes one at least.
fn room<T>(count: u32, reader: &BinaryReader<'_>) -> Result<Vec<T>, Rejection> {
    check(count as usize <= reader.bytes_remaining(), reader.range().end as u32)?;
    fallible::with_capacity(count as usize).map_err(|mode| mode.at(position(reader)))
}

/// Accepts an entry at `offset` that meets a condition.
fn check(valid: bool, offset: u32) -> Result<(), Rejection> {
    if valid { Ok(()) } else { Err(invalid(offset)) }
}

pub fn types<'a>(module: &mut Module<'a>, section: &TypeSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.types, function_type)?;
    let start = section.original_position() as u32;
    canonicalize(&mut module.types).map_err(|mode| mode.at(start))
}

fn function_type(_: &mut Module<'_>, reader: &mut BinaryReader<'_>, offset: u32) -> Result<FuncType, Rejection> {
    match reader.read_u8()? {
        0x60 => {}
        // Groups, supertypes, structures, arrays, continuations and shared types.
        0x4c..=0x50 | 0x5d..=0x5f | 0x65 => return Err(unsupported(offset)),
        _ => return Err(invalid(offset)),
    }
    Ok(FuncType { params: type_list(reader)?, results: type_list(reader)?, canonical: 0 })
}

fn type_list(reader: &mut BinaryReader<'_>) -> Result<Vec<Ty>, Rejection> {
    let offset = position(reader);
    let count = reader.read()?;
    limits::check(count <= limits::VALUES).map_err(|mode| mode.at(offset))?;
    let mut list = room(count, reader)?;
    for _ in 0..count {
        list.push(Ty::read(reader)?);
    }
    Ok(list)
}

/// Refuses the first import, if there is one: QIP's contract forbids them.
pub fn no_imports(section: &ImportSectionReader<'_>) -> Result<(), Rejection> {
    let (start, end) = (section.original_position(), section.range().end);
    match section.count() {
        0 => check(start == end, start as u32),
        _ => check(start < end, start as u32).and(Err(Mode::Contract.at(start as u32))),
    }
}

pub fn functions<'a>(module: &mut Module<'a>, section: &FunctionSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.functions, function)
}

fn function(module: &mut Module<'_>, reader: &mut BinaryReader<'_>, offset: u32) -> Result<Function, Rejection> {
    let type_index = reader.read()?;
    check((type_index as usize) < module.types.len(), offset)?;
    Ok(Function { type_index, start: 0, end: 0, declared: false })
}

/// Reads limits without any of the flags of later versions (Wasm 5.3.7), of which there are those below `flags_end`.
fn size_limits(reader: &mut BinaryReader<'_>, offset: u32, flags_end: u8) -> Result<(u32, Option<u32>), Rejection> {
    let flags = reader.read_u8()?;
    match flags {
        0 => Ok((reader.read()?, None)),
        1 => {
            let (minimum, maximum) = reader.read()?;
            check(minimum <= maximum, offset)?;
            Ok((minimum, Some(maximum)))
        }
        _ if flags < flags_end => Err(unsupported(offset)),
        _ => Err(invalid(offset)),
    }
}

pub fn tables<'a>(module: &mut Module<'a>, section: &TableSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.tables, table)
}

fn table(_: &mut Module<'_>, reader: &mut BinaryReader<'_>, offset: u32) -> Result<TableType, Rejection> {
    const WITH_INITIAL_VALUE: u8 = 0x40;
    if reader.clone().read_u8()? == WITH_INITIAL_VALUE {
        return Err(unsupported(offset));
    }
    let ty = Ty::read_reference(reader)?;
    let (initial, maximum) = size_limits(reader, offset, 0x08)?;
    Ok(TableType { ty, initial, maximum: maximum.unwrap_or(u32::MAX), offset })
}

pub fn memories<'a>(module: &mut Module<'a>, section: &MemorySectionReader<'a>) -> Result<(), Rejection> {
    each(module, section, |module, reader, offset| {
        let (initial, maximum) = size_limits(reader, offset, 0x10)?;
        check(initial <= MEMORY_PAGES && maximum.is_none_or(|maximum| maximum <= MEMORY_PAGES), offset)?;
        if module.memory.is_some() {
            return Err(unsupported(offset));
        }
        module.memory = Some(MemoryType { initial, maximum });
        Ok(())
    })
}

pub fn globals<'a>(module: &mut Module<'a>, section: &GlobalSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.globals, global)
}

fn global(module: &mut Module<'_>, reader: &mut BinaryReader<'_>, offset: u32) -> Result<Global, Rejection> {
    let ty = Ty::read(reader)?;
    let flags_offset = position(reader);
    let mutable = match reader.read_u8()? {
        0 => false,
        1 => true,
        // Shared.
        2 | 3 => return Err(unsupported(offset)),
        _ => return Err(invalid(flags_offset)),
    };
    let value = evaluate(module, reader, ty)?;
    if ty == Ty::FuncRef {
        declare(module, value as Ref);
    }
    Ok(Global { ty, mutable, value })
}

/// Notes that something outside of function bodies refers to a function.
fn declare(module: &mut Module<'_>, reference: Ref) {
    if let Some(function) = reference.checked_sub(1) {
        module.functions[function as usize].declared = true;
    }
}

pub fn exports<'a>(module: &mut Module<'a>, section: &ExportSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.exports, export)?;
    let start = section.original_position() as u32;
    let names = fallible::sorted(module.exports.iter().map(|export| (export.name, export.offset)));
    let names = names.map_err(|mode| mode.at(start))?;
    let repeated = names.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).min();
    repeated.map_or(Ok(()), |offset| Err(invalid(offset)))
}

fn export<'a>(module: &mut Module<'a>, reader: &mut BinaryReader<'a>, offset: u32) -> Result<Export<'a>, Rejection> {
    let export: wasmparser::Export<'a> = reader.read().map_err(|error| refused_name(module.bytes, offset, error))?;
    let (kind, count) = match export.kind {
        ExternalKind::Func => (ExportKind::Function, module.functions.len()),
        ExternalKind::Table => (ExportKind::Table, module.tables.len()),
        ExternalKind::Memory => (ExportKind::Memory, usize::from(module.memory.is_some())),
        ExternalKind::Global => (ExportKind::Global, module.globals.len()),
        ExternalKind::Tag | ExternalKind::FuncExact => return Err(unsupported(offset)),
    };
    let (name, index) = (export.name, export.index);
    check((index as usize) < count, offset)?;
    if kind == ExportKind::Function {
        declare(module, index + 1);
    }
    Ok(Export { name, kind, index, offset })
}

pub fn elements<'a>(module: &mut Module<'a>, section: &ElementSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.elements, element)
}

fn element(module: &mut Module<'_>, reader: &mut BinaryReader<'_>, offset: u32) -> Result<Element, Rejection> {
    /// Passive or declared.
    const NOT_ACTIVE: u32 = 1;
    /// With the index of a table, or declared.
    const TABLE_OR_DECLARED: u32 = 2;
    const EXPRESSIONS: u32 = 4;
    let flags: u32 = reader.read()?;
    check(flags < 8, offset)?;
    let is = |flag| flags & flag != 0;
    let table = if !is(NOT_ACTIVE) && is(TABLE_OR_DECLARED) { reader.read()? } else { 0 };
    let active = match is(NOT_ACTIVE) {
        true => None,
        false => Some((table, evaluate(module, reader, Ty::I32)? as u32)),
    };
    let kind_offset = position(reader);
    let ty = match is(NOT_ACTIVE | TABLE_OR_DECLARED) {
        false => Ty::FuncRef,
        true if is(EXPRESSIONS) => Ty::read_reference(reader)?,
        true => check(reader.read_u8()? == 0, kind_offset).map(|()| Ty::FuncRef)?,
    };
    if active.is_some() {
        check(module.tables.get(table as usize).is_some_and(|table| table.ty == ty), offset)?;
    }
    let count = reader.read()?;
    let mut items: Vec<Ref> = room(count, reader)?;
    for _ in 0..count {
        let offset = position(reader);
        let item = if is(EXPRESSIONS) {
            evaluate(module, reader, ty)? as Ref
        } else {
            let function: u32 = reader.read()?;
            check((function as usize) < module.functions.len(), offset)?;
            function + 1
        };
        declare(module, item);
        items.push(item);
    }
    let declared = is(NOT_ACTIVE) && is(TABLE_OR_DECLARED);
    Ok(Element { active, ty, declared, items, offset })
}

pub fn data<'a>(module: &mut Module<'a>, section: &DataSectionReader<'a>) -> Result<(), Rejection> {
    entries(module, section, |module| &mut module.data, data_segment)
}

fn data_segment<'a>(
    module: &mut Module<'a>,
    reader: &mut BinaryReader<'a>,
    offset: u32,
) -> Result<Data<'a>, Rejection> {
    let flags: u32 = reader.read()?;
    let active = match flags {
        1 => None,
        0 | 2 => {
            let memory: u32 = if flags == 2 { reader.read()? } else { 0 };
            check(memory == 0 && module.memory.is_some(), offset)?;
            Some(evaluate(module, reader, Ty::I32)? as u32)
        }
        _ => return Err(invalid(offset)),
    };
    let size: u32 = reader.read()?;
    Ok(Data { active, bytes: reader.read_bytes(size as usize)?, offset })
}
