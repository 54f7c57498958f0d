//! The built components as hosts see them: what is in the binary, and what the QIP project's host makes of it.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use qip_interpret::{DEFAULT_BUDGET, MODES_PER_OFFSET, Mode};
use wasmparser::{ExternalKind, Operator, Parser, Payload};
use wasmtime::{Config, Engine, Instance, Module, Store, Trap};

use crate::support::{COMPONENTS, EXPLANATION, Form, OUTPUT, PAGE_WRITES, WORD_COUNTS, word_counts};

const MARKDOWN: &str = "text/markdown/commonmark.0.31.2.wasm";
const PICTURE: &str = "text/csv/qip-memory-page-writes-csv-to-svg.wasm";
const MANDELBROT: [&str; 2] = ["image/bmp/mandelbrot.wasm", "image/bmp/mandelbrot-by-sweeps.wasm"];
const PNG: [&str; 2] = ["image/png/png-to-bmp.wasm", "image/png/png-to-bmp-by-frame.wasm"];
const INPUT: &str = "# Hello\n\nSome *text* with [a link](https://example.com).";

/// What a host reads from a component without running it.
#[derive(Default)]
struct Binary {
    exports: Vec<String>,
    /// The functions whose body is one `i32.const`, by name.
    getters: BTreeMap<String, u32>,
    data: Vec<Range<u32>>,
    pages: (u64, Option<u64>),
    /// Import and start sections, and instructions that strict hosts refuse.
    refused: Vec<String>,
    /// The largest constant offset of an `i32.load`.
    largest_offset: u64,
}

fn file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> Vec<u8> {
    std::fs::read(file(path)).unwrap_or_else(|error| panic!("{path}: {error}; `make test` builds it first"))
}

impl Binary {
    fn read(path: &str) -> Self {
        let wasm = read(path);
        let mut binary = Self::default();
        // Equal functions may have become one with several names.
        let mut functions = Vec::new();
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(&wasm) {
            match payload.unwrap() {
                Payload::ImportSection(_) => binary.refused.push("imports".to_owned()),
                Payload::StartSection { .. } => binary.refused.push("start".to_owned()),
                Payload::MemorySection(memories) => {
                    let memory = memories.into_iter().next().unwrap().unwrap();
                    binary.pages = (memory.initial, memory.maximum);
                }
                Payload::ExportSection(exports) => {
                    for export in exports.into_iter().map(Result::unwrap) {
                        if export.kind != ExternalKind::Global {
                            binary.exports.push(export.name.to_owned());
                        }
                        if export.kind == ExternalKind::Func {
                            functions.push((export.index, export.name.to_owned()));
                        }
                    }
                }
                Payload::DataSection(segments) => {
                    for segment in segments.into_iter().map(Result::unwrap) {
                        let wasmparser::DataKind::Active { offset_expr, .. } = segment.kind else { continue };
                        let Ok(Operator::I32Const { value }) = offset_expr.get_operators_reader().read() else {
                            panic!("a data segment's offset is a constant")
                        };
                        binary.data.push(value as u32..value as u32 + segment.data.len() as u32);
                    }
                }
                Payload::CodeSectionEntry(body) => {
                    let operators = body.get_operators_reader().unwrap().into_iter().map(Result::unwrap);
                    bodies.push(binary.check_body(operators.collect()));
                }
                _ => {}
            }
        }
        for (index, name) in functions {
            if let Some(value) = bodies[index as usize] {
                binary.getters.insert(name, value);
            }
        }
        binary.exports.sort();
        binary
    }

    /// The function's value if it is a static getter.
    fn check_body(&mut self, operators: Vec<Operator>) -> Option<u32> {
        let refused = |operator: &&Operator| matches!(operator, Operator::MemoryGrow { .. } | Operator::RefIsNull);
        self.refused.extend(operators.iter().filter(refused).map(|operator| format!("{operator:?}")));
        let offsets = operators.iter().filter_map(|operator| match operator {
            Operator::I32Load { memarg } => Some(memarg.offset),
            _ => None,
        });
        self.largest_offset = offsets.fold(self.largest_offset, u64::max);
        match operators[..] {
            [Operator::I32Const { value }, Operator::End] => Some(value as u32),
            _ => None,
        }
    }

    /// The bytes of memory that a pointer and a size getter describe.
    fn range(&self, pointer: &str, size: &str) -> Range<u32> {
        self.getters[pointer]..self.getters[pointer] + self.getters[size]
    }
}

/// Asserts what every component promises a host, and returns the binary.
fn assert_strict(path: &str, input_cap: &str) -> Binary {
    let binary = Binary::read(path);
    assert_eq!(binary.refused, [""; 0], "{path}");
    assert_eq!(binary.pages.1, Some(binary.pages.0), "{path}: the memory is fixed");

    // Neither tail calls nor relaxed SIMD, nor a second or a 64-bit memory. What else is newer than Wasm 2.0 is off here.
    let mut config = Config::new();
    config.wasm_tail_call(false).wasm_relaxed_simd(false).wasm_multi_memory(false).wasm_memory64(false);
    config.wasm_extended_const(false).wasm_wide_arithmetic(false);
    Module::validate(&Engine::new(&config).unwrap(), &read(path)).unwrap();

    let input = binary.range("input_ptr", input_cap);
    assert!(binary.data.iter().all(|data| data.end <= input.start || input.end <= data.start), "{path}: {input:?}");
    assert!(u64::from(input.end) <= binary.pages.0 << 16);
    for side in ["input", "output"] {
        let kind = binary.range(&format!("{side}_content_type_ptr"), &format!("{side}_content_type_size"));
        assert!(binary.data.iter().any(|data| data.start <= kind.start && kind.end <= data.end), "{path}: {side}");
    }
    binary
}

#[test]
fn the_interpreters_export_their_contract_and_nothing_a_host_refuses() {
    for component in COMPONENTS {
        let binary = assert_strict(component.path, "input_bytes_cap");
        let output_cap = if component.path == OUTPUT.path { "output_bytes_cap" } else { "output_utf8_cap" };
        let exports = [
            "failure_modes_per_input_offset input_bytes_cap input_content_type_ptr input_content_type_size input_ptr memory",
            output_cap,
            "output_content_type_ptr output_content_type_size peakmark_probe_allocations peakmark_probe_frees",
            "peakmark_probe_live peakmark_probe_peak peakmark_probe_version render uniform_set_instruction_budget",
        ];
        let mut exports: Vec<_> = exports.iter().flat_map(|names| names.split(' ')).collect();
        exports.sort();
        assert_eq!(binary.exports, exports, "{}", component.path);
        assert_eq!(binary.getters["failure_modes_per_input_offset"], MODES_PER_OFFSET);
        assert_eq!(binary.getters["input_bytes_cap"], 32 << 20);
        assert_eq!(binary.getters["peakmark_probe_version"], 1);
        assert!(binary.getters.contains_key(output_cap), "{}", component.path);
        // The page table lies where Wasmtime's guard pages spare its look-ups a check.
        assert!((1 << 20..32 << 20).contains(&binary.largest_offset), "{}: {}", component.path, binary.largest_offset);
    }
}

#[test]
fn the_markdown_target_exports_its_contract_and_nothing_a_host_refuses() {
    let binary = assert_strict(MARKDOWN, "input_utf8_cap");
    let exports = "failure_modes_per_input_offset input_content_type_ptr input_content_type_size input_ptr \
        input_utf8_cap memory output_content_type_ptr output_content_type_size output_utf8_cap render";
    assert_eq!(binary.exports.join(" "), exports);
}

#[test]
fn the_picture_component_exports_its_contract_and_nothing_a_host_refuses() {
    let binary = assert_strict(PICTURE, "input_utf8_cap");
    assert_eq!(binary.getters["failure_modes_per_input_offset"], page_csv_to_svg::MODES_PER_OFFSET);
    assert_eq!(binary.getters["input_utf8_cap"], 11 << 20);
}

#[test]
fn the_png_components_export_their_contract_and_nothing_a_host_refuses() {
    for path in PNG {
        let binary = assert_strict(path, "input_bytes_cap");
        assert_eq!(binary.getters["failure_modes_per_input_offset"], 4);
    }
}

#[test]
fn the_component_in_c_exports_its_contract_and_nothing_a_host_refuses() {
    if word_counts().is_some() {
        let binary = assert_strict(WORD_COUNTS, "input_utf8_cap");
        assert_eq!((binary.getters["input_utf8_cap"], binary.pages.0), (256 << 10, 16));
    }
}

/// It is the host's fault, in the components that run others and in those that are run.
#[test]
fn more_input_than_the_capacity_traps() {
    let interpreters = COMPONENTS.iter().map(|component| (component.path, "input_bytes_cap"));
    let utf8 = [MARKDOWN, PICTURE].into_iter().chain(MANDELBROT).chain(word_counts().map(|_| WORD_COUNTS));
    let utf8 = utf8.map(|path| (path, "input_utf8_cap"));
    for (path, input_cap) in interpreters.chain(utf8).chain(PNG.map(|path| (path, "input_bytes_cap"))) {
        let module = Module::new(&Engine::default(), read(path)).unwrap();
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, &module, &[]).unwrap();
        let render = instance.get_typed_func::<i32, i64>(&mut store, "render").unwrap();
        let capacity = Binary::read(path).getters[input_cap];
        for size in [capacity + 1, u32::MAX] {
            let trap = render.call(&mut store, size as i32).expect_err(path).downcast::<Trap>();
            assert_eq!(trap.unwrap(), Trap::UnreachableCodeReached, "{path}");
        }
    }
}

/// A request with the Markdown target.
fn form() -> Form {
    Form::component(&read(MARKDOWN)).input(INPUT.as_bytes())
}

fn qip(arguments: &[&str]) -> Output {
    let qip = file("qip");
    let output = Command::new(&qip).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    output.unwrap_or_else(|error| panic!("./qip: {error}; `make test` builds it first"))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn qip_accepts_every_component() {
    let mut paths: Vec<&str> = COMPONENTS.iter().map(|component| component.path).collect();
    paths.extend([MARKDOWN, PICTURE].into_iter().chain(MANDELBROT).chain(PNG));
    paths.extend(word_counts().map(|_| WORD_COUNTS));
    paths.sort();
    let output = qip(&[&["comply"], &paths[..]].concat());
    let passes: String = paths.iter().map(|path| format!("PASS {path}\n")).collect();
    let total = paths.len();
    assert_eq!(text(output.stdout), format!("{passes}\npass={total} fail=0 total={total}\n"));
    assert!(output.status.success());
}

#[test]
fn qip_prints_what_the_library_renders() {
    let target = format!("component=@{MARKDOWN}");
    for component in COMPONENTS {
        let output = qip(&["run", "-F", &target, "-F", &format!("input={INPUT}"), component.path]);
        assert_eq!(text(output.stderr), "");
        let rendered = text(component.render_natively(&form(), DEFAULT_BUDGET).unwrap());
        // The host adds a line feed to text.
        let end = if component.path == OUTPUT.path { "" } else { "\n" };
        assert_eq!(text(output.stdout), rendered + end, "{}", component.path);
    }
}

#[test]
fn qip_draws_the_csv() {
    let component = format!("component=@{MARKDOWN}");
    let output = qip(&["run", "-F", &component, "-F", &format!("input={INPUT}"), PAGE_WRITES.path, PICTURE]);
    assert_eq!(text(output.stderr), "");
    let csv = PAGE_WRITES.render_natively(&form(), DEFAULT_BUDGET).unwrap();
    assert_eq!(text(output.stdout), page_csv_to_svg::picture(&csv).unwrap() + "\n");
}

#[test]
fn qip_prints_where_a_csv_is_no_report() {
    let mut host = Command::new(file("qip"));
    host.arg("run").arg(file(PICTURE)).stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::null());
    let mut child = host.spawn().expect("`make test` builds ./qip first");
    child.stdin.take().unwrap().write_all(b"page,region\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!output.status.success());
    let message = text(output.stderr);
    assert!(message.contains("rejected input at input offset 11"), "{message}");
}

#[test]
fn qip_prints_where_and_why_a_request_is_rejected() {
    let component = format!("component=@{MARKDOWN}");
    let form = |path| qip(&["run", "-F", &component, "-F", "input=# Hello", path, "-u", "instruction_budget=100"]);
    let output = form(PAGE_WRITES.path);
    assert!(!output.status.success());
    let message = text(output.stderr);
    let mode = format!(" with mode {}\n", Mode::Budget as u32);
    assert!(message.contains("rejected input at input offset ") && message.ends_with(&mode), "{message}");

    let offset = message.rsplit_once("offset ").unwrap().1.split(' ').next().unwrap();
    let explanation = text(form(EXPLANATION.path).stdout);
    let numbers = format!("\n\nmode: {}\noffset: {offset}\n", Mode::Budget as u32);
    assert!(
        explanation.starts_with("the instruction budget of 100 is spent\nhint: ") && explanation.contains(&numbers),
        "{explanation}"
    );
}
