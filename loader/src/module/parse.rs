//! Reads and validates a component, section by section, as `wasmparser` hands them out.

use core::ops::Range;

use wasmparser::{BinaryReader, Chunk, Encoding, Parser, Payload};

use super::{Module, invalid, limits, sections, unsupported};
use crate::rejection::{Mode, Rejection};

/// Where the version stands, which a component of the Component Model has another of.
const VERSION: u32 = 4;

/// The id of a custom section.
const CUSTOM: u8 = 0;

/// Parses and validates a component. `each_body` must validate the function whose index it gets; the module it sees has everything
/// but the data segments and the later functions' bodies.
///
/// Rejects with `InvalidWasm`, `Unsupported`, `Limit` or `OutOfMemory`, and with `Contract` at an import or a start function, at an
/// offset within `bytes`: a section that is refused as a whole at its id.
pub fn parse<'a>(
    bytes: &'a [u8],
    mut each_body: impl FnMut(&Module<'a>, u32) -> Result<(), Rejection>,
) -> Result<Module<'a>, Rejection> {
    let mut module = Module::new(bytes);
    let mut parser = Parser::new(0);
    let (mut at, mut next_body, mut code_end) = (0, 0, 0);
    loop {
        let start = at as u32;
        let (consumed, payload) = match parser.parse(&bytes[at..], true) {
            Ok(Chunk::Parsed { consumed, payload }) => (consumed, payload),
            Ok(Chunk::NeedMoreData(_)) => return Err(invalid(bytes.len() as u32)),
            // At the header, or within the code section.
            Err(error) if at == 0 || at < code_end => return Err(error.into()),
            Err(error) => return Err(refused(bytes, start, error)),
        };
        at += consumed;
        let size = |range: Range<u64>| range.end - range.start;
        let limit = |within: bool| limits::check(within).map_err(|mode| mode.at(start));
        match payload {
            Payload::Version { encoding: Encoding::Module, .. } => {}
            Payload::Version { .. } => return Err(invalid(VERSION)),
            Payload::CustomSection(_) => {}
            Payload::TypeSection(section) => {
                limit(section.count() <= limits::TYPES && size(section.range()) <= limits::TYPE_SECTION_BYTES)?;
                sections::types(&mut module, &section)?;
            }
            Payload::ImportSection(section) => sections::no_imports(&section)?,
            Payload::FunctionSection(section) => {
                limit(section.count() <= limits::FUNCTIONS)?;
                sections::functions(&mut module, &section)?;
            }
            Payload::TableSection(section) => {
                limit(section.count() <= limits::TABLES)?;
                sections::tables(&mut module, &section)?;
            }
            Payload::MemorySection(section) => sections::memories(&mut module, &section)?,
            Payload::GlobalSection(section) => {
                limit(section.count() <= limits::GLOBALS)?;
                sections::globals(&mut module, &section)?;
            }
            Payload::ExportSection(section) => {
                limit(section.count() <= limits::EXPORTS)?;
                sections::exports(&mut module, &section)?;
            }
            Payload::ElementSection(section) => {
                limit(section.count() <= limits::SEGMENTS && size(section.range()) <= limits::ELEMENT_SECTION_BYTES)?;
                sections::elements(&mut module, &section)?;
            }
            Payload::DataCountSection { count, .. } => module.data_count = Some(count),
            Payload::CodeSectionStart { unchecked_range, .. } => {
                code_end = unchecked_range.end as usize;
                if code_end > bytes.len() {
                    return Err(invalid(start));
                }
            }
            Payload::CodeSectionEntry(body) => {
                // There are as many as functions: the parser has compared the counts.
                let function = &mut module.functions[next_body as usize];
                (function.start, function.end) = (body.range().start as u32, body.range().end as u32);
                each_body(&module, next_body)?;
                next_body += 1;
            }
            Payload::DataSection(section) => {
                limit(section.count() <= limits::SEGMENTS)?;
                if module.data_count.is_some_and(|expected| expected != section.count()) {
                    return Err(invalid(start));
                }
                sections::data(&mut module, &section)?;
            }
            Payload::End(_) => return Ok(module),
            Payload::UnknownSection { .. } => return Err(invalid(start)),
            Payload::StartSection { .. } => return Err(Mode::Contract.at(start)),
            // Tags.
            _ => return Err(unsupported(start)),
        }
    }
}

/// The rejection of a section that the parser cannot hand out: at its id if that is for its place or size, else at the byte at fault.
#[cold]
fn refused(bytes: &[u8], start: u32, error: wasmparser::Error) -> Rejection {
    let mut reader = BinaryReader::new(&bytes[start as usize..], start.into());
    let (Ok(id), Ok(size)) = (reader.read_u8(), reader.read_var_u32()) else { return error.into() };
    let contents = reader.original_position();
    let is_cut_off = size as usize > reader.bytes_remaining();
    if is_cut_off || error.offset() == contents && error.message() != "unexpected end-of-file" {
        return invalid(start);
    }
    if id == CUSTOM { super::refused_name(bytes, contents as u32, error) } else { error.into() }
}
