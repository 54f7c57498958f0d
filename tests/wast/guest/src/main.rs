//! One instance of a module in the interpreter, driven through exports by `tests/wast/hosted.rs`.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::boxed::Box;
use alloc::vec;
use core::panic::PanicInfo;

use qip_interpret::code::Program;
use qip_interpret::machine::Machine;
use qip_interpret::memory::PerPage;
use static_arena::{Arena, Bytes};

const ARENA: usize = 128 << 20;

static BYTES: Bytes<ARENA> = Bytes::new();

#[global_allocator]
static ALLOCATOR: Arena<ARENA> = Arena::new(&BYTES);

static mut MACHINE: Option<Machine<'static, PerPage>> = None;
static mut SLOTS: [u64; 2048] = [0; 2048];

/// What calls return where nothing was rejected; else they return the mode.
const ACCEPTED: i32 = -1;

/// Memory for `len` bytes that the host writes.
#[unsafe(no_mangle)]
extern "C" fn allocate(len: usize) -> *mut u8 {
    vec![0; len].leak().as_mut_ptr()
}

/// Instantiates the module of `len` bytes at `module`, which came from [`allocate`].
#[unsafe(no_mangle)]
extern "C" fn instantiate(module: *const u8, len: usize) -> i32 {
    // SAFETY: the host passes memory that `allocate` leaked.
    let bytes = unsafe { core::slice::from_raw_parts(module, len) };
    let machine = Program::new(bytes).and_then(|program| Machine::new(Box::leak(Box::new(program)), u32::MAX));
    match machine {
        Ok(machine) => {
            // SAFETY: one thread, and no reference into the machine is alive between two calls of the host.
            unsafe { MACHINE = Some(machine) };
            ACCEPTED
        }
        Err(rejection) => rejection.mode as i32,
    }
}

/// Where the host writes a call's arguments and reads its results.
#[unsafe(no_mangle)]
extern "C" fn slots() -> *mut u64 {
    (&raw mut SLOTS).cast()
}

/// Calls a function with `count` argument slots.
#[unsafe(no_mangle)]
extern "C" fn call(function: u32, count: usize) -> i32 {
    let (machine, slots) = (&raw mut MACHINE, &raw mut SLOTS);
    // SAFETY: as in `instantiate`.
    let (machine, slots) = unsafe { (&mut *machine, &mut *slots) };
    let Some(machine) = machine else { core::arch::wasm32::unreachable() };
    match machine.call(function, &slots[..count]) {
        Ok(results) => {
            slots[..results.len()].copy_from_slice(results);
            ACCEPTED
        }
        Err(rejection) => rejection.mode as i32,
    }
}

/// Puts a global's bits into the first two slots.
#[unsafe(no_mangle)]
extern "C" fn global(index: u32) {
    let (machine, slots) = (&raw const MACHINE, &raw mut SLOTS);
    // SAFETY: as in `instantiate`.
    let (machine, slots) = unsafe { (&*machine, &mut *slots) };
    let Some(machine) = machine else { core::arch::wasm32::unreachable() };
    let bits = machine.global_value(index);
    slots[..2].copy_from_slice(&[bits as u64, (bits >> 64) as u64]);
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
