//! Abstract states and what they stand for (X §2.2).

use model::PartialModel;

/// A set of states, one bit each.
pub type Set = u64;

pub fn members(set: Set) -> impl Iterator<Item = u32> + Clone {
    (0..Set::BITS).filter(move |&state| set >> state & 1 == 1)
}

pub fn set_of(states: impl IntoIterator<Item = u32>) -> Set {
    states.into_iter().fold(0, |set, state| set | 1 << state)
}

/// A concrete statespace C, an abstract one S, and ρ ⊆ C × S as γ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Space {
    concrete: usize,
    gamma: Vec<Set>,
}

impl Space {
    /// As the lines say that begin with `covers`. Each state that nothing is said of, or that stands for
    /// more than what it covers, gets so many concrete states that no other has, at least one.
    pub fn new(model: &PartialModel, copies: impl Fn(u32) -> usize) -> Space {
        let mut own = Vec::new();
        let mut concrete = 0;
        for state in 0..model.states() as u32 {
            let mut lines = model.covers().iter().filter(|line| line.state == state);
            let count = if lines.any(|line| line.exactly) { 0 } else { copies(state).max(1) };
            own.push(set_of(concrete as u32..(concrete + count) as u32));
            concrete += count;
        }
        assert!(concrete < Set::BITS as usize, "the oracle is for small statespaces");
        let gamma = (0..model.states() as u32).map(|state| stands_for(model, &own, state));
        Space { concrete, gamma: gamma.collect() }
    }

    /// Adds abstract states over the same concrete ones.
    #[must_use]
    pub fn with(&self, further: impl IntoIterator<Item = Set>) -> Space {
        let gamma = self.gamma.iter().copied().chain(further).collect();
        Space { concrete: self.concrete, gamma }
    }

    pub fn concrete(&self) -> usize {
        self.concrete
    }

    pub fn states(&self) -> std::ops::Range<u32> {
        0..self.gamma.len() as u32
    }

    /// γ(s).
    pub fn gamma(&self, state: u32) -> Set {
        self.gamma[state as usize]
    }

    /// γ(Q).
    pub fn gamma_of(&self, states: Set) -> Set {
        members(states).fold(0, |union, state| union | self.gamma(state))
    }

    /// s ⪯ₐ t iff γ(s) ⊇ γ(t).
    pub fn is_less_precise(&self, s: u32, t: u32) -> bool {
        self.gamma(t) & !self.gamma(s) == 0
    }

    /// α(c): the best approximation.
    pub fn alpha(&self, c: u32) -> u32 {
        let about: Vec<u32> = self.states().filter(|&s| self.gamma(s) >> c & 1 == 1).collect();
        let best = about.iter().find(|&&s| about.iter().all(|&t| self.is_less_precise(t, s)));
        *best.expect("every concrete state has a best approximation")
    }

    /// α\[S\].
    pub fn image(&self) -> Set {
        set_of((0..self.concrete as u32).map(|c| self.alpha(c)))
    }

    /// ↑s (X §4.3).
    pub fn upset(&self, state: u32) -> Set {
        set_of(members(self.image()).filter(|&t| self.is_less_precise(state, t)))
    }
}

fn stands_for(model: &PartialModel, own: &[Set], state: u32) -> Set {
    let lines = model.covers().iter().filter(|line| line.state == state);
    let covered = lines.flat_map(|line| &line.covered);
    covered.fold(own[state as usize], |set, &t| set | stands_for(model, own, t))
}
