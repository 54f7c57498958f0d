//! SHA-256 of the input.

#![no_main]

use sha2::{Digest, Sha256};

bench_targets::component!(sha256);

fn sha256(input: &[u8]) -> Vec<u8> {
    Sha256::digest(input).to_vec()
}
