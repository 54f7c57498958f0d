//! What is counted on a page of linear memory (docs/spec.md §1).

use alloc::boxed::Box;

use super::PAGE_BYTES;
use crate::Machine;
use crate::rejection::{Mode, Rejection};

/// What the machine counts on each page; a parameter of the loop, so that a component without counters pays nothing.
///
/// # Safety
/// - All-zero bytes are a [`Count::Page`] and mean "nothing counted". Pages are given back without being dropped.
/// - On a page that [`Count::is_open`], [`Count::load`], [`Count::store`] and [`Count::write_short`] write its counters alone, or what
///   those point to, which lives as long as the value that the page was opened on. That value may be moved, and goes after its pages.
///
/// ```compile_fail,E0200
/// # use machine::memory::Count;
/// # #[derive(Default)]
/// struct Anywhere;
/// impl Count for Anywhere {
///     type Page = usize;
///     unsafe fn run(_: &mut machine::Machine<'_, Self>) -> Result<(), loader::rejection::Rejection> {
///         Ok(())
///     }
///     unsafe fn load<const W: usize>(page: *mut usize, _: usize) {
///         unsafe { *(*page as *mut u8) = 1 }
///     }
///     unsafe fn store<const W: usize>(_: *mut usize, _: usize) {}
///     unsafe fn write_short(_: *mut usize, _: usize, _: usize) {}
///     fn read(_: &mut usize, _: usize) {}
///     fn write(_: &mut usize, _: usize, _: usize) {}
///     fn initialize(_: &mut usize, _: usize, _: bool) {}
/// }
/// ```
pub unsafe trait Count: Default + 'static {
    /// The counters of one page.
    type Page;

    /// Takes in, before the run, where the code of each function lies. Fails with `Mode::OutOfMemory`.
    fn place_functions(&mut self, _: &[Box<[u16]>]) -> Result<(), Mode> {
        Ok(())
    }

    /// Control has come to a function, or back to one.
    #[inline(always)]
    fn change_function(&mut self) {}

    /// The instruction at this place in the code is next. Said before each that the loop's fast forms have left at.
    #[inline(always)]
    fn set_instruction(&mut self, _: *const u16) {}

    /// Prepares the page of this index to be counted on. Fails with `Mode::OutOfMemory`.
    #[inline(always)]
    fn open(&mut self, _: u32, _: &mut Self::Page) -> Result<(), Mode> {
        Ok(())
    }

    /// Whether the page is prepared; where it is not, the loop's fast forms leave.
    ///
    /// # Safety
    /// `page` points to the counters of a live page.
    #[inline(always)]
    unsafe fn is_open(&self, _: *const Self::Page) -> bool {
        true
    }

    /// Runs a machine that counts so until the function that the host called returns. Rejects like [`Machine::call`].
    ///
    /// [`compiled_here`] writes it: a generic function is compiled in the crate that uses it, for size in that of the components, but one
    /// of each counter here, for speed.
    ///
    /// # Safety
    /// The machine is where [`Machine::call`] has put it: at a function's first instruction, in a frame of its own.
    unsafe fn run(machine: &mut Machine<'_, Self>) -> Result<(), Rejection>;

    /// Counts a load of `W` bytes at `at`, all of them on this page.
    ///
    /// # Safety
    /// `page` points to the counters of a live page and nothing else refers to them; `at + W <= PAGE_BYTES`.
    unsafe fn load<const W: usize>(page: *mut Self::Page, at: usize);

    /// Counts a store of `W` bytes at `at`, all of them on this page.
    ///
    /// # Safety
    /// As for [`Count::load`].
    unsafe fn store<const W: usize>(page: *mut Self::Page, at: usize);

    /// Counts one read of `len` bytes: this page's share of a page-crossing load or of a bulk operation.
    fn read(page: &mut Self::Page, len: usize);

    /// Counts one write of `len` bytes at `at`, all of them on this page, as `write` does.
    ///
    /// # Safety
    /// As for [`Count::load`], with `len` for `W`; `len <= MAX_SHORT`.
    unsafe fn write_short(page: *mut Self::Page, at: usize, len: usize);

    /// Counts one write of `len` bytes at `at`: this page's share of a page-crossing store or of a bulk operation.
    fn write(page: &mut Self::Page, at: usize, len: usize);

    /// Counts `len` bytes copied in before the run, from a data segment or from the request's input.
    fn initialize(page: &mut Self::Page, len: usize, segment: bool);
}

/// Defines [`Count::run`].
macro_rules! compiled_here {
    () => {
        #[inline(never)]
        unsafe fn run(machine: &mut $crate::Machine<'_, Self>) -> Result<(), $crate::rejection::Rejection> {
            machine.run()
        }
    };
}
pub(super) use compiled_here;

/// Counts nothing.
#[derive(Default)]
pub struct Nothing;

// SAFETY: a page has no counters, so nothing is written.
unsafe impl Count for Nothing {
    type Page = ();

    compiled_here!();

    #[inline(always)]
    unsafe fn load<const W: usize>(_: *mut (), _: usize) {}
    #[inline(always)]
    unsafe fn store<const W: usize>(_: *mut (), _: usize) {}
    #[inline(always)]
    unsafe fn write_short(_: *mut (), _: usize, _: usize) {}
    fn read(_: &mut (), _: usize) {}
    fn write(_: &mut (), _: usize, _: usize) {}
    fn initialize(_: &mut (), _: usize, _: bool) {}
}

/// Counts reads, writes and distinct bytes written for each page.
#[derive(Default)]
pub struct PerPage;

/// The access widths 1, 2, 4, 8 and 16 bytes, by their binary logarithm.
const WIDTHS: usize = 5;

/// The bytes of a bitmap with one bit for each byte of a page, and room behind it for a 64-bit access at its last byte.
const BITMAP_BYTES: usize = PAGE_BYTES / 8 + 8;

/// So many bytes at most are marked by one 64-bit access, whatever bit of it is the first. To fill a range is a call of the
/// host, which is slower than that.
pub const MAX_SHORT: usize = 64 - 7;

/// The bits of an access, by the logarithm of its width and by its place among the 8 bytes of its first bitmap byte. A
/// table, since a host's compiler would keep a constant that is shifted in a register that the loop has better use for.
static MASKS: [[u32; 8]; WIDTHS] = {
    let mut masks = [[0; 8]; WIDTHS];
    let mut entry = 0;
    while entry < 8 * WIDTHS {
        masks[entry / 8][entry % 8] = ((1 << (1 << (entry / 8))) - 1) << (entry % 8);
        entry += 1;
    }
    masks
};

/// One page's counters.
///
/// An access within the page increments one counter by its width; reads and bytes are derived from them. 32 bits are
/// enough: a run executes at most 2^32 - 1 instructions, and each makes at most one access to a page.
#[repr(C)]
pub struct PageCounts {
    loads: [u32; WIDTHS],
    stores: [u32; WIDTHS],
    shared_reads: u64,
    shared_bytes_read: u64,
    shared_writes: u64,
    shared_bytes_written: u64,
    /// Bytes copied in before the run; a byte copied twice counts twice.
    pub initialized_bytes: u64,
    /// Whether an active data segment overlaps the page.
    pub has_segment: bool,
    written: [u8; BITMAP_BYTES],
}

impl PageCounts {
    /// Load operations and bulk sources that touched the page.
    pub fn reads(&self) -> u64 {
        total(&self.loads) + self.shared_reads
    }

    /// Bytes read from the page.
    pub fn bytes_read(&self) -> u64 {
        total_bytes(&self.loads) + self.shared_bytes_read
    }

    /// Store and bulk operations that wrote to the page.
    pub fn writes(&self) -> u64 {
        total(&self.stores) + self.shared_writes
    }

    /// Bytes written to the page.
    pub fn bytes_written(&self) -> u64 {
        total_bytes(&self.stores) + self.shared_bytes_written
    }

    /// Bytes of the page written at least once, at most 65,536.
    pub fn distinct_bytes_written(&self) -> u32 {
        let (words, _) = self.written.as_chunks();
        words.iter().map(|&word| u64::from_le_bytes(word).count_ones()).sum()
    }
}

fn total(counters: &[u32; WIDTHS]) -> u64 {
    counters.iter().map(|&n| u64::from(n)).sum()
}

fn total_bytes(counters: &[u32; WIDTHS]) -> u64 {
    counters.iter().enumerate().map(|(log2, &n)| u64::from(n) << log2).sum()
}

// SAFETY: `PageCounts` is made of integers and a bool, whose zero is a value, and the counters are written alone.
unsafe impl Count for PerPage {
    type Page = PageCounts;

    compiled_here!();

    #[inline(always)]
    unsafe fn load<const W: usize>(page: *mut PageCounts, _: usize) {
        const { assert!(W.is_power_of_two() && W.trailing_zeros() < WIDTHS as u32) };
        // SAFETY: the caller vouches for `page`; the index is below WIDTHS.
        unsafe {
            let counter = (&raw mut (*page).loads).cast::<u32>().add(W.trailing_zeros() as usize);
            *counter = (*counter).wrapping_add(1);
        }
    }

    #[inline(always)]
    unsafe fn store<const W: usize>(page: *mut PageCounts, at: usize) {
        const { assert!(W.is_power_of_two() && W.trailing_zeros() < WIDTHS as u32) };
        // SAFETY: the caller vouches for `page`; the index is below WIDTHS. The bits of `W` bytes that start in the byte
        // `at / 8` of the bitmap end in the 16 (for W = 16: 32) bits from there, and BITMAP_BYTES leaves room for those.
        unsafe {
            let log2 = W.trailing_zeros() as usize;
            let counter = (&raw mut (*page).stores).cast::<u32>().add(log2);
            *counter = (*counter).wrapping_add(1);
            let bits = (&raw mut (*page).written).cast::<u8>().add(at >> 3);
            let mask = MASKS[log2][at & 7];
            if W == 16 {
                let bits = bits.cast::<u32>();
                bits.write_unaligned(bits.read_unaligned() | mask);
                return;
            }
            // Byte by byte: wider accesses that overlap the one before would wait for it. A whole byte needs no reading.
            *bits = if W == 8 && mask == 0xff { 0xff } else { *bits | mask as u8 };
            if W > 1 && mask > 0xff {
                *bits.add(1) |= (mask >> 8) as u8;
            }
        }
    }

    #[inline(always)]
    unsafe fn write_short(page: *mut PageCounts, at: usize, len: usize) {
        debug_assert!(len <= MAX_SHORT);
        // SAFETY: the caller vouches for `page`. BITMAP_BYTES leaves room for 64 bits from any byte of the bitmap.
        unsafe {
            (*page).shared_writes += 1;
            (*page).shared_bytes_written += len as u64;
            let bits = (&raw mut (*page).written).cast::<u8>().add(at / 8).cast::<u64>();
            bits.write_unaligned(bits.read_unaligned() | (((1 << len) - 1) << (at % 8)));
        }
    }

    #[inline(always)]
    fn read(page: &mut PageCounts, len: usize) {
        page.shared_reads += 1;
        page.shared_bytes_read += len as u64;
    }

    fn write(page: &mut PageCounts, at: usize, len: usize) {
        if len <= MAX_SHORT {
            assert!(at <= PAGE_BYTES - len);
            // SAFETY: the range lies on the page, which is borrowed.
            return unsafe { Self::write_short(page, at, len) };
        }
        page.shared_writes += 1;
        page.shared_bytes_written += len as u64;
        let (first, end) = (at / 8, (at + len) / 8);
        let (head, tail) = (0xff << (at % 8), !(0xff << ((at + len) % 8)));
        page.written[first] |= head;
        page.written[first + 1..end].fill(0xff);
        page.written[end] |= tail;
    }

    fn initialize(page: &mut PageCounts, len: usize, segment: bool) {
        page.initialized_bytes += len as u64;
        page.has_segment |= segment;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;

    fn page() -> Box<PageCounts> {
        // SAFETY: all-zero bytes are a valid `PageCounts`.
        unsafe { Box::<PageCounts>::new_zeroed().assume_init() }
    }

    #[test]
    fn every_width_marks_its_bytes_at_every_offset() {
        fn check<const W: usize>() {
            for at in (0..40).chain(PAGE_BYTES - 40..=PAGE_BYTES - W) {
                let mut counts = page();
                // SAFETY: `at + W` is within the page.
                unsafe { PerPage::store::<W>(&mut *counts, at) };
                let marked = |byte: usize| counts.written[byte / 8] >> (byte % 8) & 1 == 1;
                assert!((0..PAGE_BYTES).all(|byte| marked(byte) == (at..at + W).contains(&byte)), "{W} at {at}");
                assert_eq!((counts.writes(), counts.bytes_written()), (1, W as u64));
            }
        }
        check::<1>();
        check::<2>();
        check::<4>();
        check::<8>();
        check::<16>();
    }

    #[test]
    fn a_shared_write_marks_exactly_its_range() {
        let ranges = [(0, 1), (0, 8), (3, 4), (3, 5), (7, 2), (5, 40), (8, 16), (65_528, 8), (0, 65_536)];
        let edges = (MAX_SHORT - 1..MAX_SHORT + 9).flat_map(|len| (8..16).map(move |at| (at, len)));
        let ends = (MAX_SHORT - 1..MAX_SHORT + 9).map(|len| (PAGE_BYTES - len, len));
        for (at, len) in ranges.into_iter().chain(edges).chain(ends) {
            let mut counts = page();
            PerPage::write(&mut counts, at, len);
            assert_eq!(counts.distinct_bytes_written() as usize, len, "{len} at {at}");
            assert!((at..at + len).all(|byte| counts.written[byte / 8] >> (byte % 8) & 1 == 1));
        }
    }
}
