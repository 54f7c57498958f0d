//! A second way of counting, which shares no code with the interpreter: the target is rewritten to report each access,
//! runs in Wasmtime, and the reports go into a byte map.

mod byte_map;
mod instrument;
mod layout;
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::sync::{LazyLock, Mutex};

use wasmtime::{Caller, Config, Engine, Instance, Linker, Module, Result, Store, Val, bail, format_err};

use byte_map::{ByteMap, ByteMaps, PAGE_BYTES};
use layout::Layout;

/// What a run produced.
pub struct Run {
    /// The bytes that the target returned.
    pub output: Vec<u8>,
    /// The report that docs/spec.md §1 asks for.
    pub csv: String,
    /// The report by page and function, without the functions' names.
    pub functions_csv: String,
}

/// The report on `component`, counted from its rewritten form.
pub fn second_count(component: &[u8], input: &[u8], uniforms: &[(&str, Val)]) -> Result<String> {
    Ok(second_run(component, input, uniforms)?.csv)
}

/// Runs the rewritten `component` and counts.
pub fn second_run(component: &[u8], input: &[u8], uniforms: &[(&str, Val)]) -> Result<Run> {
    let layout = Layout::read(component)?;
    let mut target = Target::new(&instrument::instrument(component)?)?;
    for segment in &layout.segments {
        target.store.data_mut().maps.all.initialize(segment.start, segment.end - segment.start);
    }
    let input_region = target.write_input(input)?;
    target.store.data_mut().maps.all.initialize(input_region.start, input.len() as u64);

    target.store.data_mut().counting = true;
    let output_region = target.render(input, uniforms)?;
    target.store.data_mut().counting = false;

    let output = target.read(&output_region)?;
    let maps = &target.store.data().maps;
    let map = &maps.all;
    let stack =
        layout.stack_top.map_or(0..0, |top| map.lowest_global.map_or(top, |low| low.min(top)).into()..top.into());
    let mut regions: Vec<(&str, Range<u64>)> = layout.segments.into_iter().map(|segment| ("data", segment)).collect();
    regions.extend([("input", input_region), ("stack", stack), ("output", output_region)]);
    Ok(Run { output, csv: report(map, &regions), functions_csv: report_functions(maps) })
}

/// The output of `component` as it is, without counting.
pub fn plain_output(component: &[u8], input: &[u8], uniforms: &[(&str, Val)]) -> Result<Vec<u8>> {
    let mut target = Target::new(component)?;
    target.write_input(input)?;
    let output = target.render(input, uniforms)?;
    target.read(&output)
}

/// Compiles a module, once for all tests. NaNs are canonical, as the interpreter's are.
fn compile(wasm: &[u8]) -> Result<Module> {
    static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
        Engine::new(Config::new().cranelift_nan_canonicalization(true)).expect("the configuration is valid")
    });
    static MODULES: Mutex<BTreeMap<Vec<u8>, Module>> = Mutex::new(BTreeMap::new());
    let known = MODULES.lock().unwrap().get(wasm).cloned();
    if let Some(module) = known {
        return Ok(module);
    }
    let module = Module::new(&ENGINE, wasm)?;
    MODULES.lock().unwrap().insert(wasm.to_vec(), module.clone());
    Ok(module)
}

#[derive(Default)]
struct State {
    maps: ByteMaps,
    counting: bool,
}

struct Target {
    store: Store<State>,
    instance: Instance,
}

impl Target {
    fn new(wasm: &[u8]) -> Result<Self> {
        let module = compile(wasm)?;
        let mut linker = Linker::new(module.engine());
        let mut hook = |name, count: fn(&mut ByteMap, u64, u64)| {
            linker
                .func_wrap(
                    instrument::HOOKS,
                    name,
                    move |mut caller: Caller<'_, State>, base: u32, offset: u32, bytes: u32, function: u32| {
                        let state = caller.data_mut();
                        if state.counting {
                            state.maps.count(count, function, u64::from(base) + u64::from(offset), u64::from(bytes));
                        }
                    },
                )
                .map(|_| ())
        };
        hook("read", ByteMap::read)?;
        hook("write", ByteMap::write)?;
        hook("global", |map, value, _| map.global(value as u32))?;
        let mut store = Store::new(module.engine(), State::default());
        let instance = linker.instantiate(&mut store, &module)?;
        Ok(Self { store, instance })
    }

    /// The value of a constant getter, or `None` where the target does not export it.
    fn getter(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(function) = self.instance.get_func(&mut self.store, name) else { return Ok(None) };
        let value = function.typed::<(), u32>(&self.store)?.call(&mut self.store, ())?;
        Ok(Some(value.into()))
    }

    /// Copies the input in and returns the input region, which is as long as the declared capacity.
    fn write_input(&mut self, input: &[u8]) -> Result<Range<u64>> {
        let Some(start) = self.getter("input_ptr")? else { return Ok(0..0) };
        let capacity = match self.getter("input_utf8_cap")? {
            Some(capacity) => capacity,
            None => self.getter("input_bytes_cap")?.ok_or_else(|| format_err!("no input capacity"))?,
        };
        if input.len() as u64 > capacity {
            bail!("the input is larger than the capacity, {capacity} bytes");
        }
        let memory = self.instance.get_memory(&mut self.store, "memory").unwrap();
        memory.write(&mut self.store, start as usize, input)?;
        Ok(start..start + capacity)
    }

    /// Applies the uniforms in the order of their keys, calls `render`, and returns where the output is.
    fn render(&mut self, input: &[u8], uniforms: &[(&str, Val)]) -> Result<Range<u64>> {
        let mut uniforms = uniforms.to_vec();
        uniforms.sort_by_key(|&(key, _)| key.as_bytes());
        for (key, value) in uniforms {
            let name = format!("uniform_set_{key}");
            let setter = self.instance.get_func(&mut self.store, &name).ok_or_else(|| format_err!("no {name}"))?;
            setter.call(&mut self.store, &[value], &mut [Val::I32(0)])?;
        }
        let render = self.instance.get_typed_func::<u32, u64>(&mut self.store, "render")?;
        let packed = render.call(&mut self.store, input.len() as u32)?;
        if packed >> 63 == 1 {
            bail!("the target rejected its input: {packed:#x}");
        }
        let start = packed >> 32;
        Ok(start..start + (packed & 0xffff_ffff))
    }

    fn read(&mut self, range: &Range<u64>) -> Result<Vec<u8>> {
        let memory = self.instance.get_memory(&mut self.store, "memory").unwrap();
        let bytes = memory.data(&self.store).get(range.start as usize..range.end as usize);
        bytes.map(<[u8]>::to_vec).ok_or_else(|| format_err!("the output is outside memory"))
    }
}

/// The CSV of docs/spec.md §1; `regions` are in the order in which their names are joined.
fn report(map: &ByteMap, regions: &[(&str, Range<u64>)]) -> String {
    let mut csv = String::from(
        "page,region,initialized_bytes,reads,bytes_read,writes,bytes_written,distinct_bytes_written,rewrite_ratio\n",
    );
    for (index, page) in &map.pages {
        let first = index * PAGE_BYTES;
        let mut names: Vec<&str> = regions
            .iter()
            .filter(|(_, range)| !range.is_empty() && range.start < first + PAGE_BYTES && first < range.end)
            .map(|&(name, _)| name)
            .collect();
        names.dedup();
        let region = if names.is_empty() { String::from("other") } else { names.join("+") };
        let distinct = page.distinct_bytes_written();
        let ratio = match distinct {
            0 => String::new(),
            _ => {
                let hundredths = (page.bytes_written * 200 + distinct) / (distinct * 2);
                format!("{}.{:02}", hundredths / 100, hundredths % 100)
            }
        };
        writeln!(
            csv,
            "{index},{region},{},{},{},{},{},{distinct},{ratio}",
            page.initialized_bytes, page.reads, page.bytes_read, page.writes, page.bytes_written,
        )
        .unwrap();
    }
    csv
}

/// What each function did on each page, without names.
fn report_functions(maps: &ByteMaps) -> String {
    let mut csv = String::new();
    for (index, function, page) in maps.touches() {
        let (read, written) = ((page.reads, page.bytes_read), (page.writes, page.bytes_written));
        let distinct = page.distinct_bytes_written();
        writeln!(csv, "{index},{function},{},{},{},{},{distinct}", read.0, read.1, written.0, written.1).unwrap();
    }
    csv
}
