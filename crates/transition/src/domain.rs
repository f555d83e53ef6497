//! Finite domains of variables.

use crate::expr::{LARGEST, Type};
use support::{Interner, define_id};

define_id!(
    /// A symbolic constant such as `idle`.
    SymbolId,
    "y"
);

/// Values are 64-bit numbers all over this crate. Those of symbolic constants begin here, beyond every
/// integer that an expression can have, so that equality is equality of numbers even where a type has
/// both.
pub const FIRST_SYMBOL: i64 = 1 << 62;

pub fn symbol_value(symbol: SymbolId) -> i64 {
    FIRST_SYMBOL + i64::from(symbol.0)
}

/// A finite set of values, in the order of their numbers from 0.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    Bool,
    /// All integers from the first to the second.
    Range(i64, i64),
    /// Integers and symbolic constants, no two alike.
    Values(Vec<i64>),
    /// A vector of bits. It is a domain of its own and no range, because an engine that works with bits
    /// should have these bits and no others, and because 2⁶⁴ values have no list.
    Word {
        signed: bool,
        width: u8,
    },
}

impl Domain {
    /// All integers, in systems that are not stepped through: the SMV reader makes such a system first, and a program
    /// over integers of it.
    pub const INTEGERS: Domain = Domain::Range(-LARGEST - 1, LARGEST + 1);

    /// How many values there are.
    pub fn size(&self) -> u128 {
        match self {
            Domain::Bool => 2,
            Domain::Range(low, high) => (i128::from(*high) - i128::from(*low) + 1) as u128,
            Domain::Values(values) => values.len() as u128,
            Domain::Word { width, .. } => 1 << width,
        }
    }

    /// How many bits a number of a value takes.
    pub fn bits(&self) -> u32 {
        let largest = self.size() - 1;
        128 - largest.leading_zeros()
    }

    /// The value with this number.
    pub fn value(&self, number: u64) -> i64 {
        match self {
            Domain::Bool => number as i64,
            Domain::Range(low, _) => low.wrapping_add(number as i64),
            Domain::Values(values) => values[number as usize],
            Domain::Word { .. } => crate::cast(self.ty(), number as i64),
        }
    }

    /// The number of a value, if it is one of them.
    pub fn number(&self, value: i64) -> Option<u64> {
        match self {
            Domain::Bool => (value == 0 || value == 1).then_some(value as u64),
            Domain::Range(low, high) => {
                (*low..=*high).contains(&value).then(|| value.wrapping_sub(*low) as u64)
            }
            Domain::Values(values) => {
                // Constants that were declared together have numbers that follow each other.
                let first = values.first()?;
                let guess = value.wrapping_sub(*first) as usize;
                let is_there = values.get(guess) == Some(&value);
                let found =
                    if is_there { Some(guess) } else { values.iter().position(|&v| v == value) };
                found.map(|number| number as u64)
            }
            Domain::Word { width, .. } => Some(value as u64 & low_bits(*width)),
        }
    }

    pub fn contains(&self, value: i64) -> bool {
        self.number(value).is_some()
    }

    /// The type of a variable of this domain.
    pub fn ty(&self) -> Type {
        match self {
            Domain::Bool => Type::Bool,
            Domain::Range(low, high) => Type::Int { low: *low, high: *high },
            Domain::Word { signed, width } => Type::Word { signed: *signed, width: *width },
            Domain::Values(values) => {
                let low = values.iter().copied().min().unwrap_or(0);
                let high = values.iter().copied().max().unwrap_or(0);
                if high >= FIRST_SYMBOL { Type::Scalar } else { Type::Int { low, high } }
            }
        }
    }

    /// A value as it is written in SMV.
    pub fn text(&self, value: i64, symbols: &Interner<SymbolId>) -> String {
        match self {
            Domain::Bool => if value == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Domain::Word { signed: false, width } => format!("0ud{width}_{}", value as u64),
            Domain::Word { signed: true, width } => {
                let sign = if value < 0 { "-" } else { "" };
                format!("{sign}0sd{width}_{}", value.unsigned_abs())
            }
            Domain::Range(..) | Domain::Values(_) if value < FIRST_SYMBOL => value.to_string(),
            Domain::Range(..) | Domain::Values(_) => {
                symbols.name(SymbolId((value - FIRST_SYMBOL) as u32)).to_owned()
            }
        }
    }

    /// The value that is written like this in SMV, if it is one of them.
    pub fn parse(&self, text: &str, symbols: &Interner<SymbolId>) -> Option<i64> {
        let value = match self {
            Domain::Bool => match text {
                "TRUE" => 1,
                "FALSE" => 0,
                _ => return None,
            },
            Domain::Word { .. } => {
                let (is_negative, text) = match text.strip_prefix('-') {
                    Some(rest) => (true, rest),
                    None => (false, text),
                };
                let digits = text.split_once('_')?.1.parse::<u64>().ok()? as i64;
                if is_negative { digits.wrapping_neg() } else { digits }
            }
            Domain::Range(..) | Domain::Values(_) => match text.parse() {
                Ok(number) => number,
                Err(_) => symbol_value(symbols.get(text)?),
            },
        };
        self.contains(value).then_some(value)
    }
}

/// As many ones from below.
pub(crate) fn low_bits(width: u8) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_values() {
        let symbols: Interner<SymbolId> = ["idle", "busy"].into_iter().collect();
        let domains = [
            Domain::Bool,
            Domain::Range(-2, 5),
            Domain::Values(vec![symbol_value(SymbolId(1)), 7, symbol_value(SymbolId(0))]),
            Domain::Word { signed: false, width: 3 },
            Domain::Word { signed: true, width: 3 },
        ];
        let texts = domains.map(|domain| {
            let values: Vec<i64> = (0..domain.size() as u64).map(|n| domain.value(n)).collect();
            for (number, &value) in values.iter().enumerate() {
                assert_eq!(domain.number(value), Some(number as u64));
                assert_eq!(domain.parse(&domain.text(value, &symbols), &symbols), Some(value));
            }
            assert!(domain.bits() <= 3);
            values.iter().map(|&v| domain.text(v, &symbols)).collect::<Vec<_>>().join(" ")
        });
        assert_eq!(texts[0], "FALSE TRUE");
        assert_eq!(texts[1], "-2 -1 0 1 2 3 4 5");
        assert_eq!(texts[2], "busy 7 idle");
        assert!(texts[3].ends_with("0ud3_6 0ud3_7"));
        assert!(texts[4].ends_with("0sd3_3 -0sd3_4 -0sd3_3 -0sd3_2 -0sd3_1"));
        assert_eq!(Domain::Word { signed: false, width: 64 }.bits(), 64);
        assert_eq!(Domain::Range(4, 4).bits(), 0);
        assert_eq!(Domain::Range(-2, 5).number(6), None);
    }
}
