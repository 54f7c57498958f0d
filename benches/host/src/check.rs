//! All runners must have done the same work.

use content_host::UUID;
use qip_interpret::{code::Program, content, memory::PerPage, report, request};

use crate::lane::{Lane, Samples};
use crate::workload::{Runner, Workload};

/// Asserts that wasmi and our interpreter, run natively, render what the target renders, and that our component counts what
/// our interpreter counts natively: the component returns no output to compare.
pub fn answers(workload: &Workload, lanes: &[Lane], samples: &[Samples]) {
    let of = |runner| {
        let index = lanes.iter().position(|lane| lane.runner == runner).expect("every runner has a lane");
        (&lanes[index], &samples[index].answer)
    };
    let (ours, csv) = of(Runner::Ours);
    let (native_csv, native_output) = natively(&ours.full);
    let (_, output) = of(Runner::Direct);
    assert!(!output.is_empty());
    assert!(of(Runner::Wasmi).1 == output, "{}: wasmi's output differs", workload.name);
    assert!(native_output == *output, "{}: our output differs", workload.name);
    assert!(native_csv == *csv, "{}: our component counts otherwise than natively", workload.name);
}

fn natively(body: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let request = request::parse(body, UUID).expect("the request is well-formed");
    let program = Program::new(request.component.body).expect("the target is accepted");
    let run = content::run::<PerPage>(&program, &request, u32::MAX, |_, _| ()).expect("the target renders");
    let mut output = Vec::new();
    let (start, size) = (run.output.start as u32, (run.output.end - run.output.start) as u32);
    let peeked = run.machine.memory().peek::<()>(start, size, |piece| {
        output.extend_from_slice(piece);
        Ok(())
    });
    peeked.expect("peeking does not fail");
    (report::page_writes_csv(&run).expect("the report is written"), output)
}
