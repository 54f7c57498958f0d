//! The allocator probe as its README promises it: crates outside this workspace take the two steps that are shown there, and no third.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasmtime::{Engine, Instance, Module, Store};

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");
const README: &str = include_str!("../../probe/README.md");
const MANIFEST: &str = include_str!("../../probe/Cargo.toml");

/// An allocator for modules without the standard library, by the name of that library's.
const SYSTEM: &str = include_str!("system.rs");
/// What the modules allocate.
const WORK: &str = include_str!("work.rs");

const TRIPLE: &str = "wasm32-unknown-unknown";
const CDYLIB: &str = "cdylib";
const BIN: &str = "bin";

/// live, peak, allocations, frees, version
type Counters = [i64; 5];

/// After nothing, after `work`, and after `another`.
const COUNTED: [Counters; 3] = [[0, 0, 0, 0, 1], [33, 1043, 5, 4, 1], [40, 1043, 6, 4, 1]];

/// The README's only block in a language.
fn block(language: &str) -> &'static str {
    let (_, block) = README.split_once(&format!("```{language}\n")).expect("the README shows it");
    block.split("```").next().unwrap()
}

/// A user's module.
struct User {
    name: &'static str,
    crate_type: &'static str,
    source: String,
}

/// With the standard library: a library, a program, and a program that does nothing.
fn std_users() -> Vec<User> {
    let step = block("rust");
    let main = "\nfn main() {}\n";
    vec![
        User { name: "std_cdylib", crate_type: CDYLIB, source: [step, WORK].concat() },
        User { name: "std_bin", crate_type: BIN, source: [step, WORK, main].concat() },
        User { name: "std_idle", crate_type: BIN, source: [step, main].concat() },
    ]
}

/// Without the standard library: there the allocator is another.
fn no_std_users() -> Vec<User> {
    let step = block("rust").replace("use std::alloc::System;\n", "");
    let source = [SYSTEM, &step, WORK].concat();
    let library = source.replace("#![no_main]\n", "");
    vec![
        User { name: "no_std_cdylib", crate_type: CDYLIB, source: library },
        User { name: "no_std_bin", crate_type: BIN, source },
    ]
}

/// A package with these modules, and beside it what the README calls a copy of the probe's folder.
fn package(name: &str, users: &[User]) -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for file in ["Cargo.toml", "README.md", "src/lib.rs"] {
        write(&format!("peakmark-probe/{file}"), &fs::read_to_string(format!("{FOLDER}/probe/{file}")).unwrap());
    }
    let mut manifest =
        "[package]\nname = \"user\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n".to_owned();
    manifest += block("toml");
    for User { name, crate_type, source } in users {
        manifest += &format!("\n[[example]]\nname = \"{name}\"\ncrate-type = [\"{crate_type}\"]\n");
        write(&format!("examples/{name}.rs"), source);
    }
    write("src/lib.rs", "");
    write("Cargo.toml", &manifest);
    root
}

/// `cargo build` of the package's modules, at another place: what Cargo is told in this repository does not hold for a user.
fn build(cargo: impl AsRef<std::ffi::OsStr>, root: &Path) -> Command {
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--release", "--offline", "--examples", "--target", TRIPLE, "--manifest-path"]);
    build.arg(root.join("Cargo.toml")).arg("--target-dir").arg(root.join("target")).current_dir(std::env::temp_dir());
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_RUSTFLAGS"] {
        build.env_remove(variable);
    }
    build
}

/// Asserts what the package's modules count, in Wasmtime and in Node.js.
fn assert_counted(root: &Path, users: &[User], about: &str) {
    for User { name, source, .. } in users {
        let about = format!("{name}, {about}");
        let file = root.join(format!("target/{TRIPLE}/release/examples/{name}.wasm"));
        let calls: &[&str] = if source.contains("fn work") { &["work", "another"] } else { &[] };
        let counted = &COUNTED[..=calls.len()];
        assert_eq!(counters_in_wasmtime(&file, calls), counted, "{about}, in Wasmtime");
        assert_eq!(counters_in_node(&file, calls), counted, "{about}, in Node.js");
    }
}

fn counters_in_wasmtime(file: &Path, calls: &[&str]) -> Vec<Counters> {
    let engine = Engine::default();
    let mut store = Store::new(&engine, ());
    let instance = Instance::new(&mut store, &Module::from_file(&engine, file).unwrap(), &[]).unwrap();
    let read = |store: &mut Store<()>| {
        let mut counter = |name| {
            let export = format!("peakmark_probe_{name}");
            let function =
                instance.get_typed_func::<(), i64>(&mut *store, &export).unwrap_or_else(|error| panic!("{error}"));
            function.call(&mut *store, ()).unwrap()
        };
        let counters = ["live", "peak", "allocations", "frees"].map(&mut counter);
        let version = instance.get_typed_func::<(), i32>(&mut *store, "peakmark_probe_version").unwrap();
        let [live, peak, allocations, frees] = counters;
        [live, peak, allocations, frees, version.call(&mut *store, ()).unwrap().into()]
    };
    let mut counted = vec![read(&mut store)];
    for call in calls {
        instance.get_typed_func::<(), ()>(&mut store, call).unwrap().call(&mut store, ()).unwrap();
        counted.push(read(&mut store));
    }
    counted
}

fn counters_in_node(file: &Path, calls: &[&str]) -> Vec<Counters> {
    let mut node = Command::new("node");
    let output = node.arg(format!("{FOLDER}/tests/probe/read.mjs")).arg(file).args(calls).output().expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counters = |line: &str| -> Counters {
        let numbers: Vec<_> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        numbers.try_into().unwrap()
    };
    String::from_utf8(output.stdout).unwrap().lines().map(counters).collect()
}

fn run(command: &mut Command, about: &str) {
    let output = command.output().unwrap_or_else(|error| panic!("{about}: {error}"));
    assert!(output.status.success(), "{about}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// Says so where a test cannot run. Not by a macro, whose output a test that passes keeps to itself.
fn skip(why: &str) {
    std::io::stderr().write_all(format!("SKIPPED: {why}\n").as_bytes()).unwrap();
}

fn output(program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
}

/// Whether a `rustc` has the standard library for Wasm.
fn has_target(rustc: impl AsRef<std::ffi::OsStr>) -> bool {
    let sysroot = output(rustc, &["--print", "sysroot"]);
    sysroot.is_some_and(|sysroot| Path::new(&sysroot).join(format!("lib/rustlib/{TRIPLE}/lib")).is_dir())
}

#[test]
fn two_steps_are_enough() {
    if !has_target("rustc") {
        return skip("the crates that use the probe are not built, since rustc has no target wasm32-unknown-unknown");
    }
    let users: Vec<_> = std_users().into_iter().chain(no_std_users()).collect();
    let root = package("two-steps", &users);
    for (opt_level, lto) in [("0", "off"), ("3", "fat"), ("z", "off"), ("z", "thin")] {
        let about = format!("opt-level {opt_level}, lto {lto}");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = build(cargo, &root);
        build.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", opt_level).env("CARGO_PROFILE_RELEASE_LTO", lto);
        run(&mut build, &about);
        assert_counted(&root, &users, &about);
    }
}

/// The oldest Rust that the probe promises is looked for in `OLDEST_RUST`, a folder with `bin/cargo` and `bin/rustc`, or in `/usr`:
/// Debian 12 has it, with `apt-get install rustc cargo libstd-rust-dev-wasm32 lld`. Modules with a heap and without the standard
/// library were not possible yet.
#[test]
fn the_oldest_rust_builds_it() {
    let oldest = MANIFEST.split_once("rust-version = \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0)).unwrap();
    assert!(README.contains(&format!("Rust {oldest} or later")));
    let folder = PathBuf::from(std::env::var_os("OLDEST_RUST").unwrap_or_else(|| "/usr".into()));
    let rustc = folder.join("bin/rustc");
    let version = output(&rustc, &["--version"]).unwrap_or_default();
    if !version.starts_with(&format!("rustc {oldest}.")) || !has_target(&rustc) {
        return skip(&format!("the probe is not built with Rust {oldest}, which is not in {}", folder.display()));
    }
    let users = std_users();
    let root = package("oldest-rust", &users);
    // Debian's rustc has no linker of its own.
    let mut build = build(folder.join("bin/cargo"), &root);
    build.env("RUSTC", &rustc).env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    run(&mut build, &version);
    assert_counted(&root, &users, &version);
}
