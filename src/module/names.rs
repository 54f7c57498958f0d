//! Names of functions, for people to read. What cannot be read of them is left out: a name section can do no harm.

use alloc::vec::Vec;

use super::parse::{HEADER_BYTES, id, section};
use super::{Reader, limits};
use crate::fallible;
use crate::rejection::{Mode, Rejection};

/// The id of the subsection with the functions' names.
const FUNCTION_NAMES: u8 = 1;

/// The kind of an export.
const FUNCTION: u8 = 0;

/// The names of a component's functions.
#[derive(Default)]
pub struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    /// Reads the names in a component, which need not be valid: first those in name sections, then those of exports, and of
    /// several for one function the first. Fails with `Mode::OutOfMemory`.
    pub fn read(component: &'a [u8]) -> Result<Self, Mode> {
        let mut names = Self::default();
        names.sections(component, id::CUSTOM, |names, mut section| {
            if section.name()? == "name" {
                while !section.is_at_end() {
                    let id = section.byte()?;
                    let size = section.number()?;
                    let mut names_of_kind = section.part(size)?;
                    if id == FUNCTION_NAMES {
                        for _ in 0..names_of_kind.number()? {
                            names.add(names_of_kind.number()?, names_of_kind.name()?)?;
                        }
                    }
                }
            }
            Ok(())
        })?;
        names.sections(component, id::EXPORT, |names, mut section| {
            for _ in 0..section.number()? {
                let name = section.name()?;
                let (kind, index) = (section.byte()?, section.number()?);
                if kind == FUNCTION {
                    names.add(index, name)?;
                }
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// A function's name, empty if it has none.
    pub fn get(&self, function: u32) -> &'a str {
        self.0.get(function as usize).copied().unwrap_or_default()
    }

    /// Reads the names in each section of an id, as far as it can be read.
    fn sections(
        &mut self,
        component: &'a [u8],
        id: u8,
        read: impl Fn(&mut Self, Reader<'a>) -> Result<(), Rejection>,
    ) -> Result<(), Mode> {
        let mut reader = Reader::new(component.get(HEADER_BYTES as usize..).unwrap_or_default(), HEADER_BYTES);
        while let Ok((found, contents)) = section(&mut reader) {
            if found == id
                && let Err(Rejection { mode: Mode::OutOfMemory, .. }) = read(self, contents)
            {
                return Err(Mode::OutOfMemory);
            }
        }
        Ok(())
    }

    fn add(&mut self, function: u32, name: &'a str) -> Result<(), Rejection> {
        if function >= limits::FUNCTIONS {
            return Ok(());
        }
        let size = self.0.len().max(function as usize + 1);
        fallible::resize(&mut self.0, size, "").map_err(|mode| mode.at(0))?;
        let place = &mut self.0[function as usize];
        if place.is_empty() {
            *place = name;
        }
        Ok(())
    }
}
