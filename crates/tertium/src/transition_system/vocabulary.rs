//! The vocabulary of formulas about a symbolic transition system: propositions of states, conditions on steps,
//! fairness.

use super::{StatedProperty, TransitionSystem};
use crate::error::Error;
use automata::Valuations;
use logic::{ActionSet, FairTerm, Fairness, Family, Formula, PropId, Signature, Surface};
use support::Interner;
use transition::{Conjunct, Role, Slice, StateProperty};

pub struct Vocabulary {
    /// By number of the proposition.
    pub labels: Vec<StateProperty>,
    pub conditions: Vec<StateProperty>,
    names: Interner<PropId>,
    condition_names: Vec<String>,
    /// Fairness: conditions that fair paths meet infinitely often.
    pub terms: Vec<FairTerm>,
    /// Whether formulas are about finite paths, too.
    counts_finite_paths: bool,
}

impl TransitionSystem {
    /// The vocabulary of these specifications.
    pub fn vocabulary(&self, asked: &[&StatedProperty]) -> Vocabulary {
        let machine = &self.document.machine;
        let is_fair = asked.iter().any(|asked| asked.is_fair);
        let mut properties = self.propositions(asked);
        let fair = if is_fair { self.fairness(machine, &mut properties) } else { Vec::new() };
        let is_step = |property: &StateProperty| machine.exprs.reads_input(property.node);
        let (conditions, labels): (Vec<StateProperty>, Vec<StateProperty>) =
            properties.into_iter().partition(is_step);
        let names: Interner<PropId> = labels.iter().map(|label| &*label.name).collect();
        let term = |name: String| match names.get(&name) {
            Some(prop) => FairTerm::State(prop, name),
            None => FairTerm::Step(ActionSet::one(name)),
        };
        let terms = fair.into_iter().map(term).collect();
        let condition_names = conditions.iter().map(|condition| condition.name.clone()).collect();
        let counts_finite_paths = self.document.counts_finite_paths;
        Vocabulary { labels, conditions, names, condition_names, terms, counts_finite_paths }
    }

    /// The vocabulary of all specifications of the file, numbered alike by the engines and the auditor.
    pub fn full_vocabulary(&self) -> Vocabulary {
        self.vocabulary(&self.all.iter().collect::<Vec<_>>())
    }
}

impl Vocabulary {
    /// The propositions and conditions that occur.
    pub fn all(&self) -> Vec<StateProperty> {
        self.labels.iter().chain(&self.conditions).cloned().collect()
    }

    /// The names that formulas may use; those of conditions are names of steps.
    pub fn signature(&self) -> Signature<'_> {
        let (props, actions) = (&self.names, &self.condition_names);
        Signature { family: Family::Props, props, actions }
    }

    /// The number of a proposition in another vocabulary.
    pub fn number_in(&self, other: &Vocabulary, prop: PropId) -> Option<PropId> {
        other.names.get(self.names.name(prop))
    }

    pub fn compile(&self, surface: &Surface, fairness: &Fairness) -> Result<Formula, Error> {
        let (signature, valuations) = (self.signature(), Valuations::Complete);
        automata::compile(surface, &signature, fairness, valuations, &mut Vec::new())
            .map_err(Error::of_formula)
    }

    /// Fairness on a slice of the transition system, for symbolic engines. Where there are only assignments every state
    /// has a successor: each of them has a value to choose.
    pub fn fairness_on(&self, slice: &Slice) -> Fairness {
        let is_assigned = |c: &Conjunct| !matches!(c.role, Role::Constraint(_));
        let plain = self.plain_fairness();
        let is_total = self.terms.is_empty() && slice.conjuncts.iter().all(is_assigned);
        Fairness { trims: true, everywhere: plain.everywhere || is_total, ..plain }
    }

    /// Fairness without the simplifications that hold where every state has a successor.
    pub fn plain_fairness(&self) -> Fairness {
        let everywhere = self.counts_finite_paths && self.terms.is_empty();
        Fairness { terms: self.terms.clone(), everywhere, ..Fairness::default() }
    }
}
