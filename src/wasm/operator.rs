//! Decodes the operators of Wasm (spec 5.4): those of version 2.0, and tail calls.

use super::signatures::{
    ACCESSES, ACCESSES_END, NUMERIC, NUMERIC_END, Row, SCALAR_ACCESSES, SCALARS, Shape, VECTORS, scalar,
};
use crate::module::encoding::{heap_type, value_type, zero};
use crate::module::{Module, Reader, Ty, invalid, unsupported};
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
    labels: Reader<'a>,
    /// The default label.
    pub default: u32,
}

impl<'a> BrTable<'a> {
    /// All labels, the default last.
    pub fn labels(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (mut labels, default) = (self.labels.clone(), self.default);
        (0..self.count).map(move |_| labels.number().unwrap_or(default)).chain([default])
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

impl<'a> Operator<'a> {
    /// Reads an operator.
    ///
    /// Rejects with `Unsupported`, at the operator, what a later version or proposal has made one, with `InvalidWasm` what is none.
    #[inline]
    pub fn read(reader: &mut Reader<'a>) -> Result<Self, Rejection> {
        let at = reader.offset();
        Self::read_at(reader, at).map_err(|rejection| match rejection.mode {
            Mode::Unsupported => unsupported(at),
            _ => rejection,
        })
    }

    #[inline]
    fn read_at(reader: &mut Reader<'a>, at: u32) -> Result<Self, Rejection> {
        Ok(match reader.byte()? {
            0x00 => Self::Unreachable,
            0x01 => Self::Nop,
            code @ 0x02..=0x04 => {
                let ty = BlockType::read(reader)?;
                match code {
                    0x02 => Self::Block(ty),
                    0x03 => Self::Loop(ty),
                    _ => Self::If(ty),
                }
            }
            0x05 => Self::Else,
            0x0b => Self::End,
            0x0f => Self::Return,
            0x1a => Self::Drop,
            0x1b => Self::Select,
            code @ (0x0c | 0x0d | 0x10 | 0x12 | 0x20..=0x26 | 0xd2) => Self::of_index(code, reader.number()?),
            code @ ACCESSES..=ACCESSES_END => {
                Self::Access(&SCALAR_ACCESSES[usize::from(code - ACCESSES)], MemoryArgument::read(reader)?)
            }
            0x41 => Self::Const(Ty::I32, u64::from(reader.signed(32)? as u32)),
            0x42 => Self::Const(Ty::I64, reader.signed(64)? as u64),
            code @ NUMERIC..=NUMERIC_END => Self::Plain(&SCALARS[scalar(usize::from(code))]),
            0xfd => return Self::read_vector(reader, at),
            code => return Self::read_other(reader, at, code),
        })
    }

    /// The operators whose one immediate is an index, of the codes that `read_at` lists.
    #[inline]
    fn of_index(code: u8, index: u32) -> Self {
        match code {
            0x0c => Self::Br(index),
            0x0d => Self::BrIf(index),
            0x10 => Self::Call(index),
            0x12 => Self::ReturnCall(index),
            0x20 => Self::LocalGet(index),
            0x21 => Self::LocalSet(index),
            0x22 => Self::LocalTee(index),
            0x23 => Self::GlobalGet(index),
            0x24 => Self::GlobalSet(index),
            0x25 => Self::TableGet(index),
            0x26 => Self::TableSet(index),
            _ => Self::RefFunc(index),
        }
    }

    /// Operators that there are few of.
    #[inline(never)]
    fn read_other(reader: &mut Reader<'a>, at: u32, code: u8) -> Result<Self, Rejection> {
        Ok(match code {
            0x0e => Self::BrTable(BrTable::read(reader)?),
            0x11 => Self::CallIndirect { ty: reader.number()?, table: reader.number()? },
            0x13 => Self::ReturnCallIndirect { ty: reader.number()?, table: reader.number()? },
            0x1c => {
                let start = reader.offset();
                match reader.number()? {
                    1 => Self::TypedSelect(value_type(reader)?),
                    _ => return Err(invalid(start)),
                }
            }
            0x3f => zero(reader).map(|()| Self::MemorySize)?,
            0x40 => zero(reader).map(|()| Self::MemoryGrow)?,
            0x43 => Self::Const(Ty::F32, u64::from(u32::from_le_bytes(reader.array()?))),
            0x44 => Self::Const(Ty::F64, u64::from_le_bytes(reader.array()?)),
            0xd0 => Self::RefNull(heap_type(reader)?),
            0xd1 => Self::RefIsNull,
            0xfc => match reader.number()? {
                code @ 0..=7 => Self::Plain(&SCALARS[scalar(0xfc00 + code as usize)]),
                8 => {
                    let segment = reader.number()?;
                    zero(reader).map(|()| Self::MemoryInit(segment))?
                }
                9 => Self::DataDrop(reader.number()?),
                10 => zero(reader).and_then(|()| zero(reader)).map(|()| Self::MemoryCopy)?,
                11 => zero(reader).map(|()| Self::MemoryFill)?,
                12 => Self::TableInit { segment: reader.number()?, table: reader.number()? },
                13 => Self::ElemDrop(reader.number()?),
                14 => Self::TableCopy { to: reader.number()?, from: reader.number()? },
                15 => Self::TableGrow(reader.number()?),
                16 => Self::TableSize(reader.number()?),
                17 => Self::TableFill(reader.number()?),
                18..=22 => return Err(unsupported(at)),
                _ => return Err(invalid(at)),
            },
            0x06..=0x0a | 0x14 | 0x15 | 0x18 | 0x19 | 0x1f | 0xd3..=0xd6 | 0xe0..=0xe6 | 0xfb | 0xfe => {
                return Err(unsupported(at));
            }
            _ => return Err(invalid(at)),
        })
    }

    fn read_vector(reader: &mut Reader<'a>, at: u32) -> Result<Self, Rejection> {
        let code = reader.number()?;
        if code == 0x0c {
            return Ok(Self::ConstVector(reader.array()?));
        }
        let Some(row) = VECTORS.get(code as usize) else {
            return Err(if code <= 0x114 { unsupported(at) } else { invalid(at) });
        };
        Ok(match row.shape {
            Shape::Load | Shape::Store => Self::Access(row, MemoryArgument::read(reader)?),
            Shape::LoadLane | Shape::StoreLane => Self::AccessLane(row, MemoryArgument::read(reader)?, reader.byte()?),
            Shape::VectorLane => Self::Lane(row, reader.byte()?),
            Shape::Shuffle => Self::Shuffle(row, reader.array()?),
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

    fn read(reader: &mut Reader<'_>) -> Result<Self, Rejection> {
        match reader.clone().byte()? {
            0x40 => reader.byte().map(|_| Self::Empty),
            // What is not an index is one byte: a negative number.
            0x41..=0x7f => value_type(reader).map(Self::Value),
            _ => {
                let index = reader.signed(33)?;
                u32::try_from(index).map(Self::Function).map_err(|_| invalid(reader.offset()))
            }
        }
    }
}

impl<'a> BrTable<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Rejection> {
        let count = reader.number()?;
        let labels = reader.clone();
        for _ in 0..count {
            reader.number()?;
        }
        Ok(Self { count, labels, default: reader.number()? })
    }
}

impl MemoryArgument {
    /// Reads the immediates of an access. The bit for the index of another memory is of a later version.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Rejection> {
        const MEMORY_INDEX_FOLLOWS: u32 = 0x40;
        let start = reader.offset();
        let align = reader.number()?;
        match align {
            0..MEMORY_INDEX_FOLLOWS => Ok(Self { align, offset: reader.number()? }),
            MEMORY_INDEX_FOLLOWS..0x80 => Err(unsupported(start)),
            _ => Err(invalid(start)),
        }
    }
}
