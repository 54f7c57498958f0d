//! Damaged modules in the interpreter's validation and in `wasmparser`'s.

use std::ops::Range;

use qip_interpret::code::Program;
use qip_interpret::{Mode, Rejection};
use wasmparser::{Parser, Payload, Validator, WasmFeatures};

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

/// Says how the two differ about a module, if they do.
fn compare(module: &[u8], totals: &mut Totals) -> Result<(), String> {
    let features = WasmFeatures::WASM2 | WasmFeatures::TAIL_CALL | WasmFeatures::EXTENDED_CONST;
    let validate = |features| Validator::new_with_features(features).validate_all(module).map(drop);
    match (Program::new(module).map(drop), validate(features)) {
        (Ok(()), Ok(())) => totals.valid += 1,
        // A constant expression may read an earlier global, as in the version that has garbage collection.
        (Ok(()), Err(error)) => validate(features | WasmFeatures::GC | WasmFeatures::FUNCTION_REFERENCES)
            .map_err(|_| format!("accepted, but {error}"))?,
        (Err(Rejection { mode: Mode::InvalidWasm | Mode::Unsupported | Mode::Contract, .. }), Err(_)) => {
            totals.invalid += 1
        }
        (Err(Rejection { mode: Mode::Contract, offset }), Ok(())) if is_forbidden(module, offset) => {
            totals.refused += 1
        }
        (Err(Rejection { mode: Mode::InvalidWasm, offset }), Ok(())) if is_long_zero(module, offset) => {
            totals.refused += 1
        }
        (Err(Rejection { mode: Mode::Limit, .. }), _) => totals.refused += 1,
        (Err(rejection), expected) => return Err(format!("{rejection:?}, but {expected:?}")),
    }
    Ok(())
}

/// Whether a section of imports, or of a start function, begins there.
fn is_forbidden(module: &[u8], offset: u32) -> bool {
    let begins = |payload: &Payload<'_>| match payload {
        Payload::ImportSection(section) => section.range().contains(&offset.into()),
        Payload::StartSection { range, .. } => u64::from(offset) < range.start,
        _ => false,
    };
    Parser::new(0).parse_all(module).map_while(Result::ok).any(|payload| begins(&payload))
}

/// Whether zero is there in more than one byte, where 2.0 has a byte and `wasmparser` an index.
fn is_long_zero(module: &[u8], offset: u32) -> bool {
    let zeros = module[offset as usize..].iter().take_while(|&&byte| byte == 0x80).count();
    zeros > 0 && module.get(offset as usize + zeros) == Some(&0)
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
