//! Automata as formulas of the µ-calculus: that some path has an accepting run, or that none has.
//!
//! For an automaton with one acceptance set, `Y_q` says that an accepting run begins in `q` just after an accepting
//! edge, and `X_q` the same after another edge:
//!
//! ```text
//! Y_q =ν X_q        X_q =µ ⋁ { label ∧ ◇ Y_q' | accepting edge to q' } ∪ { label ∧ ◇ X_q' | other edge to q' }
//! ```
//!
//! with the greatest fixpoints outside: a play that uses infinitely many accepting edges meets a `Y` again and again,
//! and is won. Components of the automaton are independent; one in which all cycles accept needs no `X`, one in which
//! none does no `Y`. The equations are written out as nested fixpoints (Bekič), which repeats states only within a
//! component: a state that is open is its variable, and a `Y` closes the `X` around it, which lie outside of it. An edge
//! that no cycle without accepting edges goes through closes them, too: no `X` behind it can come back to them. So the
//! conditions of fairness, which are met one after the other, make the formula longer by a factor and not by a power.
//! The dual, for "none has", exchanges everything with its dual.
//!
//! So every engine for the µ-calculus checks linear time, on partial models too: in the dual all choices are the
//! opponent's, so the formula is true iff no may-path has an accepting run where unknown literals hold, and false iff a
//! must-path has one where they do not.

use crate::acceptance::Acceptance;
use crate::buchi::{BuchiAutomaton, BuchiEdge};
use crate::cube::LiteralCube;
use crate::translate::TranslationError;
use logic::{ActionSet, Fix, FormulaBuilder, Modality, NodeId, Origin};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use support::components;

/// States are repeated at most so many times in all.
const MAX_COPIES: u32 = 20_000;

/// Meanings of literals of the automaton, as formulas of states or as conditions on steps.
pub(crate) trait LiteralMeanings {
    fn builder(&mut self) -> &mut FormulaBuilder;

    /// The literal, or its negation if `is_negated`. Nothing if it is about the step.
    fn state(
        &mut self,
        atom: u32,
        is_positive: bool,
        is_negated: bool,
    ) -> Result<Option<NodeId>, TranslationError>;

    /// The steps that satisfy all literals that are about the step.
    fn steps(&self, label: LiteralCube) -> ActionSet;
}

/// Writes the automaton as a formula: that an accepting run begins here ([`Modality::Dia`]), or that none does
/// ([`Modality::Box`]).
pub(crate) fn unfold(
    automaton: &BuchiAutomaton,
    modality: Modality,
    origin: Origin,
    meanings: &mut impl LiteralMeanings,
) -> Result<NodeId, TranslationError> {
    let of = automaton.components();
    let acceptance = automaton.acceptance(&of);
    let all = automaton.all_marks();
    let waiting_of = components(automaton.states(), |state| {
        let waits = automaton.edges[state as usize].iter().filter(|edge| edge.marks != all);
        waits.map(|edge| edge.target)
    });
    let (done, copies) = (FxHashMap::default(), 0);
    let mut unfolding = Unfolding {
        automaton,
        of,
        waiting_of,
        acceptance,
        modality,
        origin,
        meanings,
        done,
        copies,
    };
    unfolding.begin(automaton.initial)
}

/// The fixpoints around, of the present component.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct OpenFixpoints {
    accepting: Vec<(u32, NodeId)>,
    others: Vec<(u32, NodeId)>,
}

struct Unfolding<'a, M> {
    automaton: &'a BuchiAutomaton,
    of: Vec<u32>,
    /// The strongly connected components without the accepting edges.
    waiting_of: Vec<u32>,
    acceptance: Vec<Acceptance>,
    modality: Modality,
    origin: Origin,
    meanings: &'a mut M,
    /// The fixpoints written so far: by state, whether it is a `Y`, and what is open around.
    done: FxHashMap<(u32, bool, OpenFixpoints), NodeId>,
    copies: u32,
}

impl<M: LiteralMeanings> Unfolding<'_, M> {
    /// A state of a component that is entered.
    fn begin(&mut self, state: u32) -> Result<NodeId, TranslationError> {
        let is_weak = self.acceptance_of(state) == Acceptance::Weak;
        self.state(state, is_weak, &OpenFixpoints::default())
    }

    fn acceptance_of(&self, state: u32) -> Acceptance {
        self.acceptance[self.of[state as usize] as usize]
    }

    /// `Y_q` or `X_q`.
    fn state(
        &mut self,
        state: u32,
        is_accepting: bool,
        open: &OpenFixpoints,
    ) -> Result<NodeId, TranslationError> {
        let around = if is_accepting { &open.accepting } else { &open.others };
        if let Some(&(_, variable)) = around.iter().find(|(other, _)| *other == state) {
            return Ok(variable);
        }
        let key = (state, is_accepting, open.clone());
        if let Some(&known) = self.done.get(&key) {
            return Ok(known);
        }
        self.copies += 1;
        if self.copies > MAX_COPIES {
            return Err(TranslationError::Fixpoints);
        }
        let kind = if is_accepting { Fix::Nu } else { Fix::Mu };
        let kind = if self.is_dual() { kind.dual() } else { kind };
        let (origin, builder) = (self.origin, self.meanings.builder());
        let var = builder.fresh_var(kind, "");
        let again = builder.var(var, origin);
        let mut inner = open.clone();
        let body = if is_accepting {
            inner.accepting.push((state, again));
            inner.others.clear();
            match self.acceptance_of(state) {
                Acceptance::Weak => self.moves(state, &inner)?,
                _ => self.state(state, false, &inner)?,
            }
        } else {
            inner.others.push((state, again));
            self.moves(state, &inner)?
        };
        let made = self.meanings.builder().fix(var, body, origin);
        self.done.insert(key, made);
        Ok(made)
    }

    fn moves(&mut self, state: u32, open: &OpenFixpoints) -> Result<NodeId, TranslationError> {
        // By target, marks and steps: the labels.
        let mut groups: BTreeMap<(u32, u64, Vec<String>, bool), Vec<LiteralCube>> = BTreeMap::new();
        let mut sets = FxHashMap::default();
        for &BuchiEdge { target, marks, label } in &self.automaton.edges[state as usize] {
            let steps = self.meanings.steps(label);
            if steps.is_empty() {
                continue;
            }
            let key = (target, marks, steps.names().to_vec(), steps.is_complement());
            sets.insert(key.clone(), steps);
            groups.entry(key).or_default().push(label);
        }
        let mut all = Vec::new();
        for (key, labels) in groups {
            let (target, marks) = (key.0, key.1);
            let there = if self.of[target as usize] != self.of[state as usize] {
                self.begin(target)?
            } else {
                let is_accepting = match self.acceptance_of(state) {
                    Acceptance::Weak => true,
                    Acceptance::Mixed => marks == self.automaton.all_marks(),
                    Acceptance::Rejecting => false,
                };
                let leaves = self.waiting_of[target as usize] != self.waiting_of[state as usize];
                match leaves && !is_accepting {
                    true => {
                        let others = Vec::new();
                        let open = OpenFixpoints { accepting: open.accepting.clone(), others };
                        self.state(target, is_accepting, &open)?
                    }
                    false => self.state(target, is_accepting, open)?,
                }
            };
            let modality = self.modality;
            let step =
                self.meanings.builder().modal(modality, &sets[&key], there, Origin::Structure);
            let mut cubes = Vec::new();
            for label in labels {
                cubes.push(self.label(label)?);
            }
            let now = self.joined(cubes, false);
            all.push(self.joined(vec![now, step], true));
        }
        Ok(self.joined(all, false))
    }

    fn label(&mut self, label: LiteralCube) -> Result<NodeId, TranslationError> {
        let is_dual = self.is_dual();
        let mut literals = Vec::new();
        for (bits, is_positive) in [(label.positive, true), (label.negative, false)] {
            for atom in (0..128).filter(|atom| bits >> atom & 1 == 1) {
                literals.extend(self.meanings.state(atom, is_positive, is_dual)?);
            }
        }
        Ok(self.joined(literals, true))
    }

    fn is_dual(&self) -> bool {
        self.modality == Modality::Box
    }

    /// A conjunction or a disjunction, or its dual.
    fn joined(&mut self, all: Vec<NodeId>, is_conjunction: bool) -> NodeId {
        let is_conjunction = is_conjunction != self.is_dual();
        let builder = self.meanings.builder();
        let neutral = builder.constant(is_conjunction, Origin::Structure);
        all.into_iter().fold(neutral, |joined, next| match is_conjunction {
            true => builder.and(joined, next, Origin::Structure),
            false => builder.or(joined, next, Origin::Structure),
        })
    }
}
