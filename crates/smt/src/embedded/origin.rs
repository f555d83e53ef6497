//! Where a row comes from, so that a contradiction knows who contradicts whom.

use std::ops::BitOr;

/// Parts of the question, and splits made in the search, that something follows from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Origin {
    parts: u128,
    splits: u128,
}

/// Everything from here on shares a bit, which costs precision and nothing else.
const LAST: usize = 127;

impl Origin {
    pub fn part(part: usize) -> Self {
        Self { parts: 1 << part.min(LAST), splits: 0 }
    }

    /// The split at this depth of the search.
    pub fn split(depth: usize) -> Self {
        Self { parts: 0, splits: 1 << depth.min(LAST) }
    }

    pub fn meets(self, other: Self) -> bool {
        self.parts & other.parts != 0 || self.splits & other.splits != 0
    }

    /// Removes the split at this depth.
    pub fn without_split(self, depth: usize) -> Self {
        match depth < LAST {
            true => Self { splits: self.splits & !(1 << depth), ..self },
            false => self,
        }
    }

    /// The numbers of the parts, of `count` that there are.
    pub fn parts(self, count: usize) -> Vec<usize> {
        (0..count).filter(|&part| self.meets(Self::part(part))).collect()
    }
}

impl BitOr for Origin {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self { parts: self.parts | other.parts, splits: self.splits | other.splits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_beyond_the_last_bit_are_taken_together() {
        assert_eq!((Origin::part(3) | Origin::part(126)).parts(200), [3, 126]);
        assert_eq!(Origin::part(150).parts(130), [127, 128, 129]);
    }

    #[test]
    fn a_split_that_shares_its_bit_is_never_forgotten() {
        let both = Origin::split(5) | Origin::split(200);
        assert!(!both.without_split(5).meets(Origin::split(5)));
        assert!(both.without_split(200).meets(Origin::split(130)));
    }
}
