//! The operators of Wasm whose type is fixed (Wasm 5.4.5 to 5.4.7): their codes, types and instructions.

use crate::code::isa::Opcode;
use crate::code::isa::vector::for_each_simd_op;
use crate::module::Ty;

/// How an operator is translated, which most operators of a shape share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Shape {
    /// No operator has this code.
    None,
    Unary,
    Binary,
    /// A binary operator whose operands may change places.
    Commutative,
    /// Compares with zero; the instruction takes an immediate.
    EqualsZero,
    /// The same bits under another type; the instruction is not used.
    Reinterpret,
    Load,
    Store,
    Vector,
    VectorLane,
    Shuffle,
    LoadLane,
    StoreLane,
}

/// What an operator of fixed type takes, leaves and becomes.
#[derive(Debug)]
pub struct Row {
    /// The instruction for it.
    pub op: Opcode,
    /// How it is translated.
    pub shape: Shape,
    /// How many operands it takes.
    pub operands: u8,
    /// The type of all operands but the last.
    pub operand: Ty,
    /// The type of the last.
    pub last: Ty,
    /// The result's type.
    pub result: Option<Ty>,
    /// The natural alignment of an access, as a power of two, or else how many lanes there are.
    limit: u8,
}

impl Row {
    /// The natural alignment of an access, as a power of two.
    pub fn natural_alignment(&self) -> u32 {
        self.limit.into()
    }

    /// The lanes of an operator that takes the number of one.
    pub fn lanes(&self) -> u8 {
        match self.shape {
            Shape::LoadLane | Shape::StoreLane => 16 >> self.limit,
            _ => self.limit,
        }
    }
}

const NONE: Row = row(Opcode::Unreachable, Shape::None, &[Ty::I32], None, 0);

const fn row(op: Opcode, shape: Shape, operands: &[Ty], result: Option<Ty>, limit: u8) -> Row {
    let last = operands[operands.len() - 1];
    Row { op, shape, operands: operands.len() as u8, operand: operands[0], last, result, limit }
}

/// The first numeric operator; they go on to `NUMERIC_END`.
pub const NUMERIC: u8 = 0x45;
pub const NUMERIC_END: u8 = 0xc4;

/// The place of a scalar operator in [`SCALARS`]: those of one byte, then those behind the prefix 0xfc, given as 0xfc00 and more.
pub const fn scalar(code: usize) -> usize {
    if code >= 0xfc00 { code - 0xfc00 + (NUMERIC_END - NUMERIC) as usize + 1 } else { code - NUMERIC as usize }
}

/// The numeric operators by shape, type of the operands and type of the result, each with its code and its instruction.
pub static SCALARS: [Row; 136] = {
    macro_rules! operands {
        (Binary $ty:ident) => {
            &[Ty::$ty, Ty::$ty]
        };
        (Commutative $ty:ident) => {
            &[Ty::$ty, Ty::$ty]
        };
        ($shape:ident $ty:ident) => {
            &[Ty::$ty]
        };
    }
    macro_rules! table {
        ($($shape:ident $ty:ident $result:ident: $($code:literal $op:ident)*;)*) => {{
            let mut table = [NONE; 136];
            $($(
                table[scalar($code)] = row(Opcode::$op, Shape::$shape, operands!($shape $ty), Some(Ty::$result), 0);
            )*)*
            table
        }};
    }
    table! {
        EqualsZero I32 I32: 0x45 I32EqI;
        EqualsZero I64 I32: 0x50 I64EqI;
        Commutative I32 I32: 0x46 I32Eq 0x47 I32Ne 0x6a I32Add 0x6c I32Mul 0x71 I32And 0x72 I32Or 0x73 I32Xor;
        Commutative I64 I32: 0x51 I64Eq 0x52 I64Ne;
        Commutative I64 I64: 0x7c I64Add 0x7e I64Mul 0x83 I64And 0x84 I64Or 0x85 I64Xor;
        Commutative F32 F32: 0x92 F32Add 0x94 F32Mul;
        Commutative F64 F64: 0xa0 F64Add 0xa2 F64Mul;
        Binary I32 I32: 0x48 I32LtS 0x49 I32LtU 0x4a I32GtS 0x4b I32GtU 0x4c I32LeS 0x4d I32LeU 0x4e I32GeS 0x4f I32GeU;
        Binary I32 I32: 0x6b I32Sub 0x6d I32DivS 0x6e I32DivU 0x6f I32RemS 0x70 I32RemU;
        Binary I32 I32: 0x74 I32Shl 0x75 I32ShrS 0x76 I32ShrU 0x77 I32Rotl 0x78 I32Rotr;
        Binary I64 I32: 0x53 I64LtS 0x54 I64LtU 0x55 I64GtS 0x56 I64GtU 0x57 I64LeS 0x58 I64LeU 0x59 I64GeS 0x5a I64GeU;
        Binary I64 I64: 0x7d I64Sub 0x7f I64DivS 0x80 I64DivU 0x81 I64RemS 0x82 I64RemU;
        Binary I64 I64: 0x86 I64Shl 0x87 I64ShrS 0x88 I64ShrU 0x89 I64Rotl 0x8a I64Rotr;
        Binary F32 I32: 0x5b F32Eq 0x5c F32Ne 0x5d F32Lt 0x5e F32Gt 0x5f F32Le 0x60 F32Ge;
        Binary F64 I32: 0x61 F64Eq 0x62 F64Ne 0x63 F64Lt 0x64 F64Gt 0x65 F64Le 0x66 F64Ge;
        Binary F32 F32: 0x93 F32Sub 0x95 F32Div 0x96 F32Min 0x97 F32Max 0x98 F32Copysign;
        Binary F64 F64: 0xa1 F64Sub 0xa3 F64Div 0xa4 F64Min 0xa5 F64Max 0xa6 F64Copysign;
        Unary I32 I32: 0x67 I32Clz 0x68 I32Ctz 0x69 I32Popcnt 0xc0 I32Extend8S 0xc1 I32Extend16S;
        Unary I64 I64: 0x79 I64Clz 0x7a I64Ctz 0x7b I64Popcnt 0xc2 I64Extend8S 0xc3 I64Extend16S 0xc4 I64Extend32S;
        Unary F32 F32: 0x8b F32Abs 0x8c F32Neg 0x8d F32Ceil 0x8e F32Floor 0x8f F32Trunc 0x90 F32Nearest 0x91 F32Sqrt;
        Unary F64 F64: 0x99 F64Abs 0x9a F64Neg 0x9b F64Ceil 0x9c F64Floor 0x9d F64Trunc 0x9e F64Nearest 0x9f F64Sqrt;
        Unary I64 I32: 0xa7 I32WrapI64;
        Unary F32 I32: 0xa8 I32TruncF32S 0xa9 I32TruncF32U 0xfc00 I32TruncSatF32S 0xfc01 I32TruncSatF32U;
        Unary F64 I32: 0xaa I32TruncF64S 0xab I32TruncF64U 0xfc02 I32TruncSatF64S 0xfc03 I32TruncSatF64U;
        Unary I32 I64: 0xac I64ExtendI32S 0xad I64ExtendI32U;
        Unary F32 I64: 0xae I64TruncF32S 0xaf I64TruncF32U 0xfc04 I64TruncSatF32S 0xfc05 I64TruncSatF32U;
        Unary F64 I64: 0xb0 I64TruncF64S 0xb1 I64TruncF64U 0xfc06 I64TruncSatF64S 0xfc07 I64TruncSatF64U;
        Unary I32 F32: 0xb2 F32ConvertI32S 0xb3 F32ConvertI32U;
        Unary I64 F32: 0xb4 F32ConvertI64S 0xb5 F32ConvertI64U;
        Unary F64 F32: 0xb6 F32DemoteF64;
        Unary I32 F64: 0xb7 F64ConvertI32S 0xb8 F64ConvertI32U;
        Unary I64 F64: 0xb9 F64ConvertI64S 0xba F64ConvertI64U;
        Unary F32 F64: 0xbb F64PromoteF32;
        Reinterpret F32 I32: 0xbc Copy32;
        Reinterpret F64 I64: 0xbd Copy64;
        Reinterpret I32 F32: 0xbe Copy32;
        Reinterpret I64 F64: 0xbf Copy64;
    }
};

/// The first scalar load; stores follow up to `ACCESSES_END`.
pub const ACCESSES: u8 = 0x28;
pub const ACCESSES_END: u8 = 0x3e;

/// The scalar loads, then the stores, by code.
pub static SCALAR_ACCESSES: [Row; 23] = {
    const fn load(op: Opcode, result: Ty, align: u8) -> Row {
        row(op, Shape::Load, &[Ty::I32], Some(result), align)
    }
    const fn store(op: Opcode, value: Ty, align: u8) -> Row {
        row(op, Shape::Store, &[Ty::I32, value], None, align)
    }
    use Ty::{F32, F64, I32, I64};
    [
        load(Opcode::Load32, I32, 2),
        load(Opcode::Load64, I64, 3),
        load(Opcode::Load32, F32, 2),
        load(Opcode::Load64, F64, 3),
        load(Opcode::Load8S, I32, 0),
        load(Opcode::Load8U, I32, 0),
        load(Opcode::Load16S, I32, 1),
        load(Opcode::Load16U, I32, 1),
        load(Opcode::Load8S, I64, 0),
        load(Opcode::Load8U, I64, 0),
        load(Opcode::Load16S, I64, 1),
        load(Opcode::Load16U, I64, 1),
        load(Opcode::Load32S, I64, 2),
        load(Opcode::Load32, I64, 2),
        store(Opcode::Store32, I32, 2),
        store(Opcode::Store64, I64, 3),
        store(Opcode::Store32, F32, 2),
        store(Opcode::Store64, F64, 3),
        store(Opcode::Store8, I32, 0),
        store(Opcode::Store16, I32, 1),
        store(Opcode::Store8, I64, 0),
        store(Opcode::Store16, I64, 1),
        store(Opcode::Store32, I64, 2),
    ]
};

/// The vector operators by the number behind the prefix 0xfd, but for `v128.const`.
pub static VECTORS: [Row; 256] = {
    macro_rules! define {
        (
            unary { $($una_c:literal $una:ident $una_f:ident;)* }
            binary { $($bin_c:literal $bin:ident $bin_f:ident;)* }
            ternary { $($ter_c:literal $ter:ident $ter_f:ident;)* }
            shift { $($shi_c:literal $shi:ident $shi_f:ident;)* }
            test { $($tes_c:literal $tes:ident $tes_f:ident;)* }
            splat { $($spl_c:literal $spl:ident $spl_f:ident $spl_t:ident $spl_w:ident;)* }
            extract { $($ext_c:literal $ext:ident $ext_f:ident $ext_t:ident $ext_w:ident $ext_n:literal;)* }
            replace { $($rep_c:literal $rep:ident $rep_f:ident $rep_t:ident $rep_w:ident $rep_n:literal;)* }
            shuffle { $($shu_c:literal $shu:ident $shu_f:ident;)* }
            load { $($loa_c:literal $loa:ident $loa_f:ident $loa_n:literal;)* }
            load_lane { $($lol_c:literal $lol:ident $lol_f:ident $lol_n:literal;)* }
            store_lane { $($stl_c:literal $stl:ident $stl_f:ident $stl_n:literal;)* }
        ) => {{
            use Ty::{I32, V128};
            const VECTOR: Option<Ty> = Some(V128);
            const fn align(bytes: u32) -> u8 {
                bytes.ilog2() as u8
            }
            let mut table = [NONE; 256];
            table[0x00] = row(Opcode::Load128, Shape::Load, &[I32], VECTOR, 4);
            table[0x0b] = row(Opcode::Store128, Shape::Store, &[I32, V128], None, 4);
            $(table[$una_c] = row(Opcode::$una, Shape::Vector, &[V128], VECTOR, 0);)*
            $(table[$bin_c] = row(Opcode::$bin, Shape::Vector, &[V128; 2], VECTOR, 0);)*
            $(table[$ter_c] = row(Opcode::$ter, Shape::Vector, &[V128; 3], VECTOR, 0);)*
            $(table[$shi_c] = row(Opcode::$shi, Shape::Vector, &[V128, I32], VECTOR, 0);)*
            $(table[$tes_c] = row(Opcode::$tes, Shape::Vector, &[V128], Some(I32), 0);)*
            $(table[$spl_c] = row(Opcode::$spl, Shape::Vector, &[Ty::$spl_w], VECTOR, 0);)*
            $(table[$ext_c] = row(Opcode::$ext, Shape::VectorLane, &[V128], Some(Ty::$ext_w), $ext_n);)*
            $(table[$rep_c] = row(Opcode::$rep, Shape::VectorLane, &[V128, Ty::$rep_w], VECTOR, $rep_n);)*
            $(table[$shu_c] = row(Opcode::$shu, Shape::Shuffle, &[V128; 2], VECTOR, 32);)*
            $(table[$loa_c] = row(Opcode::$loa, Shape::Load, &[I32], VECTOR, align($loa_n));)*
            $(table[$lol_c] = row(Opcode::$lol, Shape::LoadLane, &[I32, V128], VECTOR, align($lol_n));)*
            $(table[$stl_c] = row(Opcode::$stl, Shape::StoreLane, &[I32, V128], None, align($stl_n));)*
            table
        }};
    }
    for_each_simd_op!(define)
};
