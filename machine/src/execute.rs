//! The loop.
//!
//! It comes in three forms from one text, so that each operator's semantics stands once:
//! - `FAST` executes all scalar instructions and short bulk operations, and contains no calls; it leaves for everything
//!   that is rare, traps included, at the start of the instruction;
//! - `VECTOR` does the same for vector instructions and the scalar ones that loops are made of;
//! - `STEP` executes one instruction that another form has left at, with all rare paths in place, and returns.
//!
//! No form has an arm that it does not need: a host compiles each as one function, and does it well only up to some
//! size.
//!
//! To find one's way: the ways out of the loop and memory accesses, as macros since they leave it; then, in `run`, the
//! table's groups, what each operator does (`body`), and the loop, which says in which form each operator has an arm.
//! The instruction and the frame are read through [`Cursor`].

use super::Machine;
use super::cursor::Cursor;
use super::num;
use super::rare::Flow;
use super::simd::{self, V128};
use crate::code::isa::Opcode;
use crate::code::isa::instructions::for_each_instruction;
use crate::memory::{Count, effective_address};
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
    let mut cursor = Cursor::new(machine.ip, machine.fp);
    let mut fuel = machine.fuel;

    macro_rules! save {
        () => {
            (machine.ip, machine.fp, machine.fuel) = (cursor.ip, cursor.fp, fuel)
        };
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
    // The page of an access that lies on one open page, where on it, and the page's counters; any other access is rare.
    macro_rules! page {
        ($address:expr, $width:expr) => {
            match machine.memory.on_open_page($address, $width) {
                Some(page) => page,
                None => exit!(Exit::Rare),
            }
        };
    }
    macro_rules! load {
        ($base:expr, $offset:expr, $ty:ty) => {{
            const WIDTH: usize = size_of::<$ty>();
            let address = effective_address($base, $offset);
            if FORM == STEP {
                match machine.memory.load(address) {
                    Ok(bytes) => <$ty>::from_le_bytes(bytes),
                    Err(mode) => exit!(Exit::Trapped(mode)),
                }
            } else {
                let (page, at, counts) = page!(address, WIDTH);
                C::load::<WIDTH>(counts, at);
                page.add(at).cast::<$ty>().read_unaligned()
            }
        }};
    }
    macro_rules! store {
        ($base:expr, $offset:expr, $value:expr, $ty:ty) => {{
            const WIDTH: usize = size_of::<$ty>();
            let address = effective_address($base, $offset);
            let value: $ty = $value;
            if FORM == STEP {
                if let Err(mode) = machine.memory.store(address, value.to_le_bytes()) {
                    exit!(Exit::Trapped(mode))
                }
            } else {
                let (page, at, counts) = page!(address, WIDTH);
                C::store::<WIDTH>(counts, at);
                page.add(at).cast::<$ty>().write_unaligned(value);
            }
        }};
    }
    // The same for a width that the table gives as a number.
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
    macro_rules! store_width {
        ($width:expr, $base:expr, $offset:expr, $value:expr) => {
            match $width {
                1 => store!($base, $offset, $value as u8, u8),
                2 => store!($base, $offset, $value as u16, u16),
                4 => store!($base, $offset, $value as u32, u32),
                _ => store!($base, $offset, $value, u64),
            }
        };
    }
    // Goes to a basic block, and evaluates to its cost site.
    macro_rules! go_to {
        ($block:expr) => {{
            let (start, site) = $block;
            cursor = start;
            site
        }};
    }
    // Enters a function in the frame at byte `$base` of this one, for which there must be room, and evaluates to its header.
    macro_rules! enter {
        ($function:expr, $base:expr, $to:expr) => {{
            let header = *machine.entry_points.as_ptr().add($function);
            let frame_bytes = (*header).frame_bytes as usize;
            let base: usize = $base;
            if (machine.stack_end as usize) - (cursor.fp as usize) < base + frame_bytes {
                if FORM != STEP {
                    exit!(Exit::Rare)
                }
                save!();
                if let Err(mode) = machine.grow_stack(base + frame_bytes) {
                    exit!(Exit::Trapped(mode))
                }
                cursor.fp = machine.fp;
            }
            cursor = cursor.enter(header, base, $to);
            machine.memory.change_function();
            header
        }};
    }

    // The function that the instruction calls, its frame and where it returns to: all calls enter it in one place.
    let mut callee: Option<(usize, usize, *const u16)>;

    macro_rules! run {
        (
            binary { $($bin:ident $bin_i:ident $bin_t:ident $bin_f:expr;)* }
            opposite { $($opp:ident $opp_o:ident $opp_t:ident $opp_f:expr;)* }
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
            carry { $($car:ident $car_a:ident $car_b:ident $car_k:literal;)* }
            carry_end { $($cen:ident $cen_a:ident $cen_b:ident $cen_k:literal;)* }
            straight { $($(#[$str_d:meta])* $str:ident $str_w:tt |$str_c:ident, $str_m:pat_param| $str_f:expr;)* }
            branch { $($(#[$bra_d:meta])* $bra:ident $bra_w:tt |$bra_c:ident| $bra_f:expr;)* }
            jump { $($(#[$jum_d:meta])* $jum:ident $jum_w:tt |$jum_c:ident| $jum_f:expr;)* }
            call { $($(#[$cal_d:meta])* $cal:ident $cal_w:tt |$cal_c:ident, $cal_m:pat_param| $cal_f:expr;)* }
            return { $($(#[$ret_d:meta])* $ret:ident $ret_w:tt |$ret_c:pat_param| $ret_f:expr;)* }
            straight_vector { $($(#[$stv_d:meta])* $stv:ident $stv_w:tt |$stv_c:ident, $stv_m:pat_param| $stv_f:expr;)* }
            load_vector { $($lov:ident;)* }
            store_vector { $($sov:ident;)* }
            unary { $($vun_c:literal $vun:ident $vun_f:ident;)* }
            binary { $($vbi_c:literal $vbi:ident $vbi_f:ident;)* }
            ternary { $($vte_c:literal $vte:ident $vte_f:ident;)* }
            shift { $($vsh_c:literal $vsh:ident $vsh_f:ident;)* }
            test { $($vts_c:literal $vts:ident $vts_f:ident;)* }
            splat { $($vsp_c:literal $vsp:ident $vsp_f:ident $vsp_t:ident $vsp_w:ident;)* }
            extract { $($vex_c:literal $vex:ident $vex_f:ident $vex_t:ident $vex_w:ident $vex_n:literal;)* }
            replace { $($vre_c:literal $vre:ident $vre_f:ident $vre_t:ident $vre_w:ident $vre_n:literal;)* }
            shuffle { $($vsu_c:literal $vsu:ident $vsu_f:ident;)* }
            load { $($vlo_c:literal $vlo:ident $vlo_f:ident $vlo_n:literal;)* }
            load_lane { $($vll_c:literal $vll:ident $vll_f:ident $vll_n:literal;)* }
            store_lane { $($vsl_c:literal $vsl:ident $vsl_f:ident $vsl_n:literal;)* }
            bulk { $($(#[$blk_d:meta])* $blk:ident $blk_w:tt $blk_s:ident $blk_o:ident |$blk_c:pat_param, $blk_m:pat_param| $blk_f:expr;)* }
            rare { $($(#[$rar_d:meta])* $rar:ident $rar_w:tt |$rar_c:pat_param, $rar_m:pat_param| $rar_f:expr;)* }
            rare_end { $($(#[$ren_d:meta])* $ren:ident $ren_w:tt |$ren_c:pat_param, $ren_m:pat_param| $ren_f:expr;)* }
        ) => {{
            // What each operator does. Those that enter a basic block go there and evaluate to its cost site.
            macro_rules! body {
                $(($bin) => {{
                    let f: fn($bin_t, $bin_t) -> $bin_t = $bin_f;
                    cursor = cursor.set(1, f(cursor.get(2), cursor.get(3)));
                }};
                ($bin_i) => {{
                    let f: fn($bin_t, $bin_t) -> $bin_t = $bin_f;
                    cursor = cursor.set(1, f(cursor.get(2), cursor.immediate(3)));
                }};)*
                $(($opp) => {{
                    let f: fn($opp_t, $opp_t) -> $opp_t = $opp_f;
                    cursor = cursor.set(1, f(cursor.get(2), cursor.get(3)));
                }};)*
                $(($par) => {{
                    match $par_f(cursor.get(2), cursor.get(3)) {
                        Ok(value) => cursor = cursor.set::<$par_t>(1, value),
                        Err(mode) => rare!(mode),
                    }
                }};
                ($par_i) => {{
                    match $par_f(cursor.get(2), cursor.immediate(3)) {
                        Ok(value) => cursor = cursor.set::<$par_t>(1, value),
                        Err(mode) => rare!(mode),
                    }
                }};)*
                $(($flo) => {{ cursor = cursor.set(1, $flo_f(cursor.get(2), cursor.get(3))); }};
                ($flo_c) => {{ cursor = cursor.set(1, $flo_f(cursor.get(2), cursor.constant(3))); }};)*
                $(($cmp) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    cursor = cursor.set(1, u32::from(f(cursor.get(2), cursor.get(3))));
                }};
                ($cmp_i) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    cursor = cursor.set(1, u32::from(f(cursor.get(2), cursor.immediate(3))));
                }};
                ($br) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    go_to!(cursor.branch(f(cursor.get(1), cursor.get(2)), 3))
                }};
                ($br_i) => {{
                    let f: fn($cmp_t, $cmp_t) -> bool = $cmp_f;
                    go_to!(cursor.branch(f(cursor.get(1), cursor.immediate(2)), 4))
                }};)*
                $(($fcm) => {{
                    let f: fn($fcm_t, $fcm_t) -> bool = $fcm_f;
                    cursor = cursor.set(1, u32::from(f(cursor.get(2), cursor.get(3))));
                }};)*
                $(($una) => {{
                    let f: fn($una_t) -> $una_r = $una_f;
                    cursor = cursor.set(1, f(cursor.get(2)));
                }};)*
                $(($pun) => {{
                    match $pun_f(cursor.get(2)) {
                        Ok(value) => cursor = cursor.set::<$pun_r>(1, value),
                        Err(mode) => rare!(mode),
                    }
                }};)*
                $(($loa) => {{
                    cursor = cursor.set::<$loa_t>(1, load!(cursor.get(2), cursor.constant(3), $loa_m) as $loa_t);
                }};)*
                $(($sto) => {{
                    store!(cursor.get(1), cursor.constant(3), cursor.get::<$sto_t>(2) as $sto_m, $sto_m);
                }};
                ($sto_i) => {{
                    store!(cursor.get(1), cursor.constant(4), cursor.immediate::<$sto_t>(2) as $sto_m, $sto_m);
                }};)*
                $(($ind) => {{
                    let base = cursor.get::<u32>(2).wrapping_add(cursor.get::<u32>(3));
                    cursor = cursor.set::<$ind_t>(1, load!(base, cursor.constant(4), $ind_m) as $ind_t);
                }};)*
                $(($lbr) => {{
                    let f: fn($lbr_t, $lbr_t) -> bool = $lbr_f;
                    let value = load!(cursor.get(1), cursor.constant(2), $lbr_m) as $lbr_t;
                    go_to!(cursor.branch(f(value, cursor.get(4)), 5))
                }};
                ($lbr_i) => {{
                    let f: fn($lbr_t, $lbr_t) -> bool = $lbr_f;
                    let value = load!(cursor.get(1), cursor.constant(2), $lbr_m) as $lbr_t;
                    go_to!(cursor.branch(f(value, cursor.immediate(4)), 6))
                }};)*
                $(($tre) => {{
                    let f: fn($tre_t, $tre_t, $tre_t) -> $tre_t = $tre_f;
                    cursor = cursor.set(1, f(cursor.get(2), cursor.get(3), cursor.get(4)));
                }};)*
                $(($tim) => {{
                    let f: fn($tim_t, $tim_t, $tim_t) -> $tim_t = $tim_f;
                    cursor = cursor.set(1, f(cursor.get(2), cursor.immediate(3), cursor.get(5)));
                }};)*
                $(($str) => {{
                    let ($str_c, $str_m) = (cursor, &mut *machine);
                    cursor = $str_f;
                }};)*
                $(($bra) => {{
                    let $bra_c = cursor;
                    go_to!($bra_f)
                }};)*
                $(($jum) => {{
                    let $jum_c = cursor;
                    go_to!($jum_f)
                }};)*
                $(($blk) => {{
                    if !machine.$blk_s(cursor) {
                        exit!(Exit::Rare)
                    }
                    go_to!(cursor.fall_through(const { Opcode::$blk.fixed_units() - 1 }))
                }};)*
                $(($cal) => {{
                    let ($cal_c, $cal_m) = (cursor, &mut *machine);
                    match $cal_f {
                        Ok(function) => {
                            let cost = const { Opcode::$cal.fixed_units() - 1 };
                            callee = Some((function, cursor.field(1), cursor.unit(cost)));
                            core::ptr::null()
                        }
                        Err(mode) => rare!(mode),
                    }
                }};)*
                $(($ret) => {{
                    // The link is read first: results may take its place.
                    let (to, base) = cursor.link();
                    let $ret_c = cursor;
                    $ret_f;
                    cursor = Cursor::new(to.add(1), cursor.fp.sub(base));
                    machine.memory.change_function();
                    to
                }};)*
                $(($stv) => {{
                    let ($stv_c, $stv_m) = (cursor, &mut *machine);
                    cursor = $stv_f;
                }};)*
                $(($lov) => {{
                    cursor = cursor.set::<V128>(1, V128(load!(cursor.get(2), cursor.constant(3), u128).to_le_bytes()));
                }};)*
                $(($sov) => {{
                    store!(cursor.get(1), cursor.constant(3), u128::from_le_bytes(cursor.get::<V128>(2).0), u128);
                }};)*
                $(($vun) => {{ cursor = cursor.set(1, simd::$vun_f(cursor.get(2))); }};)*
                $(($vbi) => {{ cursor = cursor.set(1, simd::$vbi_f(cursor.get(2), cursor.get(3))); }};)*
                $(($vte) => {{ cursor = cursor.set(1, simd::$vte_f(cursor.get(2), cursor.get(3), cursor.get(4))); }};)*
                $(($vsh) => {{ cursor = cursor.set(1, simd::$vsh_f(cursor.get(2), cursor.get(3))); }};)*
                $(($vts) => {{ cursor = cursor.set(1, simd::$vts_f(cursor.get(2))); }};)*
                $(($vsp) => {{ cursor = cursor.set(1, simd::$vsp_f(cursor.get(2))); }};)*
                $(($vex) => {{ cursor = cursor.set(1, simd::$vex_f(cursor.get(2), cursor.field(3) as u8)); }};)*
                $(($vre) => {{ cursor = cursor.set(1, simd::$vre_f(cursor.get(2), cursor.field(4) as u8, cursor.get(3))); }};)*
                $(($vsu) => {{
                    let lanes = cursor.constant::<[u8; 16]>(4);
                    cursor = cursor.set(1, simd::$vsu_f(cursor.get(2), cursor.get(3), lanes));
                }};)*
                $(($vlo) => {{
                    let bytes = load_width!($vlo_n, cursor.get(2), cursor.constant(3));
                    cursor = cursor.set(1, simd::$vlo_f(bytes));
                }};)*
                $(($vll) => {{
                    let bytes = load_width!($vll_n, cursor.get(2), cursor.constant(3));
                    cursor = cursor.set(1, simd::$vll_f(cursor.get(5), cursor.field(6) as u8, bytes));
                }};)*
                $(($vsl) => {{
                    let bytes = simd::$vsl_f(cursor.get(1), cursor.field(5) as u8);
                    let (base, offset) = (cursor.get(2), cursor.constant(3));
                    store_width!($vsl_n, base, offset, bytes);
                }};)*
            }
            // An operator that goes on with the instruction behind its own.
            macro_rules! and_skip {
                ($op:ident) => {{
                    body!($op);
                    cursor.ip = cursor.unit(const { Opcode::$op.fixed_units() });
                }};
            }
            macro_rules! straight {
                ($op:ident) => {{
                    and_skip!($op);
                    if FORM == STEP {
                        exit!(Exit::Stepped)
                    }
                    continue;
                }};
            }
            let exit = loop {
                // Nothing is carried into an arm, and none has to find out.
                cursor = Cursor::new(cursor.ip, cursor.fp);
                // SAFETY: the code starts each instruction with an operator.
                let op = core::mem::transmute::<u16, Opcode>(*cursor.ip);
                let op = if FORM == STEP { op.first() } else { op };
                callee = None;
                // Arms that enter a basic block evaluate to its cost site; the others go on.
                let site: *const u16 = match op {
                    $(Opcode::$bin if FORM != STEP => straight!($bin),
                    Opcode::$bin_i if FORM != STEP => straight!($bin_i),)*
                    $(Opcode::$opp if FORM != STEP => straight!($opp),)*
                    $(Opcode::$par if FORM != VECTOR => straight!($par),
                    Opcode::$par_i if FORM != VECTOR => straight!($par_i),)*
                    $(Opcode::$flo if FORM == FAST => straight!($flo),
                    Opcode::$flo_c if FORM == FAST => straight!($flo_c),)*
                    $(Opcode::$cmp if FORM != STEP => straight!($cmp),
                    Opcode::$cmp_i if FORM != STEP => straight!($cmp_i),
                    Opcode::$br if FORM != STEP => body!($br),
                    Opcode::$br_i if FORM != STEP => body!($br_i),)*
                    $(Opcode::$fcm if FORM == FAST => straight!($fcm),)*
                    $(Opcode::$una if FORM != STEP => straight!($una),)*
                    $(Opcode::$pun if FORM != VECTOR => straight!($pun),)*
                    $(Opcode::$loa => straight!($loa),)*
                    $(Opcode::$sto => straight!($sto),
                    Opcode::$sto_i => straight!($sto_i),)*
                    $(Opcode::$ind => straight!($ind),)*
                    $(Opcode::$lbr if FORM != VECTOR => body!($lbr),
                    Opcode::$lbr_i if FORM != VECTOR => body!($lbr_i),)*
                    $(Opcode::$tre if FORM == FAST => straight!($tre),)*
                    $(Opcode::$tim if FORM == FAST => straight!($tim),)*
                    $(Opcode::$str if FORM != STEP => straight!($str),)*
                    $(Opcode::$bra if FORM != STEP => body!($bra),)*
                    $(Opcode::$jum if FORM != STEP => body!($jum),)*
                    $(Opcode::$blk if FORM == FAST => body!($blk),)*
                    $(Opcode::$cal => body!($cal),)*
                    $(Opcode::$ret if FORM != STEP => body!($ret),)*
                    $(Opcode::$pai if FORM == FAST => {
                        and_skip!($pai_a);
                        straight!($pai_b)
                    })*
                    $(Opcode::$pen if FORM == FAST => {
                        and_skip!($pen_a);
                        body!($pen_b)
                    })*
                    $(Opcode::$car if FORM == FAST => {
                        and_skip!($car_a);
                        cursor = cursor.carry($car_k);
                        straight!($car_b)
                    })*
                    $(Opcode::$cen if FORM == FAST => {
                        and_skip!($cen_a);
                        cursor = cursor.carry($cen_k);
                        body!($cen_b)
                    })*
                    $(Opcode::$stv if FORM == VECTOR => straight!($stv),)*
                    $(Opcode::$lov if FORM != FAST => straight!($lov),)*
                    $(Opcode::$sov if FORM != FAST => straight!($sov),)*
                    $(Opcode::$vun if FORM == VECTOR => straight!($vun),)*
                    $(Opcode::$vbi if FORM == VECTOR => straight!($vbi),)*
                    $(Opcode::$vte if FORM == VECTOR => straight!($vte),)*
                    $(Opcode::$vsh if FORM == VECTOR => straight!($vsh),)*
                    $(Opcode::$vts if FORM == VECTOR => straight!($vts),)*
                    $(Opcode::$vsp if FORM == VECTOR => straight!($vsp),)*
                    $(Opcode::$vex if FORM == VECTOR => straight!($vex),)*
                    $(Opcode::$vre if FORM == VECTOR => straight!($vre),)*
                    $(Opcode::$vsu if FORM == VECTOR => straight!($vsu),)*
                    $(Opcode::$vlo if FORM != FAST => straight!($vlo),)*
                    $(Opcode::$vll if FORM != FAST => straight!($vll),)*
                    $(Opcode::$vsl if FORM != FAST => straight!($vsl),)*
                    _ if FORM != STEP => exit!(Exit::Rare),
                    _ => {
                        save!();
                        let flow = machine.rare(op);
                        fuel = machine.fuel;
                        match flow {
                            Ok(Flow::Next(units)) => {
                                cursor.ip = cursor.unit(units);
                                exit!(Exit::Stepped)
                            }
                            Ok(Flow::Block(cost)) => go_to!(cursor.fall_through(cost)),
                            Ok(Flow::Tail { function, to, base }) => {
                                // The frame stays where it is, with the link of the function that it replaces.
                                let header = enter!(function, 0, to);
                                cursor.fp.add(usize::from((*header).link) + 8).cast::<usize>().write(base);
                                header.cast()
                            }
                            Ok(Flow::Halt) => exit!(Exit::Halted),
                            Err(mode) => exit!(Exit::Trapped(mode)),
                        }
                    }
                };
                let site = match callee {
                    Some((function, base, to)) => enter!(function, base, to).cast(),
                    None => site,
                };
                fuel -= i32::from(*site);
                if fuel < 0 {
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
    unsafe { for_each_instruction!(run) }
}
