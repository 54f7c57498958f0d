//! Moves and fills blocks of many sizes, as many times as the input says; the output is what is left.

#![no_main]

bench_targets::component!(bulk);

const SIZE: usize = 256 << 10;

fn bulk(input: &[u8]) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..SIZE).map(|i| (i >> 3) as u8).collect();
    let mut state = 1u32;
    let mut random = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % below
    };
    for round in 0..bench_targets::count(input) {
        // Half of the blocks are small, as in programs that move strings and structures.
        let size = if round % 2 == 0 { 1 + random(64) } else { 1 + random(4096) };
        let (source, target) = (random(SIZE - size), random(SIZE - size));
        if round % 3 == 0 {
            bytes[target..target + size].fill(round as u8);
        } else {
            bytes.copy_within(source..source + size, target);
        }
    }
    bytes
}
