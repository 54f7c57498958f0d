//! Which parts a request may have.

use alloc::vec::Vec;

use super::{Part, Parts, Uniform};
use crate::{Mode, Rejection};

pub(super) const MAX_UNIFORMS: usize = 64;
const MAX_KEY: usize = 63;

/// The parts read so far.
#[derive(Default)]
pub(super) struct Form<'a> {
    component: Option<Part<'a>>,
    input: Option<Part<'a>>,
    uniforms: Vec<Uniform<'a>>,
}

/// Where the body of a part goes.
pub(super) enum Field<'a> {
    Component,
    Input,
    /// The key, its offset, and its place among the uniforms.
    Uniform(&'a str, u32, usize),
}

impl<'a> Form<'a> {
    /// The field that a part of this name fills.
    pub(super) fn field(&self, name: Part<'a>) -> Result<Field<'a>, Rejection> {
        match name.body {
            b"component" if self.component.is_none() => Ok(Field::Component),
            b"input" if self.input.is_none() => Ok(Field::Input),
            other => match other.strip_prefix(b"uniforms[").and_then(|rest| rest.strip_suffix(b"]")) {
                Some(key) => self.uniform(key, name.offset + b"uniforms[".len() as u32),
                None => Err(Rejection::new(Mode::BadPart, name.offset)),
            },
        }
    }

    fn uniform(&self, key: &'a [u8], offset: u32) -> Result<Field<'a>, Rejection> {
        let bad = |index| Rejection::new(Mode::BadUniform, offset + index as u32);
        if let Some(index) = key_fault(key) {
            return Err(bad(index));
        }
        let key = core::str::from_utf8(key).map_err(|error| bad(error.valid_up_to()))?;
        match self.uniforms.binary_search_by(|uniform| uniform.key.cmp(key)) {
            Err(place) if self.uniforms.len() < MAX_UNIFORMS => Ok(Field::Uniform(key, offset, place)),
            _ => Err(bad(0)),
        }
    }

    /// Fills a field that [`Form::field`] has found, with no other filled in between.
    pub(super) fn insert(&mut self, field: Field<'a>, part: Part<'a>) {
        match field {
            Field::Component => self.component = Some(part),
            Field::Input => self.input = Some(part),
            Field::Uniform(key, key_offset, place) => {
                let uniform = Uniform { key, value: part.body, key_offset, value_offset: part.offset };
                self.uniforms.insert(place, uniform);
            }
        }
    }

    /// The request, if its one required part is there. `end` is the length of the body.
    pub(super) fn finish(self, end: u32) -> Result<Parts<'a>, Rejection> {
        let component = self.component.ok_or(Rejection::new(Mode::BadPart, end))?;
        Ok(Parts { component, input: self.input, uniforms: self.uniforms })
    }
}

/// The index of the first byte that no key can have there, or the key's length where a byte is missing.
fn key_fault(key: &[u8]) -> Option<usize> {
    let fault = key.iter().enumerate().position(|(index, byte)| match byte {
        b'a'..=b'z' => index >= MAX_KEY,
        b'0'..=b'9' => index == 0 || index >= MAX_KEY,
        b'_' => index == 0 || index >= MAX_KEY || key[index - 1] == b'_' || index + 1 == key.len(),
        _ => true,
    });
    fault.or(key.is_empty().then_some(0))
}
