//! Says in words what became of a request.

use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::text::{Text, printable};
use crate::content::{Failure, Finished, Unfinished};
use crate::memory::Count;
use crate::module::{Landmark, Names};
use crate::rejection::{Mode, Rejection};
use crate::{Request, request};

/// Bytes on a line.
const LINE: usize = 16;

/// Says that a run has succeeded, and what of `budget` it took. Rejects with `OutOfMemory`, at 0.
pub fn succeeded<C: Count>(run: &Finished<'_, C>, budget: u32) -> Result<Vec<u8>, Rejection> {
    Text::write(|text| {
        writeln!(text, "The run succeeds.\n")?;
        writeln!(text, "instructions: {} of {budget}", u64::from(budget) - run.machine.budget())?;
        writeln!(text, "output: {} bytes", run.output.end - run.output.start)
    })
}

/// Says why a request was rejected, and what is there. Rejects with `OutOfMemory`, at 0.
pub fn rejected(request: &Request<'_>, why: &Unfinished) -> Result<Vec<u8>, Rejection> {
    let Unfinished { rejection: why, failure } = why;
    let part = Part::find(request, why.offset);
    let at = (why.offset - part.start) as usize;
    Text::write(|text| {
        writeln!(text, "{}\n", why.mode.cause())?;
        writeln!(text, "mode: {}", why.mode as u8)?;
        writeln!(text, "offset: {}", why.offset)?;
        if why.mode == Mode::Budget {
            writeln!(text, "instruction_budget: {}", request.budget)?;
        }
        match failure {
            Some(Failure { detail, modes: Some(modes) }) => {
                writeln!(text, "target_mode: {} of {modes}", *detail % *modes)?
            }
            Some(Failure { detail, modes: None }) => writeln!(text, "target_failure: {detail}")?,
            None => {}
        }
        match part.key {
            Some(key) => writeln!(text, "part: {}[{key}]", part.name)?,
            None => writeln!(text, "part: {}", part.name)?,
        }
        let end = if at == part.bytes.len() { ", the end" } else { "" };
        writeln!(text, "byte: {at} (0x{at:x}) of {}{end}", part.bytes.len())?;
        if part.name == COMPONENT {
            place(text, part.bytes, at as u64)?;
        }
        text.write_str("\n")?;
        dump(text, part.bytes, at)
    })
}

const COMPONENT: &str = "component";

/// A part of the request.
struct Part<'a> {
    name: &'static str,
    /// Of a uniform.
    key: Option<&'a str>,
    bytes: &'a [u8],
    /// Its first byte in the request.
    start: u32,
}

impl<'a> Part<'a> {
    /// The part that a byte of the request lies in, or right behind; or else the whole request.
    fn find(request: &Request<'a>, offset: u32) -> Self {
        let whole = Self { name: "the whole request", key: None, bytes: request.body, start: 0 };
        let Ok(form) = request::parse(request.body, request.boundary) else { return whole };
        let body = |name, part: request::Part<'a>| Self { name, key: None, bytes: part.body, start: part.offset };
        let parts = [Some(body(COMPONENT, form.component)), form.input.map(|input| body("input", input))];
        let uniforms = form.uniforms.iter().flat_map(|uniform| {
            let part = |name, bytes, start| Self { name, key: Some(uniform.key), bytes, start };
            let key = part("key of uniforms", uniform.key.as_bytes(), uniform.key_offset);
            [key, part("uniforms", uniform.value, uniform.value_offset)]
        });
        let mut parts = parts.into_iter().flatten().chain(uniforms);
        let holds = |part: &Self| (part.start..=part.start + part.bytes.len() as u32).contains(&offset);
        parts.find(holds).unwrap_or(whole)
    }
}

/// Says what byte `at` of a component belongs to.
fn place(text: &mut Text, component: &[u8], at: u64) -> fmt::Result {
    let landmark = Landmark::at(component, at);
    if let Some(section) = landmark.section {
        writeln!(text, "section: {section}")?;
    }
    if let Some(export) = landmark.export {
        text.write_str("export:")?;
        name(text, export)?;
    }
    if let Some(function) = landmark.function {
        write!(text, "function: {function}")?;
        name(text, Names::read(component).unwrap_or_default().get(function))?;
    }
    if let Some(instruction) = landmark.instruction {
        writeln!(text, "instruction: {instruction}")?;
    }
    Ok(())
}

/// Ends a line with a name, if there is one.
fn name(text: &mut Text, name: &str) -> fmt::Result {
    if !name.is_empty() {
        text.write_char(' ')?;
    }
    printable(name).try_for_each(|c| text.write_char(c))?;
    text.write_char('\n')
}

/// Writes the line of byte `at`, which is in brackets, the line before it, and the one behind.
fn dump(text: &mut Text, bytes: &[u8], at: usize) -> fmt::Result {
    let start = (at / LINE).saturating_sub(1) * LINE;
    let lines = bytes[start..].chunks(LINE).zip((start..).step_by(LINE));
    for (line, start) in lines.take_while(|&(_, start)| start <= at / LINE * LINE + LINE) {
        write!(text, "0x{start:06x} ")?;
        for index in start..start + LINE {
            let bracket = match index {
                _ if index == at => '[',
                _ if index == at + 1 => ']',
                _ => ' ',
            };
            text.write_char(bracket)?;
            match line.get(index - start) {
                Some(byte) => write!(text, "{byte:02x}")?,
                None => text.write_str("  ")?,
            }
        }
        text.write_str(if at == start + LINE - 1 { "] " } else { "  " })?;
        for &byte in line {
            text.write_char(if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' })?;
        }
        text.write_str("\n")?;
    }
    Ok(())
}
