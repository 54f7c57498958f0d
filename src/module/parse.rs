//! Reads and validates a component, section by section.

use alloc::vec::Vec;

use wasmparser::{BinaryReader, FunctionBody, Parser, Payload};

use super::{Module, invalid, limits, sections, unsupported};
use crate::rejection::{Mode, Rejection};

/// The magic number, and behind it the version.
const MAGIC_BYTES: u64 = 4;
const HEADER_BYTES: u64 = 8;
const VERSION: u16 = 1;

/// The ids of all sections but custom ones, in the order in which they may come (spec 5.5.2); tags are of a later version.
const ORDER: [u8; 13] = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

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
    let (mut next_body, mut next_section, mut last_order) = (0, HEADER_BYTES, 0);
    for payload in Parser::new(0).parse_all(bytes) {
        let start = next_section;
        let payload = payload.map_err(|error| refuse_section(bytes, start, error))?;
        limits::check(&payload).map_err(|mode| Rejection::new(mode, start as u32))?;
        if let Some((id, range)) = payload.as_section() {
            next_section = range.end;
            if let Some(order) = ORDER.iter().position(|&section| section == id) {
                if order < last_order {
                    return Err(invalid(start));
                }
                last_order = order + 1;
            }
        }
        match payload {
            Payload::Version { num: VERSION, .. } => {}
            Payload::Version { range, .. } => return Err(invalid(range.start + MAGIC_BYTES)),
            Payload::TypeSection(section) => sections::types(&mut module, section.range())?,
            Payload::ImportSection(section) => sections::no_imports(&module, section.range())?,
            Payload::FunctionSection(section) => sections::functions(&mut module, section.range())?,
            Payload::TableSection(section) => sections::tables(&mut module, section.range())?,
            Payload::MemorySection(section) => sections::memories(&mut module, section.range())?,
            Payload::TagSection(_) | Payload::StartSection { .. } => return Err(unsupported(start)),
            Payload::GlobalSection(section) => sections::globals(&mut module, section.range())?,
            Payload::ExportSection(section) => sections::exports(&mut module, section.range())?,
            Payload::ElementSection(section) => sections::elements(&mut module, section.range())?,
            Payload::DataCountSection { count, .. } => module.data_count = Some(count),
            Payload::CodeSectionStart { count, .. } => {
                if count as usize != module.functions.len() {
                    return Err(invalid(start));
                }
            }
            Payload::CodeSectionEntry(body) => {
                let (index, range) = (next_body, body.range());
                next_body += 1;
                let function = &mut module.functions[index as usize];
                (function.start, function.end) = (range.start as u32, range.end as u32);
                each_body(&module, Body { index, body })?;
            }
            Payload::DataSection(section) => {
                if module.data_count.is_some_and(|count| count != section.count()) {
                    return Err(invalid(start));
                }
                sections::data(&mut module, section.range())?;
            }
            Payload::CustomSection(_) => {}
            Payload::End(end) => {
                let has_data = module.data_count.is_none_or(|count| count as usize == module.data.len());
                if next_body as usize != module.functions.len() || !has_data {
                    return Err(invalid(end));
                }
            }
            _ => return Err(invalid(start)),
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
