//! Rounds, predicates and reasons of predicate abstraction, worded in terms of the source program.

use super::model::IntegerModel;
use cegar::{CegarAnswer, CegarRound, NewPredicates, PredicateOrigin};
use explicit::{Reason, UndecidedAbstraction, UnknownReason};
use report::{FoundPredicates, PredicateRound, TextPosition};
use smt::{LinearAtom, LinearFormula};
use support::{Span, StopReason, Stopped};

/// So many atoms are named in a sentence.
const SHOWN: usize = 3;

impl IntegerModel {
    /// A round of the search.
    pub fn predicate_round(&self, round: &CegarRound) -> PredicateRound {
        PredicateRound {
            round: round.number,
            abstract_states: round.states,
            queries: round.queries,
            verdict: round.verdict.to_string(),
            new_predicates: round.new_predicates.iter().map(|found| self.found(found)).collect(),
            ranking_functions: round
                .ranking_functions
                .iter()
                .map(|term| self.shown_term(term))
                .collect(),
            merged_locations: self.location_texts(&round.merged_locations),
        }
    }

    /// The lines of some locations, each once.
    fn location_texts(&self, locations: &[u32]) -> Vec<String> {
        let mut shown: Vec<String> = Vec::new();
        for text in locations.iter().map(|&location| self.location_text(location)) {
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        shown
    }

    fn found(&self, found: &NewPredicates) -> FoundPredicates {
        FoundPredicates {
            at: self.positions(found.location),
            location: self.location_text(found.location),
            predicates: found.predicates.iter().map(|atom| self.shown(atom)).collect(),
            reason: self.because(&found.why),
        }
    }

    /// Where what comes next stands in the text.
    pub fn positions(&self, location: u32) -> Vec<TextPosition> {
        let position = |span: &Span| {
            let (line, column) = self.sources.position(*span);
            TextPosition { line, column }
        };
        self.document.locations[location as usize].next.iter().map(position).collect()
    }

    fn because(&self, why: &PredicateOrigin) -> String {
        match why {
            PredicateOrigin::Property => "the property mentions it".to_owned(),
            PredicateOrigin::RankingFunction => {
                "a ranking function on a cycle must be non-negative".to_owned()
            }
            PredicateOrigin::Combination => "it combines initial predicates".to_owned(),
            PredicateOrigin::SpuriousPath { steps, .. } => {
                format!("the path by {} is spurious", self.all(steps))
            }
            PredicateOrigin::Step { step, after } => match &after[..] {
                [] => format!("it is not known whether {} is possible", self.step(*step)),
                after => {
                    format!("{} may or may not make {} true", self.step(*step), self.either(after))
                }
            },
        }
    }

    fn either(&self, atoms: &[LinearAtom]) -> String {
        let shown = atoms.iter().take(SHOWN).map(|atom| format!("`{}`", self.shown(atom)));
        let mut shown: Vec<String> = shown.collect();
        if atoms.len() > SHOWN {
            shown.push(format!("{} more", atoms.len() - SHOWN));
        }
        shown.join(" or ")
    }

    /// Steps, one after the other.
    fn all(&self, steps: &[u32]) -> String {
        let mut named: Vec<String> = steps.iter().map(|&step| self.step(step)).collect();
        named.dedup();
        let more = named.len().saturating_sub(SHOWN);
        named.truncate(SHOWN);
        if more > 0 {
            named.push(format!("{more} more"));
        }
        named.join(", then ")
    }

    /// A step as it stands in the text.
    fn step(&self, step: u32) -> String {
        match self.document.movers[step as usize] {
            Some(mover) => {
                let (line, text) = self.command(mover.span);
                format!("`{text}` in line {line}")
            }
            None => "a step".to_owned(),
        }
    }

    /// The line of a command, and its text there.
    pub fn command(&self, span: Span) -> (usize, String) {
        crate::control_flow::explain::command_at(&self.sources, span)
    }

    /// The knowledge about a question as long as it has no answer.
    pub fn known(&self, round: &CegarRound) -> UndecidedAbstraction {
        UndecidedAbstraction {
            reason: UnknownReason::Stopped(Stopped(StopReason::Timeout)),
            states: round.states,
            predicates: round.predicates,
            undetermined: round.new_predicates.last().map(|found| self.shown_cause(found)),
            suggestions: Vec::new(),
        }
    }

    fn shown_cause(&self, found: &NewPredicates) -> String {
        let location = self.location_text(found.location);
        match &found.why {
            PredicateOrigin::Step { step, after } if !after.is_empty() => format!(
                "at {location} it is not known whether {} makes {} true",
                self.step(*step),
                self.either(after)
            ),
            _ => {
                format!(
                    "at {location} it is not known whether {} holds",
                    self.either(&found.predicates)
                )
            }
        }
    }

    /// The reason of an unknown with the last abstraction; none for a definite verdict.
    pub fn reason(
        &self,
        answer: &CegarAnswer,
        known: Option<UndecidedAbstraction>,
    ) -> Option<Reason> {
        let reason = answer.reason.clone()?;
        if let (UnknownReason::NoNewPredicate, Some(open)) = (&reason, &self.document.open) {
            return Some(Reason::Holes { names: open.holes(), deciding: None });
        }
        let text = |formula: &LinearFormula| formula.show(&|variable| self.name(variable));
        // An SMV file has no line for them.
        let suggestions = answer.suggestions.iter().filter(|_| self.document.view.is_none());
        Some(Reason::Refinement(Box::new(UndecidedAbstraction {
            reason,
            states: answer.states,
            predicates: answer.precision.by_predicate().count(),
            undetermined: known.and_then(|known| known.undetermined),
            suggestions: suggestions.map(text).collect(),
        })))
    }
}
