//! Parsers of flag values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::time::Duration;
use tertium::{Logic, Options, ProcessEquivalence};

/// A formula given on the command line.
pub(crate) type Question = (Logic, String);

/// `--method`.
pub fn method() -> impl TypedValueParser<Value = String> {
    let possible = |method: &tertium::Method| PossibleValue::new(method.name).help(method.about);
    PossibleValuesParser::new(Options::methods().iter().map(possible))
}

/// `--equivalence` of `minimise`.
pub fn equivalence() -> impl TypedValueParser<Value = ProcessEquivalence> {
    let names = ProcessEquivalence::ALL.map(ProcessEquivalence::name);
    PossibleValuesParser::new(names)
        .try_map(|name| ProcessEquivalence::named(&name).ok_or("there is no such equivalence"))
}

/// `--timeout`.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().map(Duration::try_from_secs_f64);
    seconds.and_then(Result::ok).ok_or("expected a number of seconds, as in 2.5".to_owned())
}

/// `--memory`.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..]
        .to_ascii_uppercase()
        .trim_end_matches("IB")
        .trim_end_matches('B')
    {
        "" => 1u64,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err("expected a number of bytes, as in 1000000, 500M or 2G".to_owned()),
    };
    let number: u64 =
        digits.parse().map_err(|_| "expected a number of bytes, as in 1000000, 500M or 2G")?;
    match number.checked_mul(unit) {
        Some(0) => Err("the limit must be at least 1 byte".to_owned()),
        Some(bytes) => Ok(bytes),
        None => Err("that is more than 2^64 bytes".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let good = [
            ("1", 1),
            ("12K", 12 << 10),
            ("500M", 500 << 20),
            ("2g", 2 << 30),
            ("3GiB", 3 << 30),
            ("1TB", 1 << 40),
        ];
        for (text, value) in good {
            assert_eq!(bytes(text), Ok(value), "{text}");
        }
        for text in ["", "M", "0", "-1", "1.5G", "12X", "12 M", "99999999999G", "1MM", "é"] {
            assert!(bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["", "x", "-1", "nan", "inf", "1e400", "1e30"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
