//! Minimal deterministic weak automata, for languages that have one (obligations: Boolean combinations of safety).
//!
//! Dax, Eisinger and Klaedtke ("Mechanizing the powerset construction for restricted classes of omega-automata", ATVA
//! 2007): in the powerset automaton of an obligation all cycles of a component agree, so one word for each component
//! says whether it accepts. The result is made minimal as by Löding ("Efficient minimization of deterministic weak
//! omega-automata", IPL 2001). Whether the language is an obligation is not asked of the formula: the result is
//! compared with the automata of the formula and of its negation, and is there only if it is right.
//!
//! Where we differ: letters are enumerated, so that automata over more than [`MAX_LETTER_ATOMS`] atoms have none.

use crate::buchi::{BuchiAutomaton, BuchiEdge};
use crate::cube::LiteralCube;
use crate::simulation::merge_labels;
use rustc_hash::FxHashMap;
use support::{Monitor, Stopped, components};

const MAX_LETTER_ATOMS: u32 = 8;

/// A complete deterministic automaton over enumerated letters.
struct Deterministic {
    /// The atoms that letters are about.
    atoms: Vec<u32>,
    /// By state and letter.
    next: Vec<Vec<u32>>,
    is_accepting: Vec<bool>,
}

impl BuchiAutomaton {
    /// The minimal deterministic weak automaton of the same language, given an automaton of the complement, if there is
    /// one with at most this many states, not counting a sink that rejects.
    pub(crate) fn minimal_weak(
        &self,
        complement: &BuchiAutomaton,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Option<Self>, Stopped> {
        let mentioned = self
            .edges
            .iter()
            .flatten()
            .fold(0, |bits, edge| bits | edge.label.positive | edge.label.negative);
        if mentioned.count_ones() > MAX_LETTER_ATOMS {
            return Ok(None);
        }
        let Some(powerset) = self.powerset(mentioned, 64 * (most + 1), monitor)? else {
            return Ok(None);
        };
        let minimal = powerset.minimal();
        if minimal.next.len() > most + 1 {
            return Ok(None);
        }
        let result = minimal.to_buchi(true);
        let inverse = minimal.to_buchi(false);
        let is_right = result.is_disjoint(complement) && inverse.is_disjoint(self);
        Ok(is_right.then_some(result))
    }

    fn powerset(
        &self,
        mentioned: u128,
        most: usize,
        monitor: &Monitor,
    ) -> Result<Option<Deterministic>, Stopped> {
        let atoms: Vec<u32> = (0..128).filter(|atom| mentioned >> atom & 1 == 1).collect();
        let mut sets = vec![vec![self.initial]];
        let mut numbers = FxHashMap::from_iter([(sets[0].clone(), 0u32)]);
        let mut next: Vec<Vec<u32>> = Vec::new();
        while let Some(set) = sets.get(next.len()).cloned() {
            let mut row = Vec::new();
            for letter in 0..1u32 << atoms.len() {
                monitor.step(1)?;
                let valuation = valuation(&atoms, letter);
                let edges = set.iter().flat_map(|&state| &self.edges[state as usize]);
                let enabled = edges.filter(|edge| edge.label.is_satisfied_by(valuation));
                let mut target: Vec<u32> = enabled.map(|edge| edge.target).collect();
                target.sort_unstable();
                target.dedup();
                row.push(*numbers.entry(target).or_insert_with_key(|target| {
                    sets.push(target.clone());
                    sets.len() as u32 - 1
                }));
            }
            next.push(row);
            if sets.len() > most {
                return Ok(None);
            }
        }
        let mut result = Deterministic { atoms, next, is_accepting: Vec::new() };
        result.is_accepting =
            result.accepting_states(|state, word| self.accepts_cycle(&sets[state as usize], word));
        Ok(Some(result))
    }

    /// Whether the word is accepted from one of the states when it is repeated for ever.
    fn accepts_cycle(&self, from: &[u32], word: &[u128]) -> bool {
        let length = word.len();
        let nodes = self.states() * length;
        let node = |state: u32, place: usize| state as usize * length + place;
        let steps = |at: u32| {
            let (state, place) = (at as usize / length, at as usize % length);
            self.edges[state]
                .iter()
                .filter(move |edge| edge.label.is_satisfied_by(word[place]))
                .map(move |edge| (node(edge.target, (place + 1) % length) as u32, edge.marks))
        };
        let start: Vec<u32> = from.iter().map(|&state| node(state, 0) as u32).collect();
        has_accepting_cycle(nodes, &start, steps, self.all_marks())
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        let width = other.states();
        let shift = self.sets;
        let all = self.all_marks() | other.all_marks() << shift;
        let steps = |at: u32| {
            let (a, b) = (at as usize / width, at as usize % width);
            self.edges[a].iter().flat_map(move |first| {
                let joint = other.edges[b].iter().filter(|o| o.label.and(first.label).is_some());
                joint.map(move |second| {
                    let node = first.target as usize * width + second.target as usize;
                    (node as u32, first.marks | second.marks << shift)
                })
            })
        };
        let start = self.initial as usize * width + other.initial as usize;
        !has_accepting_cycle(self.states() * width, &[start as u32], steps, all)
    }
}

fn has_accepting_cycle<I: Iterator<Item = (u32, u64)>>(
    nodes: usize,
    start: &[u32],
    steps: impl Fn(u32) -> I,
    all: u64,
) -> bool {
    let mut is_reachable = vec![false; nodes];
    let mut open = start.to_vec();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_reachable[node as usize], true) {
            open.extend(steps(node).map(|(target, _)| target));
        }
    }
    let of = components(nodes, |node| {
        let steps = is_reachable[node as usize].then(|| steps(node));
        steps.into_iter().flatten().map(|(target, _)| target)
    });
    let mut marks = vec![None; nodes];
    for node in (0..nodes as u32).filter(|&node| is_reachable[node as usize]) {
        for (target, more) in steps(node).filter(|step| of[step.0 as usize] == of[node as usize]) {
            *marks[of[target as usize] as usize].get_or_insert(0) |= more;
        }
    }
    marks.contains(&Some(all))
}

/// The atoms that a letter makes true.
fn valuation(atoms: &[u32], letter: u32) -> u128 {
    let bit = |(place, atom): (usize, &u32)| u128::from(letter >> place & 1) << atom;
    atoms.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
}

impl Deterministic {
    /// By state: whether the cycles of its component accept, and for a state on no cycle what makes the automaton
    /// smallest (Löding's maximal colouring).
    fn accepting_states(&self, accepts: impl Fn(u32, &[u128]) -> bool) -> Vec<bool> {
        let states = self.next.len();
        let of = components(states, |state| self.next[state as usize].iter().copied());
        let count = of.iter().max().map_or(0, |most| *most as usize + 1);
        let mut colours = vec![2 * states as u32; count];
        for component in 0..count {
            let members: Vec<u32> =
                (0..states as u32).filter(|&s| of[s as usize] as usize == component).collect();
            let targets = members.iter().flat_map(|&state| &self.next[state as usize]);
            let outside = targets.filter(|&&target| of[target as usize] as usize != component);
            let least = outside.map(|&target| colours[of[target as usize] as usize]).min();
            let mut colour = least.unwrap_or(2 * states as u32);
            if let Some(word) = self.cycle(members[0], &of) {
                let is_even = accepts(members[0], &word);
                colour -= u32::from(is_even != colour.is_multiple_of(2));
            }
            colours[component] = colour;
        }
        of.iter().map(|&component| colours[component as usize].is_multiple_of(2)).collect()
    }

    /// A word that leads from a state back to it.
    fn cycle(&self, from: u32, of: &[u32]) -> Option<Vec<u128>> {
        let mut reached: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut open = std::collections::VecDeque::from([from]);
        while let Some(state) = open.pop_front() {
            for (letter, &target) in (0u32..).zip(&self.next[state as usize]) {
                if of[target as usize] != of[from as usize] || reached.contains_key(&target) {
                    continue;
                }
                reached.insert(target, (state, letter));
                open.push_back(target);
            }
        }
        let mut word = Vec::new();
        let mut state = from;
        loop {
            let &(before, letter) = reached.get(&state)?;
            word.push(valuation(&self.atoms, letter));
            state = before;
            if state == from {
                word.reverse();
                return Some(word);
            }
        }
    }

    /// Moore's partition refinement.
    fn minimal(self) -> Self {
        let mut class: Vec<u32> = self.is_accepting.iter().map(|&is| u32::from(is)).collect();
        let mut count = 0;
        loop {
            let mut numbers: FxHashMap<(u32, Vec<u32>), u32> = FxHashMap::default();
            let refined: Vec<u32> = (0..self.next.len())
                .map(|state| {
                    let row = self.next[state].iter().map(|&to| class[to as usize]).collect();
                    let next = numbers.len() as u32;
                    *numbers.entry((class[state], row)).or_insert(next)
                })
                .collect();
            class = refined;
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
        }
        let mut next = vec![Vec::new(); count];
        let mut is_accepting = vec![false; count];
        for (state, row) in self.next.iter().enumerate() {
            next[class[state] as usize] = row.iter().map(|&to| class[to as usize]).collect();
            is_accepting[class[state] as usize] = self.is_accepting[state];
        }
        // The first state is the initial one, and has the first number.
        Self { atoms: self.atoms, next, is_accepting }
    }

    /// With cubes, of the language or of its complement.
    fn to_buchi(&self, is_positive: bool) -> BuchiAutomaton {
        let used = self.atoms.iter().fold(0, |bits, atom| bits | 1u128 << atom);
        let edges = self.next.iter().zip(&self.is_accepting).map(|(row, &is_accepting)| {
            let marks = u64::from(is_accepting == is_positive);
            let edge = |(letter, &target): (u32, &u32)| {
                let positive = valuation(&self.atoms, letter);
                BuchiEdge {
                    target,
                    marks,
                    label: LiteralCube { positive, negative: used & !positive },
                }
            };
            let mut edges: Vec<BuchiEdge> = (0..).zip(row).map(edge).collect();
            merge_labels(&mut edges);
            edges
        });
        BuchiAutomaton { initial: 0, sets: 1, edges: edges.collect() }
    }
}
