//! Reduction by direct and by reverse simulation.
//!
//! Etessami, Wilke and Schuller ("Fair simulation relations, parity games, and state space reduction for Büchi
//! automata", SIAM J. Comput. 2005), for marks on edges as in Babiak et al. ("Compositional approach to suspension and
//! other improvements to LTL translation", SPIN 2013). A state is simulated by another one if, for every edge and every
//! valuation of its label, the other has an edge with that valuation, at least its marks, and a target that simulates
//! its target. States that simulate each other become one, and an edge goes if a better one leaves the same state
//! (Clemente and Mayr, "Advanced automata minimization", POPL 2013). Reverse simulation is the same on incoming edges,
//! where the initial state is simulated by itself only.
//!
//! Whoever knows at each position which subformulas hold finds an accepting run of the translation step by step, and
//! direct simulation keeps it so. Reverse simulation need not: of two states that lead to the same ones, one is kept,
//! and a run has to be in it before it is known that it is needed. The auditor, which looks for such runs, would not
//! see what is right. So a reduction by reverse simulation is taken only if its result simulates what it was made of.
//!
//! Where we differ: labels are compared as sets of valuations by splitting cubes, without BDDs; the relation is
//! computed by plain iteration, which is cubic, so larger automata are left as they are.

use crate::buchi::{BuchiAutomaton, BuchiEdge};
use crate::cube::LiteralCube;
use support::{Monitor, Stopped};

/// Automata with more states are not reduced.
const MAX_STATES: usize = 1000;

/// A preorder on states: row by row, whether the column simulates the row.
struct Preorder {
    states: usize,
    simulates: Vec<bool>,
}

impl Preorder {
    fn is_below(&self, a: u32, b: u32) -> bool {
        self.simulates[a as usize * self.states + b as usize]
    }

    fn is_strictly_below(&self, a: u32, b: u32) -> bool {
        self.is_below(a, b) && !self.is_below(b, a)
    }

    /// The least state that is equivalent.
    fn representative(&self, a: u32) -> u32 {
        (0..a).find(|&b| self.is_below(a, b) && self.is_below(b, a)).unwrap_or(a)
    }

    /// Computes the largest simulation, given edges in the direction of the simulation.
    fn largest(
        edges: &[Vec<BuchiEdge>],
        may_start: impl Fn(u32, u32) -> bool,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let states = edges.len();
        let count = states as u32;
        let start = (0..count).flat_map(|a| (0..count).map(move |b| (a, b)));
        let simulates = start.map(|(a, b)| may_start(a, b)).collect();
        let mut order = Self { states, simulates };
        let mut labels = Vec::new();
        loop {
            let mut is_stable = true;
            for a in 0..count {
                monitor.step(u64::from(count))?;
                for b in 0..count {
                    if a == b || !order.is_below(a, b) {
                        continue;
                    }
                    let is_matched = edges[a as usize].iter().all(|edge| {
                        labels.clear();
                        let others = edges[b as usize].iter();
                        labels.extend(others.filter(|o| order.is_better(edge, o)).map(|o| o.label));
                        edge.label.is_covered_by(&labels)
                    });
                    if !is_matched {
                        order.simulates[a as usize * states + b as usize] = false;
                        is_stable = false;
                    }
                }
            }
            if is_stable {
                return Ok(order);
            }
        }
    }

    /// Whether the other edge has at least the marks and a target at least as large.
    fn is_better(&self, edge: &BuchiEdge, other: &BuchiEdge) -> bool {
        edge.marks & !other.marks == 0 && self.is_below(edge.target, other.target)
    }

    /// Removes edges of one state that a better one makes superfluous.
    fn prune(&self, edges: &mut Vec<BuchiEdge>) {
        let mut place = 0;
        while place < edges.len() {
            let edge = edges[place];
            let others = edges.iter().enumerate().filter(|(other, o)| {
                *other != place
                    && self.is_better(&edge, o)
                    && (self.is_strictly_below(edge.target, o.target) || edge.target == o.target)
            });
            let labels: Vec<LiteralCube> = others.map(|(_, other)| other.label).collect();
            if edge.label.is_covered_by(&labels) {
                edges.remove(place);
            } else {
                place += 1;
            }
        }
    }
}

impl BuchiAutomaton {
    /// Reduces by direct simulation.
    pub(crate) fn reduced_forward(self, monitor: &Monitor) -> Result<Self, Stopped> {
        if self.states() > MAX_STATES {
            return Ok(self);
        }
        let order = Preorder::largest(&self.edges, |_, _| true, monitor)?;
        Ok(self.quotient(&order, |order, edges| edges.iter_mut().for_each(|row| order.prune(row))))
    }

    /// Reduces by reverse simulation.
    pub(crate) fn reduced_backward(self, monitor: &Monitor) -> Result<Self, Stopped> {
        if self.states() > MAX_STATES {
            return Ok(self);
        }
        let initial = self.initial;
        let reversed = reverse(&self.edges);
        let may_start = |a: u32, b: u32| a != initial || b == initial;
        let order = Preorder::largest(&reversed, may_start, monitor)?;
        let reduced = self.clone().quotient(&order, |order, edges| {
            let mut reversed = reverse(edges);
            reversed.iter_mut().for_each(|row| order.prune(row));
            *edges = reverse(&reversed);
        });
        Ok(if reduced.simulates(&self, monitor)? { reduced } else { self })
    }

    /// Whether the initial state simulates that of another automaton with the same acceptance sets.
    fn simulates(&self, other: &Self, monitor: &Monitor) -> Result<bool, Stopped> {
        let first = other.states() as u32;
        let mut edges = other.edges.clone();
        edges.extend(self.edges.iter().map(|row| {
            row.iter().map(|edge| BuchiEdge { target: first + edge.target, ..*edge }).collect()
        }));
        let order = Preorder::largest(&edges, |a, b| a < first && first <= b, monitor)?;
        Ok(order.is_below(other.initial, first + self.initial))
    }

    /// Makes equivalent states one, and prunes.
    fn quotient(
        mut self,
        order: &Preorder,
        prune: impl FnOnce(&Preorder, &mut Vec<Vec<BuchiEdge>>),
    ) -> Self {
        let of: Vec<u32> = (0..self.states() as u32).map(|a| order.representative(a)).collect();
        let mut edges = vec![Vec::new(); self.states()];
        for (state, row) in self.edges.iter().enumerate() {
            let moved =
                row.iter().map(|edge| BuchiEdge { target: of[edge.target as usize], ..*edge });
            edges[of[state] as usize].extend(moved);
        }
        edges.iter_mut().for_each(merge_labels);
        prune(order, &mut edges);
        edges.iter_mut().for_each(merge_labels);
        self.edges = edges;
        self.initial = of[self.initial as usize];
        self
    }
}

fn reverse(edges: &[Vec<BuchiEdge>]) -> Vec<Vec<BuchiEdge>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (state, row) in edges.iter().enumerate() {
        for edge in row {
            reversed[edge.target as usize].push(BuchiEdge { target: state as u32, ..*edge });
        }
    }
    reversed
}

/// Joins edges with one target and the same marks whose labels are one cube together.
pub(crate) fn merge_labels(edges: &mut Vec<BuchiEdge>) {
    edges.sort_unstable();
    edges.dedup();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        let mut place = 0;
        while place < edges.len() {
            let edge = edges[place];
            let joined = (place + 1..edges.len())
                .take_while(|&other| edges[other].target == edge.target)
                .filter(|&other| edges[other].marks == edge.marks)
                .find_map(|other| Some((other, edge.label.merge(edges[other].label)?)));
            if let Some((other, label)) = joined {
                edges[place].label = label;
                edges.remove(other);
                is_changed = true;
            } else {
                place += 1;
            }
        }
    }
}
