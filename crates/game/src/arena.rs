//! Arena of a 2-valued game as its solvers see it, stored or computed on demand.

/// Player 0, the verifier, wins the even priorities; player 1, the falsifier, the odd ones (C §2.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    Verifier,
    Falsifier,
}

impl Player {
    #[must_use]
    pub fn opponent(self) -> Player {
        match self {
            Player::Verifier => Player::Falsifier,
            Player::Falsifier => Player::Verifier,
        }
    }

    /// Who wins a play in which this is the highest priority that occurs forever.
    pub fn of_priority(priority: u32) -> Player {
        if priority.is_multiple_of(2) { Player::Verifier } else { Player::Falsifier }
    }

    pub fn index(self) -> usize {
        self as usize
    }
}

/// A parity game on nodes that are numbers. Who cannot move loses.
///
/// Edges are visited from inside, so that a solver compiled for an arena contains that arena's loops.
pub trait Arena {
    fn owner(&self, node: u32) -> Player;

    fn priority(&self, node: u32) -> u32;

    /// The first successor, from the `from`-th candidate on, that `found` holds of, as the number of its
    /// candidate. Candidates stand in a fixed order; not each of them need be a successor.
    fn find_successor(&self, node: u32, from: u32, found: impl FnMut(u32) -> bool) -> Option<u32>;

    /// The successor behind a candidate number that [`find_successor`](Self::find_successor) gave.
    fn successor_at(&self, node: u32, candidate: u32) -> u32;

    /// Whether `found` holds of a successor of `node`; successors are tried in a fixed order until it does.
    #[inline]
    fn any_successor(&self, node: u32, found: impl FnMut(u32) -> bool) -> bool {
        self.find_successor(node, 0, found).is_some()
    }

    fn for_each_predecessor(&self, node: u32, visit: impl FnMut(u32));
}
