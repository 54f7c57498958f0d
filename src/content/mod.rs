//! Runs a target by QIP's Content contract (docs/spec.md §3).

mod boundary;
mod contract;
mod getters;
mod uniforms;
pub(crate) mod utf8;

use core::num::NonZeroU32;
use core::ops::Range;

use crate::code::Program;
use crate::machine::Machine;
use crate::memory::Count;
use crate::rejection::{Mode, Rejection};
use crate::request::{Part, Parts};

use contract::Contract;
use getters::Getter;
use uniforms::Setter;

/// A target that has run: what is left to report.
pub struct Finished<'p, C: Count> {
    /// The target.
    pub program: &'p Program<'p>,
    /// The instance, with its memory and what was counted on it.
    pub machine: Machine<'p, C>,
    /// The input region, by capacity; empty for a generator.
    pub input: Range<u64>,
    /// The returned output.
    pub output: Range<u64>,
}

/// A target that has not finished, and why.
#[derive(Debug)]
pub struct Unfinished {
    /// The cause, and the byte of the request.
    pub rejection: Rejection,
    /// What the target says itself, where it rejected its input.
    pub failure: Option<Failure>,
    /// What `render` returned, where that is at fault.
    pub result: Option<u64>,
}

impl From<Rejection> for Unfinished {
    fn from(rejection: Rejection) -> Self {
        Self { rejection, failure: None, result: None }
    }
}

/// What a target returned that rejected its input.
#[derive(Clone, Copy, Debug)]
pub struct Failure {
    /// The low half of the result.
    pub detail: u32,
    /// How many modes share an offset in it, if the target says so.
    pub modes: Option<NonZeroU32>,
}

/// Checks the contract, applies the uniforms, and renders the request's input, on at most `budget` instructions.
///
/// All offsets in rejections are bytes of the request. `inspect` gets the instance of a run that has begun and is then rejected.
pub fn run<'p, C: Count>(
    program: &'p Program<'p>,
    request: &Parts<'_>,
    budget: u32,
    inspect: impl FnOnce(&Machine<'p, C>, &Unfinished),
) -> Result<Finished<'p, C>, Unfinished> {
    let component = |rejection: Rejection| Rejection::new(rejection.mode, request.component.offset + rejection.offset);
    let contract = Contract::check::<C>(program).map_err(component)?;
    let setters = uniforms::resolve(program.module(), &request.uniforms)?;
    let input = request.input.as_ref().filter(|part| !part.body.is_empty());
    if let Some(part) = input {
        check_input(&contract, part)?;
    }
    let mut machine = Machine::<C>::new(program, budget).map_err(component)?;
    match render(&mut machine, &contract, &setters, input, request) {
        Ok(output) => {
            let input = contract.input.map_or(0..0, |region| region.range());
            Ok(Finished { program, machine, input, output })
        }
        Err(why) => {
            inspect(&machine, &why);
            Err(why)
        }
    }
}

/// Runs an instance; returns its output.
fn render<C: Count>(
    machine: &mut Machine<'_, C>,
    contract: &Contract,
    setters: &[Setter],
    input: Option<&Part<'_>>,
    request: &Parts<'_>,
) -> Result<Range<u64>, Unfinished> {
    let offset = request.component.offset;
    let component = |rejection: Rejection| Rejection::new(rejection.mode, offset + rejection.offset);
    let mut size = 0;
    if let (Some(part), Some(region)) = (input, &contract.input) {
        let slot = contract.input_type;
        let announced = slot.map_or(Ok(()), |slot| boundary::announce(machine, slot, part.body));
        let written = announced.and_then(|()| machine.write_input(region.start, part.body));
        written.map_err(|mode| Rejection::new(mode, offset))?;
        size = part.body.len() as u64;
    }
    for setter in setters {
        machine.call(setter.function, &[setter.bits]).map_err(component)?;
    }
    let result = machine.call(contract.render, &[size]).map_err(component)?[0];
    check_output(machine, contract, request, result)
}

fn check_input(contract: &Contract, part: &Part<'_>) -> Result<(), Rejection> {
    let bad_at = |at: u64| Err(Rejection::new(Mode::BadInput, part.offset + at as u32));
    let Some(region) = &contract.input else { return bad_at(0) };
    if part.body.len() as u64 > u64::from(region.capacity) {
        return bad_at(u64::from(region.capacity));
    }
    match core::str::from_utf8(part.body) {
        Err(error) if region.utf8 => bad_at(error.valid_up_to() as u64),
        _ => Ok(()),
    }
}

/// Unpacks what `render` returned: size in bits 0..31, pointer in bits 32..62, failed in bit 63.
fn check_output<C: Count>(
    machine: &Machine<'_, C>,
    contract: &Contract,
    request: &Parts<'_>,
    result: u64,
) -> Result<Range<u64>, Unfinished> {
    let (size, pointer) = (result as u32, (result >> 32) as u32 & 0x7fff_ffff);
    let rejection = Rejection::new(Mode::BadOutput, request.component.offset + contract.render_offset);
    let bad = Err(Unfinished { rejection, failure: None, result: Some(result) });
    if result >> 63 == 1 {
        return if pointer == 0 { Err(rejected(contract, request, size)) } else { bad };
    }
    if size > contract.output.value || machine.memory().check(u64::from(pointer), u64::from(size)).is_err() {
        return bad;
    }
    if contract.output_utf8 {
        let mut validator = utf8::Validator::new();
        let valid =
            machine.memory().peek(pointer, size, |piece| validator.feed(piece)).and_then(|()| validator.finish());
        if valid.is_err() {
            return bad;
        }
    }
    Ok(u64::from(pointer)..u64::from(pointer) + u64::from(size))
}

/// The target's own rejection, at the byte of the input that it named, if it names one.
fn rejected(contract: &Contract, request: &Parts<'_>, detail: u32) -> Unfinished {
    let modes = contract.failure_modes.and_then(|Getter { value, .. }| NonZeroU32::new(value));
    let part = request.input.as_ref().unwrap_or(&request.component);
    let at = match (modes, &request.input) {
        (Some(modes), Some(input)) => (detail / modes).min(input.body.len() as u32),
        _ => 0,
    };
    let rejection = Rejection::new(Mode::TargetRejected, part.offset + at);
    Unfinished { rejection, failure: Some(Failure { detail, modes }), result: None }
}
