//! What is run: targets, their inputs, and the requests that carry both.

use std::path::{Path, PathBuf};

use content_host::Form;

/// Where `make bench` puts what it builds.
pub const BUILT: &str = "target/bench";
pub const INTERPRET: &str = "application/wasm/qip-interpret-memory-page-writes-csv.wasm";
pub const MARKDOWN: &str = "text/markdown/commonmark.0.31.2.wasm";

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

/// So many bytes of prose: the words of the CommonMark specification over and over, each paragraph on one line. What the
/// renderer does about markup, and about the ends of lines in a paragraph, grows with the square of their number.
pub fn paragraphs(length: usize) -> Vec<u8> {
    let spec = read(&path("tests/it/commonmark/spec.txt"));
    let words = spec.split(|byte| !byte.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut text = Vec::with_capacity(length);
    for (word, place) in words.cycle().zip((1..=100).cycle()) {
        text.extend_from_slice(word);
        text.extend_from_slice(if place == 100 { b"\n\n" } else { b" " });
        if text.len() >= length {
            break;
        }
    }
    text.truncate(length);
    text
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
            Self::Ours => Form::component(target).input(input).body(),
        }
    }
}
