//! Where the loop is: the instruction, and the frame that its slot fields are in.

use super::simd::V128;
use crate::code::Header;
use crate::code::isa::fields::ENTRY_UNITS;

// Fields of the code and values in pages are read as they lie there.
const _: () = assert!(cfg!(target_endian = "little"), "the loop is for targets that keep the low byte first");

/// The loop's place. Its methods are always inlined and take it by value: were its address taken, the compiler would shape the
/// loop before it knows that both pointers are variables, and make two nested ones of it.
///
/// All of them read fields of the instruction, by their place in units from its start, and slots of the frame. The caller must
/// be at an instruction that has these fields, in a frame of its function, as `code::verify` checks.
#[derive(Clone, Copy)]
pub(super) struct Cursor {
    /// The instruction's first unit.
    pub ip: *const u16,
    /// The frame's first byte.
    pub fp: *mut u8,
    /// The last result.
    result: u64,
    /// The unit of the field whose slot holds `carried`, so that it is not read; 0 for none.
    carried_at: usize,
    carried: u64,
}

/// A type of values in slots, and the bits that it is carried in.
pub(super) trait Value: Copy {
    fn to_bits(self) -> u64;
    /// `None` for a type that is not carried.
    fn from_bits(bits: u64) -> Option<Self>;
}

macro_rules! value {
    ($($ty:ident $to:expr, $from:expr;)*) => {
        $(impl Value for $ty {
            #[inline(always)]
            fn to_bits(self) -> u64 {
                let to: fn($ty) -> u64 = $to;
                to(self)
            }
            #[inline(always)]
            fn from_bits(bits: u64) -> Option<Self> {
                let from: fn(u64) -> Option<$ty> = $from;
                from(bits)
            }
        })*
    };
}
value! {
    i32 |value| value as u64, |bits| Some(bits as i32);
    u32 |value| u64::from(value), |bits| Some(bits as u32);
    i64 |value| value as u64, |bits| Some(bits as i64);
    u64 |value| value, Some;
    f32 |value| value.to_bits().into(), |bits| Some(f32::from_bits(bits as u32));
    f64 f64::to_bits, |bits| Some(f64::from_bits(bits));
    V128 |_| 0, |_| None;
}

/// A type that a 32-bit immediate stands for.
pub(super) trait Immediate {
    fn from_immediate(bits: i32) -> Self;
}

macro_rules! immediate {
    ($($ty:ident)*) => {
        $(impl Immediate for $ty {
            #[inline(always)]
            fn from_immediate(bits: i32) -> Self {
                bits as $ty
            }
        })*
    };
}
immediate!(i32 u32 i64 u64);

/// The start of a basic block, and its cost site.
pub(super) type Block = (Cursor, *const u16);

impl Cursor {
    /// At an instruction, in a frame, with nothing carried.
    #[inline(always)]
    pub fn new(ip: *const u16, fp: *mut u8) -> Self {
        Self { ip, fp, result: 0, carried: 0, carried_at: 0 }
    }

    /// With the last result carried to the field at `at`, which names the slot that it was written to.
    #[inline(always)]
    pub fn carry(self, at: usize) -> Self {
        Self { carried: self.result, carried_at: at, ..self }
    }

    /// The address of a unit, a cost site for instance.
    #[inline(always)]
    pub unsafe fn unit(self, at: usize) -> *const u16 {
        // SAFETY: by the caller's promise the instruction has this unit, or ends before it.
        unsafe { self.ip.add(at) }
    }

    /// A field of 16 bits.
    #[inline(always)]
    pub unsafe fn field(self, at: usize) -> usize {
        // SAFETY: by the caller's promise the field is there.
        unsafe { usize::from(*self.unit(at)) }
    }

    /// A field of any type that lies in the code as it does in memory, at any alignment.
    #[inline(always)]
    pub unsafe fn constant<T>(self, at: usize) -> T {
        // SAFETY: by the caller's promise the field is there.
        unsafe { self.unit(at).cast::<T>().read_unaligned() }
    }

    /// A field of 32 bits that is an index.
    #[inline(always)]
    pub unsafe fn index(self, at: usize) -> usize {
        // SAFETY: by the caller's promise the field is there.
        unsafe { self.constant::<u32>(at) as usize }
    }

    /// A field of 32 bits that stands for a value of another width, with its sign.
    #[inline(always)]
    pub unsafe fn immediate<T: Immediate>(self, at: usize) -> T {
        // SAFETY: by the caller's promise the field is there.
        T::from_immediate(unsafe { self.constant(at) })
    }

    /// The address of the slot that a field names.
    #[inline(always)]
    pub unsafe fn slot<T>(self, at: usize) -> *mut T {
        // SAFETY: by the caller's promise the slot is within the frame.
        unsafe { self.fp.add(self.field(at)).cast() }
    }

    /// The value in the slot that a field names.
    #[inline(always)]
    pub unsafe fn get<T: Value>(self, at: usize) -> T {
        if at == self.carried_at
            && let Some(value) = T::from_bits(self.carried)
        {
            return value;
        }
        // SAFETY: slots are aligned to 8 bytes, and no type that is asked for needs more. All their bits are values.
        unsafe { self.slot::<T>(at).read() }
    }

    /// Writes the slot that a field names; this is the last result then.
    #[inline(always)]
    #[must_use]
    pub unsafe fn set<T: Value>(self, at: usize, value: T) -> Self {
        // SAFETY: as for `get`.
        unsafe { self.slot::<T>(at).write(value) };
        Self { result: value.to_bits(), ..self }
    }

    /// Writes the slot that a field names where no instruction follows that could be handed the result.
    #[inline(always)]
    pub unsafe fn put<T: Value>(self, at: usize, value: T) {
        // SAFETY: as for `get`.
        unsafe { self.slot::<T>(at).write(value) }
    }

    /// The block that the branch goes to whose target and cost are at `at`.
    #[inline(always)]
    pub unsafe fn jump(self, at: usize) -> Block {
        // SAFETY: a target is the distance to an instruction of the same function.
        unsafe {
            let to = self.ip.offset(self.constant::<i32>(at) as isize);
            (Self { ip: to, ..self }, self.unit(at + 2))
        }
    }

    /// The block behind the instruction, whose last field, at `at`, is the block's cost.
    #[inline(always)]
    pub unsafe fn fall_through(self, at: usize) -> Block {
        // SAFETY: by the caller's promise the field is there, and the next instruction behind it.
        unsafe { (Self { ip: self.unit(at + 1), ..self }, self.unit(at)) }
    }

    /// The block that the branch goes to whose target and costs for both ways are at `at`.
    #[inline(always)]
    pub unsafe fn branch(self, condition: bool, at: usize) -> Block {
        // SAFETY: as for both.
        unsafe { if condition { self.jump(at) } else { self.fall_through(at + 3) } }
    }

    /// The place of entry `index` of a branch table, or of its last one, whose index is at `at`.
    #[inline(always)]
    pub unsafe fn entry(self, index: u32, at: usize) -> usize {
        // SAFETY: by the caller's promise the field is there.
        at + 2 + ENTRY_UNITS * index.min(unsafe { self.constant(at) }) as usize
    }

    /// Moves `count` slots, the field at `count`, from one place to one below or equal.
    #[inline(always)]
    pub unsafe fn move_slots(self, to: *mut u64, from: *const u64, count: usize) {
        // SAFETY: both places are within the frame, and ascending order reads each slot before it is overwritten.
        unsafe {
            for slot in 0..self.field(count) {
                // Volatile, so that it does not become a call of memmove.
                to.add(slot).write_volatile(from.add(slot).read());
            }
        }
    }

    /// The first instruction of the function with this header, in a frame of its own at byte `base` of this one, for which the
    /// stack must have room. It returns to the cost site `to`.
    #[inline(always)]
    pub unsafe fn enter(self, header: *const Header, base: usize, to: *const u16) -> Self {
        // SAFETY: by the caller's promise the header is a function's; link and cleared slots lie within the frame.
        unsafe {
            let fp = self.fp.add(base);
            let link = fp.add(usize::from((*header).link));
            link.cast::<*const u16>().write(to);
            link.add(8).cast::<usize>().write(base);
            let mut clear = fp.add(usize::from((*header).clear)).cast::<u64>();
            for _ in 0..(*header).clear_slots {
                // Volatile, so that it does not become a call of memset.
                clear.write_volatile(0);
                clear = clear.add(1);
            }
            Self::new(header.add(1).cast(), fp)
        }
    }

    /// What `enter` wrote to the link, which the first field names: the cost site to return to, and the frame's distance.
    #[inline(always)]
    pub unsafe fn link(self) -> (*const u16, usize) {
        // SAFETY: by the caller's promise no other instruction has written the link.
        unsafe {
            let link = self.slot::<u8>(1);
            (link.cast::<*const u16>().read(), link.add(8).cast::<usize>().read())
        }
    }
}
