//! Compares the counters of a case with those of its rewritten form, which reports each access to a byte map.

#[path = "../it/second_counter/byte_map.rs"]
mod byte_map;
#[path = "../it/second_counter/instrument.rs"]
mod instrument;
#[path = "../it/second_counter/layout.rs"]
mod layout;

use qip_interpret::code::Program;
use qip_interpret::machine::Machine;
use qip_interpret::memory::{PerFunction, PerPage};
use wasmtime::{Caller, Engine, Linker, Module, Result, Store};

use crate::compare::{arguments, functions};
use crate::generate::Case;
use crate::random::Random;
use crate::second::{Failure, call};
use byte_map::{ByteMap, ByteMaps};
use layout::Layout;

/// Runs rewritten modules.
pub struct Counter {
    linker: Linker<ByteMaps>,
}

impl Counter {
    pub fn new(engine: &Engine) -> Result<Self> {
        let mut linker = Linker::new(engine);
        let mut hook = |name, count: fn(&mut ByteMap, u64, u64)| {
            linker
                .func_wrap(
                    instrument::HOOKS,
                    name,
                    move |mut caller: Caller<'_, ByteMaps>, base: u32, offset: u32, bytes: u32, function: u32| {
                        let start = u64::from(base) + u64::from(offset);
                        caller.data_mut().count(count, function, start, u64::from(bytes));
                    },
                )
                .map(drop)
        };
        hook("read", ByteMap::read)?;
        hook("write", ByteMap::write)?;
        hook("global", |map, value, _| map.global(value as u32))?;
        Ok(Self { linker })
    }

    /// Calls every function on one instance in both, and says where the counters differ. False if an engine's limits
    /// ended a call, or if the case cannot be instantiated.
    ///
    /// The case must terminate by itself.
    pub fn compare(&self, case: &Case, values: &mut Random) -> Result<bool, String> {
        let program = Program::new(&case.module).map_err(|rejection| format!("refused: {rejection:?}"))?;
        let Ok(mut machine) = Machine::<PerPage>::new(&program, u32::MAX) else { return Ok(false) };
        let Ok(mut by_function) = Machine::<PerFunction>::new(&program, u32::MAX) else { return Ok(false) };
        let rewritten = instrument::instrument(&case.module).map_err(|error| error.to_string())?;
        let module = Module::new(self.linker.engine(), rewritten).map_err(|error| error.to_string())?;
        let layout = Layout::read(&case.module).map_err(|error| error.to_string())?;
        let mut store = Store::new(self.linker.engine(), ByteMaps::default());
        for segment in layout.segments {
            store.data_mut().all.initialize(segment.start, segment.end - segment.start);
        }
        let instance = self.linker.instantiate(&mut store, &module).map_err(|error| error.to_string())?;
        for (name, function) in functions(program.module()) {
            let slots = arguments(program.module(), function, values);
            let ours = machine.call(function, &slots).is_ok();
            if by_function.call(function, &slots).is_ok() != ours {
                return Err(format!("{name:?} succeeds counted in one way only"));
            }
            match call(&mut store, &instance, name, &slots) {
                Err(Failure::Exhausted) => return Ok(false),
                result if result.is_ok() != ours => return Err(format!("{name:?} succeeds in one engine only")),
                _ => {}
            }
        }
        let map = &store.data().all;
        compare_pages(&machine, map)?;
        compare_functions(&by_function, store.data())?;
        let stack = layout.stack_top.map(|top| u64::from(map.lowest_global.map_or(top, |lowest| lowest.min(top))));
        match stack {
            Some(start) if start != machine.stack_range().start => {
                Err(format!("the stack starts at {}, for the byte map at {start}", machine.stack_range().start))
            }
            _ => Ok(true),
        }
    }
}

/// By page: initialized bytes, reads, bytes read, writes, bytes and distinct bytes written.
type Counts = Vec<(u64, [u64; 6])>;

fn compare_pages(machine: &Machine<'_, PerPage>, map: &ByteMap) -> Result<(), String> {
    let pages = machine.memory().touched_pages().map(|(index, page)| {
        let page = &page.counts;
        let distinct = u64::from(page.distinct_bytes_written());
        let read = [page.initialized_bytes, page.reads(), page.bytes_read()];
        (u64::from(index), [read[0], read[1], read[2], page.writes(), page.bytes_written(), distinct])
    });
    let counts: Counts = pages.filter(|(_, counts)| counts != &[0; 6]).collect();
    let pages = map.pages.iter().map(|(&index, page)| {
        let distinct = page.distinct_bytes_written();
        let read = [page.initialized_bytes, page.reads, page.bytes_read];
        (index, [read[0], read[1], read[2], page.writes, page.bytes_written, distinct])
    });
    let others: Counts = pages.collect();
    if counts == others { Ok(()) } else { Err(format!("counted {counts:?}, the byte map {others:?}")) }
}

fn compare_functions(machine: &Machine<'_, PerFunction>, maps: &ByteMaps) -> Result<(), String> {
    let touches = machine.memory().count().touches().map(|touch| {
        let counts = &touch.counts;
        let written = [counts.writes(), counts.bytes_written(), u64::from(counts.distinct_bytes_written())];
        (
            u64::from(touch.page),
            touch.function,
            [counts.reads(), counts.bytes_read(), written[0], written[1], written[2]],
        )
    });
    let touches: Vec<_> = touches.collect();
    let mut others = Vec::new();
    for (index, function, page) in maps.touches() {
        let written = [page.writes, page.bytes_written, page.distinct_bytes_written()];
        others.push((index, function, [page.reads, page.bytes_read, written[0], written[1], written[2]]));
    }
    others.sort();
    if touches == others { Ok(()) } else { Err(format!("by function {touches:?}, the byte maps {others:?}")) }
}
