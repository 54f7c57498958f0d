//! Requests in turn on one instance of the built component, and natively: the answers are equal, and nothing stays allocated.

#![no_main]

use std::cell::RefCell;

use libfuzzer_sys::{Corpus, fuzz_target};
use qip_interpret::Mode;
use qip_interpret_fuzz::component::Component;
use qip_interpret_fuzz::{BUDGET, UUID, check, damaged, target};

thread_local!(static COMPONENT: RefCell<Component> = RefCell::new(Component::new()));

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some(form) = target(bytes) else { return Corpus::Reject };
    let request = form.body();
    COMPONENT.with_borrow_mut(|component| {
        compare(component, &request);
        compare(component, &damaged(&request, bytes, 0));
        compare(component, &request);
    });
    Corpus::Keep
});

fn compare(component: &mut Component, request: &[u8]) {
    let natively =
        qip_interpret::page_writes_csv(&qip_interpret::Request { body: request, boundary: UUID, budget: BUDGET });
    check(request, &natively);
    let answer = component.render(request, BUDGET);
    assert_eq!(component.live(), answer.as_ref().map_or(0, Vec::len), "bytes live after {answer:?}");
    // How much memory there is differs.
    let exhausted =
        [&answer, &natively].iter().any(|answer| answer.as_ref().is_err_and(|r| r.mode == Mode::OutOfMemory));
    assert!(exhausted || answer == natively, "{answer:?}, natively {natively:?}");
}
