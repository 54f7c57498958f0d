//! Says in words what became of a request.

mod contract;
mod form;
mod format;
mod run;
mod seen;
mod uniforms;
mod unsupported;
mod words;

use alloc::vec::Vec;
use core::fmt::{self, Write};

use super::text::{Text, function_name};
use crate::code::Program;
use crate::content::{Failure, Finished, Unfinished};
use crate::memory::Count;
use crate::module::{Landmark, Names};
use crate::rejection::{Mode, Rejection};
use crate::{Request, request};

use contract::Getters;
use seen::FRAMES;
pub use seen::Seen;

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

/// Says why a request was rejected, by the rule that is broken, and what is there. Rejects with `OutOfMemory`, at 0.
pub fn rejected(request: &Request<'_>, why: &Unfinished, seen: &Seen) -> Result<Vec<u8>, Rejection> {
    let Unfinished { rejection, failure, .. } = why;
    let part = Part::find(request, rejection.offset);
    let at = (rejection.offset - part.start) as usize;
    Text::write(|text| {
        if !rule(text, request, why, seen)? {
            writeln!(text, "{}", rejection.mode.cause())?;
        }
        writeln!(text, "\nmode: {}", rejection.mode as u8)?;
        writeln!(text, "offset: {}", rejection.offset)?;
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
            calls(text, part.bytes, seen)?;
        }
        text.write_str("\n")?;
        dump(text, part.bytes, at)
    })
}

/// Says which rule is broken, and what to do; false where there is no more to say than the mode does.
fn rule(text: &mut Text, request: &Request<'_>, why: &Unfinished, seen: &Seen) -> Result<bool, fmt::Error> {
    let Rejection { mode, offset } = why.rejection;
    let written = |result: fmt::Result| result.map(|()| true);
    let parts = match request::parse(request.body, request.boundary) {
        Ok(parts) => parts,
        Err(_) => {
            return written(match mode {
                Mode::BadPart => form::parts(text, request, offset as usize),
                Mode::BadUniform => uniforms::key(text, request, offset as usize),
                _ => form::malformed(text, request, offset as usize),
            });
        }
    };
    let component = parts.component.body;
    let at = offset.saturating_sub(parts.component.offset) as usize;
    let section = Landmark::at(component, at as u64).section;
    match (mode, section) {
        (Mode::Contract | Mode::Unsupported, Some("import")) => return written(contract::imports(text, component)),
        (Mode::Contract | Mode::Unsupported, Some("start")) => return written(contract::start_function(text)),
        (Mode::InvalidWasm, _) => return written(format::invalid(text, component, at)),
        (Mode::Unsupported, _) => return written(unsupported::unsupported(text, component, at)),
        (Mode::Budget, _) => return written(run::budget(text, request.budget)),
        (trap, section) if trap as u8 >= Mode::Unreachable as u8 => {
            return written(run::trapped(text, mode, section, seen));
        }
        (Mode::BadUniform | Mode::Contract | Mode::BadInput | Mode::BadOutput, _) => {}
        _ => return Ok(false),
    }
    let Ok(program) = Program::new(component) else { return Ok(false) };
    let result = match (mode, why.result) {
        (Mode::BadUniform, _) => uniforms::setter(text, &parts, program.module(), offset),
        (Mode::Contract, _) => return contract::broken(text, &program, at as u32),
        (Mode::BadInput, _) => run::input(text, &parts, &mut Getters::new(&program)),
        (_, Some(result)) => run::output(text, result, seen, &mut Getters::new(&program)),
        _ => return Ok(false),
    };
    written(result)
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

/// Ends a line with a function's name, if there is one.
fn name(text: &mut Text, name: &str) -> fmt::Result {
    if !name.is_empty() {
        text.write_char(' ')?;
    }
    function_name(text, name)?;
    text.write_char('\n')
}

/// Writes the calls of a run that trapped, the innermost first.
fn calls(text: &mut Text, component: &[u8], seen: &Seen) -> fmt::Result {
    if seen.depth == 0 {
        return Ok(());
    }
    let names = Names::read(component).unwrap_or_default();
    writeln!(text, "\ncall stack, innermost first:")?;
    for &(function, offset) in seen.calls.iter().flatten() {
        write!(text, "  function {function}")?;
        let name = names.get(function);
        if !name.is_empty() {
            text.write_char(' ')?;
        }
        function_name(text, name)?;
        match offset {
            Some(offset) => writeln!(text, " +0x{offset:x}")?,
            None => writeln!(text)?,
        }
    }
    match seen.depth.checked_sub(FRAMES).filter(|&more| more > 0) {
        Some(more) => writeln!(text, "  and {more} more"),
        None => Ok(()),
    }
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
