//! Why something has no formula.

use std::fmt;

/// A result is larger than the representation allows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excess {
    /// A coefficient or a constant.
    Number,
    /// The cases that `div` and `mod` are divided into.
    Cases,
    /// Nothing divides by 0.
    Divisor,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Excess::Number => "a number does not fit 64 bits",
            Excess::Cases => "divisions make too many cases",
            Excess::Divisor => "a divisor is 0",
        })
    }
}

impl std::error::Error for Excess {}
