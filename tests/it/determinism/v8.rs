//! Components in V8.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use super::Answer;
use crate::mixed::Request;
use crate::support::{Component, rejection};

/// The answers to all requests, on one instance.
pub fn render(component: &Component, requests: &[Request]) -> Vec<Answer> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut node = Command::new("node")
        .args([folder.join("tests/it/determinism/render.mjs"), folder.join(component.path)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node.js is installed");
    let mut stdin = node.stdin.take().unwrap();
    for request in requests {
        stdin.write_all(&request.budget.to_le_bytes()).unwrap();
        stdin.write_all(&(request.body.len() as u32).to_le_bytes()).unwrap();
        stdin.write_all(&request.body).unwrap();
    }
    drop(stdin);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    answers(&output.stdout)
}

/// Each answer is what `render` returned, and behind it the output if there is one.
fn answers(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while let Some((result, rest)) = bytes.split_first_chunk() {
        let result = i64::from_le_bytes(*result);
        bytes = rest;
        answers.push(match rejection(result) {
            Some(rejection) => Err(rejection),
            None => Ok(bytes.split_off(..result as u32 as usize).expect("the output is whole").to_vec()),
        });
    }
    answers
}
