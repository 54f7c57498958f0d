//! UTF-8 validation of text that comes in pieces.

/// The text is not UTF-8.
#[derive(Debug)]
pub struct Invalid;

/// Validates pieces of a text; a character may lie across two pieces.
pub struct Validator {
    /// The start of a character whose rest is in the next piece.
    pending: [u8; 4],
    len: usize,
}

impl Validator {
    /// A validator that has seen nothing.
    pub fn new() -> Self {
        Self { pending: [0; 4], len: 0 }
    }

    /// Takes the next piece.
    pub fn feed(&mut self, mut piece: &[u8]) -> Result<(), Invalid> {
        while self.len > 0 && !piece.is_empty() {
            self.pending[self.len] = piece[0];
            self.len += 1;
            piece = &piece[1..];
            match core::str::from_utf8(&self.pending[..self.len]) {
                Ok(_) => self.len = 0,
                // A character has at most 4 bytes, so an incomplete one leaves room for the next.
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return Err(Invalid),
            }
        }
        match core::str::from_utf8(piece) {
            Ok(_) => Ok(()),
            Err(error) if error.error_len().is_none() => {
                let rest = &piece[error.valid_up_to()..];
                self.pending[..rest.len()].copy_from_slice(rest);
                self.len = rest.len();
                Ok(())
            }
            Err(_) => Err(Invalid),
        }
    }

    /// Bytes of a character that has begun.
    pub fn pending(&self) -> usize {
        self.len
    }

    /// Ends the text.
    pub fn finish(self) -> Result<(), Invalid> {
        if self.len == 0 { Ok(()) } else { Err(Invalid) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_whole_text_however_it_is_cut() {
        let texts: [&[u8]; 8] = [
            "aé€😀z".as_bytes(),
            b"",
            b"plain",
            b"\xff",
            b"a\xe2\x82",
            b"\xf0\x9f\x98\x80\xf0\x9f\x98",
            b"\xe2\x28\xa1",
            b"\xed\xa0\x80",
        ];
        for text in texts {
            for first in 0..=text.len() {
                for second in first..=text.len() {
                    let mut validator = Validator::new();
                    let pieces = [&text[..first], &text[first..second], &text[second..]];
                    let fed = pieces.iter().try_for_each(|piece| validator.feed(piece));
                    let valid = fed.and_then(|()| validator.finish()).is_ok();
                    assert_eq!(valid, core::str::from_utf8(text).is_ok(), "{text:?} at {first}, {second}");
                }
            }
        }
    }
}
