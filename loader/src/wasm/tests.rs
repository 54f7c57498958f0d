//! The tables of operators against `wasmparser`'s list of them, and against an assembler and a validator that know their types.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use wasmparser::{BinaryReader, Operator, OperatorsReader, Validator, WasmFeatures};

use super::signatures::{ACCESSES, NUMERIC, NUMERIC_END, Row, SCALAR_ACCESSES, SCALARS, Shape, VECTORS, scalar};
use super::{instruction_name, operator};
use crate::module::Ty;

/// Every code that an operator may have: its bytes.
fn codes() -> Vec<Vec<u8>> {
    let prefixed = (0xfb..=0xfe).flat_map(|prefix| {
        (0..0x180u32).map(move |code| {
            if code < 0x80 { vec(&[prefix, code as u8]) } else { vec(&[prefix, code as u8 | 0x80, (code >> 7) as u8]) }
        })
    });
    (0..0xfb).map(|code| vec(&[code])).chain(prefixed).collect()
}

fn vec(bytes: &[u8]) -> Vec<u8> {
    bytes.to_vec()
}

/// What `wasmparser` calls the operator of a code, whose immediates are zeros here.
fn visitor_name(code: &[u8]) -> Option<&'static str> {
    let bytes = [code, &[0; 40]].concat();
    let operator = match code {
        // It reads these inside blocks that they belong to.
        [0x05] => Operator::Else,
        [0x07] => Operator::Catch { tag_index: 0 },
        [0x18] => Operator::Delegate { relative_depth: 0 },
        [0x19] => Operator::CatchAll,
        // One type follows, and this is none: it is read with another number.
        [0x1c] => Operator::TypedSelect { ty: wasmparser::ValType::I32 },
        _ => {
            // A block's type, and a reference's heap type.
            let (empty, func) = ([code, &[0x40; 8]].concat(), [code, &[0x70; 8]].concat());
            let read = |bytes: &[u8]| {
                OperatorsReader::new(BinaryReader::new(bytes, 0)).read().ok().map(|operator| name(&operator))
            };
            return read(&bytes).or_else(|| read(&empty)).or_else(|| read(&func));
        }
    };
    Some(name(&operator))
}

fn name(operator: &Operator<'_>) -> &'static str {
    macro_rules! names {
        ($(@$proposal:ident $op:ident $({ $($arg:ident: $ty:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
            match operator {
                $(Operator::$op { .. } => stringify!($visit),)*
                _ => unreachable!("the list has all operators"),
            }
        };
    }
    wasmparser::for_each_operator!(names).trim_start_matches("visit_")
}

#[test]
fn every_code_has_the_name_that_wasmparser_has_for_it() {
    let mut names = 0;
    for code in codes() {
        let ours = instruction_name(&code);
        let Some(theirs) = visitor_name(&code) else { continue };
        let theirs = match theirs {
            "typed_select" => "select",
            "ref_test_non_null" | "ref_test_nullable" => "ref_test",
            "ref_cast_non_null" | "ref_cast_nullable" => "ref_cast",
            "ref_cast_desc_eq_non_null" | "ref_cast_desc_eq_nullable" => "ref_cast_desc_eq",
            name => name,
        };
        assert_eq!(ours.map(|name| name.replace('.', "_")).as_deref(), Some(theirs), "{code:02x?}");
        names += 1;
    }
    assert!(names > 600, "{names} names");
}

/// The rows of all tables, each with its code.
fn rows() -> impl Iterator<Item = (Vec<u8>, &'static Row)> {
    let numeric = (NUMERIC..=NUMERIC_END).map(|code| (vec(&[code]), &SCALARS[scalar(code.into())]));
    let saturating = (0..8).map(|code| (vec(&[0xfc, code]), &SCALARS[scalar(0xfc00 + usize::from(code))]));
    let accesses = (ACCESSES..).zip(&SCALAR_ACCESSES).map(|(code, row)| (vec(&[code]), row));
    let vectors = VECTORS.iter().enumerate().filter(|(_, row)| row.shape != Shape::None);
    let vectors = vectors.map(|(code, row)| {
        let code = code as u8;
        (if code < 0x80 { vec(&[0xfd, code]) } else { vec(&[0xfd, code, 1]) }, row)
    });
    numeric.chain(saturating).chain(accesses).chain(vectors)
}

const TYPES: [(Ty, &str); 5] =
    [(Ty::I32, "i32"), (Ty::I64, "i64"), (Ty::F32, "f32"), (Ty::F64, "f64"), (Ty::V128, "v128")];

fn spelled(ty: Ty) -> &'static str {
    TYPES.iter().find(|(other, _)| *other == ty).expect("no operator of fixed type takes a reference").1
}

/// The bytes of a module whose function takes operands of these types, executes an instruction, and returns this type.
fn module(instruction: &str, operands: &[&str], result: &str) -> Vec<u8> {
    let get: String = (0..operands.len()).map(|index| format!("local.get {index} ")).collect();
    let text =
        format!("(module (memory 1) (func (param {}) (result {result}) {get} {instruction}))", operands.join(" "));
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn is_valid(module: &[u8]) -> bool {
    Validator::new_with_features(WasmFeatures::WASM2).validate_all(module).is_ok()
}

#[test]
fn every_row_has_the_code_the_operands_and_the_result_of_its_name() {
    let mut count = 0;
    for (code, row) in rows() {
        let name = instruction_name(&code).expect("each has a name");
        let mut operands: Vec<&str> = (1..row.operands).map(|_| spelled(row.operand)).collect();
        operands.push(spelled(row.last));
        let result = row.result.map_or("", spelled);
        let lane = |lane: u8| match row.shape {
            Shape::Shuffle => format!(" {}", [lane; 16].map(|lane| format!("{lane}")).join(" ")),
            Shape::VectorLane | Shape::LoadLane | Shape::StoreLane => format!(" {lane}"),
            _ => String::new(),
        };
        let highest = lane(row.lanes().wrapping_sub(1));
        let text = format!("{name}{highest}");
        let right = module(&text, &operands, result);
        assert!(is_valid(&right), "{name}");
        assert!(right.windows(code.len()).any(|bytes| bytes == code), "{name} has another code than {code:02x?}");
        for (place, &operand) in operands.iter().enumerate() {
            for (_, other) in TYPES.iter().filter(|(_, other)| *other != operand) {
                let mut wrong = operands.clone();
                wrong[place] = other;
                assert!(!is_valid(&module(&text, &wrong, result)), "{name} with {other}");
            }
        }
        for other in TYPES.map(|(_, other)| other).into_iter().chain([""]).filter(|&other| other != result) {
            assert!(!is_valid(&module(&text, &operands, other)), "{name} to {other}");
        }
        if highest.is_empty() {
            continue;
        }
        let beyond = format!("{name}{}", lane(row.lanes()));
        let text = format!("(module (memory 1) (func {} {beyond} drop))", "unreachable");
        assert!(!wat::parse_str(&text).is_ok_and(|module| is_valid(&module)), "{beyond}");
        count += 1;
    }
    assert_eq!(count, 14 + 8 + 1, "operators of one lane, and the shuffle");
}

#[test]
fn every_access_has_its_natural_alignment() {
    let is_access = |row: &Row| matches!(row.shape, Shape::Load | Shape::Store | Shape::LoadLane | Shape::StoreLane);
    for (code, row) in rows().filter(|(_, row)| is_access(row)) {
        let name = instruction_name(&code).expect("each has a name");
        let lane = if matches!(row.shape, Shape::LoadLane | Shape::StoreLane) { " 0" } else { "" };
        let aligned = |align: u32| {
            let text =
                format!("(module (memory 1) (func unreachable {name} align={} {lane} unreachable))", 1u32 << align);
            is_valid(&wat::parse_str(&text).unwrap_or_else(|error| panic!("{text}: {error}")))
        };
        assert!(aligned(row.natural_alignment()) && !aligned(row.natural_alignment() + 1), "{name}");
    }
}

/// Operators that are not in the tables are those of the list that have an immediate or no fixed type.
#[test]
fn every_code_is_read_as_what_wasmparser_says_or_refused() {
    for code in codes() {
        let bytes = [&code[..], &[0; 40]].concat();
        let ours = operator::Operator::read(&mut BinaryReader::new(&bytes, 0)).is_ok();
        let is_ours = instruction_name(&code).is_some_and(|_| ours);
        assert_eq!(ours, is_ours, "{code:02x?} is an operator without a name");
    }
}
