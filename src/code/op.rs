//! The operators as a type, and what follows from the table about each: its other forms, what it fuses with, its fields.

use super::fields::Field;
use super::table::for_each_op;

/// An operator for an instruction and the one behind it.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The operator.
    pub op: Op,
    /// The first instruction's own.
    pub first: Op,
    /// The second's.
    pub second: Op,
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
    ) => {
        /// An operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        #[allow(missing_docs)]
        pub enum Op {
            $($bin, $bin_i,)* $($opp,)* $($par, $par_i,)* $($flo, $flo_c,)* $($cmp, $cmp_i, $br, $br_i,)* $($fcm,)* $($una,)* $($pun,)*
            $($loa,)* $($sto, $sto_i,)* $($ind,)* $($tre,)* $($tim,)*
            $($lbr, $lbr_i,)* $($pai,)* $($pen,)* $($car,)* $($cen,)*
            /// `dst src`
            Copy32,
            /// `dst src`
            Copy64,
            /// `dst src`, two slots
            Copy128,
            /// `dst src count`: `count` slots to a place below or equal
            CopyMany,
            /// `dst imm32`
            Const32,
            /// `dst imm64`
            Const64,
            /// `dst condition a b`
            Select32,
            /// `dst condition a b`
            Select64,
            /// `dst global32`: the global's byte offset
            GlobalGet32,
            /// `dst global32`
            GlobalGet64,
            /// `src global32`
            GlobalSet32,
            /// `src global32`
            GlobalSet64,
            /// `src`, two units unused: sets the stack pointer, which is global 0, and keeps its lowest value
            StackPointerSet,
            /// `dst imm32`: the stack pointer less the immediate
            StackPointerSub,
            /// `dst imm32`: the same, and sets the stack pointer to it
            StackEnter,
            /// `src imm32`: sets the stack pointer to the sum
            StackLeave,
            /// `dst a imm32 target32 cost cost`: adds, and branches if the sum is not zero
            I32AddBrNonzero,
            /// `dst a imm32 target32 cost cost`
            I32AddBrZero,
            /// `a imm32 target32 cost cost`: branches if a bit of the immediate is set
            I32AndBrNonzero,
            /// `a imm32 target32 cost cost`
            I32AndBrZero,
            /// `target32 cost`
            Br,
            /// `index bias32 last32`, then `last + 1` entries `target32 cost`; the bias is taken off the index
            BrTable,
            /// `cost`: charges the block that follows
            Charge,
            /// `base function32 cost`: calls with the frame at `base`; `cost` is charged on return
            Call,
            /// `base index table32 type32 cost`
            CallIndirect,
            /// `link`: returns no value; `link` is the slot of the return link
            Return,
            /// `link src`
            Return32,
            /// `link src`
            Return64,
            /// `link src count`: returns `count` slots
            ReturnMany,
            // From here on are the vector instructions, which the loop's vector form executes.
            /// `dst condition a b`
            Select128,
            /// `dst global32`
            GlobalGet128,
            /// `src global32`
            GlobalSet128,
            /// `dst imm128`
            Const128,
            /// `dst address offset32`
            Load128,
            /// `address value offset32`
            Store128,
            $($vun,)* $($vbi,)* $($vte,)* $($vsh,)* $($vts,)* $($vsp,)* $($vex,)* $($vre,)* $($vsu,)*
            $($vlo,)* $($vll,)* $($vsl,)*
            // The rest is rare and runs in the loop's stepping form only, but for short copies and fills of memory.
            /// `link base count function32`: moves `count` argument slots into the frame and jumps
            ReturnCall,
            /// `link base count index table32 type32`
            ReturnCallIndirect,
            /// no fields: the code that the host's frame returns to
            Halt,
            /// no fields
            Unreachable,
            /// `dst`
            MemorySize,
            /// `dst delta`
            MemoryGrow,
            /// `to from len cost`: charges by size, and what follows it as a block of its own
            MemoryCopy,
            /// `to value len cost`
            MemoryFill,
            /// `to from len segment32 cost`
            MemoryInit,
            /// `segment32`
            DataDrop,
            /// `dst index table32`
            TableGet,
            /// `index value table32`
            TableSet,
            /// `dst table32`
            TableSize,
            /// `dst value delta table32`
            TableGrow,
            /// `index value len table32 cost`
            TableFill,
            /// `to from len table32 table32 cost`: destination's table first
            TableCopy,
            /// `to from len table32 segment32 cost`
            TableInit,
            /// `segment32`
            ElemDrop,
        }

        /// All pairs, those that carry a result before the others.
        pub(super) const ALL_PAIRS: &[Pair] = &[
            $(Pair { op: Op::$car, first: Op::$car_a, second: Op::$car_b, operand: $car_k },)*
            $(Pair { op: Op::$cen, first: Op::$cen_a, second: Op::$cen_b, operand: $cen_k },)*
            $(Pair { op: Op::$pai, first: Op::$pai_a, second: Op::$pai_b, operand: 0 },)*
            $(Pair { op: Op::$pen, first: Op::$pen_a, second: Op::$pen_b, operand: 0 },)*
        ];

        impl Op {
            /// The form that takes a 32-bit immediate (sign-extended where wider) as its last operand.
            pub fn with_immediate(self) -> Option<Op> {
                match self {
                    $(Op::$bin => Some(Op::$bin_i),)* $(Op::$par => Some(Op::$par_i),)*
                    $(Op::$cmp => Some(Op::$cmp_i),)* $(Op::$sto => Some(Op::$sto_i),)*
                    _ => None,
                }
            }

            /// The operator that does the same with the negative of an immediate.
            pub fn opposite(self) -> Option<Op> {
                match self {
                    $(Op::$opp => Op::$opp_o.with_immediate(),)*
                    _ => None,
                }
            }

            /// The branch that a comparison fuses with.
            pub fn branch(self) -> Option<Op> {
                match self {
                    $(Op::$cmp => Some(Op::$br), Op::$cmp_i => Some(Op::$br_i),)*
                    _ => None,
                }
            }

            /// The comparison that is true where this one is false. Comparisons of floats have none, because of NaN.
            pub fn inverse(self) -> Option<Op> {
                match self {
                    $(Op::$cmp => Some(Op::$inv), Op::$cmp_i => Op::$inv.with_immediate(),)*
                    _ => None,
                }
            }

            /// Whether it is for the loop's vector form.
            pub fn is_vector(self) -> bool {
                (Op::Select128 as u16..Op::ReturnCall as u16).contains(&(self as u16))
            }

            /// The comparison of 32-bit integers that holds for exchanged operands.
            pub fn swapped(self) -> Option<Op> {
                match self {
                    Op::I32Eq | Op::I32Ne => Some(self),
                    Op::I32LtS => Some(Op::I32GtS),
                    Op::I32LtU => Some(Op::I32GtU),
                    Op::I32GtS => Some(Op::I32LtS),
                    Op::I32GtU => Some(Op::I32LtU),
                    Op::I32LeS => Some(Op::I32GeS),
                    Op::I32LeU => Some(Op::I32GeU),
                    Op::I32GeS => Some(Op::I32LeS),
                    Op::I32GeU => Some(Op::I32LeU),
                    _ => None,
                }
            }

            /// The load from the sum of two slots.
            pub fn indexed(self) -> Option<Op> {
                match self {
                    $(Op::$ind_l => Some(Op::$ind),)*
                    _ => None,
                }
            }

            /// The form that takes a constant as its last operand, bits at full width.
            pub fn with_constant(self) -> Option<Op> {
                match self {
                    $(Op::$flo => Some(Op::$flo_c),)*
                    _ => None,
                }
            }

            /// The instruction that does this one and then `outer` with the result on the given side.
            pub fn tree(self, outer: Op, side: Side) -> Option<Op> {
                $(if self == Op::$tre_i && outer == Op::$tre_o && side.is(stringify!($tre_s)) {
                    return Some(Op::$tre);
                })*
                $(if self == Op::$tim_i && outer == Op::$tim_o {
                    return Some(Op::$tim);
                })*
                None
            }

            /// The branch on `comparison` (in slot or immediate form) between what this load reads and another operand.
            pub fn load_branch(self, comparison: Op) -> Option<Op> {
                $(
                    if self == Op::$lbr_l && comparison == Op::$lbr_c {
                        return Some(Op::$lbr);
                    }
                    if self == Op::$lbr_l && Some(comparison) == Op::$lbr_c.with_immediate() {
                        return Some(Op::$lbr_i);
                    }
                )*
                None
            }

            /// The fields behind the operator.
            pub const fn fields(self) -> &'static [Field] {
                use Field::*;
                match self {
                    $(Op::$bin)|* | $(Op::$opp)|* | $(Op::$par)|* | $(Op::$flo)|* | $(Op::$cmp)|* | $(Op::$fcm)|* => {
                        &[Write(1), Read(1), Read(1)]
                    }
                    $(Op::$bin_i)|* | $(Op::$par_i)|* | $(Op::$cmp_i)|* => &[Write(1), Read(1), Constant(2)],
                    $(Op::$flo_c => &[Write(1), Read(1), Constant((size_of::<$flo_t>() / 2) as u8)],)*
                    $(Op::$br)|* => &[Read(1), Read(1), Target, Cost, Cost],
                    $(Op::$br_i)|* => &[Read(1), Constant(2), Target, Cost, Cost],
                    $(Op::$una)|* | $(Op::$pun)|* | Op::Copy32 | Op::Copy64 => &[Write(1), Read(1)],
                    $(Op::$loa)|* => &[Write(1), Read(1), Constant(2)],
                    $(Op::$sto)|* => &[Read(1), Read(1), Constant(2)],
                    $(Op::$sto_i)|* => &[Read(1), Constant(2), Constant(2)],
                    $(Op::$ind)|* => &[Write(1), Read(1), Read(1), Constant(2)],
                    $(Op::$tre)|* => &[Write(1), Read(1), Read(1), Read(1)],
                    $(Op::$tim)|* => &[Write(1), Read(1), Constant(2), Read(1)],
                    $(Op::$lbr)|* => &[Read(1), Constant(2), Read(1), Target, Cost, Cost],
                    $(Op::$lbr_i)|* => &[Read(1), Constant(2), Constant(2), Target, Cost, Cost],
                    $(Op::$pai => Op::$pai_a.fields(),)* $(Op::$pen => Op::$pen_a.fields(),)*
                    $(Op::$car => Op::$car_a.fields(),)* $(Op::$cen => Op::$cen_a.fields(),)*
                    Op::Copy128 => &[Write(2), Read(2)],
                    Op::CopyMany => &[Write(1), Read(1), Count],
                    Op::Const32 | Op::StackPointerSub | Op::StackEnter => &[Write(1), Constant(2)],
                    Op::Const64 => &[Write(1), Constant(4)],
                    Op::Select32 | Op::Select64 => &[Write(1), Read(1), Read(1), Read(1)],
                    Op::GlobalGet32 | Op::GlobalGet64 => &[Write(1), Global],
                    Op::GlobalSet32 | Op::GlobalSet64 => &[Read(1), Global],
                    Op::StackPointerSet | Op::StackLeave => &[Read(1), Constant(2)],
                    Op::I32AddBrNonzero | Op::I32AddBrZero => &[Write(1), Read(1), Constant(2), Target, Cost, Cost],
                    Op::I32AndBrNonzero | Op::I32AndBrZero => &[Read(1), Constant(2), Target, Cost, Cost],
                    Op::Br => &[Target, Cost],
                    Op::BrTable => &[Read(1), Constant(2), Entries],
                    Op::Charge => &[Cost],
                    Op::Call => &[Base, Function, Cost],
                    Op::CallIndirect => &[Base, Read(1), Table, Type, Cost],
                    Op::Return => &[Link],
                    Op::Return32 | Op::Return64 => &[Link, Read(1)],
                    Op::ReturnMany => &[Link, Read(1), Count],
                    $(Op::$vun)|* => &[Write(2), Read(2)],
                    $(Op::$vbi)|* => &[Write(2), Read(2), Read(2)],
                    $(Op::$vte)|* => &[Write(2), Read(2), Read(2), Read(2)],
                    $(Op::$vsh)|* => &[Write(2), Read(2), Read(1)],
                    $(Op::$vts)|* => &[Write(1), Read(2)],
                    $(Op::$vsp)|* => &[Write(2), Read(1)],
                    $(Op::$vex)|* => &[Write(1), Read(2), Lane],
                    $(Op::$vre)|* => &[Write(2), Read(2), Read(1), Lane],
                    $(Op::$vsu)|* => &[Write(2), Read(2), Read(2), Constant(8)],
                    $(Op::$vlo)|* | Op::Load128 => &[Write(2), Read(1), Constant(2)],
                    $(Op::$vll)|* => &[Write(2), Read(1), Constant(2), Read(2), Lane],
                    $(Op::$vsl)|* => &[Read(2), Read(1), Constant(2), Lane],
                    Op::Select128 => &[Write(2), Read(1), Read(2), Read(2)],
                    Op::GlobalGet128 => &[Write(2), Global],
                    Op::GlobalSet128 => &[Read(2), Global],
                    Op::Const128 => &[Write(2), Constant(8)],
                    Op::Store128 => &[Read(1), Read(2), Constant(2)],
                    Op::ReturnCall => &[Link, Base, Count, Function],
                    Op::ReturnCallIndirect => &[Link, Base, Count, Read(1), Table, Type],
                    Op::Halt | Op::Unreachable => &[],
                    Op::MemorySize => &[Write(1)],
                    Op::MemoryGrow => &[Write(1), Read(1)],
                    Op::MemoryCopy | Op::MemoryFill => &[Read(1), Read(1), Read(1), Cost],
                    Op::MemoryInit => &[Read(1), Read(1), Read(1), Data, Cost],
                    Op::DataDrop => &[Data],
                    Op::TableGet => &[Write(1), Read(1), Table],
                    Op::TableSet => &[Read(1), Read(1), Table],
                    Op::TableSize => &[Write(1), Table],
                    Op::TableGrow => &[Write(1), Read(1), Read(1), Table],
                    Op::TableFill => &[Read(1), Read(1), Read(1), Table, Cost],
                    Op::TableCopy => &[Read(1), Read(1), Read(1), Table, Table, Cost],
                    Op::TableInit => &[Read(1), Read(1), Read(1), Table, Element, Cost],
                    Op::ElemDrop => &[Element],
                }
            }

            /// The operator of this instruction alone, if this is a pair.
            #[inline(always)]
            pub fn first(self) -> Op {
                match self {
                    $(Op::$pai => Op::$pai_a,)* $(Op::$pen => Op::$pen_a,)*
                    $(Op::$car => Op::$car_a,)* $(Op::$cen => Op::$cen_a,)*
                    op => op,
                }
            }

            /// Whether the operands in units 2 and 3 may change places.
            pub fn is_commutative(self) -> bool {
                use Op::*;
                matches!(
                    self,
                    I32Add | I32Mul | I32And | I32Or | I32Xor | I64Add | I64Mul | I64And | I64Or | I64Xor | F32Add | F32Mul
                        | F64Add | F64Mul
                )
            }

            /// How many operators there are.
            pub const COUNT: usize = Op::ElemDrop as usize + 1;

            /// The operator that `unit` encodes.
            pub const fn decode(unit: u16) -> Option<Op> {
                if unit as usize >= Op::COUNT {
                    return None;
                }
                // SAFETY: `Op` is a fieldless `repr(u16)` enum numbered from 0 to COUNT - 1.
                Some(unsafe { core::mem::transmute::<u16, Op>(unit) })
            }
        }
    };
}
for_each_op!(define);
