use super::*;
use crate::code::isa::vector::for_each_simd_op;
extern crate std;
use std::vec::Vec;

mod differential;
mod families;

/// Every operator of the table: its name in `wasmparser::Operator` and that of its function.
fn table() -> Vec<(&'static str, &'static str)> {
    macro_rules! names {
        ($($group:ident { $($code:literal $variant:ident $function:ident $($type:ident)* $($number:literal)?;)* })*) => {
            Vec::from([$($((stringify!($variant), stringify!($function)),)*)*])
        };
    }
    for_each_simd_op!(names)
}

#[test]
fn the_table_holds_the_236_operators_of_the_standard() {
    macro_rules! standard {
        ($(@$proposal:ident $variant:ident $({ $($arg:ident: $type:ty),* })? => $visit:ident ($($arity:tt)*))*) => {
            [$((stringify!($proposal), stringify!($variant), stringify!($visit)),)*]
        };
    }
    let standard = wasmparser::for_each_visit_simd_operator!(standard);
    let mut expected: Vec<_> = standard
        .into_iter()
        .filter(|(proposal, ..)| *proposal == "simd")
        .map(|(_, variant, visit)| (variant, visit.strip_prefix("visit_").unwrap()))
        .collect();
    assert_eq!(expected.len(), 236);
    expected.retain(|(_, name)| !["v128_load", "v128_store", "v128_const"].contains(name));

    let mut listed = table();
    listed.sort();
    expected.sort();
    assert_eq!(listed, expected);
}

#[test]
fn lanes_are_little_endian_and_the_first_is_at_the_lowest_address() {
    let bytes: [u8; 16] = core::array::from_fn(|i| i as u8);
    let vector = V128(bytes);
    assert_eq!(<[u16; 8]>::from(vector)[1], 0x0302);
    assert_eq!(<[u32; 4]>::from(vector), [0x0302_0100, 0x0706_0504, 0x0b0a_0908, 0x0f0e_0d0c]);
    assert_eq!(<[i64; 2]>::from(vector)[0], 0x0706_0504_0302_0100);
    assert_eq!(V128::from([0x0302_0100u32, 0x0706_0504, 0x0b0a_0908, 0x0f0e_0d0c]), vector);
}
