//! Runs a QIP component in wasmi, without counters and without fuel.
//!
//! The input is the component's length as a little-endian u32, the component, and its input; the output is the component's.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::vec::Vec;
use core::panic::PanicInfo;

use static_arena::{Arena, Bytes};
use wasmi::{CompilationMode, Config, Engine, Error, Instance, Module, Store};

const INPUT_CAP: usize = 8 << 20;
const ARENA: usize = 192 << 20;

static BYTES: Bytes<ARENA> = Bytes::new();

#[global_allocator]
static ALLOCATOR: Arena<ARENA> = Arena::new(&BYTES);

static mut INPUT: [u8; INPUT_CAP] = [0; INPUT_CAP];

/// What the last render returned; the host reads it before the next one.
static mut OUTPUT: Vec<u8> = Vec::new();

#[unsafe(no_mangle)]
extern "C" fn input_ptr() -> i32 {
    (&raw const INPUT) as i32
}

#[unsafe(no_mangle)]
extern "C" fn input_bytes_cap() -> i32 {
    INPUT_CAP as i32
}

/// The component's answer, output or rejection. Whatever wasmi refuses traps.
#[unsafe(no_mangle)]
extern "C" fn render(size: i32) -> i64 {
    // SAFETY: the module has one thread, `render` does not call itself, and the host has let go of the last output.
    let (input, output) = unsafe { (&*&raw const INPUT, &mut *&raw mut OUTPUT) };
    *output = Vec::new();
    let (length, rest) = input[..size as u32 as usize].split_at(4);
    let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
    let (component, input) = rest.split_at(length as usize);
    match run(component, input) {
        Ok(Ok(rendered)) => {
            *output = rendered;
            ((output.as_ptr() as i64) << 32) | output.len() as i64
        }
        Ok(Err(rejection)) => rejection,
        Err(_) => core::arch::wasm32::unreachable(),
    }
}

/// The rendered output, or the `i64` of a target that rejects.
fn run(component: &[u8], input: &[u8]) -> Result<Result<Vec<u8>, i64>, Error> {
    let mut config = Config::default();
    config.compilation_mode(CompilationMode::Eager);
    let engine = Engine::new(&config);
    let module = Module::new(&engine, component)?;
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &module, &[])?;
    let memory = instance.get_memory(&store, "memory").ok_or(Error::new("no memory"))?;
    let address = instance.get_typed_func::<(), i32>(&store, "input_ptr")?.call(&mut store, ())?;
    memory.write(&mut store, address as u32 as usize, input)?;
    let result = instance.get_typed_func::<i32, i64>(&store, "render")?.call(&mut store, input.len() as i32)?;
    if result < 0 {
        return Ok(Err(result));
    }
    let (size, pointer) = (result as u32 as usize, (result >> 32) as usize);
    Ok(Ok(memory.data(&store)[pointer..pointer + size].to_vec()))
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
