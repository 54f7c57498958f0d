//! Calls from outside: their arguments, and calls after one that failed.

use crate::Machine;
use crate::code::Program;
use crate::memory::PerFunction;
use crate::rejection::{Mode, Rejection};

/// Functions 0 to 3: one that calls what its argument refers to, one that takes a vector, one that fails, and one that succeeds.
const WAT: &str = r#"(module (memory 1) (table 1 funcref) (type $f (func (result i32)))
    (func (param funcref) (result i32)
        (table.set (i32.const 0) (local.get 0))
        (call_indirect (type $f) (i32.const 0)))
    (func (param v128 i32) (result i32) (local.get 1))
    (func (param i32) (i32.store (local.get 0) (i32.const 7)) (call 2 (i32.add (local.get 0) (i32.const 4096))))
    (func (result i32) (i32.load (i32.const 0))))"#;

/// A call's first result, where it has one.
fn result(call: Result<&[u64], Rejection>) -> Result<u32, Mode> {
    call.map(|results| results.first().map_or(0, |&slot| slot as u32)).map_err(|why| why.mode)
}

fn call(function: u32, arguments: &[u64]) -> Result<u32, Mode> {
    let wasm = wat::parse_str(WAT).expect("the module is well-formed");
    let program = Program::new(&wasm).expect("the module is valid");
    let mut machine = Machine::<PerFunction>::new(&program, 1000).expect("the module is instantiated");
    result(machine.call(function, arguments))
}

#[test]
fn references_to_functions_and_null_are_arguments() {
    assert_eq!(call(0, &[4]), Ok(0));
    assert_eq!(call(0, &[2]), Err(Mode::IndirectCallType));
    assert_eq!(call(0, &[0]), Err(Mode::UninitializedElement));
}

#[test]
#[should_panic = "are_values"]
fn a_reference_to_no_function_is_not_an_argument() {
    let _ = call(0, &[5]);
}

#[test]
fn a_vector_is_two_slots() {
    assert_eq!(call(1, &[1, 2, 3]), Ok(3));
}

#[test]
#[should_panic = "are_values"]
fn half_a_vector_is_not_an_argument() {
    let _ = call(1, &[1, 2]);
}

#[test]
#[should_panic = "are_values"]
fn one_slot_too_many_is_not_an_argument() {
    let _ = call(3, &[1]);
}

#[test]
#[should_panic]
fn a_function_beyond_the_module_cannot_be_called() {
    let _ = call(4, &[]);
}

#[test]
fn a_machine_whose_call_failed_can_be_called_again() {
    let wasm = wat::parse_str(WAT).expect("the module is well-formed");
    let program = Program::new(&wasm).expect("the module is valid");
    let mut machine = Machine::<PerFunction>::new(&program, 1000).expect("the module is instantiated");
    assert_eq!(result(machine.call(2, &[0])), Err(Mode::MemoryOutOfBounds));
    assert_eq!(result(machine.call(3, &[])), Ok(7));
    // As where a run had to give its memory back to say where it failed.
    machine.memory.clear();
    assert_eq!(result(machine.call(3, &[])), Ok(0));
    assert_eq!(machine.memory().count().touches().len(), 0);
    assert_eq!(result(machine.call(2, &[0])), Err(Mode::MemoryOutOfBounds));
}
