//! Between what bounds an integer expression lies.

use crate::expr::{Binary, LARGEST, Type};

type Interval = (i128, i128);

/// More than any number that is computed.
const ENDLESS: i128 = 1 << 63;

/// The type of an integer expression of two operands, its bounds cut off a little beyond [`LARGEST`]. A bound there is
/// none: what is said of it holds for all integers.
pub(crate) fn of(op: Binary, a: (i64, i64), b: (i64, i64)) -> Type {
    let (a, b) = (wide(a), wide(b));
    let (low, high) = match op {
        Binary::Add => (a.0 + b.0, a.1 + b.1),
        Binary::Sub => (a.0 - b.1, a.1 - b.0),
        Binary::Mul => product(a, b),
        Binary::Div => quotient(a, b),
        _ => remainder(a, b),
    };
    int(low, high)
}

/// The bounds of both together.
pub(crate) fn hull(a: (i64, i64), b: (i64, i64)) -> Type {
    Type::Int { low: a.0.min(b.0), high: a.1.max(b.1) }
}

pub(crate) fn negated((low, high): (i64, i64)) -> Type {
    int(-i128::from(high), -i128::from(low))
}

fn wide((low, high): (i64, i64)) -> Interval {
    let low = if low < -LARGEST { -ENDLESS } else { low.into() };
    let high = if high > LARGEST { ENDLESS } else { high.into() };
    (low, high)
}

fn int(low: i128, high: i128) -> Type {
    let cut = |bound: i128| bound.clamp(i128::from(-LARGEST) - 1, i128::from(LARGEST) + 1) as i64;
    Type::Int { low: cut(low), high: cut(high) }
}

fn product(a: Interval, b: Interval) -> Interval {
    let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    corners.iter().fold((corners[0], corners[0]), |(low, high), &c| (low.min(c), high.max(c)))
}

fn quotient(a: Interval, b: Interval) -> Interval {
    if a.0 == -ENDLESS || a.1 == ENDLESS {
        return (-ENDLESS, ENDLESS);
    }
    if b.0 > 0 {
        // Towards zero: monotone in the dividend, and nearest to zero for the largest divisor.
        let least = if a.0 >= 0 { a.0 / b.1 } else { a.0 / b.0 };
        let most = if a.1 >= 0 { a.1 / b.0 } else { a.1 / b.1 };
        return (least, most);
    }
    let size = a.0.abs().max(a.1.abs());
    (-size, size)
}

fn remainder(a: Interval, b: Interval) -> Interval {
    let size = (b.0.abs().max(b.1.abs()) - 1).max(0);
    // A divisor of 0 leaves the dividend, but that never counts.
    let low = if a.0 >= 0 { 0 } else { (-size).max(a.0) };
    let high = if a.1 <= 0 { 0 } else { size.min(a.1) };
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, semantics};

    /// Nothing that is done to all integers gives them a bound, except a remainder.
    #[test]
    fn all_integers_stay_all_integers() {
        let Domain::Range(low, high) = Domain::INTEGERS else { panic!("a range") };
        let all = (low, high);
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div] {
            for by in [1, -1, 5, LARGEST, -LARGEST] {
                assert_eq!(of(op, all, (by, by)), Type::Int { low, high }, "{op:?} {by}");
            }
        }
        assert_eq!(of(Binary::Add, (0, high), (-9, -9)), Type::Int { low: -9, high });
        assert_eq!(of(Binary::Mod, all, (5, 5)), Type::Int { low: -4, high: 4 });
        assert_eq!(negated((0, high)), Type::Int { low, high: 0 });
    }

    /// Every operator on every pair of small intervals: no value lies outside.
    #[test]
    fn intervals_contain_their_values() {
        const ANY: Type = Type::Int { low: -3, high: 3 };
        let intervals: Vec<(i64, i64)> =
            (-3..=3).flat_map(|low| (low..=3).map(move |high| (low, high))).collect();
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Mod] {
            for &a in &intervals {
                for &b in &intervals {
                    let Type::Int { low, high } = of(op, a, b) else { panic!("an integer") };
                    let pairs = (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y)));
                    for (x, y) in pairs.filter(|&(_, y)| y != 0) {
                        let value = semantics::binary(op, ANY, (ANY, x), (ANY, y));
                        assert!((low..=high).contains(&value), "{x} {op:?} {y} in {low}..{high}");
                    }
                }
            }
        }
    }
}
