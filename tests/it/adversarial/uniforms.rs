//! Uniforms of every malformed kind, and as many and as long as a request holds.

use qip_interpret::Mode;

use super::{MIB, refused, renders};
use crate::failures::target;
use crate::support::Form;

/// A target with a setter for each type, whose key is the type.
fn setters() -> Vec<u8> {
    let setter = |ty: &str| format!(r#"(func (export "uniform_set_{ty}") (param {ty}) (result {ty}) local.get 0)"#);
    target("(i64.const 0)", &["i32", "i64", "f32", "f64"].map(setter).concat())
}

#[test]
fn values() {
    let wasm = setters();
    let value_refused = |case: &str, key: &str, value: &str| {
        let form = Form::component(&wasm).uniform(key, value);
        refused(case, &form, Mode::BadUniform, form.offset_of(&format!("uniforms[{key}]")) as usize);
    };
    for (key, values) in [
        (
            "i32",
            &["0x", "0X1", "+1", "-0", "0x100000000", "1 ", "\n1", "1_0", "1e3", "0b1", "0xg", "\0", "１", "true"][..],
        ),
        (
            "i64",
            &["", "-", "+", "--1", "+-1", "0x", "-0x1", "0x10000000000000000", "-9223372036854775809", "1.0", "1\0"],
        ),
        ("f32", &["", ".", "1e", "1e+", "--1", "0x1p3", "-infinity", "NaN", "3.5e38", "1_0", "1,5", "1f", "1\n", "١"]),
        ("f64", &["", "-", "e1", "0x1", "-inf", "nan", "1e309", "1e99999999999999999999", "1 ", "1.1.1"]),
    ] {
        for value in values {
            value_refused(&format!("the {key} {value:?}"), key, value);
        }
    }
    let nines = "9".repeat(16 * MIB);
    let ones = format!("{}1", "0".repeat(16 * MIB));
    for key in ["i32", "i64", "f32", "f64"] {
        value_refused(&format!("an {key} of 16 MiB"), key, &nines);
        renders(&format!("an {key} with 16 MiB of zeros before it"), &Form::component(&wasm).uniform(key, &ones), "");
    }
    for key in ["f32", "f64"] {
        let fraction = format!("0.{}", "1".repeat(16 * MIB));
        renders(&format!("an {key} with 16 MiB of decimals"), &Form::component(&wasm).uniform(key, &fraction), "");
    }
}

#[test]
fn keys() {
    let wasm = setters();
    let longest = "k".repeat(63);
    for (case, key, fault) in [
        ("no key", "", 0),
        ("a key that begins with a digit", "1", 0),
        ("a key with a bracket", "i32]", 3),
        ("a key that is not ASCII", "i３2", 1),
        ("a key of 64 bytes", &format!("{longest}k"), 63),
        ("a key of 16,000 bytes", &"k".repeat(16_000), 63),
        ("a key that ends in an underscore", "i_", 1),
        ("a key of 63 bytes that no setter has", &longest, 0),
    ] {
        let form = Form::component(&wasm).uniform(key, "1");
        let name = form.offset_of(&format!("uniforms[{key}]")) as usize - "]\"\r\n\r\n".len() - key.len();
        refused(case, &form, Mode::BadUniform, name + fault);
    }
}

#[test]
fn more_than_there_may_be() {
    let setter = |index: u32| {
        format!(
            r#"(func (export "uniform_set_k{index}") (param i32) (result i32)
                 (i32.store (i32.const 0) (local.get 0)) local.get 0)"#
        )
    };
    let wasm = target("(i64.const 0)", &(0..65).map(setter).collect::<String>());
    let form =
        |count: u32| (0..count).fold(Form::component(&wasm), |form, index| form.uniform(&format!("k{index}"), "1"));
    renders("64 uniforms", &form(64), "0,other,0,0,0,64,256,4,64.00\n");
    let form = form(65);
    let key = form.offset_of("uniforms[k64]") as usize - "k64]\"\r\n\r\n".len();
    refused("65 uniforms", &form, Mode::BadUniform, key);
}
