//! Turns a PNG picture into a BMP picture of 32 bits a pixel.
//!
//! The pixels get there in two ways, which give the same picture: [`by_frame`] decodes them all, then converts them; [`by_rows`]
//! converts each row as soon as it is decoded.

use std::io::{self, Cursor};

use png::{ColorType, Decoder, DecodingError, Limits, Reader, Transformations};

/// Most pixels a side.
pub const MAX_SIDE: u32 = 4096;

/// Most pixels.
pub const MAX_PIXELS: usize = 4 << 20;

/// Bytes of the largest BMP.
pub const MAX_BYTES: usize = HEADER_BYTES + MAX_PIXELS * PIXEL_BYTES;

/// How many modes share an offset in [`Rejection::pack`].
pub const MODES_PER_OFFSET: u32 = 4;

const HEADER_BYTES: usize = 54;
const PIXEL_BYTES: usize = 4;

/// Bytes that the decoder may take for chunks.
const CHUNK_BYTES: usize = 1 << 20;

/// Why a picture is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It is damaged, or no PNG.
    Damaged = 0,
    /// It ends early.
    Short = 1,
    /// It has more pixels, or larger chunks, than are taken.
    Large = 2,
}

/// A rejected picture: the cause, and how many bytes had been taken until then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejection {
    /// The cause.
    pub mode: Mode,
    /// A byte of the PNG, or its end.
    pub offset: u32,
}

impl Rejection {
    fn new(error: &DecodingError, offset: u64) -> Self {
        let mode = match error {
            DecodingError::IoError(error) if error.kind() == io::ErrorKind::UnexpectedEof => Mode::Short,
            DecodingError::LimitsExceeded => Mode::Large,
            _ => Mode::Damaged,
        };
        Self { mode, offset: offset as u32 }
    }

    /// Offset and mode in one number.
    pub fn pack(self) -> u32 {
        self.offset * MODES_PER_OFFSET + self.mode as u32
    }
}

/// A PNG that is being read.
pub type Source<'a, 'b> = Reader<&'a mut Cursor<&'b [u8]>>;

/// A way for the pixels to get into the rows of the BMP, which come from the top.
pub type Pixels = fn(&mut Source, &mut dyn Iterator<Item = &mut [u8]>) -> Result<(), DecodingError>;

/// The picture as a BMP.
pub fn bmp(png: &[u8], pixels: Pixels) -> Result<Vec<u8>, Rejection> {
    let mut input = Cursor::new(png);
    convert(&mut input, pixels).map_err(|error| Rejection::new(&error, input.position()))
}

fn convert(input: &mut Cursor<&[u8]>, pixels: Pixels) -> Result<Vec<u8>, DecodingError> {
    let mut decoder = Decoder::new_with_limits(input, Limits { bytes: CHUNK_BYTES });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    // Eight bits a sample, and always alpha: two samples a pixel where the picture is grey, else four.
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let (width, height) = decoder.read_header_info()?.size();
    if width > MAX_SIDE || height > MAX_SIDE || width as usize * height as usize > MAX_PIXELS {
        return Err(DecodingError::LimitsExceeded);
    }
    let mut source = decoder.read_info()?;
    let line = width as usize * PIXEL_BYTES;
    let mut bmp = header(width, height);
    bmp.resize(HEADER_BYTES + line * height as usize, 0);
    // A BMP starts with its lowest row.
    pixels(&mut source, &mut bmp[HEADER_BYTES..].chunks_exact_mut(line).rev())?;
    source.finish()?;
    Ok(bmp)
}

/// The header of the form that every program reads: one plane, 32 bits a pixel, not compressed.
fn header(width: u32, height: u32) -> Vec<u8> {
    let size = HEADER_BYTES + width as usize * height as usize * PIXEL_BYTES;
    let mut bmp = Vec::with_capacity(size);
    bmp.extend(b"BM");
    let fields = [size as u32, 0, HEADER_BYTES as u32, 40, width, height, 32 << 16 | 1];
    bmp.extend(fields.iter().flat_map(|field| field.to_le_bytes()));
    bmp.resize(HEADER_BYTES, 0);
    bmp
}

/// Decodes the whole picture, then converts it.
pub fn by_frame(source: &mut Source, rows: &mut dyn Iterator<Item = &mut [u8]>) -> Result<(), DecodingError> {
    let mut frame = vec![0; source.output_buffer_size().ok_or(DecodingError::LimitsExceeded)?];
    let line = source.next_frame(&mut frame)?.line_size;
    let color = source.output_color_type().0;
    frame.chunks_exact(line).zip(rows).for_each(|(row, bmp)| convert_row(color, row, bmp));
    Ok(())
}

/// Converts each row as soon as it is decoded. Where rows are interlaced, they are complete only at the end.
pub fn by_rows(source: &mut Source, rows: &mut dyn Iterator<Item = &mut [u8]>) -> Result<(), DecodingError> {
    if source.info().interlaced {
        return by_frame(source, rows);
    }
    let color = source.output_color_type().0;
    for bmp in rows {
        let Some(row) = source.next_row()? else { break };
        convert_row(color, row.data(), bmp);
    }
    Ok(())
}

/// Writes the pixels of a row as blue, green, red and alpha.
fn convert_row(color: ColorType, row: &[u8], bmp: &mut [u8]) {
    let bmp = bmp.as_chunks_mut().0;
    match color {
        ColorType::GrayscaleAlpha => {
            row.as_chunks().0.iter().zip(bmp).for_each(|(&[grey, alpha], pixel)| *pixel = [grey, grey, grey, alpha]);
        }
        _ => row.as_chunks().0.iter().zip(bmp).for_each(|(&[r, g, b, a], pixel)| *pixel = [b, g, r, a]),
    }
}
