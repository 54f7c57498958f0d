//! What lies at a byte of a component, for people to read. The component need not be valid.

use wasmparser::{FunctionBody, Operator, Parser, Payload};

/// The magic number and the version.
const HEADER_BYTES: u64 = 8;

/// Sections by their id.
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
pub struct Place<'a> {
    /// The section, by name.
    pub section: Option<&'static str>,
    /// The export that starts there, by name.
    pub export: Option<&'a str>,
    /// The index of the function whose body it is in.
    pub function: Option<u32>,
    /// The instruction that starts there: its name as `wasmparser` has it, `i32_load8_u` for instance.
    pub instruction: Option<&'static str>,
}

impl<'a> Place<'a> {
    /// The place of byte `at`.
    pub fn of(component: &'a [u8], at: u64) -> Self {
        let mut place = Self::default();
        let (mut next_section, mut next_function) = (HEADER_BYTES, 0);
        for payload in Parser::new(0).parse_all(component).map_while(Result::ok) {
            if let Some((id, range)) = payload.as_section() {
                if (next_section..range.end).contains(&at) {
                    place.section = name(id);
                }
                next_section = range.end;
            }
            match payload {
                Payload::ExportSection(section) => {
                    let mut exports = section.into_iter_with_offsets().map_while(Result::ok);
                    place.export = exports.find(|&(offset, _)| offset == at).map(|(_, export)| export.name);
                }
                Payload::CodeSectionEntry(body) => {
                    if body.range().contains(&at) {
                        place.function = Some(next_function);
                        place.instruction = instruction(&body, at);
                    }
                    next_function += 1;
                }
                _ => {}
            }
        }
        // A section that cannot be read is the last.
        if place.section.is_none() && at >= next_section {
            place.section = component.get(next_section as usize).and_then(|&id| name(id));
        }
        place
    }
}

fn name(section: u8) -> Option<&'static str> {
    SECTIONS.get(usize::from(section)).copied()
}

fn instruction(body: &FunctionBody<'_>, at: u64) -> Option<&'static str> {
    let operators = body.get_operators_reader().ok()?.into_iter_with_offsets();
    let (operator, _) = operators.map_while(Result::ok).find(|&(_, offset)| offset == at)?;
    macro_rules! visitor {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
            match operator {
                $(Operator::$op { .. } => Some(stringify!($visit)),)*
                _ => None,
            }
        };
    }
    wasmparser::for_each_operator!(visitor)?.strip_prefix("visit_")
}
