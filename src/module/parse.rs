//! Reads and validates a component, section by section.

use alloc::vec::Vec;

use super::{Module, Reader, invalid, limits, sections, unsupported};
use crate::rejection::Rejection;

const MAGIC: [u8; 4] = *b"\0asm";
const VERSION: [u8; 4] = [1, 0, 0, 0];

/// Bytes of both.
pub(super) const HEADER_BYTES: u32 = 8;

/// The ids of all sections but custom ones, in the order in which they may come (spec 5.5.2); tags are of a later version.
const ORDER: [u8; 13] = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

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
        let id = reader.byte()?;
        let size = reader.number()?;
        let mut section = reader.part(size).map_err(|_| invalid(start))?;
        if id == 0 {
            section.name()?;
            continue;
        }
        let order = ORDER.iter().position(|&section| section == id).filter(|&order| order >= last_order);
        last_order = order.ok_or(invalid(start))? + 1;
        // All others begin with a number, most of them with the count of their entries.
        let count = section.clone().number()?;
        limits::check(id, count, size as usize).map_err(|mode| Rejection::new(mode, start))?;
        match id {
            1 => sections::types(&mut module, section)?,
            2 => sections::no_imports(section)?,
            3 => sections::functions(&mut module, section)?,
            4 => sections::tables(&mut module, section)?,
            5 => sections::memories(&mut module, section)?,
            6 => sections::globals(&mut module, section)?,
            7 => sections::exports(&mut module, section)?,
            9 => sections::elements(&mut module, section)?,
            10 => {
                has_code = true;
                if count as usize != module.functions.len() {
                    return Err(invalid(start));
                }
                section.number()?;
                for index in 0..count {
                    let size = section.number()?;
                    let body = section.part(size)?;
                    let function = &mut module.functions[index as usize];
                    (function.start, function.end) = (body.offset(), body.offset() + size);
                    each_body(&module, index)?;
                }
                section.end()?;
            }
            11 => {
                if module.data_count.is_some_and(|expected| expected != count) {
                    return Err(invalid(start));
                }
                sections::data(&mut module, section)?;
            }
            12 => {
                module.data_count = Some(section.number()?);
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
