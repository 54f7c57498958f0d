//! What a component imports, for people to read. The component need not be valid.

use wasmparser::{BinaryReader, Parser, Payload};

/// An import's two names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Import<'a> {
    /// The module that it is from.
    pub module: &'a str,
    /// Its name there.
    pub name: &'a str,
}

/// The imports of a component, as far as they can be read.
pub fn imports(component: &[u8]) -> impl Iterator<Item = Import<'_>> {
    let sections = Parser::new(0).parse_all(component).map_while(Result::ok).filter_map(|payload| match payload {
        Payload::ImportSection(section) => Some((section.count(), section.original_position(), section.range().end)),
        _ => None,
    });
    sections.flat_map(|(count, start, end)| {
        let mut reader = BinaryReader::new(&component[start as usize..end as usize], start);
        (0..count).map_while(move |_| read(&mut reader).ok())
    })
}

fn read<'a>(reader: &mut BinaryReader<'a>) -> wasmparser::Result<Import<'a>> {
    let import = Import { module: reader.read_string()?, name: reader.read_string()? };
    match reader.read_u8()? {
        0x01 => {
            ty(reader)?;
            limits(reader)?;
        }
        0x02 => limits(reader)?,
        0x03 => {
            ty(reader)?;
            reader.read_u8()?;
        }
        0x04 => {
            reader.read_u8()?;
            reader.read_var_u32()?;
        }
        _ => {
            reader.read_var_u32()?;
        }
    }
    Ok(import)
}

/// Passes over a value type.
fn ty(reader: &mut BinaryReader<'_>) -> wasmparser::Result<()> {
    if matches!(reader.read_u8()?, 0x63 | 0x64) {
        reader.read_var_s33()?;
    }
    Ok(())
}

/// Passes over limits, those of later versions too.
fn limits(reader: &mut BinaryReader<'_>) -> wasmparser::Result<()> {
    const MAXIMUM: u8 = 0x01;
    const PAGE_SIZE: u8 = 0x08;
    let flags = reader.read_u8()?;
    for flag in [0, MAXIMUM, PAGE_SIZE] {
        if flags & flag == flag {
            reader.read_var_u64()?;
        }
    }
    Ok(())
}
