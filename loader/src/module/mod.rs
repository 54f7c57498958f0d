//! Decodes and validates a component. What a validated module holds is all plain data: no imports, so every constant
//! expression has its value already.

mod constant;
mod imports;
mod landmark;
pub mod limits;
mod names;
mod parse;
mod sections;
mod types;

use alloc::vec::Vec;

pub use imports::{Import, imports};
pub use landmark::Landmark;
pub use names::Names;
pub use parse::parse;
pub use types::{FuncType, Ty};

use wasmparser::BinaryReader;

use crate::rejection::{Mode, Rejection};

/// A reference as the machine holds it: 0 is null, `n + 1` is function (or host value) `n`.
pub type Ref = u32;

/// A validated module. Offsets are bytes from the start of the component.
pub struct Module<'a> {
    /// The component's bytes.
    pub bytes: &'a [u8],
    /// Function types by type index.
    pub types: Vec<FuncType>,
    /// Functions by function index.
    pub functions: Vec<Function>,
    /// Tables by table index.
    pub tables: Vec<TableType>,
    /// The memory, if there is one.
    pub memory: Option<MemoryType>,
    /// Globals by global index, with their initial values.
    pub globals: Vec<Global>,
    /// Exports in their order in the module.
    pub exports: Vec<Export<'a>>,
    /// Element segments by index.
    pub elements: Vec<Element>,
    /// Data segments by index.
    pub data: Vec<Data<'a>>,
    /// How many of those there are, if that was said before the code.
    pub data_count: Option<u32>,
}

/// A function: its type and where its body lies.
#[derive(Clone, Copy)]
pub struct Function {
    /// Index of its type.
    pub type_index: u32,
    /// First byte of its body (the locals), 0 while the code section has not been read.
    pub start: u32,
    /// First byte behind its body.
    pub end: u32,
    /// Whether something outside of function bodies refers to it.
    pub declared: bool,
}

/// A table's type.
#[derive(Clone, Copy)]
pub struct TableType {
    /// Its references' type.
    pub ty: Ty,
    /// Entries at the start.
    pub initial: u32,
    /// Entries it may grow to.
    pub maximum: u32,
    /// Offset of its entry in the table section.
    pub offset: u32,
}

/// A memory's type, in pages of 64 KiB.
#[derive(Clone, Copy)]
pub struct MemoryType {
    /// Pages at the start.
    pub initial: u32,
    /// The declared maximum.
    pub maximum: Option<u32>,
}

/// A global.
#[derive(Clone, Copy)]
pub struct Global {
    /// Its type.
    pub ty: Ty,
    /// Whether it can be set.
    pub mutable: bool,
    /// Its initial value's bits.
    pub value: u128,
}

/// What an export names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportKind {
    /// A function.
    Function,
    /// A table.
    Table,
    /// A memory.
    Memory,
    /// A global.
    Global,
}

/// An export.
#[derive(Clone, Copy)]
pub struct Export<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it names.
    pub kind: ExportKind,
    /// Index in that index space.
    pub index: u32,
    /// Offset of its entry in the export section.
    pub offset: u32,
}

/// An element segment.
pub struct Element {
    /// The table and index it is copied to at instantiation; `None` if it is passive or declared.
    pub active: Option<(u32, u32)>,
    /// Its references' type.
    pub ty: Ty,
    /// Whether it is only declared, and so dropped at instantiation.
    pub declared: bool,
    /// Its references.
    pub items: Vec<Ref>,
    /// Offset of the segment.
    pub offset: u32,
}

/// A data segment.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    /// The address it is copied to at instantiation; `None` if it is passive.
    pub active: Option<u32>,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Offset of the segment.
    pub offset: u32,
}

impl<'a> Module<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            types: Vec::new(),
            functions: Vec::new(),
            tables: Vec::new(),
            memory: None,
            globals: Vec::new(),
            exports: Vec::new(),
            elements: Vec::new(),
            data: Vec::new(),
            data_count: None,
        }
    }

    /// A function's body: its locals, then its operators.
    pub fn body(&self, function: u32) -> BinaryReader<'a> {
        let Function { start, end, .. } = self.functions[function as usize];
        BinaryReader::new(&self.bytes[start as usize..end as usize], start.into())
    }

    /// The export of a name.
    pub fn export(&self, name: &str) -> Option<&Export<'a>> {
        self.exports.iter().find(|export| export.name == name)
    }

    /// A function's type.
    pub fn function_type(&self, function: u32) -> &FuncType {
        &self.types[self.functions[function as usize].type_index as usize]
    }
}

/// The rejection of what no version accepts.
#[cold]
pub fn invalid(offset: u32) -> Rejection {
    Rejection::new(Mode::InvalidWasm, offset)
}

impl From<wasmparser::Error> for Rejection {
    /// The rejection of what `wasmparser` cannot read, at the byte that it names.
    #[cold]
    fn from(error: wasmparser::Error) -> Self {
        let mode = if limits::is_limit(&error) { Mode::Limit } else { Mode::InvalidWasm };
        mode.at(error.offset() as u32)
    }
}

/// The same where the name that starts at `offset` may be at fault. One that is not there as a whole is invalid, however large it
/// claims to be, and one that is not UTF-8 is at its first byte that is not, of which `wasmparser` names the last.
#[cold]
fn refused_name(bytes: &[u8], offset: u32, error: wasmparser::Error) -> Rejection {
    let mut reader = BinaryReader::new(&bytes[offset as usize..], offset.into());
    let size = reader.read_var_u32().unwrap_or_default();
    let start = reader.original_position() as u32;
    match reader.read_bytes(size as usize).map(core::str::from_utf8) {
        Ok(Ok(_)) => error.into(),
        Ok(Err(fault)) => invalid(start + fault.valid_up_to() as u32),
        Err(cut_off) => cut_off.into(),
    }
}

/// The rejection of what a later version or a proposal may accept.
#[cold]
pub fn unsupported(offset: u32) -> Rejection {
    Rejection::new(Mode::Unsupported, offset)
}
