//! What is run: targets, their inputs, and the requests that carry both.

use std::path::{Path, PathBuf};

/// Where `make bench` puts what it builds.
pub const BUILT: &str = "target/bench";
pub const INTERPRET: &str = "application/wasm/qip-interpret-memory-page-writes-csv.wasm";
pub const MARKDOWN: &str = "text/markdown/commonmark.0.31.2.wasm";

/// The boundary that the interpreter's component declares.
pub const BOUNDARY: &[u8; 36] = b"00000000-0000-0000-0000-000000000000";

/// A path in the repository.
pub fn path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative)
}

/// The bytes of a file that `make bench` has built.
pub fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}; `make bench` builds it first", path.display()))
}

/// A target and an input that keeps it busy. What an empty input takes is loading, and is subtracted.
pub struct Workload {
    pub name: &'static str,
    pub target: PathBuf,
    pub input: Vec<u8>,
}

/// All workloads; the means are over the first four.
pub fn workloads() -> Vec<Workload> {
    let target = |name: &'static str, input| Workload { name, target: built(name), input };
    vec![
        Workload { name: "markdown", target: path(MARKDOWN), input: prose() },
        target("sha256", random(64 << 10)),
        target("sort", random(64 << 10)),
        target("nbody", 20_000u32.to_le_bytes().to_vec()),
        target("bulk", 50_000u32.to_le_bytes().to_vec()),
        target("vector", random(480 << 10)),
    ]
}

/// A module below [`BUILT`].
pub fn built(name: &str) -> PathBuf {
    path(BUILT).join(name).with_extension("wasm")
}

/// The first 20 KB of the CommonMark specification.
fn prose() -> Vec<u8> {
    let spec = read(&path("tests/it/commonmark/spec.txt"));
    let text = str::from_utf8(&spec).expect("the specification is UTF-8");
    spec[..text.floor_char_boundary(20_000)].to_vec()
}

/// The CommonMark specification, over and over, in so many bytes.
pub fn markdown_text(length: usize) -> Vec<u8> {
    let text = read(&path("tests/it/commonmark/spec.txt"));
    text.into_iter().cycle().take(length).map(plain).collect()
}

/// Makes a text that may be cut anywhere, and has no links: what a renderer does about those grows with the square of a text
/// that repeats itself.
fn plain(byte: u8) -> u8 {
    match byte {
        b'[' | b']' => b'|',
        _ if byte.is_ascii() => byte,
        _ => b'x',
    }
}

/// The same bytes at each run (xorshift).
fn random(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(&mut next).flatten().take(length).collect()
}

/// Who runs the target, which decides the form of a request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Runner {
    /// Our component, which answers with the CSV.
    Ours,
    /// `benches/wasmi-guest`, which answers with the target's output.
    Wasmi,
    /// The target itself.
    Direct,
}

impl Runner {
    /// The request that runs `target` on `input`.
    pub fn request(self, target: &[u8], input: &[u8]) -> Vec<u8> {
        match self {
            Self::Direct => input.to_vec(),
            Self::Wasmi => [&(target.len() as u32).to_le_bytes(), target, input].concat(),
            Self::Ours => form(&[("component", target), ("input", input)]),
        }
    }
}

fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let delimiter = [b"--uuid-", BOUNDARY.as_slice()].concat();
    let mut body = Vec::new();
    for (name, bytes) in parts {
        body.extend_from_slice(&delimiter);
        body.extend_from_slice(format!("\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    [body, delimiter, b"--".to_vec()].concat()
}
