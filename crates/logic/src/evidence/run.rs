//! Runs that an engine finds by search, state by state, as evidence.

use super::explanation::{
    Assignments, Justification, RunNotes, ShownNode, ShownState, ShownStep, UnfoldedEvidence,
};
use super::unfold::{Decision, EvidenceGraph, unfold};
use crate::Truth;
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// A run of a program, with what matters in its states.
#[derive(Clone, Debug)]
pub struct FoundRun {
    /// The formula that it is about, and its value.
    pub formula: String,
    pub verdict: Truth,
    pub points: Vec<RunPoint>,
    /// The point that the last one leads to again.
    pub loop_start: Option<usize>,
    /// Whether it is longer than what was looked at.
    pub is_cut: bool,
    pub notes: RunNotes,
}

/// A state on a run.
#[derive(Clone, Debug, Default)]
pub struct RunPoint {
    pub state: ShownState,
    /// The values of the inputs in the step that leads on.
    pub inputs: Assignments,
    /// Subformulas that are decided here and were not named before.
    pub facts: Vec<RunFact>,
}

/// A subformula and its value in a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RunFact {
    pub subformula: String,
    pub holds: bool,
    /// Whether that is so by all paths from here, so that no single one shows it.
    pub on_all_paths: bool,
}

impl FoundRun {
    pub fn new(formula: String, verdict: Truth, notes: RunNotes) -> Self {
        Self { formula, verdict, points: Vec::new(), loop_start: None, is_cut: false, notes }
    }

    pub fn explanation(mut self, component: String) -> UnfoldedEvidence {
        let roots = if self.points.is_empty() { Vec::new() } else { vec![(0, None)] };
        let verdict = self.verdict;
        let Ok(mut explanation) = unfold(&mut self, verdict, roots, usize::MAX);
        explanation.components = vec![component];
        explanation.cut = u64::from(self.is_cut);
        explanation.run = Some(self.notes);
        explanation
    }

    fn fact(&self, point: u32, fact: u32) -> &RunFact {
        &self.points[point as usize].facts[fact as usize]
    }
}

/// A position is a point of the run, or one of the facts there.
impl EvidenceGraph for FoundRun {
    type Position = (u32, Option<u32>);
    type Stop = Infallible;

    fn describe(&self, (point, fact): Self::Position) -> ShownNode {
        let (subformula, value) = match fact.map(|fact| self.fact(point, fact)) {
            Some(fact) => (&fact.subformula, Truth::from(fact.holds)),
            None => (&self.formula, self.verdict),
        };
        ShownNode::new(point, subformula.clone(), None, value)
    }

    fn decide(
        &mut self,
        (number, fact): Self::Position,
        _: &FxHashMap<Self::Position, u32>,
    ) -> Result<Decision<Self::Position>, Infallible> {
        let by_itself =
            |on_all| if on_all { Justification::Throughout } else { Justification::Itself };
        if let Some(fact) = fact {
            return Ok(Decision::here(by_itself(self.fact(number, fact).on_all_paths), []));
        }
        let (point, notes) = (&self.points[number as usize], &self.notes);
        let next = match number as usize + 1 {
            next if next < self.points.len() => Some(next),
            _ => self.loop_start,
        };
        let why = match next {
            Some(_) if point.facts.is_empty() => Justification::One,
            Some(_) => Justification::All,
            None if notes.goes_on || notes.recurrence.is_some() => Justification::Forever,
            None => by_itself(self.is_cut || notes.proof.is_some()),
        };
        let facts = (0..point.facts.len() as u32).map(|fact| ((number, Some(fact)), None));
        let inputs = point.inputs.clone();
        let step = next.map(|next| {
            let step = ShownStep { inputs, is_must: true, ..ShownStep::default() };
            ((next as u32, None), Some(step))
        });
        Ok(Decision::new(why, facts.chain(step).collect()))
    }

    fn show(&self, state: u32) -> ShownState {
        self.points[state as usize].state.clone()
    }
}
