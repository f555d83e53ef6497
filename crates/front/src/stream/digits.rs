//! Decimal numbers, read and written eight digits at a time where speed counts.

/// The beginning of a text that should begin with a number.
pub(crate) enum Leading {
    Number {
        value: u32,
        len: usize,
    },
    /// The digits are there, but they do not fit 32 bits.
    TooLarge {
        len: usize,
    },
    NoDigit,
}

/// The number that the text begins with and its length, if the text goes on for long enough after it
/// and nothing unusual is the matter.
#[inline]
pub(crate) fn quick(text: &[u8]) -> Option<(u32, usize)> {
    let word = u64::from_le_bytes(*text.first_chunk()?);
    // A digit becomes its value; adding 0x76 carries into the top bit of every byte over 9. Bytes
    // after the first such byte may be spoilt by a carry, but only the first one is asked for.
    let values = word ^ 0x3030_3030_3030_3030;
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    let len = others.trailing_zeros() as usize / 8;
    match len {
        0 => None,
        8 => longer(text, eight(values)),
        _ => Some((eight(values << (64 - 8 * len)), len)),
    }
}

/// The value of eight digits, the first of them in the lowest byte.
#[inline]
fn eight(values: u64) -> u32 {
    let pairs = (values.wrapping_mul(10 << 8 | 1) >> 8) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100 << 16 | 1) >> 16) & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(10_000 << 32 | 1) >> 32) as u32
}

/// For numbers of at least eight digits: at most one more, which fits 32 bits for certain.
fn longer(text: &[u8], start: u32) -> Option<(u32, usize)> {
    match (*text.get(8)?, *text.get(9)?) {
        (ninth, tenth) if ninth.is_ascii_digit() => {
            let value = start * 10 + u32::from(ninth - b'0');
            (!tenth.is_ascii_digit()).then_some((value, 9))
        }
        _ => Some((start, 8)),
    }
}

/// Whatever stands there, said precisely.
pub(crate) fn careful(text: &[u8]) -> Leading {
    let len = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if len == 0 {
        return Leading::NoDigit;
    }
    let value = text[..len]
        .iter()
        .try_fold(0u32, |value, digit| value.checked_mul(10)?.checked_add(u32::from(digit - b'0')));
    match value {
        Some(value) => Leading::Number { value, len },
        None => Leading::TooLarge { len },
    }
}

/// Appends a number in decimal.
#[inline]
pub(crate) fn push(out: &mut Vec<u8>, mut number: u32) {
    let mut digits = [0; 10];
    let mut first = digits.len();
    while number >= 100 {
        let pair = number % 100;
        number /= 100;
        first -= 2;
        digits[first] = b'0' + (pair / 10) as u8;
        digits[first + 1] = b'0' + (pair % 10) as u8;
    }
    if number >= 10 {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    first -= 1;
    digits[first] = b'0' + number as u8;
    out.extend_from_slice(&digits[first..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interesting() -> impl Iterator<Item = u32> {
        let powers = (0..10).map(|exponent| 10u32.pow(exponent));
        let near = powers.flat_map(|power| [power - 1, power, power + 1, power.wrapping_mul(7)]);
        near.chain([12_345_678, 123_456_789, 987_654_321, u32::MAX - 1, u32::MAX])
    }

    #[test]
    fn numbers_come_back_as_they_were_written() {
        for number in interesting() {
            let mut text = Vec::new();
            push(&mut text, number);
            assert_eq!(text, number.to_string().as_bytes());
            let len = text.len();
            for tail in [",\"a\",17)\n", ")\n       ", "\u{ff}\u{ff}\u{ff}\u{ff}", ":/:/:/:/:/"] {
                let text = [&text[..], tail.as_bytes()].concat();
                if len <= 9 {
                    assert_eq!(quick(&text), Some((number, len)), "{number}{tail}");
                }
                assert!(
                    matches!(careful(&text), Leading::Number { value, len: l } if (value, l) == (number, len))
                );
            }
        }
    }

    #[test]
    fn what_is_no_number_or_too_large() {
        assert_eq!(quick(b"x1234567"), None);
        assert_eq!(quick(b"1234567"), None, "too near the end");
        assert_eq!(quick(b"4294967296,xxxxxxxxx"), None);
        assert!(matches!(careful(b"4294967296"), Leading::TooLarge { len: 10 }));
        assert!(matches!(careful(b"00000000000000000001"), Leading::Number { value: 1, len: 20 }));
        assert!(matches!(careful(b"-1"), Leading::NoDigit));
        assert!(matches!(careful(b""), Leading::NoDigit));
    }
}
