//! The same request gives the same answer, byte for byte, natively and in each host: Wasmtime, V8 and wasmi.

mod corpus;
mod v8;
mod wasmi;

use std::collections::BTreeSet;

use qip_interpret::{Mode, Rejection};

use crate::mixed::Request;
use crate::support::{COMPONENTS, Component, Tool, UUID};

type Answer = Result<Vec<u8>, Rejection>;

/// Asserts that two places give the same answers.
#[track_caller]
fn assert_same(component: &Component, here: &[Answer], place: &str, there: &[Answer]) {
    assert_eq!(here.len(), there.len());
    for (number, (here, there)) in here.iter().zip(there).enumerate() {
        assert!(here == there, "request {number} to {}: {there:?} in {place}, not {here:?}", component.path);
    }
}

fn natively(component: &Component, requests: &[Request]) -> Vec<Answer> {
    let answer = |Request { body, budget }: &Request| {
        (component.natively)(&qip_interpret::Request { body, boundary: UUID, budget: *budget })
    };
    requests.iter().map(answer).collect()
}

fn in_wasmtime(component: &Component, requests: &[Request]) -> Vec<Answer> {
    let mut tool = Tool::of(component);
    let answer = |request: &Request| {
        tool.set_budget(request.budget);
        tool.render_body(&request.body, UUID)
    };
    requests.iter().map(answer).collect()
}

#[test]
fn every_answer_is_the_same_in_every_host() {
    let requests = corpus::requests();
    let mut modes = BTreeSet::new();
    for component in COMPONENTS {
        let answers = in_wasmtime(component, &requests);
        assert_same(component, &answers, "V8", &v8::render(component, &requests));
        assert_same(component, &answers, "wasmi", &wasmi::render(component, &requests));
        // Natively there is more memory, and so no answer, or explanation, that it is spent.
        let spends = |answer: &Answer| match answer {
            Ok(text) => text.starts_with(Mode::OutOfMemory.cause().as_bytes()),
            Err(rejection) => rejection.mode == Mode::OutOfMemory,
        };
        let first = answers.iter().position(spends).unwrap_or(answers.len());
        assert_same(component, &answers[..first], "the native build", &natively(component, &requests[..first]));
        modes.extend(answers.iter().filter_map(|answer| answer.as_ref().err()).map(|rejection| rejection.mode as u8));
    }
    assert_eq!(modes.len(), Mode::ALL.len(), "the requests are rejected in every mode: {modes:?}");
}
