//! The loop.
//!
//! It comes in three forms from one text, so that each operator's semantics stands once:
//! - `FAST` executes all scalar instructions and contains no calls; it leaves for everything that is rare, traps included,
//!   at the start of the instruction;
//! - `VECTOR` does the same for vector instructions and the scalar ones that loops are made of;
//! - `STEP` executes one instruction that another form has left at, with all rare paths in place, and returns.
//!
//! No form has an arm that it does not need: a host compiles each as one function, and does it well only up to some size.

use super::Machine;
use super::num;
use super::rare::Flow;
use super::simd::{self, V128};
use crate::code::HEADER_UNITS;
use crate::code::op::Op;
use crate::code::table::for_each_op;
use crate::memory::{Count, PAGE_BYTES, Page, effective_address};
use crate::rejection::Mode;

/// The form for scalar instructions.
pub(super) const FAST: u8 = 0;
/// The form for vector instructions.
pub(super) const VECTOR: u8 = 1;
/// The form that executes one instruction that is rare, or is it this time.
pub(super) const STEP: u8 = 2;

/// Why the loop returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The instruction at `ip` is for another form.
    Rare,
    /// The block that was just entered costs more than the slice has left: `fuel` is negative.
    Fuel,
    /// Stepping only: one instruction was executed.
    Stepped,
    /// Stepping only: the function that the host called has returned.
    Halted,
    /// Stepping only: the instruction at `ip` trapped.
    Trapped(Mode),
}

/// A type that a 32-bit immediate stands for.
trait Immediate {
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

/// Runs the code at `machine.ip` in the frame at `machine.fp`.
///
/// # Safety
/// `ip` must point to an instruction of code that the translator made for a validated module, `fp` to a frame of that
/// function within the machine's stack, with everything below it in order. Then, by the translator's guarantees, which
/// `code::verify` checks:
/// - every instruction is whole, and control never runs off a function's end;
/// - every slot field is within the frame, whose `frame_bytes` were checked against the stack's end on entry;
/// - every function, global, table, type and segment index is valid;
/// - the link slot holds what the call stored, since no other instruction writes it.
#[inline(never)]
pub(super) unsafe fn execute<C: Count, const FORM: u8>(machine: &mut Machine<'_, C>) -> Exit {
    let mut ip = machine.ip;
    let mut fp = machine.fp;
    let mut fuel = machine.fuel;

    macro_rules! save {
        () => {{
            machine.ip = ip;
            machine.fp = fp;
            machine.fuel = fuel;
        }};
    }
    macro_rules! exit {
        ($exit:expr) => {
            break $exit
        };
    }
    // A trap, or any rare path: the stepping form finds out which.
    macro_rules! rare {
        ($mode:expr) => {
            if FORM == STEP { exit!(Exit::Trapped($mode)) } else { exit!(Exit::Rare) }
        };
    }
    macro_rules! next {
        ($units:expr) => {{
            ip = ip.add($units);
            if FORM == STEP {
                exit!(Exit::Stepped)
            }
            continue;
        }};
    }
    macro_rules! field {
        ($at:expr) => {
            *ip.add($at) as usize
        };
    }
    macro_rules! field32 {
        ($at:expr) => {
            ip.add($at).cast::<i32>().read_unaligned()
        };
    }
    macro_rules! get {
        ($at:expr, $ty:ty) => {
            fp.add(field!($at)).cast::<$ty>().read()
        };
    }
    macro_rules! set {
        ($at:expr, $ty:ty, $value:expr) => {
            fp.add(field!($at)).cast::<$ty>().write($value)
        };
    }
    // The page of an access that lies on one touched page, and where on it; any other is rare.
    macro_rules! page {
        ($address:expr, $width:expr) => {{
            let page = *machine.memory.entries().add(($address >> 16) as usize);
            let at = $address as usize % PAGE_BYTES;
            if page.is_null() || at > PAGE_BYTES - $width {
                exit!(Exit::Rare)
            }
            (page, at)
        }};
    }
    macro_rules! load {
        ($base:expr, $offset:expr, $ty:ty) => {{
            const WIDTH: usize = size_of::<$ty>();
            let address = effective_address($base, $offset as u32);
            if FORM == STEP {
                match machine.memory.load(address) {
                    Ok(bytes) => <$ty>::from_le_bytes(bytes),
                    Err(mode) => exit!(Exit::Trapped(mode)),
                }
            } else {
                let (page, at) = page!(address, WIDTH);
                C::load::<WIDTH>(&raw mut (*page.cast::<Page<C>>()).counts, at);
                page.add(at).cast::<$ty>().read_unaligned()
            }
        }};
    }
    macro_rules! store {
        ($base:expr, $offset:expr, $value:expr, $ty:ty) => {{
            const WIDTH: usize = size_of::<$ty>();
            let address = effective_address($base, $offset as u32);
            let value: $ty = $value;
            if FORM == STEP {
                if let Err(mode) = machine.memory.store(address, value.to_le_bytes()) {
                    exit!(Exit::Trapped(mode))
                }
            } else {
                let (page, at) = page!(address, WIDTH);
                C::store::<WIDTH>(&raw mut (*page.cast::<Page<C>>()).counts, at);
                page.add(at).cast::<$ty>().write_unaligned(value);
            }
        }};
    }
    // Vectors lie in two slots, whose alignment is that of one.
    macro_rules! vector {
        ($at:expr) => {
            fp.add(field!($at)).cast::<V128>().read_unaligned()
        };
    }
    macro_rules! set_vector {
        ($at:expr, $value:expr) => {{
            let value: V128 = $value;
            fp.add(field!($at)).cast::<V128>().write_unaligned(value)
        }};
    }
    macro_rules! load_width {
        ($width:expr, $base:expr, $offset:expr) => {
            match $width {
                1 => u64::from(load!($base, $offset, u8)),
                2 => u64::from(load!($base, $offset, u16)),
                4 => u64::from(load!($base, $offset, u32)),
                _ => load!($base, $offset, u64),
            }
        };
    }
    // A conditional branch with its target at `$at`: evaluates to the cost site of the way that is taken.
    macro_rules! branch {
        ($condition:expr, $at:expr) => {
            if $condition {
                let site = ip.add($at + 2);
                ip = ip.offset(field32!($at) as isize);
                site
            } else {
                let site = ip.add($at + 3);
                ip = ip.add($at + 4);
                site
            }
        };
    }
    // Enters the callee's frame at byte `$base` of this one and evaluates to its entry block's cost site.
    macro_rules! enter {
        ($function:expr, $base:expr, $return:expr) => {{
            let header: *const u16 = *machine.entry_points.as_ptr().add($function);
            let frame_bytes = header.add(4).cast::<u32>().read_unaligned() as usize;
            let base: usize = $base;
            if (machine.stack_end as usize) - (fp as usize) < base + frame_bytes {
                if FORM != STEP {
                    exit!(Exit::Rare)
                }
                save!();
                if let Err(mode) = machine.grow_stack(base + frame_bytes) {
                    exit!(Exit::Trapped(mode))
                }
                fp = machine.fp;
            }
            fp = fp.add(base);
            let link = fp.add(*header.add(1) as usize);
            link.cast::<*const u16>().write($return);
            link.add(8).cast::<usize>().write(base);
            let mut clear = fp.add(*header.add(2) as usize).cast::<u64>();
            for _ in 0..*header.add(3) {
                // Volatile, so that it does not become a call of memset.
                clear.write_volatile(0);
                clear = clear.add(1);
            }
            ip = header.add(HEADER_UNITS);
            header
        }};
    }
    // Leaves the frame and evaluates to the cost site behind the call.
    macro_rules! leave {
        ($return:expr, $base:expr) => {{
            fp = fp.sub($base);
            ip = $return.add(1);
            $return
        }};
    }
    macro_rules! link {
        () => {{
            let link = fp.add(field!(1));
            (link.cast::<*const u16>().read(), link.add(8).cast::<usize>().read())
        }};
    }

    macro_rules! run {
        (
            binary { $($bin:ident $bin_i:ident $bin_t:ident $bin_f:expr;)* }
            partial { $($par:ident $par_i:ident $par_t:ident $par_f:expr;)* }
            float { $($flo:ident $flo_c:ident $flo_t:ident $flo_f:expr;)* }
            compare { $($cmp:ident $cmp_i:ident $br:ident $br_i:ident $inv:ident $cmp_t:ident $cmp_f:expr;)* }
            float_compare { $($fcm:ident $fcm_t:ident $fcm_f:expr;)* }
            unary { $($una:ident $una_t:ident $una_r:ident $una_f:expr;)* }
            partial_unary { $($pun:ident $pun_t:ident $pun_r:ident $pun_f:expr;)* }
            load { $($loa:ident $loa_m:ident $loa_t:ident;)* }
            store { $($sto:ident $sto_i:ident $sto_t:ident $sto_m:ident;)* }
            indexed { $($ind:ident $ind_l:ident $ind_m:ident $ind_t:ident;)* }
            tree { $($tre:ident $tre_i:ident $tre_o:ident $tre_s:ident $tre_t:ident $tre_f:expr;)* }
            tree_immediate { $($tim:ident $tim_i:ident $tim_o:ident $tim_t:ident $tim_f:expr;)* }
            load_branch { $($lbr:ident $lbr_i:ident $lbr_l:ident $lbr_c:ident $lbr_m:ident $lbr_t:ident $lbr_f:expr;)* }
            pair { $($pai:ident $pai_a:ident $pai_b:ident;)* }
            pair_end { $($pen:ident $pen_a:ident $pen_b:ident;)* }
            unary { $($vun:ident $vun_f:ident;)* }
            binary { $($vbi:ident $vbi_f:ident;)* }
            ternary { $($vte:ident $vte_f:ident;)* }
            shift { $($vsh:ident $vsh_f:ident;)* }
            test { $($vts:ident $vts_f:ident;)* }
            splat { $($vsp:ident $vsp_f:ident $vsp_t:ident;)* }
            extract { $($vex:ident $vex_f:ident $vex_t:ident;)* }
            replace { $($vre:ident $vre_f:ident $vre_t:ident;)* }
            shuffle { $($vsu:ident $vsu_f:ident;)* }
            load { $($vlo:ident $vlo_f:ident $vlo_n:literal;)* }
            load_lane { $($vll:ident $vll_f:ident $vll_n:literal;)* }
            store_lane { $($vsl:ident $vsl_f:ident $vsl_n:literal;)* }
        ) => {{
            // What each operator does; it leaves `ip` behind its instruction. Those that enter a basic block evaluate to its
            // cost site.
            macro_rules! body {
                $(($bin) => {{
                    let f: fn($bin_t, $bin_t) -> $bin_t = $bin_f;
                    set!(1, $bin_t, f(get!(2, $bin_t), get!(3, $bin_t)));
                    ip = ip.add(4);
                }};
                ($bin_i) => {{
                    let f: fn($bin_t, $bin_t) -> $bin_t = $bin_f;
                    set!(1, $bin_t, f(get!(2, $bin_t), $bin_t::from_immediate(field32!(3))));
                    ip = ip.add(5);
                }};)*
                $(($par) => {{
                    match $par_f(get!(2, $par_t), get!(3, $par_t)) {
                        Ok(value) => set!(1, $par_t, value),
                        Err(mode) => rare!(mode),
                    }
                    ip = ip.add(4);
                }};
                ($par_i) => {{
                    match $par_f(get!(2, $par_t), $par_t::from_immediate(field32!(3))) {
                        Ok(value) => set!(1, $par_t, value),
                        Err(mode) => rare!(mode),
                    }
                    ip = ip.add(5);
                }};)*
                $(($flo) => {{
                    set!(1, $flo_t, $flo_f(get!(2, $flo_t), get!(3, $flo_t)));
                    ip = ip.add(4);
                }};
                ($flo_c) => {{
                    set!(1, $flo_t, $flo_f(get!(2, $flo_t), ip.add(3).cast::<$flo_t>().read_unaligned()));
                    ip = ip.add(3 + size_of::<$flo_t>() / 2);
                }};)*
                $(($cmp) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    set!(1, u32, u32::from(f(get!(2, $cmp_t), get!(3, $cmp_t))));
                    ip = ip.add(4);
                }};
                ($cmp_i) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    set!(1, u32, u32::from(f(get!(2, $cmp_t), $cmp_t::from_immediate(field32!(3)))));
                    ip = ip.add(5);
                }};
                ($br) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    branch!(f(get!(1, $cmp_t), get!(2, $cmp_t)), 3)
                }};
                ($br_i) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    branch!(f(get!(1, $cmp_t), $cmp_t::from_immediate(field32!(2))), 4)
                }};)*
                $(($fcm) => {{
                    let f: fn($fcm_t, $fcm_t) -> bool = $fcm_f;
                    set!(1, u32, u32::from(f(get!(2, $fcm_t), get!(3, $fcm_t))));
                    ip = ip.add(4);
                }};)*
                $(($una) => {{
                    let f: fn($una_t) -> $una_r = $una_f;
                    set!(1, $una_r, f(get!(2, $una_t)));
                    ip = ip.add(3);
                }};)*
                $(($pun) => {{
                    match $pun_f(get!(2, $pun_t)) {
                        Ok(value) => set!(1, $pun_r, value),
                        Err(mode) => rare!(mode),
                    }
                    ip = ip.add(3);
                }};)*
                $(($loa) => {{
                    set!(1, $loa_t, load!(get!(2, u32), field32!(3), $loa_m) as $loa_t);
                    ip = ip.add(5);
                }};)*
                $(($sto) => {{
                    store!(get!(1, u32), field32!(3), get!(2, $sto_t) as $sto_m, $sto_m);
                    ip = ip.add(5);
                }};
                ($sto_i) => {{
                    store!(get!(1, u32), field32!(4), $sto_t::from_immediate(field32!(2)) as $sto_m, $sto_m);
                    ip = ip.add(6);
                }};)*
                $(($ind) => {{
                    let base = get!(2, u32).wrapping_add(get!(3, u32));
                    set!(1, $ind_t, load!(base, field32!(4), $ind_m) as $ind_t);
                    ip = ip.add(6);
                }};)*
                $(($lbr) => {{
                    let f: fn($lbr_t, $lbr_t) -> bool = $lbr_f;
                    let value = load!(get!(1, u32), field32!(2), $lbr_m) as $lbr_t;
                    branch!(f(value, get!(4, $lbr_t)), 5)
                }};
                ($lbr_i) => {{
                    let f: fn($lbr_t, $lbr_t) -> bool = $lbr_f;
                    let value = load!(get!(1, u32), field32!(2), $lbr_m) as $lbr_t;
                    branch!(f(value, $lbr_t::from_immediate(field32!(4))), 6)
                }};)*
                $(($tre) => {{
                    let f: fn($tre_t, $tre_t, $tre_t) -> $tre_t = $tre_f;
                    set!(1, $tre_t, f(get!(2, $tre_t), get!(3, $tre_t), get!(4, $tre_t)));
                    ip = ip.add(5);
                }};)*
                $(($tim) => {{
                    let f: fn($tim_t, $tim_t, $tim_t) -> $tim_t = $tim_f;
                    set!(1, $tim_t, f(get!(2, $tim_t), $tim_t::from_immediate(field32!(3)), get!(5, $tim_t)));
                    ip = ip.add(6);
                }};)*
                (I32AddBrNonzero) => {{
                    let sum = get!(2, i32).wrapping_add(field32!(3));
                    set!(1, i32, sum);
                    branch!(sum != 0, 5)
                }};
                (I32AddBrZero) => {{
                    let sum = get!(2, i32).wrapping_add(field32!(3));
                    set!(1, i32, sum);
                    branch!(sum == 0, 5)
                }};
                (I32AndBrNonzero) => {{
                    branch!(get!(1, i32) & field32!(2) != 0, 4)
                }};
                (I32AndBrZero) => {{
                    branch!(get!(1, i32) & field32!(2) == 0, 4)
                }};
                (StackPointerSub) => {{
                    let value = machine.global(0).cast::<u32>().read().wrapping_sub(field32!(2) as u32);
                    set!(1, u32, value);
                    ip = ip.add(4);
                }};
                (StackEnter) => {{
                    let value = machine.global(0).cast::<u32>().read().wrapping_sub(field32!(2) as u32);
                    set!(1, u32, value);
                    machine.set_stack_pointer(value);
                    ip = ip.add(4);
                }};
                (StackLeave) => {{
                    machine.set_stack_pointer(get!(1, u32).wrapping_add(field32!(2) as u32));
                    ip = ip.add(4);
                }};
                (Copy32) => {{
                    set!(1, u32, get!(2, u32));
                    ip = ip.add(3);
                }};
                (Copy64) => {{
                    set!(1, u64, get!(2, u64));
                    ip = ip.add(3);
                }};
                (Copy128) => {{
                    let (low, high) = (get!(2, u64), fp.add(field!(2) + 8).cast::<u64>().read());
                    set!(1, u64, low);
                    fp.add(field!(1) + 8).cast::<u64>().write(high);
                    ip = ip.add(3);
                }};
                (CopyMany) => {{
                    let (to, from) = (fp.add(field!(1)).cast::<u64>(), fp.add(field!(2)).cast::<u64>());
                    for slot in 0..field!(3) {
                        to.add(slot).write_volatile(from.add(slot).read());
                    }
                    ip = ip.add(4);
                }};
                (Const32) => {{
                    set!(1, i32, field32!(2));
                    ip = ip.add(4);
                }};
                (Const64) => {{
                    set!(1, u64, ip.add(2).cast::<u64>().read_unaligned());
                    ip = ip.add(6);
                }};
                (Select32) => {{
                    set!(1, u32, get!(3 + usize::from(get!(2, u32) == 0), u32));
                    ip = ip.add(5);
                }};
                (Select64) => {{
                    set!(1, u64, get!(3 + usize::from(get!(2, u32) == 0), u64));
                    ip = ip.add(5);
                }};
                (GlobalGet32) => {{
                    set!(1, u32, machine.global(field32!(2)).cast::<u32>().read());
                    ip = ip.add(4);
                }};
                (GlobalGet64) => {{
                    set!(1, u64, machine.global(field32!(2)).cast::<u64>().read());
                    ip = ip.add(4);
                }};
                (GlobalSet32) => {{
                    machine.global(field32!(2)).cast::<u32>().write(get!(1, u32));
                    ip = ip.add(4);
                }};
                (GlobalSet64) => {{
                    machine.global(field32!(2)).cast::<u64>().write(get!(1, u64));
                    ip = ip.add(4);
                }};
                (StackPointerSet) => {{
                    machine.set_stack_pointer(get!(1, u32));
                    ip = ip.add(4);
                }};
                (Br) => {{
                    let site = ip.add(3);
                    ip = ip.offset(field32!(1) as isize);
                    site
                }};
                (BrTable) => {{
                    let index = get!(1, u32).wrapping_sub(field32!(2) as u32);
                    let entry = 6 + 3 * index.min(field32!(4) as u32) as usize;
                    let site = ip.add(entry + 2);
                    ip = ip.offset(field32!(entry) as isize);
                    site
                }};
                (Charge) => {{
                    let site = ip.add(1);
                    ip = ip.add(2);
                    site
                }};
                (Call) => {{ enter!(field32!(2) as usize, field!(1), ip.add(4)) }};
                (CallIndirect) => {{
                    let index = get!(2, u32);
                    match machine.indirect(index, field32!(3) as u32, field32!(5) as u32) {
                        Ok(function) => enter!(function, field!(1), ip.add(7)),
                        Err(mode) => rare!(mode),
                    }
                }};
                (Return) => {{
                    let (to, base) = link!();
                    leave!(to, base)
                }};
                (Return32) => {{
                    let (to, base) = link!();
                    let value = get!(2, u32);
                    fp.cast::<u32>().write(value);
                    leave!(to, base)
                }};
                (Return64) => {{
                    let (to, base) = link!();
                    let value = get!(2, u64);
                    fp.cast::<u64>().write(value);
                    leave!(to, base)
                }};
                (ReturnMany) => {{
                    let (to, base) = link!();
                    let (result, from) = (fp.cast::<u64>(), fp.add(field!(2)).cast::<u64>());
                    for slot in 0..field!(3) {
                        result.add(slot).write_volatile(from.add(slot).read());
                    }
                    leave!(to, base)
                }};
            }
            macro_rules! straight {
                ($op:ident) => {{
                    body!($op);
                    if FORM == STEP {
                        exit!(Exit::Stepped)
                    }
                    continue;
                }};
            }
            let exit = loop {
                // SAFETY: the code starts each instruction with an operator.
                let op = core::mem::transmute::<u16, Op>(*ip);
                let op = if FORM == STEP { op.first() } else { op };
                // Arms that enter a basic block evaluate to its cost site; the others go on.
                let site: *const u16 = match op {
                    $(Op::$bin if FORM != STEP => straight!($bin),
                    Op::$bin_i if FORM != STEP => straight!($bin_i),)*
                    $(Op::$par if FORM != VECTOR => straight!($par),
                    Op::$par_i if FORM != VECTOR => straight!($par_i),)*
                    $(Op::$flo if FORM == FAST => straight!($flo),
                    Op::$flo_c if FORM == FAST => straight!($flo_c),)*
                    $(Op::$cmp if FORM != STEP => straight!($cmp),
                    Op::$cmp_i if FORM != STEP => straight!($cmp_i),
                    Op::$br if FORM != STEP => body!($br),
                    Op::$br_i if FORM != STEP => body!($br_i),)*
                    $(Op::$fcm if FORM == FAST => straight!($fcm),)*
                    $(Op::$una if FORM != STEP => straight!($una),)*
                    $(Op::$pun if FORM != VECTOR => straight!($pun),)*
                    $(Op::$loa => straight!($loa),)*
                    $(Op::$sto => straight!($sto),
                    Op::$sto_i => straight!($sto_i),)*
                    $(Op::$ind => straight!($ind),)*
                    $(Op::$lbr if FORM != VECTOR => body!($lbr),
                    Op::$lbr_i if FORM != VECTOR => body!($lbr_i),)*
                    $(Op::$tre if FORM == FAST => straight!($tre),)*
                    $(Op::$tim if FORM == FAST => straight!($tim),)*
                    Op::I32AddBrNonzero if FORM != STEP => body!(I32AddBrNonzero),
                    Op::I32AddBrZero if FORM != STEP => body!(I32AddBrZero),
                    Op::I32AndBrNonzero if FORM != STEP => body!(I32AndBrNonzero),
                    Op::I32AndBrZero if FORM != STEP => body!(I32AndBrZero),
                    Op::StackPointerSub if FORM != STEP => straight!(StackPointerSub),
                    Op::StackEnter if FORM != STEP => straight!(StackEnter),
                    Op::StackLeave if FORM != STEP => straight!(StackLeave),
                    Op::Copy32 if FORM != STEP => straight!(Copy32),
                    Op::Copy64 if FORM != STEP => straight!(Copy64),
                    Op::Copy128 if FORM != STEP => straight!(Copy128),
                    Op::CopyMany if FORM != STEP => straight!(CopyMany),
                    Op::Const32 if FORM != STEP => straight!(Const32),
                    Op::Const64 if FORM != STEP => straight!(Const64),
                    Op::Select32 if FORM != STEP => straight!(Select32),
                    Op::Select64 if FORM != STEP => straight!(Select64),
                    Op::GlobalGet32 if FORM != STEP => straight!(GlobalGet32),
                    Op::GlobalGet64 if FORM != STEP => straight!(GlobalGet64),
                    Op::GlobalSet32 if FORM != STEP => straight!(GlobalSet32),
                    Op::GlobalSet64 if FORM != STEP => straight!(GlobalSet64),
                    Op::StackPointerSet if FORM != STEP => straight!(StackPointerSet),
                    Op::Br if FORM != STEP => body!(Br),
                    Op::BrTable if FORM != STEP => body!(BrTable),
                    Op::Charge if FORM != STEP => body!(Charge),
                    Op::Call => body!(Call),
                    Op::CallIndirect => body!(CallIndirect),
                    Op::Return if FORM != STEP => body!(Return),
                    Op::Return32 if FORM != STEP => body!(Return32),
                    Op::Return64 if FORM != STEP => body!(Return64),
                    Op::ReturnMany if FORM != STEP => body!(ReturnMany),
                    $(Op::$pai if FORM == FAST => {
                        body!($pai_a);
                        straight!($pai_b)
                    }
                    Op::$pai if FORM == VECTOR => straight!($pai_a),)*
                    $(Op::$pen if FORM == FAST => {
                        body!($pen_a);
                        body!($pen_b)
                    }
                    Op::$pen if FORM == VECTOR => straight!($pen_a),)*
                    Op::Select128 if FORM == VECTOR => {
                        set_vector!(1, if get!(2, u32) != 0 { vector!(3) } else { vector!(4) });
                        next!(5)
                    }
                    Op::GlobalGet128 if FORM == VECTOR => {
                        set_vector!(1, machine.global(field32!(2)).cast::<V128>().read_unaligned());
                        next!(4)
                    }
                    Op::GlobalSet128 if FORM == VECTOR => {
                        machine.global(field32!(2)).cast::<V128>().write_unaligned(vector!(1));
                        next!(4)
                    }
                    Op::Const128 if FORM == VECTOR => {
                        set_vector!(1, ip.add(2).cast::<V128>().read_unaligned());
                        next!(10)
                    }
                    Op::Load128 if FORM != FAST => {
                        set_vector!(1, V128(load!(get!(2, u32), field32!(3), u128).to_le_bytes()));
                        next!(5)
                    }
                    Op::Store128 if FORM != FAST => {
                        store!(get!(1, u32), field32!(3), u128::from_le_bytes(vector!(2).0), u128);
                        next!(5)
                    }
                    $(Op::$vun if FORM == VECTOR => {
                        set_vector!(1, simd::$vun_f(vector!(2)));
                        next!(3)
                    })*
                    $(Op::$vbi if FORM == VECTOR => {
                        set_vector!(1, simd::$vbi_f(vector!(2), vector!(3)));
                        next!(4)
                    })*
                    $(Op::$vte if FORM == VECTOR => {
                        set_vector!(1, simd::$vte_f(vector!(2), vector!(3), vector!(4)));
                        next!(5)
                    })*
                    $(Op::$vsh if FORM == VECTOR => {
                        set_vector!(1, simd::$vsh_f(vector!(2), get!(3, u32)));
                        next!(4)
                    })*
                    $(Op::$vts if FORM == VECTOR => {
                        set!(1, u32, simd::$vts_f(vector!(2)));
                        next!(3)
                    })*
                    $(Op::$vsp if FORM == VECTOR => {
                        set_vector!(1, simd::$vsp_f(get!(2, $vsp_t)));
                        next!(3)
                    })*
                    $(Op::$vex if FORM == VECTOR => {
                        set!(1, $vex_t, simd::$vex_f(vector!(2), field!(3) as u8));
                        next!(4)
                    })*
                    $(Op::$vre if FORM == VECTOR => {
                        set_vector!(1, simd::$vre_f(vector!(2), field!(4) as u8, get!(3, $vre_t)));
                        next!(5)
                    })*
                    $(Op::$vsu if FORM == VECTOR => {
                        let lanes = ip.add(4).cast::<[u8; 16]>().read_unaligned();
                        set_vector!(1, simd::$vsu_f(vector!(2), vector!(3), lanes));
                        next!(12)
                    })*
                    $(Op::$vlo if FORM != FAST => {
                        let bytes = load_width!($vlo_n, get!(2, u32), field32!(3));
                        set_vector!(1, simd::$vlo_f(bytes));
                        next!(5)
                    })*
                    $(Op::$vll if FORM != FAST => {
                        let bytes = load_width!($vll_n, get!(2, u32), field32!(3));
                        set_vector!(1, simd::$vll_f(vector!(5), field!(6) as u8, bytes));
                        next!(7)
                    })*
                    $(Op::$vsl if FORM != FAST => {
                        let bytes = simd::$vsl_f(vector!(1), field!(5) as u8);
                        let (base, offset) = (get!(2, u32), field32!(3));
                        match $vsl_n {
                            1 => store!(base, offset, bytes as u8, u8),
                            2 => store!(base, offset, bytes as u16, u16),
                            4 => store!(base, offset, bytes as u32, u32),
                            _ => store!(base, offset, bytes, u64),
                        }
                        next!(6)
                    })*
                    _ if FORM != STEP => exit!(Exit::Rare),
                    _ => {
                        save!();
                        let flow = machine.rare(op);
                        fuel = machine.fuel;
                        match flow {
                            Ok(Flow::Next(units)) => next!(units),
                            Ok(Flow::Block(site)) => {
                                ip = site.add(1);
                                site
                            }
                            Ok(Flow::Tail { function, to, base }) => {
                                // The frame stays where it is, with the link of the function that it replaces.
                                let site = enter!(function, 0, to);
                                fp.add(*site.add(1) as usize + 8).cast::<usize>().write(base);
                                site
                            }
                            Ok(Flow::Halt) => exit!(Exit::Halted),
                            Err(mode) => exit!(Exit::Trapped(mode)),
                        }
                    }
                };
                fuel -= i32::from(*site);
                if fuel < 0 {
                    machine.site = site;
                    exit!(Exit::Fuel)
                }
                if FORM == STEP {
                    exit!(Exit::Stepped)
                }
            };
            save!();
            // The fast forms leave for two reasons only, and do not carry along which it was.
            match FORM {
                STEP => exit,
                _ if fuel < 0 => Exit::Fuel,
                _ => Exit::Rare,
            }
        }};
    }
    // SAFETY: see the function's contract. The operators' own safety is that of raw slots, code and pages:
    // an access to a page goes through `page!`, which has checked that it lies on one live page.
    unsafe { for_each_op!(run) }
}
