//! Reads and validates the entries of sections (spec 3.4, 5.5): those of version 2.0.

use alloc::vec::Vec;

use super::constant::evaluate;
use super::encoding::{reference_type, value_type};
use super::types::canonicalize;
use super::{
    Data, Element, Export, ExportKind, FuncType, Function, Global, MemoryType, Module, Reader, Ref, Table, Ty,
};
use super::{invalid, limits, unsupported};
use crate::fallible;
use crate::rejection::{Mode, Rejection};

/// Pages of the largest memory there can be.
const MEMORY_PAGES: u32 = 1 << 16;

/// Reads a section's entries, each with `read`, which gets the entry's offset. The reader is behind their count.
///
/// What is not supported in an entry is refused at the entry.
fn each<'a>(
    module: &mut Module<'a>,
    count: u32,
    mut section: Reader<'a>,
    mut read: impl FnMut(&mut Module<'a>, &mut Reader<'a>, u32) -> Result<(), Rejection>,
) -> Result<(), Rejection> {
    for _ in 0..count {
        let offset = section.offset();
        read(module, &mut section, offset).map_err(|rejection| match rejection.mode {
            Mode::Unsupported => unsupported(offset),
            _ => rejection,
        })?;
    }
    section.end()
}

/// The same, into a list of the module's.
fn entries<'a, T>(
    module: &mut Module<'a>,
    count: u32,
    section: Reader<'a>,
    list: for<'m> fn(&'m mut Module<'a>) -> &'m mut Vec<T>,
    mut read: impl FnMut(&mut Module<'a>, &mut Reader<'a>, u32) -> Result<T, Rejection>,
) -> Result<(), Rejection> {
    reserve(list(module), count, &section)?;
    each(module, count, section, |module, reader, offset| {
        let entry = read(module, reader, offset)?;
        list(module).push(entry);
        Ok(())
    })
}

/// Makes room for `count` entries, if there are bytes for them: each takes one at least.
fn reserve<T>(list: &mut Vec<T>, count: u32, reader: &Reader<'_>) -> Result<(), Rejection> {
    let (at, left) = (reader.offset(), reader.left());
    check(count as usize <= left, at + left as u32)?;
    list.try_reserve_exact(count as usize).map_err(|_| Rejection::new(Mode::OutOfMemory, at))
}

/// Accepts an entry at `offset` that meets a condition.
fn check(valid: bool, offset: u32) -> Result<(), Rejection> {
    if valid { Ok(()) } else { Err(invalid(offset)) }
}

pub fn types<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    let start = section.offset();
    entries(module, count, section, |module| &mut module.types, function_type)?;
    canonicalize(&mut module.types).map_err(|mode| Rejection::new(mode, start))
}

fn function_type(_: &mut Module<'_>, reader: &mut Reader<'_>, offset: u32) -> Result<FuncType, Rejection> {
    match reader.byte()? {
        0x60 => {}
        // Groups, supertypes, structures, arrays, continuations and shared types.
        0x4d..=0x50 | 0x5d..=0x5f | 0x65 => return Err(unsupported(offset)),
        _ => return Err(invalid(offset)),
    }
    Ok(FuncType { params: type_list(reader)?, results: type_list(reader)?, canonical: 0 })
}

fn type_list(reader: &mut Reader<'_>) -> Result<Vec<Ty>, Rejection> {
    let offset = reader.offset();
    let count = reader.number()?;
    if count > limits::VALUES {
        return Err(Rejection::new(Mode::Limit, offset));
    }
    let mut list = Vec::new();
    reserve(&mut list, count, reader)?;
    for _ in 0..count {
        list.push(value_type(reader)?);
    }
    Ok(list)
}

/// Refuses the first import, if there is one.
pub fn no_imports(count: u32, mut section: Reader<'_>) -> Result<(), Rejection> {
    if count == 0 {
        return section.end();
    }
    let offset = section.offset();
    section.byte().and(Err(unsupported(offset)))
}

pub fn functions<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    entries(module, count, section, |module| &mut module.functions, function)
}

fn function(module: &mut Module<'_>, reader: &mut Reader<'_>, offset: u32) -> Result<Function, Rejection> {
    let type_index = reader.number()?;
    check((type_index as usize) < module.types.len(), offset)?;
    Ok(Function { type_index, start: 0, end: 0, declared: false })
}

/// Reads limits without any of the flags of later versions (spec 5.3.7), of which there are those below `flags_end`.
fn size_limits(reader: &mut Reader<'_>, offset: u32, flags_end: u8) -> Result<(u32, Option<u32>), Rejection> {
    let flags = reader.byte()?;
    match flags {
        0 => Ok((reader.number()?, None)),
        1 => {
            let (minimum, maximum) = (reader.number()?, reader.number()?);
            check(minimum <= maximum, offset)?;
            Ok((minimum, Some(maximum)))
        }
        _ if flags < flags_end => Err(unsupported(offset)),
        _ => Err(invalid(offset)),
    }
}

pub fn tables<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    entries(module, count, section, |module| &mut module.tables, table)
}

fn table(_: &mut Module<'_>, reader: &mut Reader<'_>, offset: u32) -> Result<Table, Rejection> {
    const WITH_INITIAL_VALUE: u8 = 0x40;
    const WITH_HEAP_TYPE: [u8; 2] = [0x63, 0x64];
    let first = reader.clone().byte()?;
    if first == WITH_INITIAL_VALUE || WITH_HEAP_TYPE.contains(&first) {
        return Err(unsupported(offset));
    }
    let ty = reference_type(reader)?;
    let (initial, maximum) = size_limits(reader, offset, 0x08)?;
    Ok(Table { ty, initial, maximum: maximum.unwrap_or(u32::MAX), offset })
}

pub fn memories<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    each(module, count, section, memory)
}

fn memory(module: &mut Module<'_>, reader: &mut Reader<'_>, offset: u32) -> Result<(), Rejection> {
    let (initial, maximum) = size_limits(reader, offset, 0x10)?;
    check(initial <= MEMORY_PAGES && maximum.is_none_or(|maximum| maximum <= MEMORY_PAGES), offset)?;
    if module.memory.is_some() {
        return Err(unsupported(offset));
    }
    module.memory = Some(MemoryType { initial, maximum });
    Ok(())
}

pub fn globals<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    entries(module, count, section, |module| &mut module.globals, global)
}

fn global(module: &mut Module<'_>, reader: &mut Reader<'_>, offset: u32) -> Result<Global, Rejection> {
    let ty = value_type(reader)?;
    let flags_offset = reader.offset();
    let mutable = match reader.byte()? {
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

pub fn exports<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    let start = section.offset();
    entries(module, count, section, |module| &mut module.exports, export)?;
    let names = fallible::sorted(module.exports.iter().map(|export| (export.name, export.offset)));
    let names = names.map_err(|mode| mode.at(start))?;
    let repeated = names.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).min();
    repeated.map_or(Ok(()), |offset| Err(invalid(offset)))
}

fn export<'a>(module: &mut Module<'a>, reader: &mut Reader<'a>, offset: u32) -> Result<Export<'a>, Rejection> {
    let name = reader.name()?;
    let kind_offset = reader.offset();
    let (kind, count) = match reader.byte()? {
        0 => (ExportKind::Function, module.functions.len()),
        1 => (ExportKind::Table, module.tables.len()),
        2 => (ExportKind::Memory, usize::from(module.memory.is_some())),
        3 => (ExportKind::Global, module.globals.len()),
        // Tags, and functions by their exact type.
        4 | 0x20 => return Err(unsupported(offset)),
        _ => return Err(invalid(kind_offset)),
    };
    let index = reader.number()?;
    check((index as usize) < count, offset)?;
    if kind == ExportKind::Function {
        declare(module, index + 1);
    }
    Ok(Export { name, kind, index, offset })
}

pub fn elements<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    entries(module, count, section, |module| &mut module.elements, element)
}

fn element(module: &mut Module<'_>, reader: &mut Reader<'_>, offset: u32) -> Result<Element, Rejection> {
    /// Passive or declared.
    const NOT_ACTIVE: u32 = 1;
    /// With the index of a table, or declared.
    const TABLE_OR_DECLARED: u32 = 2;
    const EXPRESSIONS: u32 = 4;
    let flags = reader.number()?;
    check(flags < 8, offset)?;
    let is = |flag| flags & flag != 0;
    let table = if !is(NOT_ACTIVE) && is(TABLE_OR_DECLARED) { reader.number()? } else { 0 };
    let active = match is(NOT_ACTIVE) {
        true => None,
        false => Some((table, evaluate(module, reader, Ty::I32)? as u32)),
    };
    let kind_offset = reader.offset();
    let ty = match is(NOT_ACTIVE | TABLE_OR_DECLARED) {
        false => Ty::FuncRef,
        true if is(EXPRESSIONS) => reference_type(reader)?,
        true => reader.byte().and_then(|kind| check(kind == 0, kind_offset)).map(|()| Ty::FuncRef)?,
    };
    if active.is_some() {
        check(module.tables.get(table as usize).is_some_and(|table| table.ty == ty), offset)?;
    }
    let count = reader.number()?;
    let mut items: Vec<Ref> = Vec::new();
    reserve(&mut items, count, reader)?;
    for _ in 0..count {
        let offset = reader.offset();
        let item = if is(EXPRESSIONS) {
            evaluate(module, reader, ty)? as Ref
        } else {
            let function = reader.number()?;
            check((function as usize) < module.functions.len(), offset)?;
            function + 1
        };
        declare(module, item);
        items.push(item);
    }
    let declared = is(NOT_ACTIVE) && is(TABLE_OR_DECLARED);
    Ok(Element { active, ty, declared, items, offset })
}

pub fn data<'a>(module: &mut Module<'a>, count: u32, section: Reader<'a>) -> Result<(), Rejection> {
    entries(module, count, section, |module| &mut module.data, data_segment)
}

fn data_segment<'a>(module: &mut Module<'a>, reader: &mut Reader<'a>, offset: u32) -> Result<Data<'a>, Rejection> {
    let flags = reader.number()?;
    let active = match flags {
        1 => None,
        0 | 2 => {
            let memory = if flags == 2 { reader.number()? } else { 0 };
            check(memory == 0 && module.memory.is_some(), offset)?;
            Some(evaluate(module, reader, Ty::I32)? as u32)
        }
        _ => return Err(invalid(offset)),
    };
    let size = reader.number()?;
    let bytes = reader.bytes(size)?;
    Ok(Data { active, bytes, offset })
}
