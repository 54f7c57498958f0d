//! The PNG components turn the example into the picture that it is, in the interpreter as alone, and with SIMD.

use std::path::Path;

use qip_interpret::{Mode, Rejection};
use wasmtime::{Config, Engine, Module};

use crate::second_counter::second_run;
use crate::support::{Form, OUTPUT, PAGE_WRITES, Tool};

const COMPONENTS: [&str; 2] = ["png-to-bmp", "png-to-bmp-by-frame"];
const EXAMPLE: &[u8] = include_bytes!("../../image/png/squares.png");
const BUDGET: u32 = 100_000_000;

fn component(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("image/png/{name}.wasm"));
    std::fs::read(path).expect("`make test` builds it first")
}

/// 256 pixels a side: red in steps of 16 to the right, green downwards, blue in steps of 32 towards the corner.
fn picture() -> Vec<u8> {
    let fields = [54 + 256 * 256 * 4, 0, 54, 40, 256, 256, 0x20_0001, 0, 0, 0, 0, 0, 0];
    let header = fields.iter().flat_map(|field: &u32| field.to_le_bytes());
    let rows = (0u32..256)
        .rev()
        .flat_map(|y| (0..256).flat_map(move |x| [((x + y) & 0xe0) as u8, (y & 0xf0) as u8, (x & 0xf0) as u8, 0xff]));
    b"BM".iter().copied().chain(header).chain(rows).collect()
}

/// In the interpreter as alone, and both ways of counting count the same.
#[test]
fn the_example_is_its_picture() {
    for name in COMPONENTS {
        let wasm = component(name);
        let form = Form::component(&wasm).input(EXAMPLE);
        assert!(OUTPUT.render(&form, BUDGET) == Ok(picture()), "{name}");
        let alone = second_run(&wasm, EXAMPLE, &[]).unwrap();
        assert!(alone.output == picture(), "{name} alone");
        assert_eq!(PAGE_WRITES.render_text(&form, BUDGET), Ok(alone.csv), "{name}");
    }
}

#[test]
fn what_is_no_picture_is_rejected_at_its_byte() {
    let cut_off = &EXAMPLE[..1000];
    let damaged = [b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".as_slice(), &[0; 17]].concat();
    for name in COMPONENTS {
        for (input, offset) in [(&b"GIF89a"[..], 0), (b"", 0), (cut_off, 1000), (&damaged, 16)] {
            let form = Form::component(&component(name)).input(input);
            let rejection = Rejection::new(Mode::TargetRejected, form.offset_of("input") + offset);
            assert_eq!(OUTPUT.render(&form, BUDGET), Err(rejection), "{name}");
        }
    }
}

/// One instance takes one after the other, and nothing but the picture stays allocated.
#[test]
fn one_instance_converts_picture_after_picture() {
    for path in ["image/png/png-to-bmp.wasm", "image/png/png-to-bmp-by-frame.wasm"] {
        let mut tool = Tool::at(path);
        let mut rounds: Vec<_> = (0..20)
            .map(|_| {
                assert!(tool.render_input(EXAMPLE) == Ok(picture()), "{path}");
                assert_eq!(tool.counters().live, picture().len() as u64, "{path}");
                // Cut off, and no PNG: offset 1,000 with mode 1, offset 0 with mode 0.
                for (input, detail) in [(&EXAMPLE[..1000], 1000 * 4 + 1), (b"GIF89a", 0)] {
                    assert_eq!(tool.render_input(input), Err(detail), "{path}");
                    assert_eq!(tool.counters().live, 0, "{path}");
                }
                tool.counters().peak
            })
            .collect();
        rounds.dedup();
        assert_eq!(rounds.len(), 1, "the peak of each round of {path}: {rounds:?}");
    }
}

/// The pages that are all output take 4,096 vectors, and the zeros before them.
#[test]
fn pixels_are_written_four_at_a_time() {
    let form = Form::component(&component("png-to-bmp")).input(EXAMPLE);
    let csv = PAGE_WRITES.render_text(&form, BUDGET).unwrap();
    let pages = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let writes: Vec<u32> = pages
        .filter(|columns| columns[1] == "output" && columns[7] == "65536")
        .map(|columns| columns[5].parse().unwrap())
        .collect();
    assert_eq!(writes.len(), 3, "{csv}");
    assert!(writes.iter().all(|writes| (4096..4200).contains(writes)), "{writes:?}");
}

#[test]
fn they_need_simd() {
    let mut config = Config::new();
    config.wasm_simd(false).wasm_relaxed_simd(false);
    let engine = Engine::new(&config).unwrap();
    for name in COMPONENTS {
        let error = Module::validate(&engine, &component(name)).expect_err("there is SIMD");
        assert!(format!("{error:?}").contains("SIMD"), "{error:?}");
    }
}
