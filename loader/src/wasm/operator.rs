//! Decodes the operators of Wasm (Wasm 5.4): those of version 2.0, and tail calls.
//!
//! `wasmparser` reads what they are made of. Its own operators are not used: they are of all proposals, and so take twice the code.

use wasmparser::BinaryReader;

use super::signatures::{
    ACCESSES, ACCESSES_END, NUMERIC, NUMERIC_END, Row, SCALAR_ACCESSES, SCALARS, Shape, VECTORS, scalar,
};
use crate::module::{Module, Ty, invalid, unsupported};
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

/// The type of a block (Wasm 5.4.1).
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

/// The immediates of a memory access (Wasm 5.4.6).
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
    pub fn read(reader: &mut BinaryReader<'a>) -> Result<Self, Rejection> {
        let at = offset(reader);
        Self::read_at(reader, at).map_err(|rejection| match rejection.mode {
            Mode::Unsupported => unsupported(at),
            _ => rejection,
        })
    }

    #[inline]
    fn read_at(reader: &mut BinaryReader<'a>, at: u32) -> Result<Self, Rejection> {
        Ok(match reader.read_u8()? {
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
            code @ (0x0c | 0x0d | 0x10 | 0x12 | 0x20..=0x26 | 0xd2) => Self::of_index(code, reader.read_var_u32()?),
            code @ ACCESSES..=ACCESSES_END => {
                Self::Access(&SCALAR_ACCESSES[usize::from(code - ACCESSES)], MemoryArgument::read(reader)?)
            }
            0x41 => Self::Const(Ty::I32, u64::from(reader.read_var_i32()? as u32)),
            0x42 => Self::Const(Ty::I64, reader.read_var_i64()? as u64),
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
    fn read_other(reader: &mut BinaryReader<'a>, at: u32, code: u8) -> Result<Self, Rejection> {
        Ok(match code {
            0x0e => Self::BrTable(BrTable::read(reader)?),
            0x11 => Self::CallIndirect { ty: reader.read_var_u32()?, table: reader.read_var_u32()? },
            0x13 => Self::ReturnCallIndirect { ty: reader.read_var_u32()?, table: reader.read_var_u32()? },
            0x1c => {
                let start = offset(reader);
                match reader.read_var_u32()? {
                    1 => Self::TypedSelect(Ty::read(reader)?),
                    _ => return Err(invalid(start)),
                }
            }
            0x3f => memory(reader).map(|()| Self::MemorySize)?,
            0x40 => memory(reader).map(|()| Self::MemoryGrow)?,
            0x43 => Self::Const(Ty::F32, reader.read_u32()?.into()),
            0x44 => Self::Const(Ty::F64, reader.read_u64()?),
            0xd0 => Self::RefNull(Ty::read_heap(reader)?),
            0xd1 => Self::RefIsNull,
            0xfc => match reader.read_var_u32()? {
                code @ 0..=7 => Self::Plain(&SCALARS[scalar(0xfc00 + code as usize)]),
                8 => {
                    let segment = reader.read_var_u32()?;
                    memory(reader).map(|()| Self::MemoryInit(segment))?
                }
                9 => Self::DataDrop(reader.read_var_u32()?),
                10 => memory(reader).and_then(|()| memory(reader)).map(|()| Self::MemoryCopy)?,
                11 => memory(reader).map(|()| Self::MemoryFill)?,
                12 => Self::TableInit { segment: reader.read_var_u32()?, table: reader.read_var_u32()? },
                13 => Self::ElemDrop(reader.read_var_u32()?),
                14 => Self::TableCopy { to: reader.read_var_u32()?, from: reader.read_var_u32()? },
                15 => Self::TableGrow(reader.read_var_u32()?),
                16 => Self::TableSize(reader.read_var_u32()?),
                17 => Self::TableFill(reader.read_var_u32()?),
                18..=22 => return Err(unsupported(at)),
                _ => return Err(invalid(at)),
            },
            0x06..=0x0a | 0x14 | 0x15 | 0x18 | 0x19 | 0x1f | 0xd3..=0xd6 | 0xe0..=0xe6 | 0xfb | 0xfe => {
                return Err(unsupported(at));
            }
            _ => return Err(invalid(at)),
        })
    }

    fn read_vector(reader: &mut BinaryReader<'a>, at: u32) -> Result<Self, Rejection> {
        let code = reader.read_var_u32()?;
        if code == 0x0c {
            return Ok(Self::ConstVector(vector(reader)?));
        }
        let Some(row) = VECTORS.get(code as usize) else {
            return Err(if code <= 0x114 { unsupported(at) } else { invalid(at) });
        };
        Ok(match row.shape {
            Shape::Load | Shape::Store => Self::Access(row, MemoryArgument::read(reader)?),
            Shape::LoadLane | Shape::StoreLane => {
                Self::AccessLane(row, MemoryArgument::read(reader)?, reader.read_u8()?)
            }
            Shape::VectorLane => Self::Lane(row, reader.read_u8()?),
            Shape::Shuffle => Self::Shuffle(row, vector(reader)?),
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
        match reader.clone().read_u8()? {
            0x40 => {
                reader.read_u8()?;
                Ok(Self::Empty)
            }
            // What is not an index is one byte: a negative number.
            0x41..=0x7f => Ty::read(reader).map(Self::Value),
            _ => {
                let index = reader.read_var_s33()?;
                u32::try_from(index).map(Self::Function).map_err(|_| invalid(offset(reader)))
            }
        }
    }
}

impl<'a> BrTable<'a> {
    fn read(reader: &mut BinaryReader<'a>) -> Result<Self, Rejection> {
        let count = reader.read_var_u32()?;
        let labels = reader.clone();
        for _ in 0..count {
            reader.read_var_u32()?;
        }
        Ok(Self { count, labels, default: reader.read_var_u32()? })
    }
}

impl MemoryArgument {
    /// Reads the immediates of an access. The bit for the index of another memory is of a later version.
    fn read(reader: &mut BinaryReader<'_>) -> Result<Self, Rejection> {
        const MEMORY_INDEX_FOLLOWS: u32 = 0x40;
        let start = offset(reader);
        let align = reader.read_var_u32()?;
        match align {
            0..MEMORY_INDEX_FOLLOWS => Ok(Self { align, offset: reader.read_var_u32()? }),
            MEMORY_INDEX_FOLLOWS..0x80 => Err(unsupported(start)),
            _ => Err(invalid(start)),
        }
    }
}

/// Where the reader is in the component.
fn offset(reader: &BinaryReader<'_>) -> u32 {
    reader.original_position() as u32
}

/// Reads a declaration of locals (Wasm 5.5.13): how many, and their type.
pub fn local_declaration(reader: &mut BinaryReader<'_>) -> Result<(u32, Ty), Rejection> {
    Ok((reader.read_var_u32()?, Ty::read(reader)?))
}

/// Reads the index of a memory, which is a byte that is zero.
fn memory(reader: &mut BinaryReader<'_>) -> Result<(), Rejection> {
    let at = offset(reader);
    if reader.read_u8()? == 0 { Ok(()) } else { Err(invalid(at)) }
}

/// Reads the bytes of a vector or the lanes of a shuffle.
fn vector(reader: &mut BinaryReader<'_>) -> Result<[u8; 16], Rejection> {
    let bytes = reader.read_bytes(16)?;
    Ok(bytes.try_into().expect("as many as were asked for"))
}
