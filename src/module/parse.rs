//! Reads and validates a component, section by section.

use alloc::vec::Vec;

use super::{Module, Reader, invalid, limits, sections, unsupported};
use crate::rejection::Rejection;

const MAGIC: [u8; 4] = *b"\0asm";
const VERSION: [u8; 4] = [1, 0, 0, 0];

/// Bytes of both.
pub(super) const HEADER_BYTES: u32 = 8;

/// The sections' ids (spec 5.5.2); tags are of a later version.
pub(super) mod id {
    pub const CUSTOM: u8 = 0;
    pub const TYPE: u8 = 1;
    pub const IMPORT: u8 = 2;
    pub const FUNCTION: u8 = 3;
    pub const TABLE: u8 = 4;
    pub const MEMORY: u8 = 5;
    pub const GLOBAL: u8 = 6;
    pub const EXPORT: u8 = 7;
    pub const START: u8 = 8;
    pub const ELEMENT: u8 = 9;
    pub const CODE: u8 = 10;
    pub const DATA: u8 = 11;
    pub const DATA_COUNT: u8 = 12;
    pub const TAG: u8 = 13;
}

/// All sections but custom ones, in the order in which they may come.
const ORDER: [u8; 13] = [
    id::TYPE,
    id::IMPORT,
    id::FUNCTION,
    id::TABLE,
    id::MEMORY,
    id::TAG,
    id::GLOBAL,
    id::EXPORT,
    id::START,
    id::ELEMENT,
    id::DATA_COUNT,
    id::CODE,
    id::DATA,
];

/// Reads a section: its id, and a reader of its contents.
pub(super) fn section<'a>(reader: &mut Reader<'a>) -> Result<(u8, Reader<'a>), Rejection> {
    let start = reader.offset();
    let (id, size) = (reader.byte()?, reader.number()?);
    Ok((id, reader.part(size).map_err(|_| invalid(start))?))
}

/// Parses and validates a component. `each_body` must validate the function whose index it gets; the module it sees has everything
/// but the data segments and the later functions' bodies.
///
/// Rejects with `InvalidWasm`, `Unsupported`, `Limit` or `OutOfMemory`, at an offset within `bytes`: a section that is refused as a
/// whole at its id.
pub fn parse<'a>(
    bytes: &'a [u8],
    mut each_body: impl FnMut(&Module<'a>, u32) -> Result<(), Rejection>,
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
    let reader = &mut Reader::new(bytes, 0);
    for (at, expected) in [(0, MAGIC), (4, VERSION)] {
        if reader.array()? != expected {
            return Err(invalid(at));
        }
    }
    let (mut last_order, mut has_code) = (0, false);
    while !reader.is_at_end() {
        let start = reader.offset();
        let (id, mut section) = section(reader)?;
        if id == id::CUSTOM {
            section.name()?;
            continue;
        }
        let order = ORDER.iter().position(|&section| section == id).filter(|&order| order >= last_order);
        last_order = order.ok_or(invalid(start))? + 1;
        let bytes = section.left();
        // All others begin with a number, most of them with the count of their entries.
        let count = section.number()?;
        limits::check(id, count, bytes).map_err(|mode| Rejection::new(mode, start))?;
        match id {
            id::TYPE => sections::types(&mut module, count, section)?,
            id::IMPORT => sections::no_imports(count, section)?,
            id::FUNCTION => sections::functions(&mut module, count, section)?,
            id::TABLE => sections::tables(&mut module, count, section)?,
            id::MEMORY => sections::memories(&mut module, count, section)?,
            id::GLOBAL => sections::globals(&mut module, count, section)?,
            id::EXPORT => sections::exports(&mut module, count, section)?,
            id::ELEMENT => sections::elements(&mut module, count, section)?,
            id::CODE => {
                has_code = true;
                if count as usize != module.functions.len() {
                    return Err(invalid(start));
                }
                for index in 0..count {
                    let size = section.number()?;
                    let body = section.part(size)?;
                    let function = &mut module.functions[index as usize];
                    (function.start, function.end) = (body.offset(), body.offset() + size);
                    each_body(&module, index)?;
                }
                section.end()?;
            }
            id::DATA => {
                if module.data_count.is_some_and(|expected| expected != count) {
                    return Err(invalid(start));
                }
                sections::data(&mut module, count, section)?;
            }
            id::DATA_COUNT => {
                module.data_count = Some(count);
                section.end()?;
            }
            // A start function, and tags.
            _ => return Err(unsupported(start)),
        }
    }
    let has_data = module.data_count.is_none_or(|count| count as usize == module.data.len());
    if !has_data || !has_code && !module.functions.is_empty() {
        return Err(invalid(reader.offset()));
    }
    Ok(module)
}
