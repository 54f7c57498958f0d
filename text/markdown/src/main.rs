//! A QIP component: Markdown in, HTML out, by CommonMark 0.31.2.

#![no_main]

use markdown::{CompileOptions, Options};
use static_arena::{Arena, Bytes};

/// Largest input in bytes.
const INPUT_CAP: usize = 256 << 10;
/// Largest output in bytes.
const OUTPUT_CAP: usize = 4 << 20;
/// Heap in bytes. Prose takes about 100 for each byte of input, text that is nothing but markup up to 1,300; where the heap is
/// spent, `render` traps.
const ARENA: usize = 60 << 20;

const INPUT_TYPE: &str = "text/markdown";
const OUTPUT_TYPE: &str = "text/html";

static BYTES: Bytes<ARENA> = Bytes::new();

#[global_allocator]
static ALLOCATOR: Arena<ARENA> = Arena::new(&BYTES);

static mut INPUT: [u8; INPUT_CAP] = [0; INPUT_CAP];

/// What the last render returned; the host reads it before the next one.
static mut OUTPUT: String = String::new();

#[unsafe(no_mangle)]
extern "C" fn input_ptr() -> i32 {
    (&raw const INPUT) as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_utf8_cap() -> i32 {
    INPUT_CAP as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_content_type_ptr() -> i32 {
    INPUT_TYPE.as_ptr() as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_content_type_size() -> i32 {
    INPUT_TYPE.len() as i32
}

#[unsafe(no_mangle)]
extern "C" fn output_utf8_cap() -> i32 {
    OUTPUT_CAP as i32
}

#[unsafe(no_mangle)]
extern "C" fn output_content_type_ptr() -> i32 {
    OUTPUT_TYPE.as_ptr() as i32
}

#[unsafe(no_mangle)]
extern "C" fn output_content_type_size() -> i32 {
    OUTPUT_TYPE.len() as i32
}

/// One mode: a rejection's low half is the offset alone.
#[unsafe(no_mangle)]
extern "C" fn failure_modes_per_input_offset() -> i32 {
    1
}

#[unsafe(no_mangle)]
extern "C" fn render(size: i32) -> i64 {
    let input = &raw const INPUT;
    // SAFETY: the module has one thread, `render` does not call itself, and the host has let go of the last output.
    let input = unsafe {
        OUTPUT = String::new();
        &*input
    };
    match html(input, size as u32 as usize) {
        Ok(html) => {
            let result = ((html.as_ptr() as i64) << 32) | html.len() as i64;
            // SAFETY: as above.
            unsafe { OUTPUT = html };
            result
        }
        Err(offset) => (1 << 63) | offset as i64,
    }
}

/// The first `size` bytes of `input` as HTML, or the offset of the first byte that cannot be taken.
fn html(input: &[u8], size: usize) -> Result<String, usize> {
    let input = input.get(..size).ok_or(input.len())?;
    let text = str::from_utf8(input).map_err(|error| error.valid_up_to())?;
    // HTML and every link protocol pass through, as CommonMark says.
    let options = Options {
        compile: CompileOptions {
            allow_dangerous_html: true,
            allow_dangerous_protocol: true,
            ..CompileOptions::default()
        },
        ..Options::default()
    };
    let html = markdown::to_html_with_options(text, &options).map_err(|_| 0usize)?;
    if html.len() > OUTPUT_CAP {
        return Err(0);
    }
    Ok(html)
}
