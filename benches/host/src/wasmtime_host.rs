//! Lanes in Wasmtime.

use std::collections::HashMap;
use std::path::PathBuf;

use content_host::{Engine, Instance, Module};

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

/// An instance of a component, and its last answer.
pub struct Guest {
    instance: Instance,
    answer: Vec<u8>,
}

impl Guest {
    /// A fresh instance.
    pub fn new(module: &Module) -> Self {
        Self { instance: Instance::new(module).expect("a component has no imports"), answer: Vec::new() }
    }

    /// The most that the component has allocated at once, in bytes, as its probe says.
    pub fn peak(&mut self) -> u64 {
        self.instance.counters().unwrap().expect("the component has a probe").peak
    }

    /// Renders a request and returns the milliseconds of processor time that took.
    pub fn render(&mut self, request: &[u8]) -> f64 {
        // It goes back to its default with every render, and only the interpreter has it.
        let _ = self.instance.set_uniform("instruction_budget", "0xffffffff");
        let answer = self.instance.render(request).expect("a component does not trap");
        self.answer = answer.unwrap_or_else(|rejected| panic!("the component {rejected}"));
        self.instance.milliseconds()
    }
}
