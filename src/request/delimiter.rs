//! The delimiter between parts, and the search for it.

const PREFIX: &[u8; 9] = b"\r\n--uuid-";
const LENGTH: usize = PREFIX.len() + 36;

/// Whether these are a canonical UUID in lower case.
pub fn is_uuid(bytes: &[u8; 36]) -> bool {
    bytes.iter().enumerate().all(|(index, byte)| match index {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
    })
}

/// CRLF, `--` and the boundary.
pub(super) struct Delimiter {
    bytes: [u8; LENGTH],
    /// How far the search may move on when its window ends in this byte (Boyer-Moore-Horspool).
    shift: [u8; 256],
}

impl Delimiter {
    /// The delimiter for a UUID; `None` if `uuid` is something else.
    pub(super) fn new(uuid: &[u8; 36]) -> Option<Self> {
        if !is_uuid(uuid) {
            return None;
        }
        let mut bytes = [0; LENGTH];
        bytes[..PREFIX.len()].copy_from_slice(PREFIX);
        bytes[PREFIX.len()..].copy_from_slice(uuid);
        let mut shift = [LENGTH as u8; 256];
        for (index, &byte) in bytes[..LENGTH - 1].iter().enumerate() {
            shift[usize::from(byte)] = (LENGTH - 1 - index) as u8;
        }
        Some(Self { bytes, shift })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the body begins with, where no line comes before.
    pub(super) fn without_line_break(&self) -> &[u8] {
        &self.bytes[2..]
    }

    /// The first place in `body`, at `from` or later, where the delimiter stands and CRLF or `--` follows it.
    ///
    /// Linear: CR is in the delimiter only once, at its start, so no byte is compared with it in two windows.
    pub(super) fn find(&self, body: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(window) = body.get(at..at + LENGTH + 2) {
            let (start, tail) = window.split_at(LENGTH);
            if start[0] == b'\r' && start == self.bytes && matches!(tail, b"\r\n" | b"--") {
                return Some(at);
            }
            at += usize::from(self.shift[usize::from(start[LENGTH - 1])]);
        }
        None
    }
}
