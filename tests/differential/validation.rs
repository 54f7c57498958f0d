//! Damaged modules in the interpreter's validation and in `wasmparser`'s.

use std::ops::Range;

use qip_interpret::Mode;
use qip_interpret::code::Program;
use wasmparser::{Parser, Payload, Validator};

use crate::generate::case;
use crate::number;
use crate::random::Random;

const HEADER_BYTES: usize = 8;

/// Modules, and ways to damage each, one in four of them anywhere, the others in function bodies.
const DAMAGED: u64 = 2000;
const DAMAGES: u64 = 20;

/// What became of the damaged modules.
#[derive(Debug, Default)]
struct Totals {
    valid: u64,
    invalid: u64,
    refused: u64,
}

/// The bytes of the function bodies.
fn code(module: &[u8]) -> Option<Range<usize>> {
    let payloads = Parser::new(0).parse_all(module).map_while(Result::ok);
    let bodies: Vec<_> = payloads
        .filter_map(|payload| if let Payload::CodeSectionEntry(body) = payload { Some(body.range()) } else { None })
        .collect();
    Some(bodies.first()?.start as usize..bodies.last()?.end as usize)
}

/// Overwrites up to three bytes, half of them with others of the range: in code those are more often operators.
fn damage(module: &mut [u8], range: Range<usize>, random: &mut Random) {
    let place = |random: &mut Random| range.start + random.below(range.len());
    for _ in 0..=random.below(3) {
        let at = place(random);
        module[at] = if random.one_in(2) { module[place(random)] } else { random.next() as u8 };
    }
}

/// Whether the byte at an offset is one of a number in LEB128, and not its last.
fn goes_on(module: &[u8], offset: u32) -> bool {
    module.get(offset as usize).is_some_and(|byte| byte & 0x80 != 0)
}

/// Says how the two differ about a module, if they do.
fn compare(module: &[u8], totals: &mut Totals) -> Result<(), String> {
    let expected = Validator::new().validate_all(module).map(drop);
    match (Program::new(module).map(drop), expected) {
        (Ok(()), Ok(())) => totals.valid += 1,
        (Ok(()), Err(error)) => return Err(format!("accepted, but {error}")),
        (Err(rejection), Err(_)) if rejection.mode == Mode::InvalidWasm => totals.invalid += 1,
        // Where a later version has numbers of more bits, or any number instead of a zero, they may go on.
        (Err(rejection), Ok(())) if rejection.mode == Mode::InvalidWasm && goes_on(module, rejection.offset) => {
            totals.refused += 1;
        }
        (Err(rejection), Ok(())) if rejection.mode == Mode::InvalidWasm => {
            return Err(format!("a valid module is refused at {}", rejection.offset));
        }
        // It may be valid and use what a later version has.
        (Err(rejection), _) if [Mode::Unsupported, Mode::Limit].contains(&rejection.mode) => totals.refused += 1,
        (Err(rejection), _) => return Err(format!("{rejection:?}")),
    }
    Ok(())
}

#[test]
fn damaged_modules_are_valid_for_both() {
    let (first, modules) = (number("SEED", 0), number("DAMAGED", DAMAGED));
    let mut totals = Totals::default();
    for seed in first..first + modules {
        let whole = case(seed).module;
        let Some(code) = code(&whole) else { continue };
        for round in 0..DAMAGES {
            let mut module = whole.clone();
            let range = if round % 4 == 0 { HEADER_BYTES..whole.len() } else { code.clone() };
            damage(&mut module, range, &mut Random::new(seed ^ round << 48));
            if let Err(problem) = compare(&module, &mut totals) {
                crate::keep(seed, &module);
                panic!("{problem} (round {round})");
            }
        }
    }
    println!("{totals:?}");
    assert!([totals.valid, totals.invalid, totals.refused].iter().all(|&count| count > 0), "{totals:?}");
}
