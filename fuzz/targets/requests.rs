//! Any bytes for a request.

#![no_main]

use libfuzzer_sys::fuzz_target;
use qip_interpret_fuzz::{BUDGET, UUID, check};

fuzz_target!(|request: &[u8]| check(
    request,
    &qip_interpret::page_writes_csv(&qip_interpret::Request { body: request, boundary: UUID, budget: BUDGET })
));
