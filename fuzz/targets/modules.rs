//! Modules that keep the contract, so that their code runs, and what is left of them after damage.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use qip_interpret_fuzz::{BUDGET, UUID, check, damaged, target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some(form) = target(bytes) else { return Corpus::Reject };
    let request = form.body();
    let render = |request: &[u8]| {
        check(
            request,
            &qip_interpret::page_writes_csv(&qip_interpret::Request { body: request, boundary: UUID, budget: BUDGET }),
        )
    };
    render(&request);
    (0..3).for_each(|damage| render(&damaged(&request, bytes, damage)));
    Corpus::Keep
});
