//! LTL to generalised Büchi automata with acceptance on transitions.
//!
//! The construction is Couvreur's tableau ("On-the-fly verification of linear temporal logic", FM 1999), which is also
//! what one gets from Gastin and Oddoux's very weak alternating automaton ("Fast LTL to Büchi automata translation",
//! CAV 2001) when the alternating automaton is not stored: a state is a set of obligations, an edge a way to meet them
//! now with the obligations that it leaves. Couvreur's form was chosen because obligations are formulas, so the
//! rewriting and implications of formulas prune the construction itself, and because suspension (Babiak et al., TACAS
//! 2012) comes for free: suspendable formulas move out of all operators when formulas are made.
//!
//! An edge *promises* `b` if it puts off some `a U b`. There is one acceptance set for each such `b`: the edges that do
//! not promise it. So `a U b` and `c U b` share a set, as in Spot.
//!
//! Where we differ: edges are cubes, not BDDs; an edge is left out if another one has a weaker label, promises no more
//! and leaves obligations that are implied; an obligation that the others take care of is left out.
//!
//! Why leaving out edges is right: on a word that satisfies its obligations a state has an edge that promises `b` only
//! if `b` does not hold now. An edge that is better promises no more, and what it leaves holds as well. So there is a
//! run that promises `b` only where `b` does not hold, and where it does so for some `a U b`, `b` will hold later.

use crate::buchi::{BuchiAutomaton, BuchiEdge};
use crate::cube::{LiteralCube, MAX_ATOMS};
use crate::formula::{LtlArena, LtlId, LtlNode};
use crate::history::without_past;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use support::{Monitor, Stopped};

/// Why a formula has no automaton here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TranslationError {
    #[error("the formula has more than {MAX_ATOMS} atoms, history variables included")]
    Atoms,
    #[error("the formula has more than {MAX_SETS} eventualities")]
    Eventualities,
    #[error("the formula is nested more than {MAX_DEPTH} deep")]
    Depth,
    #[error("its automaton has more than {MAX_MOVES} edges")]
    Edges,
    #[error("its automaton is too entangled to be written as fixpoints")]
    Fixpoints,
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

const MAX_SETS: u32 = 64;
/// Of the nesting of operators; the passes over formulas are recursive.
pub const MAX_DEPTH: u32 = 400;
/// Intermediate edges, useful ones and others.
const MAX_MOVES: u32 = 1_000_000;

/// A way to meet obligations at one position.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Move {
    label: LiteralCube,
    /// The obligations for the next position, sorted.
    next: Vec<LtlId>,
    promises: u64,
}

struct Tableau<'a> {
    arena: &'a mut LtlArena,
    monitor: &'a Monitor,
    moves: FxHashMap<LtlId, Rc<[Move]>>,
    /// The formulas that are promised, with their numbers.
    promises: FxHashMap<LtlId, u32>,
    /// The moves that were looked at.
    looked_at: u32,
}

/// Translates a formula over atoms `0..atoms`. The automaton is not reduced.
pub fn translate(
    arena: &mut LtlArena,
    formula: LtlId,
    atoms: u32,
    monitor: &Monitor,
) -> Result<BuchiAutomaton, TranslationError> {
    if arena.depth(formula) > MAX_DEPTH {
        return Err(TranslationError::Depth);
    }
    let history = without_past(arena, formula, atoms);
    if history.fresh.end > MAX_ATOMS {
        return Err(TranslationError::Atoms);
    }
    let mut tableau = Tableau {
        arena,
        monitor,
        moves: FxHashMap::default(),
        promises: FxHashMap::default(),
        looked_at: 0,
    };
    let mut automaton = tableau.run(history.formula)?;
    let hidden = history.fresh.fold(0, |bits, atom| bits | 1u128 << atom);
    for edge in automaton.edges.iter_mut().flatten() {
        edge.label = edge.label.without(hidden);
    }
    Ok(automaton)
}

impl Tableau<'_> {
    fn run(&mut self, formula: LtlId) -> Result<BuchiAutomaton, TranslationError> {
        let initial = self.obligations(&[formula]);
        let mut numbers = FxHashMap::from_iter([(initial.clone(), 0u32)]);
        let mut states = vec![initial];
        let mut rows: Vec<Vec<Move>> = Vec::new();
        while let Some(state) = states.get(rows.len()).cloned() {
            let mut moves =
                vec![Move { label: LiteralCube::default(), next: Vec::new(), promises: 0 }];
            for obligation in state {
                let more = self.expand(obligation)?;
                moves = self.product(&moves, &more)?;
            }
            for to in &moves {
                if !numbers.contains_key(&to.next) {
                    numbers.insert(to.next.clone(), states.len() as u32);
                    states.push(to.next.clone());
                }
            }
            rows.push(moves);
        }
        let sets = self.promises.len() as u32;
        let mut automaton = BuchiAutomaton { initial: 0, sets, edges: Vec::new() };
        let all = automaton.all_marks();
        automaton.edges = rows
            .into_iter()
            .map(|moves| {
                let edge = |to: Move| BuchiEdge {
                    target: numbers[&to.next],
                    marks: all & !to.promises,
                    label: to.label,
                };
                moves.into_iter().map(edge).collect()
            })
            .collect();
        Ok(automaton)
    }

    /// The set of obligations that stands for a conjunction, without those that others take care of.
    fn obligations(&mut self, all: &[LtlId]) -> Vec<LtlId> {
        let mut set: Vec<LtlId> = Vec::new();
        for &a in all {
            match self.arena.node(a) {
                LtlNode::And(inner) => set.extend_from_slice(inner),
                LtlNode::Const(true) => {}
                _ => set.push(a),
            }
        }
        set.sort_unstable();
        set.dedup();
        let mut place = 0;
        while place < set.len() {
            let candidate = set.remove(place);
            if !self.is_taken_care_of(candidate, &set) {
                set.insert(place, candidate);
                place += 1;
            }
        }
        set
    }

    /// Whether every move of these obligations contains one of this formula, or it is a safety formula and implied.
    /// Implication alone does not suffice: `q R X F p` implies `F p`, but makes no promise now.
    fn is_taken_care_of(&mut self, formula: LtlId, by: &[LtlId]) -> bool {
        if self.arena.is_safety(formula) {
            return by.iter().any(|&other| self.arena.implies(other, formula));
        }
        if by.iter().any(|&other| self.expands(other, formula)) {
            return true;
        }
        match self.arena.node(formula).clone() {
            LtlNode::And(all) => all.iter().all(|&a| self.is_taken_care_of(a, by)),
            LtlNode::Or(all) => all.iter().any(|&a| self.is_taken_care_of(a, by)),
            LtlNode::Until(_, b) => self.is_taken_care_of(b, by),
            LtlNode::Release(a, b) => self.is_taken_care_of(a, by) && self.is_taken_care_of(b, by),
            _ => false,
        }
    }

    /// Whether the moves of `formula` are made from those of `part`.
    fn expands(&self, formula: LtlId, part: LtlId) -> bool {
        formula == part
            || match self.arena.node(formula) {
                LtlNode::And(all) => all.iter().any(|&a| self.expands(a, part)),
                LtlNode::Release(_, b) => self.expands(*b, part),
                _ => false,
            }
    }

    /// The ways to satisfy a formula now.
    fn expand(&mut self, formula: LtlId) -> Result<Rc<[Move]>, TranslationError> {
        if let Some(known) = self.moves.get(&formula) {
            return Ok(known.clone());
        }
        let nothing = || Move { label: LiteralCube::default(), next: Vec::new(), promises: 0 };
        let moves = match self.arena.node(formula).clone() {
            LtlNode::Const(value) => value.then(nothing).into_iter().collect(),
            LtlNode::Literal { atom, .. } if atom >= MAX_ATOMS => {
                return Err(TranslationError::Atoms);
            }
            LtlNode::Literal { atom, is_positive } => {
                vec![Move { label: LiteralCube::literal(atom, is_positive), ..nothing() }]
            }
            LtlNode::And(all) => {
                let mut moves = vec![nothing()];
                for &a in &all {
                    let more = self.expand(a)?;
                    moves = self.product(&moves, &more)?;
                }
                moves
            }
            LtlNode::Or(all) => {
                let mut moves = Vec::new();
                // `F G a | F G b | G F c` is put off as a whole, since it does not change its value: the choice comes
                // when `G a` or `G b` begins.
                let mut put_off = Move { next: vec![formula], ..nothing() };
                for &a in &all {
                    let mut more = self.expand(a)?.to_vec();
                    if let LtlNode::Until(_, b) = *self.arena.node(a)
                        && self.arena.is_suspendable(formula)
                    {
                        more.retain(|to| to.next != [a]);
                        put_off.promises |= 1 << self.promise(b)?;
                    }
                    self.add(&mut moves, more)?;
                }
                self.add(&mut moves, (put_off.promises != 0).then_some(put_off))?;
                moves
            }
            LtlNode::Next(a) => vec![Move { next: self.obligations(&[a]), ..nothing() }],
            LtlNode::Until(a, b) => {
                let promises = 1 << self.promise(b)?;
                let put_off = Move { next: vec![formula], promises, ..nothing() };
                let (first, second) = (self.expand(a)?, self.expand(b)?);
                let mut moves = second.to_vec();
                let later = self.product(&first, &[put_off])?;
                self.add(&mut moves, later)?;
                moves
            }
            LtlNode::Release(a, b) => {
                let (first, second) = (self.expand(a)?, self.expand(b)?);
                let mut released = first.to_vec();
                self.add(&mut released, [Move { next: vec![formula], ..nothing() }])?;
                self.product(&second, &released)?
            }
            LtlNode::Previous { .. } | LtlNode::Since(..) | LtlNode::Triggered(..) => {
                unreachable!("history variables stand for the past")
            }
        };
        let moves: Rc<[Move]> = moves.into();
        self.moves.insert(formula, moves.clone());
        Ok(moves)
    }

    fn promise(&mut self, promised: LtlId) -> Result<u32, TranslationError> {
        let next = self.promises.len() as u32;
        let number = *self.promises.entry(promised).or_insert(next);
        if number < MAX_SETS { Ok(number) } else { Err(TranslationError::Eventualities) }
    }

    fn product(&mut self, first: &[Move], second: &[Move]) -> Result<Vec<Move>, TranslationError> {
        let mut moves = Vec::new();
        for a in first {
            for b in second {
                let Some(label) = a.label.and(b.label) else { continue };
                let both: Vec<LtlId> = a.next.iter().chain(&b.next).copied().collect();
                let next = self.obligations(&both);
                let joint = Move { label, next, promises: a.promises | b.promises };
                self.add(&mut moves, [joint])?;
            }
        }
        Ok(moves)
    }

    /// Adds moves, without those that are no better than another.
    fn add(
        &mut self,
        moves: &mut Vec<Move>,
        more: impl IntoIterator<Item = Move>,
    ) -> Result<(), TranslationError> {
        for candidate in more {
            self.monitor.step(1)?;
            self.looked_at += 1;
            if self.looked_at > MAX_MOVES {
                return Err(TranslationError::Edges);
            }
            if moves.iter().any(|other| self.is_better(other, &candidate)) {
                continue;
            }
            moves.retain(|other| !self.is_better(&candidate, other));
            moves.push(candidate);
        }
        Ok(())
    }

    fn is_better(&mut self, a: &Move, b: &Move) -> bool {
        a.promises & !b.promises == 0
            && a.label.contains(b.label)
            && a.next.iter().all(|&obligation| {
                b.next.iter().any(|&other| self.arena.implies(other, obligation))
            })
    }
}
