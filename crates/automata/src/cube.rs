//! Labels of transitions: conjunctions of literals as two bit sets.

use std::fmt;

/// The most atoms that an automaton can have.
pub const MAX_ATOMS: u32 = 128;

/// A conjunction of literals. No atom is in both sets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct LiteralCube {
    /// The atoms that have to be true.
    pub positive: u128,
    /// The atoms that have to be false.
    pub negative: u128,
}

impl LiteralCube {
    pub fn literal(atom: u32, is_positive: bool) -> Self {
        let bit = 1 << atom;
        if is_positive {
            Self { positive: bit, negative: 0 }
        } else {
            Self { positive: 0, negative: bit }
        }
    }

    /// The conjunction, unless it is contradictory.
    pub fn and(self, other: Self) -> Option<Self> {
        let positive = self.positive | other.positive;
        let negative = self.negative | other.negative;
        (positive & negative == 0).then_some(Self { positive, negative })
    }

    /// Whether every valuation of `other` satisfies this cube.
    pub fn contains(self, other: Self) -> bool {
        self.positive & !other.positive == 0 && self.negative & !other.negative == 0
    }

    /// Whether a valuation satisfies it, given the atoms that are true.
    pub fn is_satisfied_by(self, valuation: u128) -> bool {
        self.positive & !valuation == 0 && self.negative & valuation == 0
    }

    /// Whether the cubes together contain this one.
    pub fn is_covered_by(self, cubes: &[LiteralCube]) -> bool {
        if cubes.iter().any(|cube| cube.contains(self)) {
            return true;
        }
        let compatible: Vec<LiteralCube> =
            cubes.iter().copied().filter(|cube| cube.and(self).is_some()).collect();
        let free =
            |cube: &LiteralCube| (cube.positive | cube.negative) & !(self.positive | self.negative);
        // Splits by an atom that some cube depends on (Shannon).
        let Some(atom) = compatible.first().map(|cube| free(cube).trailing_zeros()) else {
            return false;
        };
        [true, false].into_iter().all(|value| {
            let half = self.and(LiteralCube::literal(atom, value));
            half.is_none_or(|half| half.is_covered_by(&compatible))
        })
    }

    /// The cube that two cubes are together, if they are one.
    pub fn merge(self, other: Self) -> Option<Self> {
        if self.contains(other) {
            return Some(self);
        }
        if other.contains(self) {
            return Some(other);
        }
        let differs = self.positive ^ other.positive;
        let is_merged = differs == self.negative ^ other.negative && differs.is_power_of_two();
        is_merged.then_some(Self {
            positive: self.positive & !differs,
            negative: self.negative & !differs,
        })
    }

    /// Leaves out the literals of these atoms: there are values of them with which the cube is satisfied.
    pub fn without(self, atoms: u128) -> Self {
        Self { positive: self.positive & !atoms, negative: self.negative & !atoms }
    }
}

impl fmt::Display for LiteralCube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for atom in 0..MAX_ATOMS {
            let sign = match (self.positive >> atom & 1, self.negative >> atom & 1) {
                (1, _) => "",
                (_, 1) => "!",
                _ => continue,
            };
            write!(f, "{separator}{sign}{atom}")?;
            separator = "&";
        }
        f.write_str(if separator.is_empty() { "t" } else { "" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cubes() -> Vec<LiteralCube> {
        let all =
            (0u128..8).flat_map(|positive| (0u128..8).map(move |negative| (positive, negative)));
        all.filter(|(positive, negative)| positive & negative == 0)
            .map(|(positive, negative)| LiteralCube { positive, negative })
            .collect()
    }

    /// All cubes over three atoms, against their valuations.
    #[test]
    fn operations_are_those_of_sets_of_valuations() {
        let set = |cube: LiteralCube| {
            (0..8).filter(|&v| cube.is_satisfied_by(v)).fold(0u8, |s, v| s | 1 << v)
        };
        for a in cubes() {
            for b in cubes() {
                assert_eq!(a.and(b).map_or(0, set), set(a) & set(b));
                assert_eq!(a.contains(b), set(b) & !set(a) == 0);
                if let Some(merged) = a.merge(b) {
                    assert_eq!(set(merged), set(a) | set(b), "{a} {b}");
                }
                for c in cubes() {
                    assert_eq!(a.is_covered_by(&[b, c]), set(a) & !(set(b) | set(c)) == 0);
                }
            }
        }
    }
}
