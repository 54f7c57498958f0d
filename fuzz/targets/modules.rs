//! Modules that keep the contract, so that their code runs; one in four is damaged.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use qip_interpret_fuzz::{BUDGET, UUID, check, target};

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some(form) = target(bytes) else { return Corpus::Reject };
    let request = form.body();
    check(&request, &qip_interpret::render(&request, UUID, BUDGET));
    Corpus::Keep
});
