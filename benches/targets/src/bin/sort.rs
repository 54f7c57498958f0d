//! Sorts the input's words, and counts them in a hash map and in a B-tree.

#![no_main]

use std::collections::{BTreeMap, HashMap};

bench_targets::component!(sort);

fn sort(input: &[u8]) -> Vec<u8> {
    let mut words: Vec<u32> = input.chunks_exact(4).map(bench_targets::count).collect();
    let mut by_key = HashMap::new();
    let mut by_order = BTreeMap::new();
    for &word in &words {
        *by_key.entry(word >> 18).or_insert(0u32) += 1;
        *by_order.entry(word >> 18).or_insert(0u32) += 1;
    }
    let agree = by_order.iter().all(|(key, count)| by_key[key] == *count);
    words.sort_unstable();
    let counted = by_order.into_iter().flat_map(|(key, count)| [key, count]);
    words.into_iter().chain(counted).chain([agree.into()]).flat_map(u32::to_le_bytes).collect()
}
