//! What real clients send: bodies that `clients/record.py` has recorded, with a boundary of the form that the component declares.

use std::fs;
use std::path::Path;

use qip_interpret::{DEFAULT_BUDGET, Rejection, Request};

use crate::support::{COMPONENTS, Component, EXPLANATION, OUTPUT, PAGE_WRITES, Tool};

/// The bodies' boundary.
const BOUNDARY: &[u8; 36] = b"3f2b8c1e-9d47-4a60-8e15-c07a5d1b92f4";

fn render(component: &Component, body: &[u8]) -> Result<Vec<u8>, Rejection> {
    let answer = (component.natively)(&Request { body, boundary: BOUNDARY, budget: DEFAULT_BUDGET });
    assert_eq!(answer, Tool::of(component).render_body(body, BOUNDARY), "the native build and the component differ");
    answer
}

#[test]
fn every_client_is_understood() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/clients");
    let mut expected = None;
    for client in ["curl", "python", "go", "node", "chromium", "dotnet"] {
        let body = fs::read(folder.join(client).with_extension("body")).unwrap();
        // The uniform and the input.
        assert_eq!(render(&OUTPUT, &body), Ok("Xa; b=\"c\"\r\n\r\n--dé".as_bytes().to_vec()), "{client}");
        let answers = COMPONENTS.map(|component| render(component, &body));
        assert_eq!(*expected.get_or_insert_with(|| answers.clone()), answers, "{client}");
    }
    let [report, _, _, explanation] = expected.expect("there are clients").map(Result::unwrap);
    assert_eq!(COMPONENTS[0].path, PAGE_WRITES.path);
    assert!(String::from_utf8(report).unwrap().contains("\n0,data,19,0,0,0,0,0,\n1,input+output,17,0,0,1,1,1,1.00\n"));
    assert_eq!(COMPONENTS[3].path, EXPLANATION.path);
    assert!(explanation.starts_with(b"The run succeeds."));
}
