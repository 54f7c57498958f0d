//! Writes the input in hexadecimal, and sums it as bytes and as floats, with vector instructions.

#![no_main]

use std::arch::wasm32::*;

bench_targets::component!(vector);

fn vector(input: &[u8]) -> Vec<u8> {
    let digits = i8x16(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102);
    let mut hex = vec![0; 2 * input.len() / 32 * 32 + 48];
    let mut bytes = u32x4_splat(0);
    let mut floats = f32x4_splat(0.0);
    let mut largest = u8x16_splat(0);
    let (written, sums) = hex.split_at_mut(2 * input.len() / 32 * 32);
    for (block, written) in input.chunks_exact(16).zip(written.chunks_exact_mut(32)) {
        let block = load(block);
        let high = u8x16_swizzle(digits, u8x16_shr(block, 4));
        let low = u8x16_swizzle(digits, v128_and(block, u8x16_splat(15)));
        let (first, second) = written.split_at_mut(16);
        store(first, i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(high, low));
        store(second, i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(high, low));
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(block));
        bytes = u32x4_add(bytes, sums);
        floats = f32x4_add(f32x4_mul(floats, f32x4_splat(0.99)), f32x4_convert_u32x4(sums));
        largest = u8x16_max(largest, block);
    }
    for (sum, written) in [bytes, floats, largest].into_iter().zip(sums.chunks_exact_mut(16)) {
        store(written, sum);
    }
    hex
}

fn load(bytes: &[u8]) -> v128 {
    assert!(bytes.len() == 16);
    // SAFETY: 16 bytes are there, and the load needs no alignment.
    unsafe { v128_load(bytes.as_ptr().cast()) }
}

fn store(bytes: &mut [u8], vector: v128) {
    assert!(bytes.len() == 16);
    // SAFETY: there is room for 16 bytes, and the store needs no alignment.
    unsafe { v128_store(bytes.as_mut_ptr().cast(), vector) }
}
