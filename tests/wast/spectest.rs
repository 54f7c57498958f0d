//! Makes modules of the suite self-contained: imports of `spectest` become definitions, and a start function is taken
//! out for the runner to call.

use wasm_encoder::{Encode, Instruction, Section};
use wasmparser::{Parser, Payload, TypeRef};

/// A module without imports and start function.
pub struct Standalone {
    /// The module.
    pub bytes: Vec<u8>,
    /// The start function, to be called once.
    pub start: Option<u32>,
}

/// Why a module cannot stand alone.
pub const OTHER_MODULES: &str = "imports from another module";

/// Entries to put in front of a section's own. Imports come first in their index spaces, so no index changes.
#[derive(Default)]
struct Prepended {
    count: u32,
    entries: Vec<u8>,
}

impl Prepended {
    fn add(&mut self, entry: &[u8]) {
        self.count += 1;
        self.entries.extend_from_slice(entry);
    }
}

struct Raw<'a> {
    id: u8,
    body: &'a [u8],
}

impl Encode for Raw<'_> {
    fn encode(&self, sink: &mut Vec<u8>) {
        self.body.encode(sink);
    }
}

impl Section for Raw<'_> {
    fn id(&self) -> u8 {
        self.id
    }
}

/// Replaces the imports of a module. `None` if one is not of `spectest` or does not fit what `spectest` exports.
/// A module that cannot be parsed is returned as it is.
pub fn stand_alone(module: &[u8]) -> Option<Standalone> {
    let unchanged = || Some(Standalone { bytes: module.to_vec(), start: None });
    let mut sections: Vec<(u8, Vec<u8>)> = Vec::new();
    let [mut functions, mut tables, mut memories, mut globals, mut code] = [(); 5].map(|()| Prepended::default());
    let mut start = None;
    for payload in Parser::new(0).parse_all(module) {
        let Ok(payload) = payload else { return unchanged() };
        if let Payload::StartSection { func, .. } = payload {
            start = Some(func);
            continue;
        }
        if let Payload::ImportSection(imports) = payload {
            for import in imports.into_imports() {
                let Ok(import) = import else { return unchanged() };
                if import.module != "spectest" {
                    return None;
                }
                match (import.name, import.ty) {
                    (name, TypeRef::Func(ty)) if name.starts_with("print") => {
                        let mut index = Vec::new();
                        ty.encode(&mut index);
                        functions.add(&index);
                        code.add(&[2, 0, 0x0b]);
                    }
                    (name, TypeRef::Global(ty)) if !ty.mutable => {
                        let (ty, value) = match name {
                            "global_i32" => (0x7f, Instruction::I32Const(666)),
                            "global_i64" => (0x7e, Instruction::I64Const(666)),
                            "global_f32" => (0x7d, Instruction::F32Const(666.6f32.into())),
                            "global_f64" => (0x7c, Instruction::F64Const(666.6f64.into())),
                            _ => return None,
                        };
                        let mut entry = vec![ty, 0];
                        value.encode(&mut entry);
                        Instruction::End.encode(&mut entry);
                        globals.add(&entry);
                    }
                    ("table", TypeRef::Table(_)) => tables.add(&[0x70, 1, 10, 20]),
                    ("memory", TypeRef::Memory(_)) => memories.add(&[1, 1, 2]),
                    _ => return None,
                }
            }
            continue;
        }
        if let Some((id, range)) = payload.as_section() {
            sections.push((id, module[range.start as usize..range.end as usize].to_vec()));
        }
    }
    if functions.count + tables.count + memories.count + globals.count == 0 && start.is_none() {
        return unchanged();
    }
    for (id, prepended) in [(3, functions), (4, tables), (5, memories), (6, globals), (10, code)] {
        if prepended.count > 0 {
            prepend(&mut sections, id, prepended);
        }
    }
    let mut result = wasm_encoder::Module::new();
    for (id, body) in &sections {
        result.section(&Raw { id: *id, body });
    }
    Some(Standalone { bytes: result.finish(), start })
}

fn prepend(sections: &mut Vec<(u8, Vec<u8>)>, id: u8, prepended: Prepended) {
    // Sections come in the order of their ids, but for custom sections (0), the tags (13, behind the memories) and the
    // data count (12, before the code).
    let rank = |id: u8| match id {
        0 => 0,
        12 => 19,
        13 => 11,
        id => 2 * id,
    };
    let at = sections.iter().position(|(other, _)| rank(*other) >= rank(id)).unwrap_or(sections.len());
    if sections.get(at).is_none_or(|(other, _)| *other != id) {
        sections.insert(at, (id, vec![0]));
    }
    let body = &mut sections[at].1;
    let mut reader = wasmparser::BinaryReader::new(body, 0);
    let count = reader.read_var_u32().expect("a section starts with its count");
    let rest = body[reader.original_position() as usize..].to_vec();
    body.clear();
    (count + prepended.count).encode(body);
    body.extend(prepended.entries);
    body.extend(rest);
}
