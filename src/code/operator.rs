//! Decodes the operators of Wasm (spec 5.4): those of version 2.0, and tail calls.

use wasmparser::BinaryReader;

use super::op::Op;
use super::vector::for_each_simd_op;
use crate::module::encoding::{byte, reference_type, value_type, zero};
use crate::module::{Module, Ty, refuse};
use crate::rejection::{Mode, Rejection};

/// An operator with its immediates.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Operator<'a> {
    Unreachable,
    Nop,
    Block(BlockType),
    Loop(BlockType),
    If(BlockType),
    Else,
    End,
    Br(u32),
    BrIf(u32),
    BrTable(BrTable<'a>),
    Return,
    Call(u32),
    CallIndirect {
        ty: u32,
        table: u32,
    },
    ReturnCall(u32),
    ReturnCallIndirect {
        ty: u32,
        table: u32,
    },
    Drop,
    Select,
    TypedSelect(Ty),
    LocalGet(u32),
    LocalSet(u32),
    LocalTee(u32),
    GlobalGet(u32),
    GlobalSet(u32),
    TableGet(u32),
    TableSet(u32),
    TableSize(u32),
    TableGrow(u32),
    TableFill(u32),
    TableCopy {
        to: u32,
        from: u32,
    },
    TableInit {
        segment: u32,
        table: u32,
    },
    ElemDrop(u32),
    MemorySize,
    MemoryGrow,
    MemoryFill,
    MemoryCopy,
    MemoryInit(u32),
    DataDrop(u32),
    RefNull(Ty),
    RefIsNull,
    RefFunc(u32),
    /// A constant's bits.
    Const(Ty, u64),
    ConstVector([u8; 16]),
    /// An operator without immediates.
    Plain(&'static Row),
    /// An operator on one lane of a vector.
    Lane(&'static Row, u8),
    Shuffle(&'static Row, [u8; 16]),
    /// A load or a store.
    Access(&'static Row, MemoryArgument),
    /// A load to or a store from one lane of a vector.
    AccessLane(&'static Row, MemoryArgument, u8),
}

/// The type of a block (spec 5.4.1).
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum BlockType {
    Empty,
    Value(Ty),
    Function(u32),
}

/// The labels of a `br_table`.
#[derive(Clone, Debug)]
pub struct BrTable<'a> {
    /// How many there are, without the default.
    pub count: u32,
    labels: BinaryReader<'a>,
    /// The default label.
    pub default: u32,
}

impl<'a> BrTable<'a> {
    /// All labels, the default last.
    pub fn labels(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut labels, default) = (self.labels.clone(), self.default);
        (0..self.count).map(move |_| labels.read_var_u32().unwrap_or(default)).chain([default])
    }
}

/// The immediates of a memory access (spec 5.4.6).
#[derive(Clone, Copy, Debug)]
pub struct MemoryArgument {
    /// Alignment, as a power of two.
    pub align: u32,
    /// Static offset.
    pub offset: u32,
}

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
    pub op: Op,
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
    pub limit: u8,
}

const NONE: Row = row(Op::Unreachable, Shape::None, &[Ty::I32], None, 0);

const fn row(op: Op, shape: Shape, operands: &[Ty], result: Option<Ty>, limit: u8) -> Row {
    let last = operands[operands.len() - 1];
    Row { op, shape, operands: operands.len() as u8, operand: operands[0], last, result, limit }
}

/// The first numeric operator; they go on to `NUMERIC_END`.
const NUMERIC: u8 = 0x45;
const NUMERIC_END: u8 = 0xc4;

/// The place of a scalar operator in [`SCALARS`]: those of one byte, then those behind the prefix 0xfc, given as 0xfc00 and more.
const fn scalar(code: usize) -> usize {
    if code >= 0xfc00 { code - 0xfc00 + (NUMERIC_END - NUMERIC) as usize + 1 } else { code - NUMERIC as usize }
}

/// The numeric operators by shape, type of the operands and type of the result, each with its code and its instruction.
static SCALARS: [Row; 136] = {
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
                table[scalar($code)] = row(Op::$op, Shape::$shape, operands!($shape $ty), Some(Ty::$result), 0);
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
const ACCESSES: u8 = 0x28;
const ACCESSES_END: u8 = 0x3e;

/// The scalar loads, then the stores, by code.
static SCALAR_ACCESSES: [Row; 23] = {
    const fn load(op: Op, result: Ty, align: u8) -> Row {
        row(op, Shape::Load, &[Ty::I32], Some(result), align)
    }
    const fn store(op: Op, value: Ty, align: u8) -> Row {
        row(op, Shape::Store, &[Ty::I32, value], None, align)
    }
    use Ty::{F32, F64, I32, I64};
    [
        load(Op::Load32, I32, 2),
        load(Op::Load64, I64, 3),
        load(Op::Load32, F32, 2),
        load(Op::Load64, F64, 3),
        load(Op::I32Load8S, I32, 0),
        load(Op::I32Load8U, I32, 0),
        load(Op::I32Load16S, I32, 1),
        load(Op::I32Load16U, I32, 1),
        load(Op::I64Load8S, I64, 0),
        load(Op::I64Load8U, I64, 0),
        load(Op::I64Load16S, I64, 1),
        load(Op::I64Load16U, I64, 1),
        load(Op::I64Load32S, I64, 2),
        load(Op::I64Load32U, I64, 2),
        store(Op::Store32, I32, 2),
        store(Op::Store64, I64, 3),
        store(Op::Store32, F32, 2),
        store(Op::Store64, F64, 3),
        store(Op::I32Store8, I32, 0),
        store(Op::I32Store16, I32, 1),
        store(Op::I64Store8, I64, 0),
        store(Op::I64Store16, I64, 1),
        store(Op::I64Store32, I64, 2),
    ]
};

/// The vector operators by the number behind the prefix 0xfd, but for `v128.const`.
static VECTORS: [Row; 256] = {
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
            table[0x00] = row(Op::Load128, Shape::Load, &[I32], VECTOR, 4);
            table[0x0b] = row(Op::Store128, Shape::Store, &[I32, V128], None, 4);
            $(table[$una_c] = row(Op::$una, Shape::Vector, &[V128], VECTOR, 0);)*
            $(table[$bin_c] = row(Op::$bin, Shape::Vector, &[V128; 2], VECTOR, 0);)*
            $(table[$ter_c] = row(Op::$ter, Shape::Vector, &[V128; 3], VECTOR, 0);)*
            $(table[$shi_c] = row(Op::$shi, Shape::Vector, &[V128, I32], VECTOR, 0);)*
            $(table[$tes_c] = row(Op::$tes, Shape::Vector, &[V128], Some(I32), 0);)*
            $(table[$spl_c] = row(Op::$spl, Shape::Vector, &[Ty::$spl_w], VECTOR, 0);)*
            $(table[$ext_c] = row(Op::$ext, Shape::VectorLane, &[V128], Some(Ty::$ext_w), $ext_n);)*
            $(table[$rep_c] = row(Op::$rep, Shape::VectorLane, &[V128, Ty::$rep_w], VECTOR, $rep_n);)*
            $(table[$shu_c] = row(Op::$shu, Shape::Shuffle, &[V128; 2], VECTOR, 32);)*
            $(table[$loa_c] = row(Op::$loa, Shape::Load, &[I32], VECTOR, align($loa_n));)*
            $(table[$lol_c] = row(Op::$lol, Shape::LoadLane, &[I32, V128], VECTOR, align($lol_n));)*
            $(table[$stl_c] = row(Op::$stl, Shape::StoreLane, &[I32, V128], None, align($stl_n));)*
            table
        }};
    }
    for_each_simd_op!(define)
};

impl<'a> Operator<'a> {
    /// Reads an operator.
    ///
    /// Rejects with `Unsupported`, at the operator, what a later version or proposal has made one, with `InvalidWasm` what is none.
    #[inline]
    pub fn read(reader: &mut BinaryReader<'a>) -> Result<Self, Rejection> {
        let at = reader.original_position();
        Self::read_at(reader, at).map_err(|rejection| match rejection.mode {
            Mode::Unsupported => unsupported(at),
            _ => rejection,
        })
    }

    #[inline]
    fn read_at(reader: &mut BinaryReader<'a>, at: u64) -> Result<Self, Rejection> {
        let index = |reader: &mut BinaryReader<'a>| reader.read_var_u32().map_err(refuse);
        Ok(match byte(reader)? {
            0x00 => Self::Unreachable,
            0x01 => Self::Nop,
            0x02 => Self::Block(BlockType::read(reader)?),
            0x03 => Self::Loop(BlockType::read(reader)?),
            0x04 => Self::If(BlockType::read(reader)?),
            0x05 => Self::Else,
            0x0b => Self::End,
            0x0c => Self::Br(index(reader)?),
            0x0d => Self::BrIf(index(reader)?),
            0x0e => Self::BrTable(BrTable::read(reader)?),
            0x0f => Self::Return,
            0x10 => Self::Call(index(reader)?),
            0x11 => Self::CallIndirect { ty: index(reader)?, table: index(reader)? },
            0x12 => Self::ReturnCall(index(reader)?),
            0x13 => Self::ReturnCallIndirect { ty: index(reader)?, table: index(reader)? },
            0x1a => Self::Drop,
            0x1b => Self::Select,
            0x1c => {
                let start = reader.original_position();
                match index(reader)? {
                    1 => Self::TypedSelect(value_type(reader)?),
                    _ => return Err(invalid(start)),
                }
            }
            0x20 => Self::LocalGet(index(reader)?),
            0x21 => Self::LocalSet(index(reader)?),
            0x22 => Self::LocalTee(index(reader)?),
            0x23 => Self::GlobalGet(index(reader)?),
            0x24 => Self::GlobalSet(index(reader)?),
            0x25 => Self::TableGet(index(reader)?),
            0x26 => Self::TableSet(index(reader)?),
            code @ ACCESSES..=ACCESSES_END => {
                Self::Access(&SCALAR_ACCESSES[usize::from(code - ACCESSES)], MemoryArgument::read(reader, at)?)
            }
            0x3f => zero(reader).map(|()| Self::MemorySize)?,
            0x40 => zero(reader).map(|()| Self::MemoryGrow)?,
            0x41 => Self::Const(Ty::I32, u64::from(reader.read_var_i32().map_err(refuse)? as u32)),
            0x42 => Self::Const(Ty::I64, reader.read_var_i64().map_err(refuse)? as u64),
            0x43 => Self::Const(Ty::F32, u64::from(reader.read_u32().map_err(refuse)?)),
            0x44 => Self::Const(Ty::F64, reader.read_u64().map_err(refuse)?),
            code @ NUMERIC..=NUMERIC_END => Self::Plain(&SCALARS[scalar(usize::from(code))]),
            0xd0 => Self::RefNull(reference_type(reader)?),
            0xd1 => Self::RefIsNull,
            0xd2 => Self::RefFunc(index(reader)?),
            0xfc => match index(reader)? {
                code @ 0..=7 => Self::Plain(&SCALARS[scalar(0xfc00 + code as usize)]),
                8 => {
                    let segment = index(reader)?;
                    zero(reader).map(|()| Self::MemoryInit(segment))?
                }
                9 => Self::DataDrop(index(reader)?),
                10 => zero(reader).and_then(|()| zero(reader)).map(|()| Self::MemoryCopy)?,
                11 => zero(reader).map(|()| Self::MemoryFill)?,
                12 => Self::TableInit { segment: index(reader)?, table: index(reader)? },
                13 => Self::ElemDrop(index(reader)?),
                14 => Self::TableCopy { to: index(reader)?, from: index(reader)? },
                15 => Self::TableGrow(index(reader)?),
                16 => Self::TableSize(index(reader)?),
                17 => Self::TableFill(index(reader)?),
                18..=22 => return Err(unsupported(at)),
                _ => return Err(invalid(at)),
            },
            0xfd => return Self::read_vector(reader, at),
            0x06..=0x0a | 0x14 | 0x15 | 0x18 | 0x19 | 0x1f | 0xd3..=0xd6 | 0xe0..=0xe6 | 0xfb | 0xfe => {
                return Err(unsupported(at));
            }
            _ => return Err(invalid(at)),
        })
    }

    fn read_vector(reader: &mut BinaryReader<'a>, at: u64) -> Result<Self, Rejection> {
        let code = reader.read_var_u32().map_err(refuse)?;
        if code == 0x0c {
            return Ok(Self::ConstVector(bytes(reader)?));
        }
        let Some(row) = VECTORS.get(code as usize) else {
            return Err(if code <= 0x114 { unsupported(at) } else { invalid(at) });
        };
        Ok(match row.shape {
            Shape::Load | Shape::Store => Self::Access(row, MemoryArgument::read(reader, at)?),
            Shape::LoadLane | Shape::StoreLane => {
                Self::AccessLane(row, MemoryArgument::read(reader, at)?, byte(reader)?)
            }
            Shape::VectorLane => Self::Lane(row, byte(reader)?),
            Shape::Shuffle => Self::Shuffle(row, bytes(reader)?),
            Shape::None => return Err(invalid(at)),
            _ => Self::Plain(row),
        })
    }
}

impl BlockType {
    /// The types of the operands that a block takes.
    pub fn params<'a>(&'a self, module: &'a Module<'_>) -> &'a [Ty] {
        match self {
            Self::Empty | Self::Value(_) => &[],
            Self::Function(index) => &module.types[*index as usize].params,
        }
    }

    /// The types of those that it leaves.
    pub fn results<'a>(&'a self, module: &'a Module<'_>) -> &'a [Ty] {
        match self {
            Self::Empty => &[],
            Self::Value(ty) => core::slice::from_ref(ty),
            Self::Function(index) => &module.types[*index as usize].results,
        }
    }

    fn read(reader: &mut BinaryReader<'_>) -> Result<Self, Rejection> {
        let mut behind = reader.clone();
        match byte(&mut behind)? {
            0x40 => {
                *reader = behind;
                Ok(Self::Empty)
            }
            // What is not an index is one byte: a negative number.
            0x41..=0x7f => value_type(reader).map(Self::Value),
            _ => {
                let index = reader.read_var_s33().map_err(refuse)?;
                u32::try_from(index).map(Self::Function).map_err(|_| invalid(reader.original_position()))
            }
        }
    }
}

impl<'a> BrTable<'a> {
    fn read(reader: &mut BinaryReader<'a>) -> Result<Self, Rejection> {
        let count = reader.read_var_u32().map_err(refuse)?;
        let mut skip = |reader: &mut BinaryReader<'a>| (0..count).try_for_each(|_| reader.read_var_u32().map(drop));
        let labels = reader.skip(&mut skip).map_err(refuse)?;
        Ok(Self { count, labels, default: reader.read_var_u32().map_err(refuse)? })
    }
}

impl MemoryArgument {
    /// Reads the immediates of the access at `at`. The bit for the index of another memory is of a later version.
    fn read(reader: &mut BinaryReader<'_>, at: u64) -> Result<Self, Rejection> {
        const MEMORY_INDEX_FOLLOWS: u32 = 0x40;
        let start = reader.original_position();
        let align = reader.read_var_u32().map_err(refuse)?;
        match align {
            0..MEMORY_INDEX_FOLLOWS => Ok(Self { align, offset: reader.read_var_u32().map_err(refuse)? }),
            MEMORY_INDEX_FOLLOWS..0x80 => Err(unsupported(at)),
            _ => Err(invalid(start)),
        }
    }
}

fn bytes(reader: &mut BinaryReader<'_>) -> Result<[u8; 16], Rejection> {
    let bytes = reader.read_bytes(16).map_err(refuse)?;
    Ok(bytes.try_into().expect("as many as were asked for"))
}

#[cold]
fn unsupported(at: u64) -> Rejection {
    Rejection::new(Mode::Unsupported, at as u32)
}

#[cold]
fn invalid(at: u64) -> Rejection {
    Rejection::new(Mode::InvalidWasm, at as u32)
}
