//! Pictures of every kind, written here without compression, and the pixels they must have.

use png_to_bmp::{MAX_SIDE, Mode, Pixels, Rejection, bmp, by_frame, by_rows};

const WAYS: [Pixels; 2] = [by_frame, by_rows];

const GREY: u8 = 0;
const RGB: u8 = 2;
const PALETTE: u8 = 3;
const GREY_ALPHA: u8 = 4;
const RGBA: u8 = 6;

/// The first pixel of each pass, and the steps to the next ones, across and down.
const ADAM7: [[usize; 4]; 7] =
    [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [0, 1, 1, 2]];

#[derive(Clone, Copy, Debug)]
struct Kind {
    width: usize,
    height: usize,
    depth: u8,
    color: u8,
    interlaced: bool,
}

impl Kind {
    fn samples(&self) -> usize {
        [1, 0, 3, 1, 2, 0, 4][usize::from(self.color)]
    }

    /// What stands in the PNG for a pixel.
    fn sample(&self, x: usize, y: usize, index: usize) -> u32 {
        ((x * 37 + y * 91 + index * 59) as u32 * 257) & ((1 << self.depth) - 1)
    }

    /// Blue, green, red and alpha.
    fn pixel(&self, x: usize, y: usize) -> [u8; 4] {
        let eight_bits = |index| match self.depth {
            16 => (self.sample(x, y, index) >> 8) as u8,
            depth => (self.sample(x, y, index) * 255 / ((1 << depth) - 1)) as u8,
        };
        match self.color {
            GREY => [eight_bits(0), eight_bits(0), eight_bits(0), 255],
            RGB => [eight_bits(2), eight_bits(1), eight_bits(0), 255],
            PALETTE => {
                let [r, g, b] = palette(self.sample(x, y, 0) as u8);
                [b, g, r, 255]
            }
            GREY_ALPHA => [eight_bits(0), eight_bits(0), eight_bits(0), eight_bits(1)],
            _ => [eight_bits(2), eight_bits(1), eight_bits(0), eight_bits(3)],
        }
    }

    fn png(&self) -> Vec<u8> {
        let Kind { width, height, depth, color, interlaced } = *self;
        let size = [width as u32, height as u32].map(u32::to_be_bytes).concat();
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        png.extend(chunk(b"IHDR", &[&size[..], &[depth, color, 0, 0, interlaced.into()]].concat()));
        if color == PALETTE {
            let entries: Vec<u8> = (0..1u32 << depth).flat_map(|entry| palette(entry as u8)).collect();
            png.extend(chunk(b"PLTE", &entries));
        }
        png.extend(chunk(b"IDAT", &stored(&self.lines())));
        png.extend(chunk(b"IEND", b""));
        png
    }

    /// The lines of all passes, each behind a zero: it is not filtered.
    fn lines(&self) -> Vec<u8> {
        let passes: &[[usize; 4]] = if self.interlaced { &ADAM7 } else { &[[0, 0, 1, 1]] };
        let mut lines = Vec::new();
        for &[left, top, across, down] in passes.iter().filter(|pass| pass[0] < self.width) {
            for y in (top..self.height).step_by(down) {
                let xs = (left..self.width).step_by(across);
                let samples = xs.flat_map(|x| (0..self.samples()).map(move |index| self.sample(x, y, index)));
                let bits: Vec<u8> = samples
                    .flat_map(|sample| (0..self.depth).rev().map(move |bit| (sample >> bit) as u8 & 1))
                    .collect();
                lines.push(0);
                lines.extend(bits.chunks(8).map(|bits| {
                    let byte = bits.iter().fold(0, |byte, bit| byte << 1 | bit);
                    byte << (8 - bits.len())
                }));
            }
        }
        lines
    }

    fn bmp(&self) -> Vec<u8> {
        let Kind { width, height, .. } = *self;
        let fields = [54 + width * height * 4, 0, 54, 40, width, height, 0x20_0001, 0, 0, 0, 0, 0, 0];
        let header = fields.iter().flat_map(|&field| (field as u32).to_le_bytes());
        let rows = (0..height).rev().flat_map(|y| (0..width).flat_map(move |x| self.pixel(x, y)));
        b"BM".iter().copied().chain(header).chain(rows).collect()
    }
}

fn palette(entry: u8) -> [u8; 3] {
    [entry, 255 - entry, entry ^ 0x55]
}

fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [&name[..], data].concat();
    let crc = !named.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 })
    });
    [&(data.len() as u32).to_be_bytes()[..], &named, &crc.to_be_bytes()].concat()
}

/// A zlib stream of blocks that are not compressed.
fn stored(data: &[u8]) -> Vec<u8> {
    let mut zlib = vec![0x78, 0x01];
    let blocks = data.chunks(0xffff);
    let last = blocks.len() - 1;
    for (index, block) in blocks.enumerate() {
        let size = block.len() as u16;
        zlib.push((index == last).into());
        zlib.extend([size, !size].map(u16::to_le_bytes).concat());
        zlib.extend(block);
    }
    let (a, b) = data.iter().fold((1, 0), |(a, b), &byte| {
        let a = (a + u32::from(byte)) % 65521;
        (a, (b + a) % 65521)
    });
    zlib.extend((b << 16 | a).to_be_bytes());
    zlib
}

fn kinds() -> impl Iterator<Item = Kind> {
    let depths: [(u8, &[u8]); 5] = [
        (GREY, &[1, 2, 4, 8, 16]),
        (RGB, &[8, 16]),
        (PALETTE, &[1, 2, 4, 8]),
        (GREY_ALPHA, &[8, 16]),
        (RGBA, &[8, 16]),
    ];
    let kinds = depths.into_iter().flat_map(|(color, depths)| depths.iter().map(move |&depth| (color, depth)));
    kinds.flat_map(|(color, depth)| {
        [(1, 1), (3, 2), (17, 9), (64, 40)].into_iter().flat_map(move |(width, height)| {
            [false, true].map(|interlaced| Kind { width, height, depth, color, interlaced })
        })
    })
}

#[test]
fn every_kind_of_picture_has_its_pixels() {
    assert_eq!(kinds().count(), 15 * 4 * 2);
    for kind in kinds() {
        for way in WAYS {
            assert!(bmp(&kind.png(), way) == Ok(kind.bmp()), "{kind:?}");
        }
    }
}

const SMALL: Kind = Kind { width: 5, height: 3, depth: 8, color: RGB, interlaced: false };

#[test]
fn what_is_cut_off_is_short() {
    for kind in [SMALL, Kind { interlaced: true, ..SMALL }] {
        let png = kind.png();
        for size in 0..png.len() {
            for way in WAYS {
                let rejection = bmp(&png[..size], way).expect_err("it is not whole");
                assert_eq!(rejection.mode, Mode::Short, "{size} bytes of {}", png.len());
                assert!(rejection.offset as usize <= size);
            }
        }
    }
}

#[test]
fn damage_is_found_where_it_is() {
    let png = SMALL.png();
    let place = |name: &[u8]| png.windows(4).position(|bytes| bytes == name).unwrap();
    let (header, data, end) = (place(b"IHDR"), place(b"IDAT"), place(b"IEND"));
    for (at, offset) in [
        // The signature, the header's compression and its checksum.
        (0, 0),
        (header + 14, header + 4),
        (header + 17, header + 4),
        // The first block, the filter of the first row, the checksum of the data.
        (data + 6, data + 4),
        (data + 11, end - 8),
        (end - 5, end - 8),
    ] {
        let mut damaged = png.clone();
        damaged[at] ^= 6;
        for way in WAYS {
            assert_eq!(bmp(&damaged, way), Err(Rejection { mode: Mode::Damaged, offset: offset as u32 }), "byte {at}");
        }
    }
}

/// Whatever is damaged, both ways say the same, and name a byte of the picture where they reject it.
#[test]
fn damaged_pictures_are_converted_or_rejected() {
    let pictures = [SMALL, Kind { color: PALETTE, depth: 2, interlaced: true, ..SMALL }].map(|kind| kind.png());
    let example = include_bytes!("../squares.png").to_vec();
    let mut rejected = 0;
    for (png, step) in pictures.into_iter().map(|png| (png, 1)).chain([(example, 23)]) {
        for at in (0..png.len()).step_by(step) {
            for damage in [1, 0x80, 0xff] {
                let mut damaged = png.clone();
                damaged[at] ^= damage;
                let [frame, rows] = WAYS.map(|way| bmp(&damaged, way));
                assert!(frame == rows, "byte {at} ^ {damage}");
                if let Err(rejection) = rows {
                    assert!(rejection.offset as usize <= png.len());
                    rejected += 1;
                }
            }
        }
    }
    assert!(rejected > 500, "{rejected}");
}

/// Of an animation the first picture is taken, also where that is said to be smaller than the whole, which it must not be.
#[test]
fn an_animation_is_its_first_picture() {
    let png = SMALL.png();
    let (before, after) = png.split_at(33);
    let frame = |number: u32, width: u32, height: u32| {
        let fields = [number, width, height, 0, 0].map(u32::to_be_bytes).concat();
        chunk(b"fcTL", &[&fields[..], &[0; 6]].concat())
    };
    let (data, end) = after.split_at(after.len() - 12);
    let second = chunk(b"fdAT", &[&2u32.to_be_bytes()[..], &stored(&SMALL.lines())].concat());
    let animation = |width, height| {
        let control = chunk(b"acTL", &[2, 0].map(u32::to_be_bytes).concat());
        [before, &control, &frame(0, width, height), data, &frame(1, 5, 3), &second, end].concat()
    };
    for way in WAYS {
        assert_eq!(bmp(&animation(5, 3), way), Ok(SMALL.bmp()));
    }
    for (width, height) in [(4, 3), (5, 2), (1, 1), (6, 3), (0, 0)] {
        let [frame, rows] = WAYS.map(|way| bmp(&animation(width, height), way));
        assert_eq!(frame, rows, "{width} {height}");
    }
}

#[test]
fn what_is_too_large_is_said_to_be() {
    let side = MAX_SIDE as usize;
    let size = |width, height| Kind { width, height, depth: 1, color: GREY, interlaced: false };
    assert_eq!(bmp(&size(side, 1024).png(), by_rows).map(|bmp| bmp.len()), Ok(png_to_bmp::MAX_BYTES));
    let large = Err(Rejection { mode: Mode::Large, offset: 33 });
    for (width, height) in [(side + 1, 1), (1, side + 1), (2049, 2048)] {
        assert_eq!(bmp(&size(width, height).png(), by_rows), large, "{width} {height}");
    }
    let png = SMALL.png();
    let with = |name, bytes| [&png[..33], &chunk(name, &vec![0; bytes]), &png[33..]].concat();
    assert_eq!(bmp(&with(b"eXIf", 2 << 20), by_rows).map_err(|rejection| rejection.mode), Err(Mode::Large));
    // Text is skipped, however long it is.
    assert_eq!(bmp(&with(b"tEXt", 2 << 20), by_rows), Ok(SMALL.bmp()));
}
