//! Whole numbers: checked products, common divisors, rounding down and up.

/// A product, if it fits. Small factors, which nearly all are, need no check.
pub fn product(a: i128, b: i128) -> Option<i128> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(i128::from(a) * i128::from(b)),
        _ => a.checked_mul(b),
    }
}

/// The greatest common divisor of two numbers, as a number that is not negative.
pub fn gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(small_gcd(a, b)),
        _ if b == 0 => a,
        _ => gcd(b, a % b),
    }
}

fn small_gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// ⌊a / b⌋ for a positive `b`.
pub fn floor(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)),
        _ => a.div_euclid(b),
    }
}

/// ⌈a / b⌉ for a positive `b`.
pub fn ceiling(a: i128, b: i128) -> i128 {
    floor(a, b) + i128::from(remainder(a, b) != 0)
}

/// The remainder of ⌊a / b⌋, for a positive `b`.
pub fn remainder(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.rem_euclid(b)),
        _ => a.rem_euclid(b),
    }
}

/// The number that `a` times is 1 modulo `m`, if `a` has one.
pub fn inverse(a: i128, m: i128) -> Option<i128> {
    let (mut old, mut new) = ((a.rem_euclid(m), 1i128), (m, 0i128));
    while new.0 != 0 {
        let times = old.0 / new.0;
        (old, new) = (new, (old.0 - times * new.0, old.1 - times * new.1));
    }
    (old.0 == 1).then(|| old.1.rem_euclid(m))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_is_by_the_definition() {
        for a in -20..=20 {
            for b in 1..=7 {
                assert!(floor(a, b) * b <= a && a < (floor(a, b) + 1) * b, "{a} / {b}");
                assert!((ceiling(a, b) - 1) * b < a && a <= ceiling(a, b) * b, "{a} / {b}");
            }
        }
        assert_eq!(floor(i128::MAX, 2), i128::MAX / 2);
        assert_eq!(ceiling(i128::MIN, 3), i128::MIN / 3);
    }

    #[test]
    fn an_inverse_is_one_or_there_is_none() {
        for m in 2..=30 {
            for a in -30..=30 {
                let found = inverse(a, m).map(|b| (a * b).rem_euclid(m));
                let is_unit = gcd(a.unsigned_abs(), m.unsigned_abs()) == 1;
                assert_eq!(found, is_unit.then_some(1), "{a} modulo {m}");
            }
        }
    }

    #[test]
    fn large_products_and_divisors_are_exact() {
        let large = i128::from(i64::MAX) * 4;
        assert_eq!(product(large, 2), Some(large * 2));
        assert_eq!(product(i128::MAX, 2), None);
        assert_eq!(gcd(large.unsigned_abs(), 6), gcd(6, large.unsigned_abs()));
        assert_eq!(gcd(0, 0), 0);
    }
}
