//! Trimming, and acceptance sets as few as the strongly connected components need.
//!
//! As in Spot's `scc_filter` (Duret-Lutz, "LTL translation improvements in Spot 1.0", IJCCBS 2014): marks matter only
//! on edges within an accepting component; a component in which every cycle is accepting needs no marks of its own; in
//! each component a set that contains another one is not needed, and what is needed is numbered anew in each.

use crate::buchi::BuchiAutomaton;
use support::components;

/// The marks of edges that no cycle goes through. Either is right; which one makes more states alike depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TransientMarks {
    None,
    All,
}

/// How a strongly connected component accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Acceptance {
    /// It has no accepting cycle.
    Rejecting,
    /// Every cycle of it is accepting.
    Weak,
    Mixed,
}

impl BuchiAutomaton {
    /// Of each component, by its number.
    pub(crate) fn acceptance(&self, of: &[u32]) -> Vec<Acceptance> {
        let count = of.iter().max().map_or(0, |most| *most as usize + 1);
        let mut union = vec![None; count];
        for (state, edges) in self.edges.iter().enumerate() {
            for edge in edges.iter().filter(|edge| of[edge.target as usize] == of[state]) {
                *union[of[state] as usize].get_or_insert(0) |= edge.marks;
            }
        }
        let is_weak: Vec<bool> = self.only_accepting_cycles(of, count);
        (0..count)
            .map(|component| match union[component] {
                Some(marks) if marks == self.all_marks() => {
                    if is_weak[component] {
                        Acceptance::Weak
                    } else {
                        Acceptance::Mixed
                    }
                }
                _ => Acceptance::Rejecting,
            })
            .collect()
    }

    /// By component: for each set, no cycle is left without its edges.
    fn only_accepting_cycles(&self, of: &[u32], count: usize) -> Vec<bool> {
        let mut result = vec![true; count];
        for set in 0..self.sets {
            let without = |state: u32| {
                let edges = self.edges[state as usize].iter();
                edges
                    .filter(move |edge| edge.marks >> set & 1 == 0)
                    .map(|edge| edge.target)
                    .filter(move |&target| of[target as usize] == of[state as usize])
            };
            let rest = components(self.states(), without);
            for state in 0..self.states() as u32 {
                if without(state).any(|target| rest[target as usize] == rest[state as usize]) {
                    result[of[state as usize] as usize] = false;
                }
            }
        }
        result
    }

    /// Removes states that are not reachable or from which no word is accepted, and acceptance sets that are not
    /// needed.
    pub(crate) fn trim(self, transient: TransientMarks) -> Self {
        let of = self.components();
        let acceptance = self.acceptance(&of);
        let mut is_useful: Vec<bool> =
            acceptance.iter().map(|acceptance| *acceptance != Acceptance::Rejecting).collect();
        let mut order: Vec<u32> = (0..self.states() as u32).collect();
        order.sort_by_key(|&state| of[state as usize]);
        for &state in &order {
            let leads = |target: u32| is_useful[of[target as usize] as usize];
            if self.edges[state as usize].iter().any(|edge| leads(edge.target)) {
                is_useful[of[state as usize] as usize] = true;
            }
        }
        if !is_useful[of[self.initial as usize] as usize] {
            return Self::empty();
        }
        let (sets, needed) = self.needed_sets(&of, &acceptance);
        let all = if sets == 0 { 0 } else { u64::MAX >> (64 - sets) };
        let mut numbers = vec![u32::MAX; self.states()];
        numbers[self.initial as usize] = 0;
        let mut states = vec![self.initial];
        let mut edges = Vec::new();
        while let Some(&state) = states.get(edges.len()) {
            let component = of[state as usize] as usize;
            let mut row = self.edges[state as usize].clone();
            row.retain(|edge| is_useful[of[edge.target as usize] as usize]);
            for edge in &mut row {
                let is_inside = of[edge.target as usize] as usize == component;
                edge.marks = match acceptance[component] {
                    _ if !is_inside && transient == TransientMarks::All => all,
                    _ if !is_inside => 0,
                    Acceptance::Rejecting => 0,
                    Acceptance::Weak => all,
                    Acceptance::Mixed => renumbered(edge.marks, &needed[component], sets),
                };
                let number = &mut numbers[edge.target as usize];
                if *number == u32::MAX {
                    *number = states.len() as u32;
                    states.push(edge.target);
                }
                edge.target = *number;
            }
            edges.push(row);
        }
        // Marks distinguish rejecting components from accepting ones.
        Self { initial: 0, sets, edges }
    }

    /// How many sets are needed, and by component which.
    fn needed_sets(&self, of: &[u32], acceptance: &[Acceptance]) -> (u32, Vec<Vec<u32>>) {
        let mut needed: Vec<Vec<u32>> = Vec::new();
        let mut most = 0;
        for (component, accepts) in acceptance.iter().enumerate() {
            let mut sets: Vec<u32> = Vec::new();
            match accepts {
                Acceptance::Rejecting if self.has_cycle(of, component) => most = most.max(1),
                Acceptance::Rejecting | Acceptance::Weak => {}
                Acceptance::Mixed => {
                    sets = (0..self.sets).collect();
                    let mut place = 0;
                    while place < sets.len() {
                        let is_larger = |smaller: u32| {
                            smaller != sets[place]
                                && self.contains_set(of, component, sets[place], smaller)
                        };
                        if sets.iter().any(|&smaller| is_larger(smaller)) {
                            sets.remove(place);
                        } else {
                            place += 1;
                        }
                    }
                }
            }
            most = most.max(sets.len() as u32);
            needed.push(sets);
        }
        (most, needed)
    }

    fn has_cycle(&self, of: &[u32], component: usize) -> bool {
        self.inside(of, component).next().is_some()
    }

    /// The marks of the edges within a component.
    fn inside<'a>(&'a self, of: &'a [u32], component: usize) -> impl Iterator<Item = u64> + 'a {
        let states = (0..self.states()).filter(move |&state| of[state] as usize == component);
        states
            .flat_map(|state| &self.edges[state])
            .filter(move |edge| of[edge.target as usize] as usize == component)
            .map(|edge| edge.marks)
    }

    /// Whether, within a component, every edge of the one set is in the other.
    fn contains_set(&self, of: &[u32], component: usize, larger: u32, smaller: u32) -> bool {
        self.inside(of, component).all(|marks| marks >> smaller & 1 <= marks >> larger & 1)
    }
}

/// The needed sets become the first ones; those that are left over repeat the first.
fn renumbered(marks: u64, needed: &[u32], sets: u32) -> u64 {
    let has = |place: u32| marks >> needed.get(place as usize).unwrap_or(&needed[0]) & 1;
    (0..sets).fold(0, |result, place| result | has(place) << place)
}
