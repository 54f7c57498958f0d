//! Names of functions, for people to read. What cannot be read of them is left out: a name section can do no harm.

use alloc::vec::Vec;

use wasmparser::{BinaryReader, ExternalKind, Name, NameSectionReader, Parser, Payload};

use super::limits;
use crate::rejection::Mode;

/// The names of a component's functions.
#[derive(Default)]
pub struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    /// Reads the names in a component, which need not be valid: first those in name sections, then those of exports, and of
    /// several for one function the first. Fails with `Mode::OutOfMemory`.
    pub fn read(component: &'a [u8]) -> Result<Self, Mode> {
        let mut names = Self::default();
        let payloads = || Parser::new(0).parse_all(component).map_while(Result::ok);
        for payload in payloads() {
            if let Payload::CustomSection(section) = payload
                && section.name() == "name"
            {
                names.name_section(section.data())?;
            }
        }
        for payload in payloads() {
            if let Payload::ExportSection(section) = payload {
                let exports = section.into_iter().map_while(Result::ok);
                for export in exports.filter(|export| export.kind == ExternalKind::Func) {
                    names.add(export.index, export.name)?;
                }
            }
        }
        Ok(names)
    }

    /// A function's name, empty if it has none.
    pub fn get(&self, function: u32) -> &'a str {
        self.0.get(function as usize).copied().unwrap_or_default()
    }

    fn name_section(&mut self, contents: &'a [u8]) -> Result<(), Mode> {
        let subsections = NameSectionReader::new(BinaryReader::new(contents, 0));
        for subsection in subsections.map_while(Result::ok) {
            if let Name::Function(functions) = subsection {
                for naming in functions.map_while(Result::ok) {
                    self.add(naming.index, naming.name)?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, function: u32, name: &'a str) -> Result<(), Mode> {
        if function >= limits::FUNCTIONS {
            return Ok(());
        }
        let size = self.0.len().max(function as usize + 1);
        self.0.try_reserve(size - self.0.len()).map_err(|_| Mode::OutOfMemory)?;
        self.0.resize(size, "");
        let place = &mut self.0[function as usize];
        if place.is_empty() {
            *place = name;
        }
        Ok(())
    }
}
