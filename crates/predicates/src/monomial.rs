//! Conjunctions of literals over a few predicates (X §2).

/// The i-th predicate of a list is known if bit i of `known` is set, and has bit i of `values` then; other bits
/// of `values` are not set. Mon(P), with MT(P) where all are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Monomial {
    pub known: u64,
    pub values: u64,
}

impl Monomial {
    /// A minterm over the first so many predicates.
    pub fn minterm(values: u64, predicates: usize) -> Self {
        let known = if predicates >= 64 { u64::MAX } else { (1 << predicates) - 1 };
        Self { known, values: values & known }
    }

    /// Whether all that the other stands for, this stands for too: `self ⪯ other`.
    pub fn covers(self, other: Monomial) -> bool {
        self.known & other.known == self.known && other.values & self.known == self.values
    }
}
