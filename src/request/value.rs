//! Values of uniforms, as raw bits of the setter's parameter (docs/spec.md §2).
//!
//! Each function reads the whole text and returns `None` where it is not a value of the type.

/// An i32: unsigned decimal, or hexadecimal after `0x`, up to 2^32 - 1.
pub fn i32(text: &[u8]) -> Option<u32> {
    let number = match text.strip_prefix(b"0x") {
        Some(hex) => digits(hex, 16),
        None => digits(text, 10),
    };
    number?.try_into().ok()
}

/// An i64: decimal with an optional sign, or its 64 bits in hexadecimal after `0x`.
pub fn i64(text: &[u8]) -> Option<u64> {
    if let Some(hex) = text.strip_prefix(b"0x") {
        return digits(hex, 16);
    }
    let number = match text {
        [b'-', magnitude @ ..] => 0i64.checked_sub_unsigned(digits(magnitude, 10)?),
        [b'+', magnitude @ ..] | magnitude => digits(magnitude, 10)?.try_into().ok(),
    };
    number.map(i64::cast_unsigned)
}

/// An f32: a decimal that `FromStr` reads as a finite number.
pub fn f32(text: &[u8]) -> Option<u32> {
    let number: f32 = core::str::from_utf8(text).ok()?.parse().ok()?;
    number.is_finite().then_some(number.to_bits())
}

/// An f64: a decimal that `FromStr` reads as a finite number.
pub fn f64(text: &[u8]) -> Option<u64> {
    let number: f64 = core::str::from_utf8(text).ok()?.parse().ok()?;
    number.is_finite().then_some(number.to_bits())
}

/// At least one digit of the radix and nothing else, below 2^64.
fn digits(text: &[u8], radix: u32) -> Option<u64> {
    let number = text.iter().try_fold(0u64, |number, &byte| {
        let digit = char::from(byte).to_digit(radix)?;
        number.checked_mul(radix.into())?.checked_add(digit.into())
    });
    number.filter(|_| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_i32() {
        let table: &[(&str, u32)] = &[
            ("0", 0),
            ("7", 7),
            ("0042", 42),
            ("4294967295", u32::MAX),
            ("0x0", 0),
            ("0xff", 255),
            ("0xDeadBeef", 0xdead_beef),
            ("0x000000000000000000001", 1),
            ("00000000000000000000001", 1),
        ];
        for &(text, value) in table {
            assert_eq!(i32(text.as_bytes()), Some(value), "{text:?}");
        }
        for text in [
            "",
            "0x",
            "-1",
            "+1",
            "-0x1",
            "+0x1",
            "0X1",
            "4294967296",
            "0x100000000",
            "18446744073709551616",
            " 1",
            "1 ",
            "1\n",
            "1_0",
            "0xg",
            "a",
            "1.0",
            "1e3",
            "٣",
            "--1",
        ] {
            assert_eq!(i32(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(i32(b"\xff"), None);
    }

    #[test]
    fn reads_i64() {
        let table: &[(&str, i64)] = &[
            ("0", 0),
            ("-0", 0),
            ("+12", 12),
            ("-12", -12),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("0xffffffffffffffff", -1),
            ("0x8000000000000000", i64::MIN),
            ("0x0F", 15),
        ];
        for &(text, value) in table {
            assert_eq!(i64(text.as_bytes()), Some(value as u64), "{text:?}");
        }
        for text in [
            "",
            "-",
            "+",
            "0x",
            "-0x1",
            "+0x1",
            "0X1",
            "+-1",
            "--1",
            "9223372036854775808",
            "-9223372036854775809",
            "0x10000000000000000",
            "18446744073709551616",
            " 1",
            "1 ",
            "1.0",
        ] {
            assert_eq!(i64(text.as_bytes()), None, "{text:?}");
        }
    }

    #[test]
    fn reads_floats() {
        let table: &[(&str, f64)] = &[
            ("0", 0.0),
            ("-0", -0.0),
            ("1.5", 1.5),
            ("+2", 2.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e3", 1000.0),
            ("1E-3", 0.001),
            ("1e-999", 0.0),
            ("3.4028235e38", 3.402_823_5e38),
        ];
        for &(text, value) in table {
            assert_eq!(f64(text.as_bytes()), Some(value.to_bits()), "{text:?}");
            assert_eq!(f32(text.as_bytes()), Some((value as f32).to_bits()), "{text:?}");
        }
        for text in ["", ".", "e1", "inf", "-inf", "Infinity", "nan", "-NaN", "1e999", "0x1", "1f", " 1", "1 ", "1,0"] {
            assert_eq!(f64(text.as_bytes()), None, "{text:?}");
            assert_eq!(f32(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(f32(b"3.5e38"), None);
        assert_eq!(f64(b"3.5e38"), Some(3.5e38f64.to_bits()));
        assert_eq!(f64(b"1\xff"), None);
    }

    /// A decimal is rounded once, to the type asked for: through an f64 this one would come out one unit lower.
    #[test]
    fn rounds_f32_once() {
        assert_eq!(f32(b"1.00000005960464477539062500001"), Some(0x3f80_0001));
    }
}
