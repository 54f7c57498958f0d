//! One instance renders request after request (docs/spec.md §4 and §5).

use std::collections::BTreeMap;

use qip_interpret::{Mode, Rejection};

use crate::mixed::{self, Request};
use crate::support::{Form, HEADER, Outcome, Tool, UUID, assemble};

/// A target that copies its input to page 0, fills a page that it adds, and runs `ending`.
fn target(ending: &str) -> Vec<u8> {
    assemble(&format!(
        r#"(module
          (memory (export "memory") 40 80)
          (global (mut i32) (i32.const 65536))
          (func (export "output_bytes_cap") (result i32) (i32.const 4))
          (func (export "input_ptr") (result i32) (i32.const 131072))
          (func (export "input_bytes_cap") (result i32) (i32.const 8))
          (func (export "failure_modes_per_input_offset") (result i32) (i32.const 1))
          (func (export "render") (param i32) (result i64)
            (memory.copy (i32.const 0) (i32.const 131072) (local.get 0))
            (drop (memory.grow (i32.const 1)))
            (memory.fill (i32.const 2621440) (i32.const 1) (i32.const 65536))
            {ending}
            (i64.const 4))
          (func $deep (local {locals}) (call $deep)))"#,
        locals = "i64 ".repeat(64),
    ))
}

/// The requests, and the answer to each.
fn requests() -> Vec<(Form, Outcome)> {
    let rejected = |form: Form, mode, offset: &dyn Fn(&Form) -> u32| {
        let offset = offset(&form);
        (form, Err(Rejection::new(mode, offset)))
    };
    let fill = "0,output,0,0,0,1,2,2,1.00\n2,input,2,1,2,0,0,0,\n40,other,0,0,0,1,65536,65536,1.00\n";
    let empty = "40,other,0,0,0,1,65536,65536,1.00\n";
    let trap = target("unreachable");
    let trap_offset = crate::support::operator_offsets(&trap)
        .into_iter()
        .find(|&offset| trap[offset as usize] == 0)
        .expect("`unreachable` has opcode 0");
    let deep = target("(call $deep)");
    let deep_offset =
        *crate::support::operator_offsets(&deep).iter().rev().nth(1).expect("the call before the last end");
    let upper_case = b"00000000-0000-0000-0000-00000000000F";
    let other = b"ffffffff-ffff-ffff-ffff-ffffffffffff";
    vec![
        (Form::component(&target("")).input(b"hi"), Ok(format!("{HEADER}{fill}"))),
        rejected(Form::component(&trap).input(b"hi"), Mode::Unreachable, &|form| {
            form.offset_of("component") + trap_offset
        }),
        (Form::component(&target("")), Ok(format!("{HEADER}{empty}"))),
        rejected(Form::new().input(b"hi"), Mode::BadPart, &|form| form.body().len() as u32),
        (Form::with_boundary(other).part("component", &target("")).input(b"hi"), Ok(format!("{HEADER}{fill}"))),
        rejected(Form::with_boundary(upper_case), Mode::MalformedRequest, &|_| 0),
        rejected(Form::component(b"\0asn").input(b"hi"), Mode::InvalidWasm, &|form| form.offset_of("component")),
        (Form::with_boundary(UUID).input(b"hi").part("component", &target("")), Ok(format!("{HEADER}{fill}"))),
        rejected(Form::component(&deep), Mode::CallStackExhausted, &|form| form.offset_of("component") + deep_offset),
        rejected(
            Form::component(&target("(return (i64.const 0x8000_0000_0000_0001))")).input(b"hi"),
            Mode::TargetRejected,
            &|form| form.offset_of("input") + 1,
        ),
    ]
}

/// 1,000 renders give the same bytes each time, and nothing but the CSV stays allocated.
#[test]
fn one_instance_renders_a_thousand_requests() {
    let requests = requests();
    let mut tool = Tool::new();
    assert_eq!(tool.counters().live, 0);
    let mut peak = None;
    for round in 0..1_000 / requests.len() {
        for (index, (form, expected)) in requests.iter().enumerate() {
            let outcome = tool.render(form);
            assert_eq!(&outcome, expected, "request {index} of round {round}");
            let live = outcome.map_or(0, |csv| csv.len());
            assert_eq!(tool.counters().live, live as u64, "bytes live after request {index} of round {round}");
        }
        assert_eq!(tool.counters().peak, *peak.get_or_insert(tool.counters().peak), "the peak of round {round}");
    }
    assert!(tool.counters().allocations >= 1_000);
    assert!(tool.counters().allocations - tool.counters().frees <= 1, "at most the last CSV is allocated");
}

/// Requests that one instance renders in a run that does not ask for another number, with `REQUESTS`.
const REQUESTS: usize = 20_000;

/// Requests that are different.
const DIFFERENT: u64 = 500;

/// In the second half, one in so many requests takes all memory.
const EXHAUSTING: usize = 500;

/// One instance answers each of many requests as a fresh one does, and its allocator's peak does not grow after it has seen
/// each of them, but for those that take all memory.
#[test]
fn one_instance_answers_as_fresh_ones_do() {
    let requests = std::env::var("REQUESTS").map_or(REQUESTS, |number| number.parse().expect("REQUESTS is a number"));
    let fresh = |request: Request| {
        let mut tool = Tool::new();
        let answer = answer(&mut tool, &request);
        (request, answer)
    };
    // In a run of few, each is rendered more than once all the same.
    let number = (requests as u64 / 4).clamp(1, DIFFERENT);
    let different: Vec<_> = (0..number).map(mixed::request).map(fresh).collect();
    let exhausting: Vec<_> = mixed::exhausting().map(fresh).collect();
    for (request, answer) in &exhausting {
        let mode = answer.as_ref().map_err(|rejection| rejection.mode);
        assert!(
            matches!(mode, Err(Mode::OutOfMemory | Mode::Unreachable)),
            "{mode:?} for {} bytes",
            request.body.len()
        );
    }

    let (mut tool, mut random, mut peak, mut modes) = (Tool::new(), mixed::Random::new(0), 0, BTreeMap::new());
    for number in 0..requests {
        let (request, expected) = match number {
            _ if number < different.len() => &different[number],
            _ if number >= requests / 2 && number.is_multiple_of(EXHAUSTING) => {
                &exhausting[random.below(exhausting.len())]
            }
            _ => &different[random.below(different.len())],
        };
        assert_eq!(&answer(&mut tool, request), expected, "request {number}");
        if number + 1 == different.len() {
            peak = tool.counters().peak;
        } else if number + 1 == requests / 2 {
            assert_eq!(tool.counters().peak, peak, "after {} requests", number + 1);
        }
        *modes.entry(expected.as_ref().map_err(|rejection| rejection.mode as u8).map(drop)).or_insert(0) += 1;
    }
    println!("{requests} requests on one instance, peak {peak} bytes, and {} with all memory", tool.counters().peak);
    println!("answers, by mode: {modes:?}");
    assert!(number < DIFFERENT || modes.len() > 15, "too few kinds of requests");
}

/// The answer, after which nothing but the CSV is allocated.
fn answer(tool: &mut Tool, request: &Request) -> Result<Vec<u8>, Rejection> {
    tool.set_budget(request.budget);
    let answer = tool.render_body(&request.body, UUID);
    assert_eq!(tool.counters().live, answer.as_ref().map_or(0, Vec::len) as u64, "bytes live after {answer:?}");
    answer
}

/// The largest request that fits: a component of 16 MiB, most of it a custom section, and an input that fills the rest.
#[test]
fn a_request_may_fill_the_input_region() {
    const MIB: usize = 1 << 20;
    const PAGE: usize = 1 << 16;
    let mut wasm = assemble(
        r#"(module
          (memory (export "memory") 513 513)
          (func (export "output_bytes_cap") (result i32) (i32.const 0))
          (func (export "input_ptr") (result i32) (i32.const 65536))
          (func (export "input_bytes_cap") (result i32) (i32.const 0x200_0000))
          (func (export "render") (param i32) (result i64) (i64.const 0)))"#,
    );
    // A custom section: its id, its size in four bytes of LEB128, and a name of no bytes.
    let size = 16 * MIB - wasm.len() - 5;
    wasm.push(0);
    wasm.extend([0, 7, 14, 21].map(|shift| (size >> shift) as u8 & 0x7f | if shift < 21 { 0x80 } else { 0 }));
    wasm.resize(16 * MIB, 0);
    let mut tool = Tool::new();
    let capacity = tool.get("input_bytes_cap") as usize;
    assert!(capacity >= 32 * MIB);
    let form = |length: usize| Form::component(&wasm).input(&vec![b'x'; length]);
    let length = capacity - form(0).body().len();
    let form = form(length);
    assert_eq!(form.body().len(), capacity);
    let row = |page: usize| format!("{},input,{},0,0,0,0,0,\n", page + 1, PAGE.min(length - page * PAGE));
    let csv: String = (0..length.div_ceil(PAGE)).map(row).collect();
    for _ in 0..2 {
        assert_eq!(tool.render(&form), Ok(format!("{HEADER}{csv}")));
    }
}
