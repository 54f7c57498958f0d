//! The modules of `hash-wasm`: hash functions in C.

use super::check;

/// One of the package's modules that has the interface `Hash_Init`, `Hash_Update`, `Hash_Final`.
struct Hash {
    name: &'static str,
    /// Instructions that put a seed or the like into the module's buffer.
    prepare: &'static str,
    /// The parameter of `Hash_Init` and that of `Hash_Final`, where they have one.
    init: Option<u32>,
    last: Option<u32>,
    input: &'static [u8],
    digest: &'static str,
}

const fn hash(name: &'static str, init: Option<u32>, digest: &'static str) -> Hash {
    Hash { name, prepare: "", init, last: None, input: b"abc", digest }
}

const HASHES: [Hash; 23] = [
    hash("adler32", None, "024d0127"),
    hash("crc32", Some(0xedb8_8320), "352441c2"),
    Hash {
        prepare: "(i64.store (call $buffer) (i64.const 0xc96c5795d7870f42))",
        input: b"123456789",
        ..hash("crc64", None, "995dc9bbdf1939fa")
    },
    hash("md4", None, "a448017aaf21d8525fc10ae87aa6729d"),
    hash("md5", None, "900150983cd24fb0d6963f7d28e17f72"),
    hash("ripemd160", None, "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"),
    hash("sha1", None, "a9993e364706816aba3e25717850c26c9cd0d89d"),
    hash("sha224", Some(224), "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    hash("sha256", Some(256), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    hash(
        "sha384",
        Some(384),
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
    ),
    hash(
        "sha512",
        Some(512),
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
         2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
    ),
    Hash {
        last: Some(6),
        ..hash("sha3", Some(256), "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532")
    },
    Hash {
        last: Some(1),
        ..hash("keccak", Some(256), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45")
    },
    hash(
        "blake2b",
        Some(512),
        "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
         7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
    ),
    hash("blake2s", Some(256), "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982"),
    Hash {
        last: Some(32),
        ..hash("blake3", Some(0), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85")
    },
    hash("sm3", None, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
    hash(
        "whirlpool",
        None,
        "4e2448a4c6f486bb16b6562c73b4020bf3043e3a731bce721ae1b303d97e6d4c\
         7181eebdb6c57e277d0e34957114cbd6c797fc9d95d8b582d225292076d4eef5",
    ),
    hash("xxhash32", Some(0), "32d153ff"),
    hash("xxhash64", None, "44bc2cf5ad770999"),
    hash("xxhash3", None, "78af5f94892f3950"),
    hash("xxhash128", None, "06b05ab6733a618578af5f94892f3950"),
    Hash { input: b"", ..hash("xxhash64", None, "ef46db3751d8e999") },
];

/// Feeds the input to the module in pieces of its buffer's 16 KiB, and returns the digest, which is in the buffer.
fn wrapper(hash: &Hash) -> String {
    let parameter = |value: Option<u32>| value.map_or("", |_| "(param i32)");
    let argument = |value: Option<u32>| value.map_or(String::new(), |value| format!("(i32.const {value})"));
    format!(
        r#"(module
            (import "hash" "Hash_GetBuffer" (func $buffer (result i32)))
            (import "hash" "Hash_Init" (func $init {}))
            (import "hash" "Hash_Update" (func $update (param i32)))
            (import "hash" "Hash_Final" (func $final {}))
            (import "hash" "memory" (memory 4 4))
            (export "memory" (memory 0))
            (func (export "input_ptr") (result i32) i32.const 131072)
            (func (export "input_bytes_cap") (result i32) i32.const 131072)
            (func (export "output_bytes_cap") (result i32) i32.const 64)
            (func (export "render") (param $left i32) (result i64)
                (local $from i32) (local $piece i32)
                {}
                (call $init {})
                (local.set $from (i32.const 131072))
                (block $done
                    (loop $next
                        (br_if $done (i32.eqz (local.get $left)))
                        (local.set $piece
                            (select (local.get $left) (i32.const 16384)
                                (i32.lt_u (local.get $left) (i32.const 16384))))
                        (memory.copy (call $buffer) (local.get $from) (local.get $piece))
                        (call $update (local.get $piece))
                        (local.set $from (i32.add (local.get $from) (local.get $piece)))
                        (local.set $left (i32.sub (local.get $left) (local.get $piece)))
                        (br $next)))
                (call $final {})
                (i64.or (i64.shl (i64.extend_i32_u (call $buffer)) (i64.const 32)) (i64.const {}))))"#,
        parameter(hash.init),
        parameter(hash.last),
        hash.prepare,
        argument(hash.init),
        argument(hash.last),
        hash.digest.len() / 2,
    )
}

#[test]
fn hash_wasm() {
    let long: Vec<u8> = (0..40_000u32).map(|i| (i * i / 32) as u8).collect();
    for hash in HASHES {
        let file = format!("hash-wasm/dist/{}.umd.min.js", hash.name);
        let output = check(&file, &wrapper(&hash), hash.input);
        let digest: String = output.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digest, hash.digest, "{}", hash.name);
        check(&file, &wrapper(&hash), &long);
    }
}
