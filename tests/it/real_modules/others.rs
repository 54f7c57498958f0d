//! Modules of other packages, each behind a wrapper of its own.

use super::check;

#[test]
fn xxhash_wasm() {
    let wrapper = |hash: &str| {
        format!(
            r#"(module
                (import "xxhash" "xxh32" (func $xxh32 (param i32 i32 i32) (result i32)))
                (import "xxhash" "xxh64" (func $xxh64 (param i32 i32 i64) (result i64)))
                (import "xxhash" "mem" (memory 2 2))
                (export "memory" (memory 0))
                (func (export "input_ptr") (result i32) i32.const 65536)
                (func (export "input_bytes_cap") (result i32) i32.const 65536)
                (func (export "output_bytes_cap") (result i32) i32.const 8)
                (func (export "render") (param $size i32) (result i64)
                    (i64.store (i32.const 0) {hash})
                    (i64.const 8)))"#
        )
    };
    let xxh32 = wrapper("(i64.extend_i32_u (call $xxh32 (i32.const 65536) (local.get $size) (i32.const 0)))");
    let xxh64 = wrapper("(call $xxh64 (i32.const 65536) (local.get $size) (i64.const 0))");
    let file = "xxhash-wasm/workerd/xxhash.wasm";
    assert_eq!(check(file, &xxh32, b"abc"), 0x32d1_53ffu64.to_le_bytes());
    assert_eq!(check(file, &xxh64, b"abc"), 0x44bc_2cf5_ad77_0999u64.to_le_bytes());
    check(file, &xxh64, &[0x5a; 60_001]);
}

/// The key lies in front of the message, and the hash in front of the key.
#[test]
fn siphash24() {
    let wrapper = r#"(module
        (import "siphash24" "siphash" (func $siphash (param i32 i32)))
        (import "siphash24" "memory" (memory 10 10000))
        (export "memory" (memory 0))
        (func (export "input_ptr") (result i32) i32.const 8)
        (func (export "input_bytes_cap") (result i32) i32.const 600000)
        (func (export "output_bytes_cap") (result i32) i32.const 8)
        (func (export "render") (param $size i32) (result i64)
            (call $siphash (i32.const 24) (i32.sub (local.get $size) (i32.const 16)))
            (i64.const 8)))"#;
    let input: Vec<u8> = (0..16).chain(0..15).collect();
    let output = check("siphash24/siphash24.js", wrapper, &input);
    assert_eq!(output, 0xa129_ca61_49be_45e5u64.to_le_bytes(), "the vector in the paper on SipHash");
}

/// Appends the pair of positions that two functions return to the output.
const APPEND_PAIR: &str = "
    (func $pair (param $start i32) (param $end i32)
        (i32.store (global.get $end) (local.get $start))
        (i32.store offset=4 (global.get $end) (local.get $end))
        (global.set $end (i32.add (global.get $end) (i32.const 8))))";

/// Copies the input as UTF-16, which both lexers read.
const WIDEN: &str = "
    (func $widen (param $to i32) (param $from i32) (param $size i32)
        (block $done
            (loop $next
                (br_if $done (i32.eqz (local.get $size)))
                (i32.store16 (local.get $to) (i32.load8_u (local.get $from)))
                (local.set $to (i32.add (local.get $to) (i32.const 2)))
                (local.set $from (i32.add (local.get $from) (i32.const 1)))
                (local.set $size (i32.sub (local.get $size) (i32.const 1)))
                (br $next))))";

/// The pieces of `source` that pairs of positions name.
fn pieces<'s>(source: &'s str, output: &[u8]) -> Vec<&'s str> {
    let position = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().unwrap()) as usize;
    output.chunks(8).map(|pair| &source[position(&pair[..4])..position(&pair[4..])]).collect()
}

#[test]
fn es_module_lexer() {
    let wrapper = format!(
        r#"(module
            (import "lexer" "_initialize" (func $initialize))
            (import "lexer" "sa" (func $source (param i32) (result i32)))
            (import "lexer" "parse" (func $parse (result i32)))
            (import "lexer" "ri" (func $next_import (result i32)))
            (import "lexer" "is" (func $import_start (result i32)))
            (import "lexer" "ie" (func $import_end (result i32)))
            (import "lexer" "memory" (memory 258 32768))
            (global $end (mut i32) (i32.const 16842752))
            (export "memory" (memory 0))
            (func (export "input_ptr") (result i32) i32.const 16842752)
            (func (export "input_utf8_cap") (result i32) i32.const 16384)
            (func (export "output_bytes_cap") (result i32) i32.const 65536)
            (func (export "render") (param $size i32) (result i64)
                (call $initialize)
                (call $widen (call $source (local.get $size)) (i32.const 16842752) (local.get $size))
                (if (i32.eqz (call $parse)) (then unreachable))
                (loop $more
                    (if (call $next_import)
                        (then
                            (call $pair (call $import_start) (call $import_end))
                            (br $more))))
                (i64.or (i64.const 0x{:x})
                    (i64.extend_i32_u (i32.sub (global.get $end) (i32.const 16842752)))))
            {APPEND_PAIR} {WIDEN})"#,
        16842752u64 << 32
    );
    let source = "import { a } from './a.js'; // import 'no'\nexport * from \"b\";\n\
        const c = 'import(\"no\")';\nawait import('c');\n";
    let output = check("es-module-lexer/dist/lexer.js", &wrapper, source.as_bytes());
    assert_eq!(pieces(source, &output), ["./a.js", "b", "'c'"]);
}

#[test]
fn cjs_module_lexer() {
    let wrapper = format!(
        r#"(module
            (import "lexer" "sa" (func $source (param i32) (result i32)))
            (import "lexer" "parseCJS" (func $parse (param i32 i32 i32 i32 i32 i32) (result i32)))
            (import "lexer" "re" (func $next_export (result i32)))
            (import "lexer" "es" (func $export_start (result i32)))
            (import "lexer" "ee" (func $export_end (result i32)))
            (import "lexer" "memory" (memory 4 4))
            (global $end (mut i32) (i32.const 196608))
            (export "memory" (memory 0))
            (func (export "input_ptr") (result i32) i32.const 196608)
            (func (export "input_utf8_cap") (result i32) i32.const 16384)
            (func (export "output_bytes_cap") (result i32) i32.const 65536)
            (func (export "render") (param $size i32) (result i64)
                (local $source i32)
                (local.set $source (call $source (local.get $size)))
                (call $widen (local.get $source) (i32.const 196608) (local.get $size))
                (if (call $parse (local.get $source) (local.get $size)
                        (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0))
                    (then unreachable))
                (loop $more
                    (if (call $next_export)
                        (then
                            (call $pair (call $export_start) (call $export_end))
                            (br $more))))
                (i64.or (i64.const 0x{:x})
                    (i64.extend_i32_u (i32.sub (global.get $end) (i32.const 196608)))))
            {APPEND_PAIR} {WIDEN})"#,
        196608u64 << 32
    );
    let source = "exports.first = 1; // exports.no = 2\nmodule.exports.second = 3;\n\
        Object.defineProperty(exports, 'third', { value: 4 });\n";
    let output = check("cjs-module-lexer/dist/lexer.js", &wrapper, source.as_bytes());
    assert_eq!(pieces(source, &output), ["first", "second", "'third'"]);
}

/// Encodes an image of 16 x 16 pixels and decodes the result.
#[test]
fn lodepng() {
    let wrapper = r#"(module
        (import "lodepng" "_initialize" (func $initialize))
        (import "lodepng" "malloc" (func $malloc (param i32) (result i32)))
        (import "lodepng" "free" (func $free (param i32)))
        (import "lodepng" "lodepng_encode32" (func $encode (param i32 i32 i32 i32 i32) (result i32)))
        (import "lodepng" "lodepng_decode32" (func $decode (param i32 i32 i32 i32 i32) (result i32)))
        (import "lodepng" "memory" (memory 3 64))
        (export "memory" (memory 0))
        (func (export "input_ptr") (result i32) i32.const 131072)
        (func (export "input_bytes_cap") (result i32) i32.const 1024)
        (func (export "output_bytes_cap") (result i32) i32.const 1024)
        (func (export "render") (param $size i32) (result i64)
            (local $pixels i32) (local $result i32)
            (call $initialize)
            (local.set $pixels (call $malloc (local.get $size)))
            (memory.copy (local.get $pixels) (i32.const 131072) (local.get $size))
            (local.set $result (call $malloc (i32.const 20)))
            (if (call $encode (local.get $result) (i32.add (local.get $result) (i32.const 4))
                    (local.get $pixels) (i32.const 16) (i32.const 16))
                (then unreachable))
            (call $free (local.get $pixels))
            (if (call $decode (i32.add (local.get $result) (i32.const 8))
                    (i32.add (local.get $result) (i32.const 12)) (i32.add (local.get $result) (i32.const 16))
                    (i32.load (local.get $result)) (i32.load offset=4 (local.get $result)))
                (then unreachable))
            (i64.or (i64.shl (i64.load32_u offset=8 (local.get $result)) (i64.const 32))
                (i64.extend_i32_u (i32.mul (i32.const 4)
                    (i32.mul (i32.load offset=12 (local.get $result)) (i32.load offset=16 (local.get $result))))))))"#;
    let pixels: Vec<u8> = (0..1024u32).map(|i| (i % 64 * (i / 64) + i % 7) as u8).collect();
    assert_eq!(check("@cwasm/lodepng/lodepng.wasm", wrapper, &pixels), pixels);
}

#[test]
fn lzw_tiff_decoder() {
    let wrapper = r#"(module
        (import "lzw" "decompress" (func $decompress (param i32 i32 i32 i32)))
        (import "lzw" "__wbindgen_add_to_stack_pointer" (func $push (param i32) (result i32)))
        (import "lzw" "__wbindgen_export" (func $allocate (param i32 i32) (result i32)))
        (import "lzw" "memory" (memory 18 64))
        (export "memory" (memory 0))
        (func (export "input_ptr") (result i32) i32.const 1114112)
        (func (export "input_bytes_cap") (result i32) i32.const 65536)
        (func (export "output_bytes_cap") (result i32) i32.const 4096)
        (func (export "render") (param $size i32) (result i64)
            (local $result i32) (local $copy i32)
            (local.set $result (call $push (i32.const -16)))
            (local.set $copy (call $allocate (local.get $size) (i32.const 1)))
            (memory.copy (local.get $copy) (i32.const 1114112) (local.get $size))
            (call $decompress (local.get $result) (local.get $copy) (local.get $size) (i32.const 4096))
            (i64.or (i64.shl (i64.load32_u (local.get $result)) (i64.const 32))
                (i64.load32_u offset=4 (local.get $result)))))"#;
    // The example that the PDF specification gives for its LZW filter, which is that of TIFF.
    let encoded = [0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01];
    let output = check("@developmentseed/lzw-tiff-decoder/index.mjs", wrapper, &encoded);
    assert_eq!(output, [45, 45, 45, 45, 45, 65, 45, 45, 45, 66]);
}

/// Decodes to an image of 4 x 3 pixels, four bytes each.
#[test]
fn blurhash_wasm() {
    let wrapper = r#"(module
        (import "blurhash" "decode" (func $decode (param i32 i32 i32 i32 i32)))
        (import "blurhash" "__wbindgen_malloc" (func $allocate (param i32) (result i32)))
        (import "blurhash" "memory" (memory 18 64))
        (export "memory" (memory 0))
        (func (export "input_ptr") (result i32) i32.const 1114112)
        (func (export "input_utf8_cap") (result i32) i32.const 1024)
        (func (export "output_bytes_cap") (result i32) i32.const 48)
        (func (export "render") (param $size i32) (result i64)
            (local $copy i32)
            (local.set $copy (call $allocate (local.get $size)))
            (memory.copy (local.get $copy) (i32.const 1114112) (local.get $size))
            (call $decode (i32.const 8) (local.get $copy) (local.get $size) (i32.const 4) (i32.const 3))
            (i64.or (i64.shl (i64.load32_u (i32.const 8)) (i64.const 32)) (i64.load32_u (i32.const 12)))))"#;
    let output = check("blurhash-wasm/blurhash_wasm_bg.wasm", wrapper, b"LEHV6nWB2yk8pyo0adR*.7kCMdnj");
    let pixels: Vec<u32> = output.chunks(4).map(|rgba| u32::from_be_bytes(rgba.try_into().unwrap())).collect();
    #[rustfmt::skip]
    assert_eq!(pixels, [
        0x87a4b1ff, 0xa1adb1ff, 0xb5b4abff, 0xa0acaeff,
        0x7c9aa9ff, 0x94949aff, 0xa49186ff, 0x92989bff,
        0x7c909aff, 0x908684ff, 0xa38268ff, 0x948c86ff,
    ]);
}

/// The salt lies in front of the password.
#[test]
fn hash_wasm_bcrypt() {
    let wrapper = r#"(module
        (import "bcrypt" "Hash_GetBuffer" (func $buffer (result i32)))
        (import "bcrypt" "bcrypt" (func $bcrypt (param i32 i32 i32)))
        (import "bcrypt" "memory" (memory 3 3))
        (export "memory" (memory 0))
        (func (export "input_ptr") (result i32) i32.const 131072)
        (func (export "input_bytes_cap") (result i32) i32.const 88)
        (func (export "output_bytes_cap") (result i32) i32.const 60)
        (func (export "render") (param $size i32) (result i64)
            (memory.copy (call $buffer) (i32.const 131072) (local.get $size))
            (call $bcrypt (i32.sub (local.get $size) (i32.const 16)) (i32.const 5) (i32.const 1))
            (i64.or (i64.shl (i64.extend_i32_u (call $buffer)) (i64.const 32)) (i64.const 60))))"#;
    let input = b"\x10\x41\x04\x10\x41\x04\x10\x41\x04\x10\x41\x04\x10\x41\x04\x10U*U";
    let output = check("hash-wasm/dist/bcrypt.umd.min.js", wrapper, input);
    assert_eq!(output, b"$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW", "a vector of crypt_blowfish");
}

/// The mixing function of scrypt with the parameters r = 1, N = 16, in memory that grows.
#[test]
fn hash_wasm_scrypt() {
    let wrapper = r#"(module
        (import "scrypt" "Hash_SetMemorySize" (func $resize (param i32) (result i32)))
        (import "scrypt" "Hash_GetBuffer" (func $buffer (result i32)))
        (import "scrypt" "scrypt" (func $scrypt (param i32 i32 i32)))
        (import "scrypt" "memory" (memory 3 64))
        (export "memory" (memory 0))
        (func (export "input_ptr") (result i32) i32.const 131072)
        (func (export "input_bytes_cap") (result i32) i32.const 128)
        (func (export "output_bytes_cap") (result i32) i32.const 128)
        (func (export "render") (param $size i32) (result i64)
            (drop (call $resize (i32.const 2432)))
            (memory.copy (call $buffer) (i32.const 131072) (local.get $size))
            (call $scrypt (i32.const 1) (i32.const 16) (i32.const 1))
            (i64.or (i64.shl (i64.extend_i32_u (call $buffer)) (i64.const 32)) (i64.const 128))))"#;
    let input = "f7ce0b653d2d72a4108cf5abe912ffdd777616dbbb27a70e8204f3ae2d0f6fad89f68f4811d1e87bcc3bd7400a9ffd29\
        094f0184639574f39ae5a1315217bcd7894991447213bb226c25b54da86370fbcd984380374666bb8ffcb5bf40c254b0\
        67d27c51ce4ad5fed829c90b505a571b7f4d1cad6a523cda770e67bceaaf7e89";
    let output = "79ccc193629debca047f0b70604bf6b62ce3dd4a9626e355fafc6198e6ea2b46d58413673b99b029d665c357601fb426\
        a0b2f4bba200ee9f0a43d19b571a9c71ef1142e65d5a266fddca832ce59faa7cac0b9cf1be2bffca300d01ee387619c4\
        ae12fd4438f203a0e4e1c47ec314861f4e9087cb33396a6873e8f9d2539a4b8e";
    assert_eq!(
        check("hash-wasm/dist/scrypt.umd.min.js", wrapper, &bytes(input)),
        bytes(output),
        "RFC 7914, section 10"
    );
}

fn bytes(hex: &str) -> Vec<u8> {
    hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
