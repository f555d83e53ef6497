//! Kleene's three truth values.

use std::fmt;
use std::ops::Not;

/// Ordered by truth: `False < Unknown < True` (C §2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Truth {
    False,
    Unknown,
    True,
}

impl Truth {
    pub const ALL: [Truth; 3] = [Truth::False, Truth::Unknown, Truth::True];

    #[must_use]
    pub fn and(self, other: Truth) -> Truth {
        self.min(other)
    }

    #[must_use]
    pub fn or(self, other: Truth) -> Truth {
        self.max(other)
    }

    pub fn is_definite(self) -> bool {
        self != Truth::Unknown
    }

    /// The information order: unknown is below everything, the definite values are incomparable.
    pub fn is_refined_by(self, other: Truth) -> bool {
        self == Truth::Unknown || self == other
    }

    /// From the two-valued answers of the pessimistic and of the optimistic game. `None` if the
    /// pessimist is the more hopeful: then no complete system refines the model.
    pub fn from_bounds(pessimistic: bool, optimistic: bool) -> Option<Truth> {
        match (pessimistic, optimistic) {
            (true, true) => Some(Truth::True),
            (false, false) => Some(Truth::False),
            (false, true) => Some(Truth::Unknown),
            (true, false) => None,
        }
    }
}

impl From<bool> for Truth {
    fn from(value: bool) -> Self {
        if value { Truth::True } else { Truth::False }
    }
}

impl Not for Truth {
    type Output = Truth;
    fn not(self) -> Truth {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }
}

impl fmt::Display for Truth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Truth::False => "false",
            Truth::Unknown => "unknown",
            Truth::True => "true",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Truth::{self, False, True, Unknown};

    /// Kleene's strong tables, written out.
    #[test]
    fn kleene_tables() {
        let and = [[False, False, False], [False, Unknown, Unknown], [False, Unknown, True]];
        let or = [[False, Unknown, True], [Unknown, Unknown, True], [True, True, True]];
        for (i, a) in Truth::ALL.into_iter().enumerate() {
            for (j, b) in Truth::ALL.into_iter().enumerate() {
                assert_eq!(a.and(b), and[i][j], "{a} and {b}");
                assert_eq!(a.or(b), or[i][j], "{a} or {b}");
            }
        }
        assert_eq!([!False, !Unknown, !True], [True, Unknown, False]);
    }

    #[test]
    fn operators_respect_the_information_order() {
        for a in Truth::ALL {
            for a2 in Truth::ALL.into_iter().filter(|&a2| a.is_refined_by(a2)) {
                assert!((!a).is_refined_by(!a2));
                for b in Truth::ALL {
                    assert!(a.and(b).is_refined_by(a2.and(b)));
                    assert!(a.or(b).is_refined_by(a2.or(b)));
                }
            }
        }
    }
}
