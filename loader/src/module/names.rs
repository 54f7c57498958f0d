//! Names of functions, for people to read. What cannot be read of them is left out: a name section can do no harm.

use alloc::vec::Vec;

use wasmparser::{BinaryReader, ExternalKind, Name, Parser, Payload, Subsections};

use super::limits;
use crate::fallible;
use crate::rejection::Mode;

/// The names of a component's functions.
#[derive(Default)]
pub struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    /// Reads the names in a component, which need not be valid: first those in name sections, then those of exports, and of
    /// several for one function the first. Fails with `Mode::OutOfMemory`.
    ///
    /// What cannot be read takes memory for an error, without a way to fail: so this comes before a run that may spend it all.
    pub fn read(component: &'a [u8]) -> Result<Self, Mode> {
        let mut names = Self::default();
        let payloads = || Parser::new(0).parse_all(component).map_while(Result::ok);
        for payload in payloads() {
            if let Payload::CustomSection(section) = payload
                && section.name() == "name"
            {
                let contents = BinaryReader::new(section.data(), section.data_offset());
                for subsection in Subsections::<Name<'_>>::new(contents).filter_map(Result::ok) {
                    if let Name::Function(functions) = subsection {
                        for function in functions.into_iter().map_while(Result::ok) {
                            names.add(function.index, function.name)?;
                        }
                    }
                }
            }
        }
        for payload in payloads() {
            if let Payload::ExportSection(section) = payload {
                for export in section.into_iter().map_while(Result::ok) {
                    if export.kind == ExternalKind::Func {
                        names.add(export.index, export.name)?;
                    }
                }
            }
        }
        Ok(names)
    }

    /// A function's name, empty if it has none.
    pub fn get(&self, function: u32) -> &'a str {
        self.0.get(function as usize).copied().unwrap_or_default()
    }

    fn add(&mut self, function: u32, name: &'a str) -> Result<(), Mode> {
        if function >= limits::FUNCTIONS {
            return Ok(());
        }
        let size = self.0.len().max(function as usize + 1);
        fallible::resize(&mut self.0, size, "")?;
        let place = &mut self.0[function as usize];
        if place.is_empty() {
            *place = name;
        }
        Ok(())
    }
}
