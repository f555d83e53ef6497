//! Constants of word types.

/// Why a constant is not one: there are no such words here.
pub(super) const TOO_WIDE: &str = "words have 1 to 64 bits";

/// The sign, the width and the value of a constant such as `0ud8_255`.
pub(super) fn constant(text: &str) -> Result<(bool, u8, i64), &'static str> {
    let rest = &text[1..];
    let (signed, rest) = match rest.as_bytes().first() {
        Some(b's' | b'S') => (true, &rest[1..]),
        Some(b'u' | b'U') => (false, &rest[1..]),
        _ => (false, rest),
    };
    let (letter, rest) = rest.split_at(1);
    let (radix, bits) = match letter {
        "b" | "B" => (2, 1),
        "o" | "O" => (8, 3),
        "h" | "H" => (16, 4),
        _ => (10, 0),
    };
    let (width, digits) = rest.split_once('_').ok_or("the digits are missing")?;
    let digits: String = digits.chars().filter(|&c| c != '_').collect();
    let width: u32 = match width {
        "" if radix == 10 => return Err("a decimal word needs its width"),
        "" => bits * digits.len() as u32,
        _ => width.parse().map_err(|_| "the width is too large")?,
    };
    match width {
        0 => return Err("a word has at least one bit"),
        1..=64 => {}
        _ => return Err(TOO_WIDE),
    }
    let value = u64::from_str_radix(&digits, radix).map_err(|_| "a digit does not fit the base")?;
    if width < 64 && value >> width != 0 {
        return Err("the value does not fit the width");
    }
    let ty = transition::Type::Word { signed, width: width as u8 };
    Ok((signed, width as u8, transition::cast(ty, value as i64)))
}

#[cfg(test)]
mod tests {
    use super::constant;

    #[test]
    fn constants() {
        for (text, wanted) in [
            ("0ud8_255", (false, 8, 255)),
            ("0sd3_5", (true, 3, -3)),
            ("0b_1010", (false, 4, 10)),
            ("0b5_1010", (false, 5, 10)),
            ("0h16_aB_cd", (false, 16, 0xabcd)),
            ("0so6_17", (true, 6, 15)),
            ("0ud64_18446744073709551615", (false, 64, -1)),
        ] {
            assert_eq!(constant(text), Ok(wanted), "{text}");
        }
        for wrong in ["0d_5", "0b65_1", "0b2_111", "0o3_9", "0b0_0", "0ud8_"] {
            assert!(constant(wrong).is_err(), "{wrong}");
        }
    }
}
