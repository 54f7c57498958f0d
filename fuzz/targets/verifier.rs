//! Modules whose code is translated and verified, but not run.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use qip_interpret::Mode;
use qip_interpret::code::Program;
use qip_interpret_fuzz::module;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((module, _)) = module(bytes) else { return Corpus::Reject };
    // In a build with assertions this verifies the code of every function.
    match Program::new(&module) {
        Ok(_) => Corpus::Keep,
        Err(rejection) => {
            assert_eq!(rejection.mode, Mode::Limit, "a valid module is refused at {}", rejection.offset);
            Corpus::Keep
        }
    }
});
