//! Components in Wasmtime.

use std::fmt;
use std::path::Path;

use wasmtime::{Engine, Memory, Module, Result, Store, Val, ValType, bail, format_err};

/// What a component that takes a form declares before the boundary's UUID, which the host may replace.
const FORM: &[u8] = b"multipart/form-data;boundary=uuid-";

/// The version of the allocator probe's exports that [`Instance::counters`] reads.
const PROBE_VERSION: u32 = 1;

/// One instance of a component.
///
/// An error is the component's fault, or of how it is used: a trap, an export that is missing or of another type, a range
/// outside its memory. That an input is rejected is no error but an answer.
pub struct Instance {
    store: Store<()>,
    instance: wasmtime::Instance,
    memory: Memory,
    milliseconds: f64,
}

/// The number with which `render` rejected its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The low half of what `render` returned: `offset * modes + mode`.
    pub detail: u32,
    /// How many modes there are for each offset; 0 where the component tells none.
    pub modes: u32,
}

impl Rejected {
    /// The byte of the input and the mode, if the component tells them.
    pub fn place(self) -> Option<(u32, u32)> {
        Some((self.detail.checked_div(self.modes)?, self.detail % self.modes))
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place() {
            Some((offset, mode)) => write!(f, "rejected its input at offset {offset} with mode {mode}"),
            None => write!(f, "rejected its input"),
        }
    }
}

/// What the allocator probe of an instance counted.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// Bytes requested and not freed.
    pub live: u64,
    /// The highest `live` so far.
    pub peak: u64,
    /// Requests that succeeded.
    pub allocations: u64,
    /// Requests that were freed.
    pub frees: u64,
}

impl Instance {
    /// An instance of the component in a file, compiled as Wasmtime does by default.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self> {
        Self::new(&Module::from_file(&Engine::default(), path)?)
    }

    /// An instance of a component, which has no imports.
    pub fn new(module: &Module) -> Result<Self> {
        let mut store = Store::new(module.engine(), ());
        let instance = wasmtime::Instance::new(&mut store, module, &[])?;
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(|| format_err!("no memory is exported"))?;
        Ok(Self { store, instance, memory, milliseconds: 0.0 })
    }

    /// The value of a getter.
    pub fn get(&mut self, getter: &str) -> Result<u32> {
        self.get_if_exported(getter)?.ok_or_else(|| format_err!("no {getter} is exported"))
    }

    fn get_if_exported(&mut self, getter: &str) -> Result<Option<u32>> {
        let Some(function) = self.instance.get_func(&mut self.store, getter) else { return Ok(None) };
        let value = function.typed::<(), u32>(&self.store)?.call(&mut self.store, ())?;
        Ok(Some(value))
    }

    /// The type that is declared of the `input` or the `output`, which is `side`.
    pub fn content_type(&mut self, side: &str) -> Result<String> {
        Ok(String::from_utf8(self.declared(side)?.1)?)
    }

    /// Replaces the boundary of the form that the component takes, all but its `uuid-`.
    pub fn set_boundary(&mut self, uuid: &[u8; 36]) -> Result<()> {
        let (start, declared) = self.declared("input")?;
        if declared.len() != FORM.len() + uuid.len() || !declared.starts_with(FORM) {
            bail!("the input is {}, not a form", String::from_utf8_lossy(&declared));
        }
        Ok(self.memory.write(&mut self.store, start as usize + FORM.len(), uuid)?)
    }

    /// Where a content type lies in memory, and its bytes.
    fn declared(&mut self, side: &str) -> Result<(u32, Vec<u8>)> {
        let start = self.get(&format!("{side}_content_type_ptr"))?;
        let size = self.get(&format!("{side}_content_type_size"))?;
        Ok((start, self.read(start, size)?))
    }

    /// Sets a uniform for the next render and returns what the setter returned, if anything.
    ///
    /// An integer is decimal or, after `0x`, hexadecimal, signed or unsigned, and fits the setter's type; floats are decimal.
    pub fn set_uniform(&mut self, key: &str, value: &str) -> Result<Option<Val>> {
        let function = self.instance.get_func(&mut self.store, &format!("uniform_set_{key}"));
        let function = function.ok_or_else(|| format_err!("there is no uniform {key}"))?;
        let ty = function.ty(&self.store);
        let parsed = match ty.param(0) {
            Some(ValType::I32) => integer(value, i32::MIN.into(), u32::MAX.into()).map(|value| Val::I32(value as i32)),
            Some(ValType::I64) => integer(value, i64::MIN.into(), u64::MAX.into()).map(|value| Val::I64(value as i64)),
            Some(ValType::F32) => value.parse().ok().map(|value: f32| Val::F32(value.to_bits())),
            Some(ValType::F64) => value.parse().ok().map(|value: f64| Val::F64(value.to_bits())),
            _ => bail!("the uniform {key} is no number"),
        };
        let value = parsed.ok_or_else(|| format_err!("the uniform {key} cannot be {value}"))?;
        let mut results = vec![Val::I32(0); ty.results().len()];
        function.call(&mut self.store, &[value], &mut results)?;
        Ok(results.pop())
    }

    /// Writes an input, or the start of one, for [`Instance::render_written`].
    pub fn write_input(&mut self, input: &[u8]) -> Result<()> {
        let start = self.get("input_ptr")?;
        let capacity = match self.get_if_exported("input_bytes_cap")? {
            Some(capacity) => capacity,
            None => self.get("input_utf8_cap")?,
        };
        if input.len() > capacity as usize {
            bail!("the input has {} bytes, and at most {capacity} are taken", input.len());
        }
        Ok(self.memory.write(&mut self.store, start as usize, input)?)
    }

    /// Renders an input: the output, or its rejection.
    pub fn render(&mut self, input: &[u8]) -> Result<Result<Vec<u8>, Rejected>> {
        self.write_input(input)?;
        self.render_written(input.len() as u32)
    }

    /// Renders the input that was written, as one of `size` bytes.
    pub fn render_written(&mut self, size: u32) -> Result<Result<Vec<u8>, Rejected>> {
        let render = self.instance.get_typed_func::<u32, i64>(&mut self.store, "render")?;
        let start = thread_milliseconds();
        let result = render.call(&mut self.store, size);
        self.milliseconds = thread_milliseconds() - start;
        let result = result?;
        let (low, pointer) = (result as u32, (result >> 32) as u32 & 0x7fff_ffff);
        if result >= 0 {
            return self.read(pointer, low).map(Ok);
        }
        if pointer != 0 {
            bail!("a rejection has the pointer {pointer:#x}");
        }
        let modes = self.get_if_exported("failure_modes_per_input_offset")?.unwrap_or(0);
        Ok(Err(Rejected { detail: low, modes }))
    }

    /// Milliseconds of processor time that the last call of `render` took.
    pub fn milliseconds(&self) -> f64 {
        self.milliseconds
    }

    /// What the allocator probe counted; `None` where the component has none.
    pub fn counters(&mut self) -> Result<Option<Counters>> {
        match self.get_if_exported("peakmark_probe_version")? {
            None => return Ok(None),
            Some(PROBE_VERSION) => {}
            Some(version) => bail!("the allocator probe is of version {version}"),
        }
        let mut counter = |name: &str| -> Result<u64> {
            let export = format!("peakmark_probe_{name}");
            self.instance.get_typed_func::<(), u64>(&mut self.store, &export)?.call(&mut self.store, ())
        };
        Ok(Some(Counters {
            live: counter("live")?,
            peak: counter("peak")?,
            allocations: counter("allocations")?,
            frees: counter("frees")?,
        }))
    }

    fn read(&self, start: u32, size: u32) -> Result<Vec<u8>> {
        let bytes = self.memory.data(&self.store).get(start as usize..).and_then(|rest| rest.get(..size as usize));
        Ok(bytes.ok_or_else(|| format_err!("{size} bytes at {start:#x} lie outside the memory"))?.to_vec())
    }
}

/// The number that `text` is, if it lies in this range.
fn integer(text: &str, least: i128, most: i128) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let number = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let number = sign * i128::from(number.ok()?);
    (least..=most).contains(&number).then_some(number)
}

/// Milliseconds of the processor that this thread has taken. The clock on the wall would count what else the machine does.
pub fn thread_milliseconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes to `time` alone.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "the system has a clock for each thread");
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns its input; rejects an empty one at byte 2 with mode 1.
    fn echo() -> Instance {
        let wasm = wat::parse_str(
            r#"(module
              (memory (export "memory") 1 1)
              (func (export "input_ptr") (result i32) (i32.const 16))
              (func (export "input_utf8_cap") (result i32) (i32.const 4))
              (func (export "output_utf8_cap") (result i32) (i32.const 4))
              (func (export "failure_modes_per_input_offset") (result i32) (i32.const 3))
              (func (export "uniform_set_small") (param i32) (result i32) (local.get 0))
              (func (export "uniform_set_large") (param i64) (result i64) (local.get 0))
              (func (export "uniform_set_part") (param f32) (result f32) (local.get 0))
              (func (export "render") (param i32) (result i64)
                (if (i32.eqz (local.get 0)) (then (return (i64.const 0x8000_0000_0000_0007))))
                (i64.or (i64.const 0x10_0000_0000) (i64.extend_i32_u (local.get 0)))))"#,
        );
        Instance::new(&Module::new(&Engine::default(), wasm.unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn an_input_is_answered_rejected_or_too_large() {
        let mut echo = echo();
        assert_eq!(echo.render(b"abcd").unwrap(), Ok(b"abcd".to_vec()));
        let rejected = echo.render(b"").unwrap().unwrap_err();
        assert_eq!((rejected.detail, rejected.place()), (7, Some((2, 1))));
        assert_eq!(rejected.to_string(), "rejected its input at offset 2 with mode 1");
        assert_eq!(echo.render(b"abcde").unwrap_err().to_string(), "the input has 5 bytes, and at most 4 are taken");
        assert!(echo.counters().unwrap().is_none() && echo.content_type("input").is_err());
    }

    #[test]
    fn a_uniform_fits_its_type() {
        let mut echo = echo();
        let mut set = |key: &str, value: &str| echo.set_uniform(key, value).ok().flatten();
        let i32 = |value: Option<Val>| value.map(|value| value.unwrap_i32());
        assert_eq!(i32(set("small", "0xffffffff")), Some(-1));
        assert_eq!(i32(set("small", "-2147483648")), Some(i32::MIN));
        for wrong in ["4294967296", "-2147483649", "1.5", "", "-", "0x", "--1"] {
            assert!(set("small", wrong).is_none(), "{wrong}");
        }
        assert_eq!(set("large", "18446744073709551615").map(|value| value.unwrap_i64()), Some(-1));
        assert_eq!(set("part", "-0.5").map(|value| value.unwrap_f32()), Some(-0.5));
        assert!(set("none", "1").is_none());
    }
}
