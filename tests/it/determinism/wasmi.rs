//! Components in wasmi.

use std::path::Path;

use ::wasmi::{Engine, Instance, Module, Store};

use super::Answer;
use crate::mixed::Request;
use crate::support::{Component, rejection};

/// The answers to all requests, on one instance.
pub fn render(component: &Component, requests: &[Request]) -> Vec<Answer> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(component.path);
    let engine = Engine::default();
    let module = Module::new(&engine, std::fs::read(path).expect("`make test` builds the components")).unwrap();
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &module, &[]).expect("the component has no imports");
    let memory = instance.get_memory(&store, "memory").expect("the component exports its memory");
    let input = instance.get_typed_func::<(), i32>(&store, "input_ptr").unwrap().call(&mut store, ()).unwrap();
    let set_budget = instance.get_typed_func::<i32, i32>(&store, "uniform_set_instruction_budget").unwrap();
    let render = instance.get_typed_func::<i32, i64>(&store, "render").unwrap();
    let answer = |request: &Request| {
        set_budget.call(&mut store, request.budget as i32).unwrap();
        memory.write(&mut store, input as usize, &request.body).unwrap();
        let result = render.call(&mut store, request.body.len() as i32).expect("the component never traps");
        let (size, pointer) = (result as u32 as usize, (result >> 32) as usize);
        rejection(result).map_or_else(|| Ok(memory.data(&store)[pointer..pointer + size].to_vec()), Err)
    };
    requests.iter().map(answer).collect()
}
