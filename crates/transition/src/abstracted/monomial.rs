//! Conjunctions of literals over a few predicates (X §2).

/// The i-th predicate of a list is known if bit i of `known` is set, and has bit i of `values` then; other bits
/// of `values` are not set. Mon(P), with MT(P) where all are known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Monomial {
    pub known: u64,
    pub values: u64,
}

impl Monomial {
    /// Of which nothing is known.
    pub const TRUE: Self = Self { known: 0, values: 0 };

    /// A minterm over the first so many predicates.
    pub fn minterm(values: u64, predicates: usize) -> Self {
        let known = all_of(predicates);
        Self { known, values: values & known }
    }

    /// All of Mon(P) over so many predicates: 3ⁿ. Minterms come last.
    pub fn all(predicates: usize) -> impl Iterator<Item = Self> {
        let all = all_of(predicates);
        subsets(all).flat_map(|known| subsets(known).map(move |values| Self { known, values }))
    }

    /// Whether all that the other stands for, this stands for too: `self ⪯ other`.
    pub fn covers(self, other: Monomial) -> bool {
        self.known & other.known == self.known && other.values & self.known == self.values
    }

    /// The most precise one that covers both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        self.without(!(other.known & !(self.values ^ other.values)))
    }

    /// Drops these predicates.
    #[must_use]
    pub fn without(self, forgotten: u64) -> Self {
        Self { known: self.known & !forgotten, values: self.values & !forgotten }
    }

    /// ↑ of it over so many predicates.
    pub fn minterms(self, predicates: usize) -> impl Iterator<Item = u64> {
        subsets(all_of(predicates) & !self.known).map(move |values| self.values | values)
    }

    /// All that cover it, itself among them.
    pub fn covering(self) -> impl Iterator<Item = Self> {
        subsets(self.known).map(move |forgotten| self.without(forgotten))
    }
}

/// The most precise monomials that cover something of each of the lists: where every state of a set has a step to
/// one of its own list, these are the targets that all of them step to. None if one of the lists is empty; with no
/// list at all there is no most precise one, and none is given.
pub fn common_targets<'a>(mut lists: impl Iterator<Item = &'a [Monomial]>) -> Vec<Monomial> {
    let Some(first) = lists.next() else { return Vec::new() };
    let mut common = most_precise(first.to_vec());
    for list in lists {
        let joins = common.iter().flat_map(|&a| list.iter().map(move |&b| a.join(b)));
        // Joining keeps the order, so nothing is lost by leaving out what is less precise at once.
        common = most_precise(joins.collect());
    }
    common
}

/// Those that cover no other.
pub fn most_precise(mut monomials: Vec<Monomial>) -> Vec<Monomial> {
    monomials.sort_unstable();
    monomials.dedup();
    let is_needed = |&a: &Monomial| !monomials.iter().any(|&b| a != b && a.covers(b));
    monomials.iter().copied().filter(is_needed).collect()
}

fn all_of(predicates: usize) -> u64 {
    if predicates >= 64 { u64::MAX } else { (1 << predicates) - 1 }
}

/// All subsets of a set of bits, rising.
fn subsets(set: u64) -> impl Iterator<Item = u64> {
    let next = move |&subset: &u64| {
        let next = subset.wrapping_sub(set) & set;
        (next != 0).then_some(next)
    };
    std::iter::successors(Some(0), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn monomial(text: &str) -> Monomial {
        let bits = |letters: &str| {
            let is_set = |(i, letter)| u64::from(letters.contains(letter)) << i;
            text.chars().enumerate().map(is_set).sum()
        };
        Monomial { known: bits("tf"), values: bits("t") }
    }

    #[test]
    fn all_are_there_once() {
        let all: Vec<Monomial> = Monomial::all(3).collect();
        assert_eq!(all.len(), 27);
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), 27);
        assert!(all[19..].iter().all(|m| m.known == 7));
        assert_eq!(Monomial::all(0).collect::<Vec<_>>(), [Monomial::TRUE]);
    }

    /// On all pairs: a join covers both, and whatever covers both covers it.
    #[test]
    fn joins_are_the_most_precise_common_ones() {
        let all: Vec<Monomial> = Monomial::all(3).collect();
        for (&a, &b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            let join = a.join(b);
            assert!(join.covers(a) && join.covers(b));
            assert!(all.iter().all(|m| !(m.covers(a) && m.covers(b)) || m.covers(join)));
        }
    }

    #[test]
    fn covering_and_minterms_are_the_order() {
        let all: Vec<Monomial> = Monomial::all(3).collect();
        for &m in &all {
            let mut covering: Vec<Monomial> = m.covering().collect();
            covering.sort_unstable();
            let mut expected: Vec<Monomial> = all.iter().copied().filter(|a| a.covers(m)).collect();
            expected.sort_unstable();
            assert_eq!(covering, expected);
            let minterms: Vec<u64> = m.minterms(3).collect();
            let below = (0..8).filter(|&values| m.covers(Monomial::minterm(values, 3)));
            assert_eq!(minterms, below.collect::<Vec<_>>());
        }
    }

    #[test]
    fn targets_of_several_lists() {
        let [tt, tf, ft] = ["tt", "tf", "ft"].map(monomial);
        assert_eq!(common_targets([].into_iter()), []);
        assert_eq!(common_targets([&[tt][..], &[]].into_iter()), []);
        assert_eq!(common_targets([&[tt][..], &[tf]].into_iter()), [monomial("tu")]);
        assert_eq!(common_targets([&[tt][..], &[tf, ft]].into_iter()), ["tu", "ut"].map(monomial));
        assert_eq!(common_targets([&[tt, tf][..], &[tt, ft]].into_iter()), [tt]);
    }
}
