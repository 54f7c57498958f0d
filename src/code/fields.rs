//! The fields of each instruction, from which its length, the verifier and the listing follow.

use super::op::Op;
use super::table::for_each_op;

/// A field of an instruction, in the order of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// A slot that is read, and so many slots from there on.
    Read(u8),
    /// A slot that is written, and so many slots from there on.
    Write(u8),
    /// How many slots the fields before it stand for.
    Count,
    /// The slot of the return link.
    Link,
    /// The first slot of a callee's frame.
    Base,
    /// A constant of so many units.
    Constant(u8),
    /// The number of a lane.
    Lane,
    /// The distance to a branch's target, in two units.
    Target,
    /// A cost site.
    Cost,
    /// A global's byte offset, in two units.
    Global,
    /// A function's index, in two units.
    Function,
    /// A table's index, in two units.
    Table,
    /// A type's canonical number, in two units.
    Type,
    /// A data segment's index, in two units.
    Data,
    /// An element segment's index, in two units.
    Element,
    /// The last entry's index, in two units, then the entries: each a target and a cost site.
    Entries,
}

impl Field {
    /// Units of the field; of [`Field::Entries`] without the entries behind the first.
    pub const fn units(self) -> usize {
        match self {
            Field::Read(_) | Field::Write(_) | Field::Count | Field::Link | Field::Base | Field::Lane | Field::Cost => {
                1
            }
            Field::Constant(units) => units as usize,
            Field::Target | Field::Global | Field::Function => 2,
            Field::Table | Field::Type | Field::Data | Field::Element => 2,
            Field::Entries => 2 + ENTRY_UNITS,
        }
    }
}

/// Units of an entry of a branch table.
pub const ENTRY_UNITS: usize = 3;

/// Units between a branch table's start and its last entry's index.
const LAST_ENTRY_AT: usize = 4;

macro_rules! define {
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
    ) => {
        impl Op {
            /// The fields behind the operator.
            pub const fn fields(self) -> &'static [Field] {
                use Field::*;
                match self {
                    $(Op::$bin)|* | $(Op::$par)|* | $(Op::$flo)|* | $(Op::$cmp)|* | $(Op::$fcm)|* => {
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
        }
    };
}
for_each_op!(define);

/// Units of each operator's instruction, by the operator's number.
static UNITS: [u8; Op::COUNT] = {
    let mut units = [1; Op::COUNT];
    let mut op = 0;
    while op < Op::COUNT {
        let fields = match Op::decode(op as u16) {
            Some(op) => op.fields(),
            None => &[],
        };
        let mut field = 0;
        while field < fields.len() {
            units[op] += fields[field].units() as u8;
            field += 1;
        }
        op += 1;
    }
    units
};

impl Op {
    /// The instruction's length in units; `code` starts with it.
    pub fn units(self, code: &[u16]) -> usize {
        let units = usize::from(UNITS[self as usize]);
        if self == Op::BrTable { units + ENTRY_UNITS * pair(code, LAST_ENTRY_AT) as usize } else { units }
    }
}

/// The two units at `at` as one number.
pub fn pair(code: &[u16], at: usize) -> u32 {
    u32::from(code[at]) | u32::from(code[at + 1]) << 16
}
