//! What the fuzz targets share: requests made of any bytes, and what holds of every answer.

mod allocator;
#[cfg(feature = "wasmtime")]
pub mod component;
mod contract;
#[allow(dead_code)]
#[path = "../../tests/differential/generate.rs"]
mod generate;
#[allow(dead_code)]
#[path = "../../tests/differential/random.rs"]
mod random;

use arbitrary::Unstructured;
use qip_interpret::{Mode, Rejection};

pub use content_host::{Form, UUID};
pub use random::Random;

/// Instructions that a target may execute: enough to reach everything, and short.
pub const BUDGET: u32 = 2_000;

const HEADER: &[u8] =
    b"page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n";

/// Asserts what holds of the answer to any request.
pub fn check(request: &[u8], answer: &Result<Vec<u8>, Rejection>) {
    match answer {
        Ok(csv) => assert!(csv.starts_with(HEADER) && csv.ends_with(b"\n")),
        Err(rejection) => {
            assert!(rejection.offset as usize <= request.len(), "{rejection:?} in {} bytes", request.len());
            assert_eq!(Mode::from_number(rejection.mode as u8), Some(rejection.mode));
        }
    }
}

/// A valid module: the first 8 bytes choose its form, the others its contents. Also what else is to be chosen.
pub fn module(bytes: &[u8]) -> Option<(Vec<u8>, Random)> {
    let (seed, entropy) = bytes.split_first_chunk()?;
    let mut random = Random::new(u64::from_le_bytes(*seed));
    let config = generate::config(&mut random);
    let module = wasm_smith::Module::new(config, &mut Unstructured::new(entropy)).ok()?.to_bytes();
    let module = if random.one_in(3) { module } else { generate::near_addresses(&module) };
    Some((module, random))
}

/// A request with a module that keeps the contract, or did before it was damaged.
pub fn target(bytes: &[u8]) -> Option<Form> {
    let (module, mut random) = module(bytes)?;
    let mut module = contract::keep(&module, &mut random);
    if random.one_in(4) {
        generate::damage(&mut module, &mut random);
    }
    let mut form = Form::component(&module);
    if random.one_in(2) {
        form = form.input(&[b'x'; contract::INPUT_CAP as usize][..random.below(contract::INPUT_CAP as usize)]);
    }
    if random.one_in(4) {
        form = form.uniform(contract::UNIFORM, "0x10");
    }
    Some(form)
}

/// The request with up to three bytes overwritten. The fuzzer's bytes choose which, and so does a number.
pub fn damaged(request: &[u8], bytes: &[u8], number: u64) -> Vec<u8> {
    let seed = bytes.iter().fold(number, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mut request = request.to_vec();
    generate::damage(&mut request, &mut Random::new(seed));
    request
}
