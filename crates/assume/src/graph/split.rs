//! Following a split: which states and edges of 𝓜‖P̄ are others when a class of a factor becomes two.
//!
//! Only states with the class, and those with an edge to one of them, are touched. A half is made only where
//! an edge leads to it, and what nothing leads to any more is swept away: in a product of many factors most
//! halves are never reached.

use super::{ERROR, Edge, Graph, in_order};
use crate::moves::Direction;
use rustc_hash::FxHashMap;
use std::mem::take;

/// So many states are not worth a sweep.
const SMALL: usize = 8;

/// The states that a split made of one: the old one has lost members to the new one.
pub(crate) struct SplitStates {
    pub pairs: Vec<(u32, u32)>,
    /// The states whose edges are others now, the new ones among them.
    pub changed: Vec<u32>,
}

impl Graph<'_> {
    /// A §6: splits the class of a factor because of which the edge is no must edge. Forward it is the
    /// target's, backward the source's.
    pub fn refine(&mut self, state: u32, edge: Edge, direction: Direction) -> Option<SplitStates> {
        let (source, target) = (self.tuples.of(state), self.tuples.of(edge.target));
        for &(factor, action) in &self.letters[edge.letter as usize].parts {
            let class = source[factor + 1];
            let own = &mut self.factors[factor];
            let (split, new) = match direction {
                Direction::Backward if edge.target == ERROR => {
                    (class, own.split_enabled(class, action))
                }
                Direction::Backward => {
                    (class, own.split_sources(class, action, target[factor + 1]))
                }
                Direction::Forward => {
                    let target = target[factor + 1];
                    (target, own.split_targets(class, action, target))
                }
            };
            if let Some(new) = new {
                return Some(self.follow_split(factor, split, new));
            }
        }
        None
    }

    /// A state with the class becomes two, as far as edges lead there; both know what it knew.
    fn follow_split(&mut self, factor: usize, class: u32, new: u32) -> SplitStates {
        self.with[factor].push(Vec::new());
        let split = self.with[factor][class as usize].clone();
        let mut changed = self.with_predecessors(&split);
        let before: FxHashMap<u32, Vec<Edge>> =
            changed.iter().map(|&state| (state, take(&mut self.edges[state as usize]))).collect();
        self.edge_count -= before.values().map(Vec::len).sum::<usize>();
        self.born.clear();
        self.start_in(factor, class, new);
        let (mut next, old_ones) = (0, changed.len());
        loop {
            changed.extend(&self.born[changed.len() - old_ones..]);
            let Some(&state) = changed.get(next) else { break };
            let old = &before[&self.origin(state, factor, class, new)];
            let is_split = [class, new].contains(&self.tuples.of(state)[factor + 1]);
            let mut edges = match is_split {
                true => self.expand(state),
                false => self.patch(state, old, (factor, [class, new])),
            };
            set_origins(&mut edges, old, |target| self.origin(target, factor, class, new));
            self.put(state, edges);
            next += 1;
        }
        let pair = |&twin: &u32| (self.origin(twin, factor, class, new), twin);
        SplitStates { pairs: self.born.iter().map(pair).collect(), changed }
    }

    /// The edges of a state after a split that is not of its own class: those that do not lead into the
    /// class are as they were; an edge to π that is found again is the one that was kept.
    fn patch(
        &mut self,
        state: u32,
        before: &[Edge],
        (factor, parts_of_class): (usize, [u32; 2]),
    ) -> Vec<Edge> {
        let is_split = |edge: &Edge| {
            edge.target != ERROR && self.tuples.of(edge.target)[factor + 1] == parts_of_class[0]
        };
        let mut edges: Vec<Edge> = before.iter().filter(|edge| !is_split(edge)).copied().collect();
        self.stand_at(state);
        self.within = Some((factor, parts_of_class));
        let class = self.here[factor + 1];
        for action in self.factors[factor].leading_to(class, parts_of_class) {
            for at in 0..self.involving[factor][action as usize].len() {
                self.follow(self.involving[factor][action as usize][at], &mut edges);
            }
        }
        self.within = None;
        in_order(edges)
    }

    /// An initial class has initial members only: both halves of it are initial.
    fn start_in(&mut self, factor: usize, class: u32, new: u32) {
        for at in 0..self.initial.len() {
            let tuple = self.tuples.of(self.initial[at]);
            if tuple[factor + 1] == class {
                let mut twin = tuple.to_vec();
                twin[factor + 1] = new;
                let twin = self.number(&twin);
                self.initial.push(twin);
            }
        }
    }

    /// The state that this one was a part of before the class was split.
    fn origin(&self, state: u32, factor: usize, class: u32, new: u32) -> u32 {
        let tuple = self.tuples.of(state);
        if state == ERROR || tuple[factor + 1] != new {
            return state;
        }
        let mut tuple = tuple.to_vec();
        tuple[factor + 1] = class;
        self.tuples.find(&tuple).unwrap_or_else(|| unreachable!("a twin is a part of a state"))
    }

    /// These states and all with an edge to one of them, each once.
    fn with_predecessors(&mut self, states: &[u32]) -> Vec<u32> {
        let mut all = states.to_vec();
        for &state in states {
            let mut into = take(&mut self.into[state as usize]);
            into.sort_unstable();
            into.dedup();
            into.retain(|&from| self.edges[from as usize].iter().any(|edge| edge.target == state));
            all.extend(&into);
            self.into[state as usize] = into;
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Drops the states that no may edge leads to any more, once there are many; which they are.
    pub fn sweep(&mut self) -> Vec<u32> {
        if self.live() <= 2 * self.kept + SMALL {
            return Vec::new();
        }
        let reachable = self.reachable();
        let is_gone = |state: u32| state != ERROR && !reachable.contains(state as usize);
        let gone: Vec<u32> = (0..self.states() as u32)
            .filter(|&state| is_gone(state) && !self.tuples.is_gone(state))
            .collect();
        for &state in &gone {
            self.tuples.remove(state);
            self.edge_count -= self.edges[state as usize].len();
            self.edges[state as usize].clear();
            self.into[state as usize].clear();
        }
        self.into.iter_mut().for_each(|into| into.retain(|&from| !is_gone(from)));
        self.with.iter_mut().flatten().for_each(|with| with.retain(|&state| !is_gone(state)));
        self.kept = self.live();
        gone
    }
}

/// Keeps settled edges settled: both halves of a split have the label of the state that was split.
fn set_origins(edges: &mut [Edge], before: &[Edge], origin: impl Fn(u32) -> u32) {
    for edge in edges {
        let key = (edge.own, origin(edge.target));
        if let Ok(at) = before.binary_search_by_key(&key, |edge| (edge.own, edge.target)) {
            edge.settled = before[at].settled;
        }
    }
}
