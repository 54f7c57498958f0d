//! The example target renders CommonMark, as the specification's own examples show it.

use std::path::Path;

use wasmtime::{Engine, Instance, Module, Store};

const SPEC: &str = include_str!("commonmark/spec.txt");

struct Markdown {
    store: Store<()>,
    instance: Instance,
}

impl Markdown {
    fn new() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("text/markdown/commonmark.0.31.2.wasm");
        let wasm = std::fs::read(file).expect("`make test` builds the component first");
        let engine = Engine::default();
        let mut store = Store::new(&engine, ());
        let module = Module::new(&engine, wasm).unwrap();
        let instance = Instance::new(&mut store, &module, &[]).unwrap();
        Self { store, instance }
    }

    fn get(&mut self, name: &str) -> usize {
        let getter = self.instance.get_typed_func::<(), i32>(&mut self.store, name).unwrap();
        getter.call(&mut self.store, ()).unwrap() as u32 as usize
    }

    /// Calls `render` for `size` bytes of which the first are `input`; a rejection gives its low half.
    fn render(&mut self, input: &[u8], size: usize) -> Result<String, u32> {
        let input_ptr = self.get("input_ptr");
        let memory = self.instance.get_memory(&mut self.store, "memory").unwrap();
        memory.write(&mut self.store, input_ptr, input).unwrap();
        let render = self.instance.get_typed_func::<i32, i64>(&mut self.store, "render").unwrap();
        let result = render.call(&mut self.store, size as i32).unwrap() as u64;
        let (pointer, low) = (result >> 32, result as u32);
        if pointer >> 31 != 0 {
            assert_eq!(pointer, 1 << 31, "a rejection has pointer bits zero");
            return Err(low);
        }
        let html = &memory.data(&self.store)[pointer as usize..][..low as usize];
        Ok(str::from_utf8(html).unwrap().to_owned())
    }
}

/// The examples as (line, Markdown, HTML): between fences, with a dot on a line between the two and an arrow for a tab.
pub fn examples() -> Vec<(usize, String, String)> {
    let fence = "`".repeat(32);
    let opening = format!("{fence} example");
    let mut lines = SPEC.lines().enumerate();
    let mut examples = Vec::new();
    while let Some((index, line)) = lines.next() {
        if line != opening {
            continue;
        }
        let mut until = |end: &str| -> String {
            let part = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != end);
            part.map(|line| line.replace('→', "\t") + "\n").collect()
        };
        examples.push((index + 1, until("."), until(&fence)));
    }
    examples
}

#[test]
fn every_example_of_the_specification_renders_byte_for_byte() {
    let examples = examples();
    assert_eq!(examples.len(), 652);
    let mut markdown = Markdown::new();
    let mut wrong = Vec::new();
    for (line, input, expected) in &examples {
        let html = markdown.render(input.as_bytes(), input.len());
        if html.as_ref() != Ok(expected) {
            wrong.push(format!("spec.txt:{line}\n{input:?}\n{expected:?}\n{html:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} examples:\n{}", wrong.len(), examples.len(), wrong.join("\n\n"));
}

#[test]
fn what_cannot_be_taken_is_rejected_at_its_offset() {
    let mut markdown = Markdown::new();
    let cap = markdown.get("input_utf8_cap");
    assert_eq!(markdown.get("failure_modes_per_input_offset"), 1);
    assert_eq!(markdown.render(b"", cap + 1), Err(cap as u32));
    assert_eq!(markdown.render(b"", usize::MAX), Err(cap as u32));
    assert_eq!(markdown.render(b"ab\xffc", 4), Err(2));
    assert_eq!(markdown.render(b"ab", 2).as_deref(), Ok("<p>ab</p>"));
}
