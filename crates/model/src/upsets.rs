//! The meaning of the states of a partial model, as far as its `covers` lines tell (X §2, §4.3).
//!
//! The best approximations α\[S\] are the states that cover nothing and those that cover "and more": the rest of
//! such a state is approximated by nothing better. They stand for non-empty, pairwise disjoint sets of
//! concrete states. What a state stands for, its best approximations ↑s stand for together.

use crate::partial::{Covers, PartialModel};
use fixedbitset::FixedBitSet;

pub struct Upsets {
    /// α\[S\], rising.
    atoms: Vec<u32>,
    /// By state: ↑s, rising.
    of: Vec<Vec<u32>>,
    /// By state, if it is an atom: the states that stand for it too, with itself.
    above: Vec<Vec<u32>>,
}

impl Upsets {
    pub fn new(model: &PartialModel) -> Self {
        let mut lines: Vec<Vec<&Covers>> = vec![Vec::new(); model.states()];
        model.covers().iter().for_each(|line| lines[line.state as usize].push(line));
        let is_atom = |state: &u32| {
            let own = &lines[*state as usize];
            !own.iter().any(|line| line.exactly)
        };
        let atoms: Vec<u32> = (0..model.states() as u32).filter(is_atom).collect();
        let mut of: Vec<Option<Vec<u32>>> = vec![None; model.states()];
        for state in 0..model.states() as u32 {
            find(state, &lines, &mut of);
        }
        let of: Vec<Vec<u32>> = of.into_iter().map(Option::unwrap_or_default).collect();
        let mut above = vec![Vec::new(); model.states()];
        for (state, atoms) in of.iter().enumerate() {
            atoms.iter().for_each(|&atom| above[atom as usize].push(state as u32));
        }
        Self { atoms, of, above }
    }

    /// α\[S\], rising.
    pub fn atoms(&self) -> &[u32] {
        &self.atoms
    }

    /// ↑s, rising.
    pub fn of(&self, state: u32) -> &[u32] {
        &self.of[state as usize]
    }

    /// The atoms of some states, rising.
    pub fn of_all(&self, states: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut atoms: Vec<u32> =
            states.into_iter().flat_map(|state| self.of(state).iter().copied()).collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The states that stand for an atom, itself among them.
    pub fn above(&self, atom: u32) -> &[u32] {
        &self.above[atom as usize]
    }

    /// `s ⪯ t`: all that t stands for, s stands for.
    pub fn is_less_precise(&self, s: u32, t: u32) -> bool {
        is_within(self.of(t), self.of(s))
    }

    /// red_U(U) (X §4.3), and red_O of the complement.
    pub fn red(&self, states: &FixedBitSet) -> FixedBitSet {
        let kept =
            |state: &usize| self.of[*state].iter().all(|&atom| states.contains(atom as usize));
        collect(self.of.len(), (0..self.of.len()).filter(kept))
    }

    /// RED_U(U) (X §4.2): what is in it as part of another state counts.
    pub fn reduce(&self, states: &FixedBitSet) -> FixedBitSet {
        let atoms = states.ones().flat_map(|state| &self.of[state]);
        self.red(&collect(self.of.len(), atoms.map(|&atom| atom as usize)))
    }
}

/// Whether these atoms are among those, which are rising.
pub(crate) fn is_within(atoms: &[u32], among: &[u32]) -> bool {
    atoms.iter().all(|atom| among.binary_search(atom).is_ok())
}

fn collect(len: usize, states: impl Iterator<Item = usize>) -> FixedBitSet {
    let mut set = FixedBitSet::with_capacity(len);
    states.for_each(|state| set.insert(state));
    set
}

/// Fills in ↑s, those of covered states first. A cycle, which no input has, ends with what is there.
fn find(state: u32, lines: &[Vec<&Covers>], of: &mut [Option<Vec<u32>>]) {
    let mut path = vec![(state, false)];
    while let Some((state, is_entered)) = path.pop() {
        if is_entered {
            of[state as usize] = Some(gather(state, &lines[state as usize], of));
        } else if of[state as usize].is_none() {
            of[state as usize] = Some(Vec::new());
            path.push((state, true));
            let covered = lines[state as usize].iter().flat_map(|line| &line.covered);
            path.extend(covered.map(|&below| (below, false)));
        }
    }
}

fn gather(state: u32, lines: &[&Covers], of: &[Option<Vec<u32>>]) -> Vec<u32> {
    let is_exact = lines.iter().any(|line| line.exactly);
    let covered = lines.iter().flat_map(|line| &line.covered);
    let below = covered.flat_map(|&below| of[below as usize].iter().flatten().copied());
    let mut atoms: Vec<u32> = (!is_exact).then_some(state).into_iter().chain(below).collect();
    atoms.sort_unstable();
    atoms.dedup();
    atoms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, ModelBuilder};

    #[test]
    fn atoms_are_what_nothing_approximates_better() {
        let mut builder = ModelBuilder::new(Kind::MixTs, "M");
        let [a, b, c, ab, more, all] =
            ["a", "b", "c", "ab", "more", "all"].map(|n| builder.state(n));
        builder.covers(all, vec![ab, more], true);
        builder.covers(ab, vec![a, b], true);
        builder.covers(more, vec![c], false);
        let upsets = Upsets::new(&builder.finish());
        assert_eq!(upsets.atoms(), [a, b, c, more]);
        assert_eq!(upsets.of(ab), [a, b]);
        assert_eq!(upsets.of(more), [c, more]);
        assert_eq!(upsets.of(all), [a, b, c, more]);
        assert_eq!(upsets.above(c), [c, more, all]);
        assert!(upsets.is_less_precise(all, ab) && !upsets.is_less_precise(ab, more));
        let some = collect(6, [a, b, more].into_iter().map(|state| state as usize));
        assert_eq!(upsets.red(&some).ones().collect::<Vec<_>>(), [0, 1, 3]);
        assert_eq!(upsets.reduce(&some).ones().count(), 6);
    }
}
