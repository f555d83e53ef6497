//! An SMV file in BDDs, for the symbolic method.

use super::enumeration::{deadlock_warning, no_start};
use super::vocabulary::Vocabulary;
use super::{StatedDistance, StatedProperty, TransitionSystem};
use crate::error::Error;
use audit::{AfterDeadlock, Claim};
use explicit::{Outcome, Stats};
use logic::evidence::UnfoldedEvidence;
use logic::{Fairness, Formula, Node, PropId, Truth};
use std::sync::PoisonError;
use support::{Diagnostic, Monitor, Span, Stopped};
use symbolic::{
    EvidenceScope, LabelledMachine, Stop, SymbolicChecker, SymbolicError, SymbolicStats,
};
use transition::{Slice, StateProperty, When};

/// Nodes of BDDs without a memory limit.
const MOST_NODES: usize = 1 << 26;
/// The memory of a node: itself, its place in a table, and a share of the cached results.
const BYTES_OF_NODE: u64 = 64;
/// With so many bits the model may have more states than the limit `--states` at a glance.
const FEW_BITS: u32 = 12;

/// How many nodes there may be.
pub fn most_nodes(memory: Option<u64>) -> usize {
    memory.map_or(MOST_NODES, |bytes| ((bytes / BYTES_OF_NODE) as usize).min(MOST_NODES))
}

/// The cone of influence of the specifications, and their propositions.
pub struct Encoded {
    pub(super) session: SymbolicChecker,
    pub words: Vocabulary,
    fairness: Fairness,
    /// Whether a fair path begins in every reachable state, once that was needed.
    is_fair_everywhere: Option<bool>,
    /// The last answer, with the place and the name of its specification: it may be explained next.
    answered: Option<(Span, String, Outcome)>,
}

impl TransitionSystem {
    /// Whether BDDs suit the formulas better than a list of states: the bits are many to enumerate.
    pub fn has_many_bits(&self, chosen: &[usize]) -> bool {
        self.bits(chosen) > FEW_BITS && !self.document.is_sparse
    }

    /// Whether there may be more states than are to be enumerated.
    pub fn may_exceed(&self, chosen: &[usize], states: usize) -> bool {
        1usize.checked_shl(self.bits(chosen)).is_none_or(|most| most > states)
    }

    /// How many bits a state has in the cone of influence of these formulas. All engines ask this for all properties
    /// that are asked together.
    pub fn bits(&self, chosen: &[usize]) -> u32 {
        let mut kept = self.bits.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, bits)) if known == chosen => *bits,
            _ => kept.insert((chosen.to_vec(), self.count_bits(chosen))).1,
        }
    }

    fn count_bits(&self, chosen: &[usize]) -> u32 {
        let slice = self.slice(&self.propositions(&self.asked(chosen)));
        let machine = &self.document.machine;
        let vars = machine.state_vars().filter(|&var| slice.contains(var));
        vars.map(|var| machine.vars[var].domain.bits()).sum()
    }

    /// Whether there may be deadlock states: assignments alone always have a value.
    fn can_block(&self) -> bool {
        let machine = &self.document.machine;
        !machine.constraints.is_empty() || machine.assigns.iter().any(|a| a.when == When::Always)
    }

    pub(super) fn slice(&self, properties: &[StateProperty]) -> Slice {
        let machine = &self.document.machine;
        let fair = machine.fairness.iter().map(|fairness| fairness.node);
        machine.cone(properties.iter().map(|property| property.node).chain(fair))
    }

    /// Encodes what the specifications that are asked can depend on, and finds the states that can be
    /// reached.
    pub fn encode(
        &self,
        chosen: &[usize],
        most_nodes: usize,
        monitor: &Monitor,
    ) -> Result<Encoded, Error> {
        let machine = &self.document.machine;
        let words = self.vocabulary(&self.asked(chosen));
        let Vocabulary { labels, conditions, .. } = &words;
        let slice = self.slice(&words.all());
        let subject = LabelledMachine { machine, slice: &slice, labels, conditions };
        let mut session =
            SymbolicChecker::new(subject, most_nodes, monitor).map_err(|halt| match halt {
                SymbolicError::Fault(fault) => self.fault(&fault, machine),
                SymbolicError::Stop(stop) => Error::Stopped(stop.into()),
            })?;
        let mut fairness = words.fairness_on(&slice);
        fairness.label = Some(session.define(fairness.states()));
        Ok(Encoded { session, words, fairness, is_fair_everywhere: None, answered: None })
    }

    /// Whether a specification says nothing about the machine and holds: that paths go on is so by definition. Where an
    /// assignment can go out of range the machine has to be looked at.
    pub fn holds_by_definition(&self, number: usize) -> Result<bool, Error> {
        let machine = &self.document.machine;
        if !machine.assigns.is_empty() || !machine.sites.is_empty() {
            return Ok(false);
        }
        let asked = &self.all[number];
        let Some(property) = &asked.property else { return Ok(false) };
        let words = self.vocabulary(&[asked]);
        let label = Some(PropId(words.labels.len() as u32));
        let fairness = Fairness { label, ..words.plain_fairness() };
        let formula = words.compile(&property.surface, &fairness)?;
        Ok(matches!(formula.node(formula.root()), Node::Const(true)))
    }
}

/// An engine that has decided a specification and can prove its verdict.
pub trait Certifying {
    fn words(&self) -> &Vocabulary;

    /// A claim with its proof; `None` if the formula has another value than is claimed.
    fn shown(&mut self, formula: &Formula, claim: &Claim) -> Result<Option<Vec<u8>>, Stop>;

    /// The proof of a verdict, as a claim of a certificate; `None` if the formula has another value.
    ///
    /// The auditor numbers propositions by all specifications of the file. Apart from these numbers it is the same
    /// formula.
    fn certificate(
        &mut self,
        program: &TransitionSystem,
        asked: &StatedProperty,
        verdict: bool,
    ) -> Result<Option<(Claim, Vec<u8>)>, Error> {
        let Some(property) = &asked.property else { return Ok(None) };
        let formula = self.words().compile(&property.surface, &self.words().plain_fairness())?;
        let full = program.full_vocabulary();
        let number = |prop| self.words().number_in(&full, prop);
        let missing = || Error::message("the file has no name for a proposition of the formula");
        let claimed = formula.renumbered(number).ok_or_else(missing)?;
        let claim = Claim::new(&asked.name, &claimed, AfterDeadlock::Ends, verdict);
        match self.shown(&formula, &claim) {
            Ok(bytes) => Ok(bytes.map(|bytes| (claim, bytes))),
            Err(stop) => Err(Error::Stopped(stop.into())),
        }
    }
}

impl Certifying for Encoded {
    fn words(&self) -> &Vocabulary {
        &self.words
    }

    fn shown(&mut self, formula: &Formula, claim: &Claim) -> Result<Option<Vec<u8>>, Stop> {
        self.session.certificate(formula, claim)
    }
}

impl Encoded {
    /// Has another monitor watch it from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.session.watch(monitor);
    }

    /// Answers a specification. A limit is an answer too, except one that is for all of them.
    pub fn answer(&mut self, asked: &StatedProperty) -> Result<Outcome, Error> {
        let Some(property) = &asked.property else {
            return Ok(asked.without_property());
        };
        if let Some((span, name, outcome)) = &self.answered
            && (*span, &**name) == (asked.span, &*asked.name)
        {
            return Ok(outcome.clone());
        }
        let formula = self.words.compile(&property.surface, &self.fairness)?;
        match self.session.check(&formula) {
            Ok(answer) => {
                let stats = stats(&self.session.stats());
                let outcome = Outcome { stats, ..Outcome::new(answer) };
                self.answered = Some((asked.span, asked.name.clone(), outcome.clone()));
                Ok(outcome)
            }
            Err(Stop::Stopped(stopped)) => Err(Error::Stopped(stopped)),
            Err(full) => Ok(Outcome::stopped(full.into())),
        }
    }

    /// Answers a question for the length of a path. That the length is this one is true.
    pub fn length(&mut self, asked: &StatedDistance) -> Result<Outcome, Error> {
        let [from, to] = asked.ends();
        let [from, to] =
            [self.words.compile(&from, &self.fairness)?, self.words.compile(&to, &self.fairness)?];
        let fair = self.words.plain_fairness().states();
        match self.session.path_length(asked.distance.extreme, (&from, &to), &fair) {
            Ok(length) => {
                let stats = stats(&self.session.stats());
                Ok(Outcome { stats, length: Some(length), ..Outcome::new(Truth::True) })
            }
            Err(Stop::Stopped(stopped)) => Err(Error::Stopped(stopped)),
            Err(full) => Ok(Outcome::stopped(full.into())),
        }
    }

    /// The evidence of a verdict; `None` if the formula has another value.
    pub fn explain(
        &mut self,
        program: &TransitionSystem,
        asked: &StatedProperty,
        verdict: bool,
        scope: EvidenceScope,
    ) -> Result<Option<(Formula, UnfoldedEvidence)>, Error> {
        let Some(property) = &asked.property else { return Ok(None) };
        let mut fairness = self.words.plain_fairness();
        // A path may then end where nothing more is to be shown.
        fairness.everywhere = fairness.everywhere || self.is_fair_everywhere(&fairness)?;
        let formula = self.words.compile(&property.surface, &fairness)?;
        let machine = &program.document.machine;
        let slice = program.slice(&self.words.all());
        let subject = (machine, &slice, &self.words.labels[..]);
        let explanation = self.session.explain(subject, &formula, verdict, scope);
        Ok(explanation.map_err(Stopped::from)?.map(|explanation| (formula, explanation)))
    }

    /// Whether a fair path begins in every reachable state.
    pub(super) fn is_fair_everywhere(&mut self, fairness: &Fairness) -> Result<bool, Error> {
        if let Some(known) = self.is_fair_everywhere {
            return Ok(known);
        }
        let always = self.session.check_aside(&fairness.always()).map_err(Stopped::from)?;
        Ok(*self.is_fair_everywhere.insert(always == Truth::True))
    }

    /// A reachable deadlock state.
    pub fn deadlock_state(&mut self, program: &TransitionSystem) -> Result<Option<String>, Error> {
        let slice = program.slice(&self.words.all());
        let end = self.session.deadlock_state(&program.document.machine, &slice);
        end.map_err(|stop| Error::Stopped(stop.into()))
    }

    /// Whether there is no initial state.
    pub fn has_no_start(&self) -> bool {
        self.session.has_no_start()
    }

    /// Warnings about the states.
    pub fn warnings(&mut self, program: &TransitionSystem) -> Result<Vec<Diagnostic>, Error> {
        let mut warnings = Vec::new();
        if self.session.has_no_start() {
            warnings.push(no_start());
        }
        if program.can_block() && self.session.is_small() {
            let counts_all = program.document.counts_finite_paths;
            let state = self.deadlock_state(program)?;
            warnings.extend(state.map(|state| deadlock_warning(&state, counts_all)));
        }
        Ok(warnings)
    }
}

pub fn stats(figures: &SymbolicStats) -> Stats {
    // Beyond that a count is not exact.
    let is_exact = figures.states < 2f64.powi(53);
    Stats {
        states: is_exact.then_some(figures.states as u64),
        bdd_nodes: Some(figures.peak_nodes as u64),
        reorderings: Some(figures.reorderings as u64),
        ..Stats::default()
    }
}
