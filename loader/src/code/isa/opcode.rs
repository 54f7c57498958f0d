//! The operators as a type, and what follows from the table about each: its other forms, what it fuses with, its fields.

use super::fields::Field;
use super::instructions::for_each_instruction;

/// An operator for an instruction and the one behind it.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The operator.
    pub op: Opcode,
    /// The first instruction's own.
    pub first: Opcode,
    /// The second's.
    pub second: Opcode,
    /// The unit of the second's operand that is the first's result; 0 where it need be none.
    pub operand: u8,
}

/// Which operand of a binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    Left,
    /// The second.
    Right,
}

impl Side {
    /// Whether the table's word for the sides that an operator can be fused on includes this one.
    fn is(self, word: &str) -> bool {
        match self {
            Side::Left => word != "right",
            Side::Right => word != "left",
        }
    }
}

macro_rules! define {
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
    ) => {
        /// An operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        #[allow(missing_docs)]
        pub enum Opcode {
            $($bin, $bin_i,)* $($opp,)* $($par, $par_i,)* $($flo, $flo_c,)* $($cmp, $cmp_i, $br, $br_i,)* $($fcm,)* $($una,)* $($pun,)*
            $($loa,)* $($sto, $sto_i,)* $($ind,)* $($tre,)* $($tim,)*
            $($lbr, $lbr_i,)* $($pai,)* $($pen,)* $($car,)* $($cen,)*
            $($(#[$str_d])* $str,)* $($(#[$bra_d])* $bra,)* $($(#[$jum_d])* $jum,)* $($(#[$cal_d])* $cal,)* $($(#[$ret_d])* $ret,)*
            $($(#[$stv_d])* $stv,)* $($lov,)* $($sov,)*
            $($vun,)* $($vbi,)* $($vte,)* $($vsh,)* $($vts,)* $($vsp,)* $($vex,)* $($vre,)* $($vsu,)*
            $($vlo,)* $($vll,)* $($vsl,)*
            $($(#[$ren_d])* $ren,)* $($(#[$blk_d])* $blk,)* $($(#[$rar_d])* $rar,)*
        }

        /// All pairs, those that carry a result before the others.
        pub(super) const ALL_PAIRS: &[Pair] = &[
            $(Pair { op: Opcode::$car, first: Opcode::$car_a, second: Opcode::$car_b, operand: $car_k },)*
            $(Pair { op: Opcode::$cen, first: Opcode::$cen_a, second: Opcode::$cen_b, operand: $cen_k },)*
            $(Pair { op: Opcode::$pai, first: Opcode::$pai_a, second: Opcode::$pai_b, operand: 0 },)*
            $(Pair { op: Opcode::$pen, first: Opcode::$pen_a, second: Opcode::$pen_b, operand: 0 },)*
        ];

        impl Opcode {
            /// The form that takes a 32-bit immediate (sign-extended where wider) as its last operand.
            pub fn with_immediate(self) -> Option<Opcode> {
                match self {
                    $(Opcode::$bin => Some(Opcode::$bin_i),)* $(Opcode::$par => Some(Opcode::$par_i),)*
                    $(Opcode::$cmp => Some(Opcode::$cmp_i),)* $(Opcode::$sto => Some(Opcode::$sto_i),)*
                    _ => None,
                }
            }

            /// The operator that does the same with the negative of an immediate.
            pub fn opposite(self) -> Option<Opcode> {
                match self {
                    $(Opcode::$opp => Opcode::$opp_o.with_immediate(),)*
                    _ => None,
                }
            }

            /// The branch that a comparison fuses with.
            pub fn branch(self) -> Option<Opcode> {
                match self {
                    $(Opcode::$cmp => Some(Opcode::$br), Opcode::$cmp_i => Some(Opcode::$br_i),)*
                    _ => None,
                }
            }

            /// The comparison that is true where this one is false. Comparisons of floats have none, because of NaN.
            pub fn inverse(self) -> Option<Opcode> {
                match self {
                    $(Opcode::$cmp => Some(Opcode::$inv), Opcode::$cmp_i => Opcode::$inv.with_immediate(),)*
                    _ => None,
                }
            }

            /// Whether it is a bulk operation that the loop or the driver may execute.
            pub fn is_bulk(self) -> bool {
                matches!(self, $(Opcode::$blk)|*)
            }

            /// Whether control does not go on behind the instruction.
            #[cfg(debug_assertions)]
            pub fn ends(self) -> bool {
                matches!(self, $(Opcode::$jum)|* | $(Opcode::$ret)|* | $(Opcode::$ren)|*)
            }

            /// Whether it is for the loop's vector form.
            pub fn is_vector(self) -> bool {
                matches!(
                    self,
                    $(Opcode::$stv)|* | $(Opcode::$lov)|* | $(Opcode::$sov)|* | $(Opcode::$vun)|* | $(Opcode::$vbi)|* | $(Opcode::$vte)|*
                        | $(Opcode::$vsh)|* | $(Opcode::$vts)|* | $(Opcode::$vsp)|* | $(Opcode::$vex)|* | $(Opcode::$vre)|*
                        | $(Opcode::$vsu)|* | $(Opcode::$vlo)|* | $(Opcode::$vll)|* | $(Opcode::$vsl)|*
                )
            }

            /// The comparison of 32-bit integers that holds for exchanged operands.
            pub fn swapped(self) -> Option<Opcode> {
                match self {
                    Opcode::I32Eq | Opcode::I32Ne => Some(self),
                    Opcode::I32LtS => Some(Opcode::I32GtS),
                    Opcode::I32LtU => Some(Opcode::I32GtU),
                    Opcode::I32GtS => Some(Opcode::I32LtS),
                    Opcode::I32GtU => Some(Opcode::I32LtU),
                    Opcode::I32LeS => Some(Opcode::I32GeS),
                    Opcode::I32LeU => Some(Opcode::I32GeU),
                    Opcode::I32GeS => Some(Opcode::I32LeS),
                    Opcode::I32GeU => Some(Opcode::I32LeU),
                    _ => None,
                }
            }

            /// The load from the sum of two slots.
            pub fn indexed(self) -> Option<Opcode> {
                match self {
                    $(Opcode::$ind_l => Some(Opcode::$ind),)*
                    _ => None,
                }
            }

            /// The form that takes a constant as its last operand, bits at full width.
            pub fn with_constant(self) -> Option<Opcode> {
                match self {
                    $(Opcode::$flo => Some(Opcode::$flo_c),)*
                    _ => None,
                }
            }

            /// The instruction that does this one and then `outer` with the result on the given side.
            pub fn tree(self, outer: Opcode, side: Side) -> Option<Opcode> {
                $(if self == Opcode::$tre_i && outer == Opcode::$tre_o && side.is(stringify!($tre_s)) {
                    return Some(Opcode::$tre);
                })*
                $(if self == Opcode::$tim_i && outer == Opcode::$tim_o {
                    return Some(Opcode::$tim);
                })*
                None
            }

            /// The branch on `comparison` (in slot or immediate form) between what this load reads and another operand.
            pub fn load_branch(self, comparison: Opcode) -> Option<Opcode> {
                $(
                    if self == Opcode::$lbr_l && comparison == Opcode::$lbr_c {
                        return Some(Opcode::$lbr);
                    }
                    if self == Opcode::$lbr_l && Some(comparison) == Opcode::$lbr_c.with_immediate() {
                        return Some(Opcode::$lbr_i);
                    }
                )*
                None
            }

            /// The fields behind the operator.
            pub const fn fields(self) -> &'static [Field] {
                use Field::*;
                match self {
                    $(Opcode::$bin)|* | $(Opcode::$opp)|* | $(Opcode::$par)|* | $(Opcode::$flo)|* | $(Opcode::$cmp)|* | $(Opcode::$fcm)|* => {
                        &[Write(1), Read(1), Read(1)]
                    }
                    $(Opcode::$bin_i)|* | $(Opcode::$par_i)|* | $(Opcode::$cmp_i)|* => &[Write(1), Read(1), Constant(2)],
                    $(Opcode::$flo_c => &[Write(1), Read(1), Constant((size_of::<$flo_t>() / 2) as u8)],)*
                    $(Opcode::$br)|* => &[Read(1), Read(1), Target, Cost, Cost],
                    $(Opcode::$br_i)|* => &[Read(1), Constant(2), Target, Cost, Cost],
                    $(Opcode::$una)|* | $(Opcode::$pun)|* => &[Write(1), Read(1)],
                    $(Opcode::$loa)|* => &[Write(1), Read(1), Constant(2)],
                    $(Opcode::$sto)|* => &[Read(1), Read(1), Constant(2)],
                    $(Opcode::$sto_i)|* => &[Read(1), Constant(2), Constant(2)],
                    $(Opcode::$ind)|* => &[Write(1), Read(1), Read(1), Constant(2)],
                    $(Opcode::$tre)|* => &[Write(1), Read(1), Read(1), Read(1)],
                    $(Opcode::$tim)|* => &[Write(1), Read(1), Constant(2), Read(1)],
                    $(Opcode::$lbr)|* => &[Read(1), Constant(2), Read(1), Target, Cost, Cost],
                    $(Opcode::$lbr_i)|* => &[Read(1), Constant(2), Constant(2), Target, Cost, Cost],
                    $(Opcode::$pai => Opcode::$pai_a.fields(),)* $(Opcode::$pen => Opcode::$pen_a.fields(),)*
                    $(Opcode::$car => Opcode::$car_a.fields(),)* $(Opcode::$cen => Opcode::$cen_a.fields(),)*
                    $(Opcode::$str => &$str_w,)* $(Opcode::$bra => &$bra_w,)* $(Opcode::$jum => &$jum_w,)*
                    $(Opcode::$cal => &$cal_w,)* $(Opcode::$ret => &$ret_w,)* $(Opcode::$stv => &$stv_w,)*
                    $(Opcode::$vun)|* => &[Write(2), Read(2)],
                    $(Opcode::$vbi)|* => &[Write(2), Read(2), Read(2)],
                    $(Opcode::$vte)|* => &[Write(2), Read(2), Read(2), Read(2)],
                    $(Opcode::$vsh)|* => &[Write(2), Read(2), Read(1)],
                    $(Opcode::$vts)|* => &[Write(1), Read(2)],
                    $(Opcode::$vsp)|* => &[Write(2), Read(1)],
                    $(Opcode::$vex)|* => &[Write(1), Read(2), Lane],
                    $(Opcode::$vre)|* => &[Write(2), Read(2), Read(1), Lane],
                    $(Opcode::$vsu)|* => &[Write(2), Read(2), Read(2), Constant(8)],
                    $(Opcode::$vlo)|* | $(Opcode::$lov)|* => &[Write(2), Read(1), Constant(2)],
                    $(Opcode::$vll)|* => &[Write(2), Read(1), Constant(2), Read(2), Lane],
                    $(Opcode::$vsl)|* => &[Read(2), Read(1), Constant(2), Lane],
                    $(Opcode::$sov)|* => &[Read(1), Read(2), Constant(2)],
                    $(Opcode::$ren => &$ren_w,)* $(Opcode::$blk => &$blk_w,)* $(Opcode::$rar => &$rar_w,)*
                }
            }

            /// The operator of this instruction alone, if this is a pair.
            #[inline(always)]
            pub fn first(self) -> Opcode {
                match self {
                    $(Opcode::$pai => Opcode::$pai_a,)* $(Opcode::$pen => Opcode::$pen_a,)*
                    $(Opcode::$car => Opcode::$car_a,)* $(Opcode::$cen => Opcode::$cen_a,)*
                    op => op,
                }
            }

            /// Whether the operands in units 2 and 3 may change places.
            pub fn is_commutative(self) -> bool {
                use Opcode::*;
                matches!(
                    self,
                    I32Add | I32Mul | I32And | I32Or | I32Xor | I64Add | I64Mul | I64And | I64Or | I64Xor | F32Add | F32Mul
                        | F64Add | F64Mul
                )
            }

            /// How many operators there are.
            pub const COUNT: usize = [$(Opcode::$rar),*].last_chunk::<1>().unwrap()[0] as usize + 1;

            /// The operator that `unit` encodes.
            pub const fn decode(unit: u16) -> Option<Opcode> {
                if unit as usize >= Opcode::COUNT {
                    return None;
                }
                // SAFETY: `Opcode` is a fieldless `repr(u16)` enum numbered from 0 to COUNT - 1.
                Some(unsafe { core::mem::transmute::<u16, Opcode>(unit) })
            }
        }
    };
}
for_each_instruction!(define);
