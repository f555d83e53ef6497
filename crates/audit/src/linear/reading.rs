//! A subformula read as an automaton of words, by following one play: see the head of [`super`].

use super::letters::Letters;
use crate::error::AuditError;
use bdd::{Bdd, Manager, Stop};
use logic::{Formula, Modality, Node, NodeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use support::{IdVec, components};

/// So many operators are looked at on the paths to the next modalities at most, over all positions.
const MOST_VISITS: usize = 1 << 20;

pub(super) struct WordEdge {
    /// The letters.
    pub guard: Bdd,
    /// `None` if all that follows is accepted.
    pub target: Option<usize>,
    /// The highest priority that is passed.
    priority: Option<u32>,
    pub is_accepting: bool,
}

/// A Büchi automaton with acceptance on edges. It begins in state 0.
pub(super) struct WordAutomaton {
    pub edges: Vec<Vec<WordEdge>>,
}

impl WordAutomaton {
    /// One state with an accepting loop.
    pub fn single(guard: Bdd) -> Self {
        let edge = WordEdge { guard, target: Some(0), priority: None, is_accepting: true };
        Self { edges: vec![vec![edge]] }
    }

    /// One state without successors.
    pub fn empty() -> Self {
        Self { edges: vec![Vec::new()] }
    }

    /// Reads an automaton, by the letters under which a subformula may be won at all. With boxes it accepts words on
    /// which the play is lost, with diamonds all words on which it may be won.
    pub fn read(
        formula: &Formula,
        root: NodeId,
        modality: Modality,
        bounds: &IdVec<NodeId, Bdd>,
        letters: &mut Letters,
    ) -> Result<Self, AuditError> {
        let mut states = vec![root];
        let mut numbers = FxHashMap::from_iter([(root, 0)]);
        let mut edges: Vec<Vec<WordEdge>> = Vec::new();
        let mut visits = 0;
        while let Some(&state) = states.get(edges.len()) {
            let mut reading =
                Reading { formula, modality, bounds, letters, visits, moves: Vec::new() };
            reading.state(state)?;
            visits = reading.visits;
            let number = |(guard, body, priority): (Bdd, Option<NodeId>, Option<u32>)| {
                let target = body.map(|body| {
                    *numbers.entry(body).or_insert_with(|| {
                        states.push(body);
                        states.len() - 1
                    })
                });
                WordEdge { guard, target, priority, is_accepting: false }
            };
            let row = reading.moves.into_iter().map(number).collect();
            edges.push(row);
        }
        let mut automaton = Self { edges };
        automaton.accept(u32::from(modality == Modality::Box))?;
        automaton.accept_on_entry();
        Ok(automaton.quotient(&mut letters.manager)?)
    }

    /// Finds which edges accept, so that a cycle has one of them iff its highest priority has this parity: those with
    /// the highest priority of their component, and without these of what is left of it, and so on.
    fn accept(&mut self, parity: u32) -> Result<(), AuditError> {
        let mut priorities: Vec<u32> =
            self.edges.iter().flatten().filter_map(|edge| edge.priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        // Whether a cycle through the state may have a higher priority of the other parity.
        let mut may_lose = vec![false; self.edges.len()];
        for &priority in priorities.iter().rev() {
            let targets = |state: u32| {
                let row = self.edges[state as usize].iter();
                let lower = row.filter(|edge| edge.priority <= Some(priority));
                lower.filter_map(|edge| edge.target.map(|target| target as u32))
            };
            let of = components(self.edges.len(), targets);
            let mut losing = Vec::new();
            for (state, row) in self.edges.iter_mut().enumerate() {
                let is_inner = |edge: &&mut WordEdge| {
                    edge.priority == Some(priority)
                        && edge.target.is_some_and(|target| of[target] == of[state])
                };
                for edge in row.iter_mut().filter(is_inner) {
                    if priority % 2 != parity {
                        losing.push(of[state]);
                    } else if may_lose[state] {
                        let problem = "its formula is not that of a Büchi automaton";
                        return Err(AuditError::invalid(problem));
                    } else {
                        edge.is_accepting = true;
                    }
                }
            }
            for (state, may_lose) in may_lose.iter_mut().enumerate() {
                *may_lose |= losing.contains(&of[state]);
            }
        }
        Ok(())
    }
    /// The strongly connected component of each state.
    pub fn components(&self) -> Vec<u32> {
        components(self.edges.len(), |state| {
            let row = self.edges[state as usize].iter();
            row.filter_map(|edge| edge.target.map(|target| target as u32))
        })
    }

    /// Whether edges of a state lead to several states under one letter; without that, one run shows what is accepted.
    pub fn has_choice(&self, manager: &mut Manager) -> Result<bool, Stop> {
        for row in &self.edges {
            let mut guards: BTreeMap<Option<usize>, Bdd> = BTreeMap::new();
            for edge in row {
                let guard = match guards.get(&edge.target) {
                    Some(other) => manager.or(other, &edge.guard)?,
                    None => edge.guard.clone(),
                };
                guards.insert(edge.target, guard);
            }
            // To accept all that follows is as good as anything.
            let mut met = guards.remove(&None).unwrap_or_else(|| manager.constant(false));
            let everything = met.clone();
            for guard in guards.into_values() {
                let guard = manager.minus(&guard, &everything)?;
                if !manager.and(&met, &guard)?.is_empty() {
                    return Ok(true);
                }
                met = manager.or(&met, &guard)?;
            }
        }
        Ok(false)
    }

    /// Where all edges from a state that stay in its component accept, those that come to it from there do instead: a
    /// run takes the ones infinitely often if it takes the others. This makes states alike.
    fn accept_on_entry(&mut self) {
        let of = self.components();
        let stays = |state: usize, edge: &WordEdge| {
            edge.target.is_some_and(|target| of[target] == of[state])
        };
        let is_passed_on = |(state, row): (usize, &Vec<WordEdge>)| {
            row.iter().filter(|edge| stays(state, edge)).all(|edge| edge.is_accepting)
        };
        let is_passed_on: Vec<bool> = self.edges.iter().enumerate().map(is_passed_on).collect();
        for (state, row) in self.edges.iter_mut().enumerate() {
            for edge in row.iter_mut().filter(|edge| stays(state, edge)) {
                let is_own = edge.is_accepting && !is_passed_on[state];
                edge.is_accepting = is_own || edge.target.is_some_and(|to| is_passed_on[to]);
            }
        }
    }

    /// Makes bisimilar states one, by partition refinement: formulas repeat states of the automaton that they are of.
    fn quotient(self, manager: &mut Manager) -> Result<Self, Stop> {
        let mut class = vec![0; self.edges.len()];
        let mut count = 1;
        loop {
            let mut numbers: FxHashMap<_, Vec<(Vec<Bdd>, usize)>> = FxHashMap::default();
            let (mut refined, mut rows) = (Vec::new(), Vec::new());
            for (state, row) in self.edges.iter().enumerate() {
                let mut guards: BTreeMap<(Option<usize>, bool), Bdd> = BTreeMap::new();
                for edge in row {
                    let kind = (edge.target.map(|target| class[target]), edge.is_accepting);
                    let guard = match guards.get(&kind) {
                        Some(other) => manager.or(other, &edge.guard)?,
                        None => edge.guard.clone(),
                    };
                    guards.insert(kind, guard);
                }
                let (kinds, guards): (Vec<_>, Vec<Bdd>) = guards.into_iter().unzip();
                let alike = numbers.entry((class[state], kinds.clone())).or_default();
                let known = alike.iter().find(|(other, _)| *other == guards);
                let number = known.map_or(rows.len(), |(_, number)| *number);
                if number == rows.len() {
                    alike.push((guards.clone(), number));
                    rows.push((kinds, guards));
                }
                refined.push(number);
            }
            class = refined;
            if rows.len() == count {
                let edge = |((target, is_accepting), guard)| WordEdge {
                    guard,
                    target,
                    priority: None,
                    is_accepting,
                };
                let row = |(kinds, guards): (Vec<_>, Vec<Bdd>)| {
                    kinds.into_iter().zip(guards).map(edge).collect()
                };
                return Ok(Self { edges: rows.into_iter().map(row).collect() });
            }
            count = rows.len();
        }
    }
}

struct Reading<'a> {
    formula: &'a Formula,
    modality: Modality,
    bounds: &'a IdVec<NodeId, Bdd>,
    letters: &'a mut Letters,
    visits: usize,
    moves: Vec<(Bdd, Option<NodeId>, Option<u32>)>,
}

impl Reading<'_> {
    /// The moves of one position.
    fn state(&mut self, state: NodeId) -> Result<(), AuditError> {
        let is_box = self.modality == Modality::Box;
        let mut open = vec![(state, self.letters.manager.constant(true), None, 0usize)];
        while let Some((id, guard, priority, fixpoints)) = open.pop() {
            self.visits += 1;
            // A chain of fixpoints that is longer has a cycle without a step.
            if self.visits > MOST_VISITS || fixpoints > self.formula.len() {
                return Err(AuditError::invalid(
                    "its formula has too many branches without a step",
                ));
            }
            let manager = &mut self.letters.manager;
            if is_box {
                let lost = manager.minus(&guard, &self.bounds[id])?;
                if !lost.is_empty() {
                    self.moves.push((lost, None, None));
                }
            }
            let guard = manager.and(&guard, &self.bounds[id])?;
            if guard.is_empty() {
                continue;
            }
            match self.formula.node(id) {
                // The choice is that of the play.
                Node::And(a, b) if is_box => {
                    open.extend([
                        (a, guard.clone(), priority, fixpoints),
                        (b, guard, priority, fixpoints),
                    ]);
                }
                Node::Or(a, b) if !is_box => {
                    open.extend([
                        (a, guard.clone(), priority, fixpoints),
                        (b, guard, priority, fixpoints),
                    ]);
                }
                // The play goes on in the second operand: the first cannot be won.
                Node::Or(a, b) => {
                    let guard = manager.minus(&guard, &self.bounds[a])?;
                    open.push((b, guard, priority, fixpoints));
                }
                // Both are won.
                Node::And(a, b) => {
                    let guard = manager.and(&guard, &self.bounds[a])?;
                    open.push((b, guard, priority, fixpoints));
                }
                Node::Modal(modality, actions, body) if modality == self.modality => {
                    let step = self.letters.step(self.formula.actions(actions))?;
                    let Some(step) = step else {
                        return Err(AuditError::invalid(
                            "its formula has steps of an unknown kind",
                        ));
                    };
                    let guard = self.letters.manager.and(&guard, &step)?;
                    if !guard.is_empty() {
                        self.moves.push((guard, Some(body), priority));
                    }
                }
                Node::Var(var) | Node::Fix(var) => {
                    let higher = priority.max(Some(self.formula.priority(var)));
                    let body = self.formula.var(var).body;
                    open.push((body, guard, higher, fixpoints + 1));
                }
                Node::Const(_) | Node::Lit(..) | Node::Modal(..) => {
                    // Without a step nothing is lost, and no path is there.
                    if !is_box {
                        return Err(AuditError::invalid("its formula does not show a path"));
                    }
                }
            }
        }
        Ok(())
    }
}
