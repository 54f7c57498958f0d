//! Vectors that fail to grow where the standard library's abort: the heap has a fixed size, and a request must not make the
//! component trap.
//!
//! Every function fails with [`Mode::OutOfMemory`] and then changes nothing.

use alloc::collections::{BinaryHeap, TryReserveError};
use alloc::vec::Vec;

use crate::rejection::Mode;

/// An empty vector with room for `capacity` items.
pub fn with_capacity<T>(capacity: usize) -> Result<Vec<T>, Mode> {
    let mut vec = Vec::new();
    vec.try_reserve_exact(capacity).map_err(out_of_memory)?;
    Ok(vec)
}

/// The items of an iterator.
pub fn collect<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Mode> {
    let mut vec = with_capacity(items.len())?;
    vec.extend(items);
    Ok(vec)
}

/// The items of an iterator by rising order.
///
/// A heap sorts in place and in bounded time, with a tenth of the code of `sort_unstable` in the component.
pub fn sorted<T: Ord>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>, Mode> {
    Ok(BinaryHeap::from(collect(items)?).into_sorted_vec())
}

/// `count` times the same value.
pub fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>, Mode> {
    let mut vec = with_capacity(count)?;
    vec.resize(count, value);
    Ok(vec)
}

/// Appends an item.
pub fn push<T>(vec: &mut Vec<T>, item: T) -> Result<(), Mode> {
    vec.try_reserve(1).map_err(out_of_memory)?;
    vec.push(item);
    Ok(())
}

/// Appends items.
pub fn extend<T: Copy>(vec: &mut Vec<T>, items: &[T]) -> Result<(), Mode> {
    vec.try_reserve(items.len()).map_err(out_of_memory)?;
    vec.extend_from_slice(items);
    Ok(())
}

/// Makes the vector `length` items long, with new ones of this value.
pub fn resize<T: Clone>(vec: &mut Vec<T>, length: usize, value: T) -> Result<(), Mode> {
    vec.try_reserve(length.saturating_sub(vec.len())).map_err(out_of_memory)?;
    vec.resize(length, value);
    Ok(())
}

fn out_of_memory(_: TryReserveError) -> Mode {
    Mode::OutOfMemory
}
