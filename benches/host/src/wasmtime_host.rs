//! Lanes in Wasmtime.

use std::collections::HashMap;
use std::path::PathBuf;

use wasmtime::{Engine, Instance, Memory, Module, Store, TypedFunc};

use crate::lane::{Lane, Samples};

/// Wasmtime as it comes, with the modules it has compiled.
#[derive(Default)]
pub struct Wasmtime {
    engine: Engine,
    modules: HashMap<PathBuf, Module>,
}

impl Wasmtime {
    /// Renders with all lanes in turn, `rounds` times.
    pub fn measure(&mut self, lanes: &[Lane], rounds: usize) -> Vec<Samples> {
        let mut guests: Vec<Guest> = lanes.iter().map(|lane| self.instantiate(lane)).collect();
        let mut all = vec![Samples::default(); lanes.len()];
        for ((lane, guest), samples) in lanes.iter().zip(&mut guests).zip(&mut all) {
            samples.fresh.push(guest.render(&lane.full));
            samples.answer = guest.answer.clone();
        }
        for _ in 0..rounds {
            for ((lane, guest), samples) in lanes.iter().zip(&mut guests).zip(&mut all) {
                // The lane before has filled the caches, and the first render takes longer for that.
                guest.render(&lane.empty);
                samples.empty.push(guest.render(&lane.empty));
                samples.full.push(guest.render(&lane.full));
            }
        }
        for samples in &mut all {
            samples.warmed.clone_from(&samples.full);
        }
        all
    }

    fn instantiate(&mut self, lane: &Lane) -> Guest {
        let module = self.modules.entry(lane.module.clone()).or_insert_with(|| {
            Module::from_file(&self.engine, &lane.module)
                .unwrap_or_else(|error| panic!("{}: {error:#}", lane.module.display()))
        });
        Guest::new(module)
    }
}

/// An instance of a component.
pub struct Guest {
    store: Store<()>,
    instance: Instance,
    memory: Memory,
    render: TypedFunc<i32, i64>,
    input: usize,
    answer: Vec<u8>,
}

impl Guest {
    /// A fresh instance.
    pub fn new(module: &Module) -> Self {
        let mut store = Store::new(module.engine(), ());
        let instance = Instance::new(&mut store, module, &[]).expect("a component has no imports");
        let memory = instance.get_memory(&mut store, "memory").expect("a component exports its memory");
        let render = instance.get_typed_func(&mut store, "render").expect("a component exports `render`");
        let input_ptr = instance.get_typed_func::<(), i32>(&mut store, "input_ptr").expect("a component takes input");
        let input = input_ptr.call(&mut store, ()).unwrap() as u32 as usize;
        Self { store, instance, memory, render, input, answer: Vec::new() }
    }

    /// The most that the component has allocated at once, in bytes, as its probe says.
    pub fn peak(&mut self) -> i64 {
        let peak = self.instance.get_typed_func::<(), i64>(&mut self.store, "peakmark_probe_peak");
        peak.expect("the component has a probe").call(&mut self.store, ()).unwrap()
    }

    /// Renders a request and returns the milliseconds of processor time that took.
    pub fn render(&mut self, request: &[u8]) -> f64 {
        // The budget goes back to its default with every render.
        if let Ok(set) = self.instance.get_typed_func::<i32, i32>(&mut self.store, "uniform_set_instruction_budget") {
            set.call(&mut self.store, -1).unwrap();
        }
        self.memory.write(&mut self.store, self.input, request).expect("the request fits into memory");
        let start = thread_milliseconds();
        let result = self.render.call(&mut self.store, request.len() as i32).expect("a component does not trap");
        let milliseconds = thread_milliseconds() - start;
        assert!(result >= 0, "rejected with {:#x}", result as u32);
        let (size, pointer) = (result as u32 as usize, (result >> 32) as usize);
        self.answer = self.memory.data(&self.store)[pointer..pointer + size].to_vec();
        milliseconds
    }
}

/// The processor time of this thread. Wall time would count what else the machine does.
fn thread_milliseconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock writes to `time` alone.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(result, 0, "the system has a clock for each thread");
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
