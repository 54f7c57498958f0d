//! What lies at a byte of a component, for people to read. The component need not be valid.

use wasmparser::{FunctionBody, Parser, Payload};

use crate::wasm::{Operator, instruction_name};

/// Bytes of the magic number and the version.
const HEADER_BYTES: u64 = 8;

/// Sections by their id (Wasm 5.5.2); tags are of a later version.
const SECTIONS: [&str; 14] = [
    "custom",
    "type",
    "import",
    "function",
    "table",
    "memory",
    "global",
    "export",
    "start",
    "element",
    "code",
    "data",
    "data count",
    "tag",
];

/// What a byte belongs to, as far as it can be told.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Landmark<'a> {
    /// The section, by name.
    pub section: Option<&'static str>,
    /// The export that starts there, by name.
    pub export: Option<&'a str>,
    /// The index of the function whose body it is in.
    pub function: Option<u32>,
    /// The instruction that starts there, by the standard's name.
    pub instruction: Option<&'static str>,
}

impl<'a> Landmark<'a> {
    /// The landmark at byte `at`.
    pub fn at(component: &'a [u8], at: u64) -> Self {
        let mut landmark = Self::default();
        let (mut next_section, mut next_function) = (HEADER_BYTES, 0);
        for payload in Parser::new(0).parse_all(component).map_while(Result::ok) {
            if let Some((id, range)) = payload.as_section() {
                if (next_section..range.end).contains(&at) {
                    landmark.section = section(id);
                }
                next_section = range.end;
            }
            match payload {
                Payload::ExportSection(section) => {
                    let mut exports = section.into_iter_with_offsets().map_while(Result::ok);
                    landmark.export = exports.find(|&(offset, _)| offset == at).map(|(_, export)| export.name);
                }
                Payload::CodeSectionEntry(body) => {
                    if body.range().contains(&at) {
                        landmark.function = Some(next_function);
                        landmark.instruction = instruction(component, &body, at);
                    }
                    next_function += 1;
                }
                _ => {}
            }
        }
        // A section that cannot be read is the last.
        if landmark.section.is_none() && at >= next_section {
            landmark.section = component.get(next_section as usize).and_then(|&id| section(id));
        }
        landmark
    }
}

fn section(id: u8) -> Option<&'static str> {
    SECTIONS.get(usize::from(id)).copied()
}

/// The name of the instruction that starts at byte `at`, up to which all must be such as the tool reads.
fn instruction(component: &[u8], body: &FunctionBody<'_>, at: u64) -> Option<&'static str> {
    let mut reader = body.get_binary_reader_for_operators().ok()?;
    while reader.original_position() < at {
        Operator::read(&mut reader).ok()?;
    }
    instruction_name(&component[at as usize..]).filter(|_| reader.original_position() == at)
}
