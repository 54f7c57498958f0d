//! An instance of a component.

use wasmtime::{Engine, Instance, Memory, Module, Store};

use crate::report::Counters;

/// The version of the five exports that this reads.
const PROBE_VERSION: i32 = 1;

pub struct Guest {
    path: String,
    store: Store<()>,
    instance: Instance,
    memory: Memory,
}

impl Guest {
    /// An instance of the component in a file.
    pub fn new(path: &str) -> Result<Self, String> {
        let about = |error: wasmtime::Error| format!("{path}: {error:#}");
        let engine = Engine::default();
        let module = Module::from_file(&engine, path).map_err(about)?;
        let mut store = Store::new(&engine, ());
        let instance = Instance::new(&mut store, &module, &[]).map_err(about)?;
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(|| format!("{path} exports no memory"))?;
        Ok(Self { path: path.to_owned(), store, instance, memory })
    }

    /// The boundary of the form that the component takes.
    pub fn boundary(&mut self) -> Result<&str, String> {
        let (start, size) = (self.get("input_content_type_ptr")?, self.get("input_content_type_size")?);
        let bytes = self.memory.data(&self.store).get(start as usize..).and_then(|rest| rest.get(..size as usize));
        let boundary =
            bytes.and_then(|bytes| str::from_utf8(bytes).ok()?.strip_prefix("multipart/form-data;boundary="));
        boundary.ok_or_else(|| format!("{} takes no form", self.path))
    }

    /// The output for an input.
    pub fn render(&mut self, input: &[u8]) -> Result<Vec<u8>, String> {
        let (start, capacity) =
            (self.get("input_ptr")?, self.get("input_bytes_cap").or_else(|_| self.get("input_utf8_cap"))?);
        if input.len() > capacity as u32 as usize {
            return Err(format!("{} takes {capacity} bytes, not {}", self.path, input.len()));
        }
        let about = |path: &str, error: &dyn std::fmt::Display| format!("{path}: {error}");
        self.memory.write(&mut self.store, start as u32 as usize, input).map_err(|error| about(&self.path, &error))?;
        let render = self.instance.get_typed_func::<i32, i64>(&mut self.store, "render");
        let result = render.and_then(|render| render.call(&mut self.store, input.len() as i32));
        let result = result.map_err(|error| about(&self.path, &error))?;
        let (size, pointer) = (result as u32 as usize, (result >> 32) as usize & 0x7fff_ffff);
        if result < 0 {
            return Err(format!("{} rejected its input, with {size:#x}", self.path));
        }
        let output = self.memory.data(&self.store).get(pointer..pointer + size);
        Ok(output.ok_or_else(|| format!("{} returned no output of its memory", self.path))?.to_vec())
    }

    /// What the probe counted; `None` without a probe.
    pub fn counters(&mut self) -> Result<Option<Counters>, String> {
        match self.get("peakmark_probe_version") {
            Ok(PROBE_VERSION) => {}
            Ok(version) => return Err(format!("{}: a probe of version {version}", self.path)),
            Err(_) => return Ok(None),
        }
        let mut counter = |name: &str| -> Result<u64, String> {
            let export = format!("peakmark_probe_{name}");
            let function = self.instance.get_typed_func::<(), i64>(&mut self.store, &export);
            let value = function.and_then(|function| function.call(&mut self.store, ()));
            value.map(|value| value as u64).map_err(|error| format!("{}: {export}: {error:#}", self.path))
        };
        Ok(Some(Counters {
            live: counter("live")?,
            peak: counter("peak")?,
            allocations: counter("allocations")?,
            frees: counter("frees")?,
        }))
    }

    fn get(&mut self, getter: &str) -> Result<i32, String> {
        let function = self.instance.get_typed_func::<(), i32>(&mut self.store, getter);
        let value = function.and_then(|function| function.call(&mut self.store, ()));
        value.map_err(|error| format!("{}: {getter}: {error:#}", self.path))
    }
}
