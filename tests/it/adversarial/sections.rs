//! Sections of 16 MiB.

use qip_interpret::{Mode, Rejection};

use super::{MIB, component_refused, module, renders, target_with};
use crate::support::binary::{EMPTY_BODY, EMPTY_TYPE, PREAMBLE, body, leb128, raw_section, repeated, section, sized};
use crate::support::{Form, Tool};

/// Bytes of a name at most.
const NAME: usize = 100_000;

/// As many of an entry as 16 MiB hold.
fn filled(id: u8, entry: &[u8]) -> Vec<u8> {
    repeated(id, (16 * MIB / entry.len()) as u32, entry)
}

#[test]
fn types() {
    let (wasm, start) = module(&[&filled(1, EMPTY_TYPE)]);
    component_refused("16 MiB of types", &wasm, Mode::Limit, start);
}

/// Over a million imports, none of which is allowed.
#[test]
fn imports() {
    let types = repeated(1, 1, EMPTY_TYPE);
    let name = |index: u32| sized(format!("{index:013}").as_bytes());
    let import = |index: u32| [&name(index), &b"\0\x03\x7f\0"[..]].concat();
    let imports = section(2, 900_000, import);
    let (wasm, start) = module(&[&types, &imports]);
    component_refused("16 MiB of imports", &wasm, Mode::Contract, start + imports.len() - 900_000 * import(0).len());
    // One entry that holds them all: a module's name, an empty one, a mark, a type, and the items' names.
    let names: Vec<u8> = (0..990_000).flat_map(name).collect();
    let group = [b"\x01\0\0\x7e\x03\x7f\0", &leb128(990_000)[..], &names].concat();
    let (wasm, start) = module(&[&types, &raw_section(2, &group)]);
    component_refused("14 MiB of imports in a group", &wasm, Mode::Contract, start + 6);
    // Without any entries, their count must not take memory.
    let (wasm, start) = module(&[&raw_section(2, &leb128(1_000_000))]);
    component_refused("1,000,000 imports in no bytes", &wasm, Mode::InvalidWasm, start + 5);
    let form = Form::component(&wasm);
    let mut tool = Tool::new();
    assert_eq!(tool.render(&form), Err(Rejection::new(Mode::InvalidWasm, form.offset_of("component") + 13)));
    assert!(tool.counters().peak < MIB as u64);
}

#[test]
fn functions() {
    let types = repeated(1, 1, EMPTY_TYPE);
    let (wasm, start) = module(&[&types, &filled(3, b"\0")]);
    component_refused("16 MiB of functions", &wasm, Mode::Limit, start);
    let functions = repeated(3, 262_144, b"\0");
    let (wasm, start) = module(&[&types, &functions, &filled(10, EMPTY_BODY)]);
    component_refused("16 MiB of empty bodies", &wasm, Mode::InvalidWasm, start);
    let (wasm, start) = module(&[&types, &filled(10, EMPTY_BODY)]);
    component_refused("16 MiB of empty bodies without functions", &wasm, Mode::InvalidWasm, start);
    let (wasm, _) = module(&[&types, &functions, &repeated(10, 262_144, &body(&[1; 61]))]);
    component_refused("16 MiB of bodies within the limit", &wasm, Mode::Contract, 0);
}

#[test]
fn exports() {
    let before = [repeated(1, 1, EMPTY_TYPE), repeated(3, 1, b"\0")].concat();
    let export = |index: u32| [&sized(format!("{index:0120}").as_bytes()), &b"\0\0"[..]].concat();
    let (wasm, start) = module(&[&before, &section(7, 140_000, export)]);
    component_refused("16 MiB of exports", &wasm, Mode::Limit, start);
    let (wasm, _) = module(&[&before, &section(7, 131_072, export), &repeated(10, 1, EMPTY_BODY)]);
    component_refused("15 MiB of exports within the limit", &wasm, Mode::Contract, 0);
    let (wasm, _) = module(&[&before, &section(7, 131_072, |index| export(index % 131_071))]);
    let last = wasm.len() - export(0).len();
    component_refused("15 MiB of exports of which the last has the name of the first", &wasm, Mode::InvalidWasm, last);
}

#[test]
fn globals() {
    let value = [b"\x7f\0\x41\x01", &b"\x41\x01\x6a".repeat(39)[..], b"\x0b"].concat();
    let (wasm, start) = target_with(&filled(6, &value));
    component_refused("16 MiB of globals", &wasm, Mode::Limit, start);
    let (wasm, _) = target_with(&repeated(6, 131_072, &value));
    renders("15 MiB of globals within the limit", &Form::component(&wasm), "");
}

#[test]
fn segments() {
    let (wasm, start) = target_with(&filled(11, b"\x01\0"));
    component_refused("16 MiB of data segments", &wasm, Mode::Limit, start);
    let data = [b"\0\x41\0\x0b", &sized(&[1; 162])[..]].concat();
    let (wasm, _) = target_with(&repeated(11, 100_000, &data));
    let row = "0,data,16200000,0,0,0,0,0,\n";
    renders("15 MiB of data segments over one another", &Form::component(&wasm), row);
    let (wasm, start) = target_with(&filled(9, b"\x01\0\0"));
    component_refused("16 MiB of element segments", &wasm, Mode::Limit, start);
    let (wasm, start) = target_with(&repeated(9, 100_000, &[b"\x01\0", &sized(&[0; 162])[..]].concat()));
    component_refused("15 MiB of elements in 100,000 segments", &wasm, Mode::Limit, start);
    let (wasm, _) = target_with(&repeated(9, 100_000, &[b"\x01\0", &sized(&[0; 38])[..]].concat()));
    renders("4 MB of elements in 100,000 segments", &Form::component(&wasm), "");
}

#[test]
fn custom_sections() {
    let empty = raw_section(0, b"\0");
    let many = empty.repeat(16 * MIB / empty.len());
    let (wasm, _) = target_with(&many);
    renders("16 MiB of custom sections", &Form::component(&wasm), "");
    let mut name = vec![b'x'; NAME];
    let (wasm, _) = target_with(&raw_section(0, &sized(&name)));
    renders("a name of 100,000 bytes", &Form::component(&wasm), "");
    name[NAME - 1] = 0xff;
    let section = raw_section(0, &sized(&name));
    let (wasm, start) = target_with(&section);
    let last = start + section.len() - 1;
    component_refused("a name of 100,000 bytes that is not UTF-8 in the last", &wasm, Mode::InvalidWasm, last);
    // At the last byte of its size.
    let (wasm, start) = target_with(&raw_section(0, &sized(&vec![b'x'; NAME + 1])));
    component_refused("a name of 100,001 bytes", &wasm, Mode::Limit, start + 6);
    for (case, contents, offset) in [
        ("a name that is not UTF-8", &b"\x03ab\xff"[..], 5),
        ("a name that is cut off", b"\x04abc", 3),
        ("no name", b"", 2),
    ] {
        let (wasm, start) = target_with(&raw_section(0, contents));
        component_refused(case, &wasm, Mode::InvalidWasm, start + offset);
    }
    let start = PREAMBLE.len() + many.len();
    let wasm = [PREAMBLE, &many, b"\0\x04\x03ab\xff"].concat();
    component_refused("a name that is not UTF-8 behind 16 MiB of them", &wasm, Mode::InvalidWasm, start + 5);
}
