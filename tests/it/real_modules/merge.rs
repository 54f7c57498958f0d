//! Makes a target of a module that has no QIP exports: a wrapper, written in the text format, is added to it.

use std::collections::HashMap;
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode, RoundtripReencoder};
use wasm_encoder::{
    CodeSection, DataCountSection, DataSection, ElementSection, ExportSection, FunctionSection, GlobalSection,
    MemorySection, Module, TableSection, TypeSection,
};
use wasmparser::{ExternalKind, Parser, Payload, TypeRef};
use wasmtime::{Result, bail, format_err};

/// `original` with the types, functions, globals and exports of `wrapper`.
///
/// The wrapper imports the original's exports by their names. Its memory import decides how large the memory is. The
/// original's exports are left out.
pub fn merge(original: &[u8], wrapper: &[u8]) -> Result<Vec<u8>> {
    let mut sections = Sections::default();
    let exports = sections.add_original(original)?;
    sections.add_wrapper(wrapper, &exports)?;
    Ok(sections.finish())
}

type Exports = HashMap<String, (ExternalKind, u32)>;

#[derive(Default)]
struct Sections {
    types: TypeSection,
    functions: FunctionSection,
    tables: TableSection,
    memories: MemorySection,
    globals: GlobalSection,
    exports: ExportSection,
    elements: ElementSection,
    code: CodeSection,
    data: DataSection,
}

impl Sections {
    fn add_original(&mut self, original: &[u8]) -> Result<Exports> {
        let mut exports = Exports::new();
        let mut same = RoundtripReencoder;
        for payload in Parser::new(0).parse_all(original) {
            match payload? {
                Payload::TypeSection(section) => same.parse_type_section(&mut self.types, section)?,
                Payload::FunctionSection(section) => same.parse_function_section(&mut self.functions, section)?,
                Payload::TableSection(section) => same.parse_table_section(&mut self.tables, section)?,
                Payload::GlobalSection(section) => same.parse_global_section(&mut self.globals, section)?,
                Payload::ElementSection(section) => same.parse_element_section(&mut self.elements, section)?,
                Payload::CodeSectionEntry(body) => same.parse_function_body(&mut self.code, body)?,
                Payload::DataSection(section) => same.parse_data_section(&mut self.data, section)?,
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        exports.insert(export.name.to_owned(), (export.kind, export.index));
                    }
                }
                Payload::ImportSection(section) if section.count() > 0 => bail!("the original has imports"),
                Payload::StartSection { .. } => bail!("the original has a start function"),
                _ => {}
            }
        }
        Ok(exports)
    }

    fn add_wrapper(&mut self, wrapper: &[u8], exports: &Exports) -> Result<()> {
        let mut renumber = Renumber {
            types: self.types.len(),
            functions: vec![],
            first_function: self.functions.len(),
            globals: vec![],
            first_global: self.globals.len(),
        };
        for payload in Parser::new(0).parse_all(wrapper) {
            match payload? {
                Payload::TypeSection(section) => renumber.parse_type_section(&mut self.types, section)?,
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        let export = exports.get(import.name);
                        let (kind, index) = *export.ok_or_else(|| format_err!("no export {:?}", import.name))?;
                        match (import.ty, kind) {
                            (TypeRef::Func(_), ExternalKind::Func) => renumber.functions.push(index),
                            (TypeRef::Global(_), ExternalKind::Global) => renumber.globals.push(index),
                            (TypeRef::Memory(memory), ExternalKind::Memory) => {
                                self.memories.memory(renumber.memory_type(memory)?);
                            }
                            _ => bail!("{:?} is exported as {kind:?}", import.name),
                        }
                    }
                }
                Payload::FunctionSection(section) => renumber.parse_function_section(&mut self.functions, section)?,
                Payload::GlobalSection(section) => renumber.parse_global_section(&mut self.globals, section)?,
                Payload::ExportSection(section) => renumber.parse_export_section(&mut self.exports, section)?,
                Payload::CodeSectionEntry(body) => renumber.parse_function_body(&mut self.code, body)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        let mut module = Module::new();
        module.section(&self.types).section(&self.functions).section(&self.tables).section(&self.memories);
        module.section(&self.globals).section(&self.exports).section(&self.elements);
        module.section(&DataCountSection { count: self.data.len() });
        module.section(&self.code).section(&self.data);
        module.finish()
    }
}

/// The wrapper's indices in the merged module: an import has the index that the original exports it by, and what the
/// wrapper defines comes behind what the original defines.
struct Renumber {
    types: u32,
    functions: Vec<u32>,
    first_function: u32,
    globals: Vec<u32>,
    first_global: u32,
}

fn renumbered(index: u32, imports: &[u32], first: u32) -> u32 {
    imports.get(index as usize).copied().unwrap_or_else(|| first + index - imports.len() as u32)
}

impl Reencode for Renumber {
    type Error = Infallible;

    fn type_index(&mut self, ty: u32) -> std::result::Result<u32, Error<Infallible>> {
        Ok(self.types + ty)
    }

    fn function_index(&mut self, function: u32) -> std::result::Result<u32, Error<Infallible>> {
        Ok(renumbered(function, &self.functions, self.first_function))
    }

    fn global_index(&mut self, global: u32) -> std::result::Result<u32, Error<Infallible>> {
        Ok(renumbered(global, &self.globals, self.first_global))
    }
}
