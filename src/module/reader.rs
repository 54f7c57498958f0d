//! Reads the values that the binary format is made of (spec 5.2). An error is a rejection and allocates nothing.

use super::invalid;
use crate::rejection::Rejection;

/// Bytes of a component, and where they are in it. What cannot be read is rejected with `InvalidWasm`: where there are too few
/// bytes, at the first that is to be read.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    left: &'a [u8],
    offset: u32,
}

impl<'a> Reader<'a> {
    /// A reader of bytes of which the first is at `offset` of the component.
    pub fn new(bytes: &'a [u8], offset: u32) -> Self {
        Self { left: bytes, offset }
    }

    /// The offset of the next byte.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// How many bytes there are.
    pub fn left(&self) -> usize {
        self.left.len()
    }

    /// Whether there are none.
    pub fn is_at_end(&self) -> bool {
        self.left.is_empty()
    }

    /// Rejects bytes that are left.
    pub fn end(&self) -> Result<(), Rejection> {
        if self.is_at_end() { Ok(()) } else { Err(invalid(self.offset)) }
    }

    /// Reads a byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Rejection> {
        let (&byte, left) = self.left.split_first().ok_or_else(|| invalid(self.offset))?;
        self.left = left;
        self.offset += 1;
        Ok(byte)
    }

    /// Reads so many bytes.
    pub fn bytes(&mut self, count: u32) -> Result<&'a [u8], Rejection> {
        let (bytes, left) = self.left.split_at_checked(count as usize).ok_or_else(|| invalid(self.offset))?;
        self.left = left;
        self.offset += count;
        Ok(bytes)
    }

    /// The same, for a reader of their own.
    pub fn part(&mut self, count: u32) -> Result<Reader<'a>, Rejection> {
        let offset = self.offset;
        Ok(Self::new(self.bytes(count)?, offset))
    }

    /// Reads a number of fixed width, or a vector, as its bytes.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Rejection> {
        let bytes = self.bytes(N as u32)?;
        Ok(bytes.try_into().expect("as many as were asked for"))
    }

    /// Reads a name.
    pub fn name(&mut self) -> Result<&'a str, Rejection> {
        let size = self.number()?;
        let start = self.offset;
        let invalid_at = |error: core::str::Utf8Error| invalid(start + error.valid_up_to() as u32);
        core::str::from_utf8(self.bytes(size)?).map_err(invalid_at)
    }

    /// Reads a `u32`: an index, a size or a count.
    #[inline]
    pub fn number(&mut self) -> Result<u32, Rejection> {
        match self.left {
            [byte @ 0..0x80, left @ ..] => {
                self.left = left;
                self.offset += 1;
                Ok((*byte).into())
            }
            _ => self.unsigned(),
        }
    }

    fn unsigned(&mut self) -> Result<u32, Rejection> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let at = self.offset;
            let byte = self.byte()?;
            let bits = u32::BITS - shift;
            // The last byte there may be has fewer bits than seven.
            if bits < 7 && byte >> bits != 0 {
                return Err(invalid(at));
            }
            value |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
    }

    /// Reads a signed number of so many bits, 32, 33 or 64.
    pub fn signed(&mut self, bits: u32) -> Result<i64, Rejection> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let at = self.offset;
            let byte = self.byte()?;
            // In the last byte there may be, bits beyond the number's repeat its sign.
            let unused = (((byte << 1) as i8) >> (bits - shift).min(7)) as u8;
            if bits - shift < 7 && (byte & 0x80 != 0 || ![0, 0xff].contains(&unused)) {
                return Err(invalid(at));
            }
            value |= i64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                let above = i64::BITS - shift.min(i64::BITS);
                return Ok(value << above >> above);
            }
        }
    }
}
