//! Explanations of programs over integers: a run with values, or what holds at each line.

use super::model::IntegerModel;
use super::source_states::SourceStates;
use super::{Search, refuse_disagreement, run_time_error, searching_solver};
use crate::engine::AUTO;
use crate::error::Error;
use crate::explanation::Explanation;
use crate::options::Options;
use cegar::{
    CegarAnswer, ConcreteRun, ConcreteState, InvariantAt, InvariantProof, RankingFunction, RunEnd,
};
use explicit::{Outcome, Reason};
use logic::Truth;
use logic::evidence::{
    FoundRun, LocationInvariant, ProofOutline, RankedLoop, Recurrence, RunNotes, RunPoint,
    ShownMember, ShownState, ShownStatement,
};
use smt::{LinearFormula, Solver};
use support::Monitor;

/// Explains one property.
pub fn explain(
    subject: &IntegerModel,
    number: usize,
    method: &str,
    options: &Options,
    monitor: &Monitor,
) -> Result<Explanation, Error> {
    let solver = &mut *searching_solver(options)?;
    let method = if options.method == AUTO { AUTO } else { method };
    let teller = Explainer { subject, number, method, options };
    let why = match undetermined(subject, options, solver, monitor)? {
        Some(why) => Some(why),
        None => match &subject.formulas[number] {
            Some(_) => None,
            None => subject.all[number].without_property().reason,
        },
    };
    let (run, reason) = match (why, &subject.formulas[number]) {
        (None, Some(formula)) => teller.explain(formula, solver, monitor)?,
        (why, _) => (teller.nothing(Truth::Unknown), why),
    };
    let outcome = Outcome { reason, ..Outcome::new(run.verdict) };
    Ok(Explanation::new(outcome, run.explanation(String::new())))
}

/// Why nothing can be said because a run-time error may happen; an error if it does.
fn undetermined(
    subject: &IntegerModel,
    options: &Options,
    solver: &mut dyn Solver,
    monitor: &Monitor,
) -> Result<Option<Reason>, Error> {
    let Some(no_error) = &subject.document.no_error else { return Ok(None) };
    let search = Search::new(subject, &no_error.formula, "refine", options)?;
    let (answer, _) = search.answer(solver, monitor, &|_| {})?;
    run_time_error(subject, no_error, answer.verdict)
}

struct Explainer<'a> {
    subject: &'a IntegerModel,
    number: usize,
    method: &'a str,
    options: &'a Options,
}

impl Explainer<'_> {
    fn explain(
        &self,
        formula: &logic::Formula,
        solver: &mut dyn Solver,
        monitor: &Monitor,
    ) -> Result<(FoundRun, Option<Reason>), Error> {
        let subject = self.subject;
        let search = Search::new(subject, formula, self.method, self.options)?;
        let asked = Search { evidence: true, ..search };
        let (answer, known) = asked.answer(solver, monitor, &|_| {})?;
        refuse_disagreement(solver)?;
        if !answer.verdict.is_definite() {
            return Ok((self.nothing(answer.verdict), subject.reason(&answer, known)));
        }
        let is_known = |place: u32| self.states().is_none_or(|states| states.are_at(place));
        let run = asked.with_question(monitor, &|_| {}, |question| {
            cegar::concretise(question, &answer, solver, &is_known)
        });
        Ok((self.found(&answer, run), None))
    }

    /// A verdict without a run.
    fn nothing(&self, verdict: Truth) -> FoundRun {
        let has_statements = self.subject.document.view.is_none();
        let notes = RunNotes { has_statements, ..RunNotes::default() };
        FoundRun::new(self.subject.all[self.number].formula.clone(), verdict, notes)
    }

    /// The states of the SMV file, if the program was made from one.
    fn states(&self) -> Option<SourceStates<'_>> {
        self.subject.document.view.as_ref().map(|view| SourceStates { view })
    }

    fn points(&self, states: &[ConcreteState]) -> Vec<RunPoint> {
        match self.states() {
            Some(known) => known.points(states),
            None => states.iter().map(|state| self.point(state)).collect(),
        }
    }

    /// The number of a state among those that are shown.
    fn shown_number(&self, states: &[ConcreteState], of: usize) -> usize {
        match self.states() {
            Some(known) => states[..of].iter().filter(|state| known.are_at(state.location)).count(),
            None => of,
        }
    }

    fn found(&self, answer: &CegarAnswer, run: Option<ConcreteRun>) -> FoundRun {
        let mut found = self.nothing(answer.verdict);
        let proof = |from: Option<&ConcreteState>| {
            // Where there is no state, nothing is to be said.
            let proof = self.proof(&cegar::invariant_proof(answer, from)?);
            (!proof.invariants.is_empty()).then_some(proof)
        };
        let Some(ConcreteRun { states, end, is_example }) = run else {
            found.notes.proof = proof(None);
            return found;
        };
        found.notes.is_example = is_example;
        found.points = self.points(&states);
        match end {
            RunEnd::Decided => {}
            RunEnd::AllSuccessors => {
                // If it holds from every initial state, naming one says nothing.
                let is_everywhere = states.len() == 1 && answer.verdict == Truth::True;
                if is_everywhere {
                    found.points.clear();
                }
                found.notes.proof = proof(states.last().filter(|_| !is_everywhere));
            }
            RunEnd::Loop(to) => found.loop_start = Some(self.shown_number(&states, to)),
            RunEnd::Recurrence { to, where_holds } => match self.of_states(&where_holds) {
                Some(where_holds) => {
                    let mut wherever = self.values_at(states[to].location);
                    wherever.extend(self.shown(&where_holds));
                    let from = self.shown_number(&states, to);
                    found.notes.recurrence = Some(Recurrence { from, wherever });
                }
                None => found.is_cut = true,
            },
            RunEnd::Continues => found.notes.goes_on = true,
            RunEnd::LengthLimit | RunEnd::SolverLimit => found.is_cut = true,
        }
        if is_example {
            found.notes.proof = proof(None);
        }
        found
    }

    /// The values that make up a location, where locations are no lines.
    fn values_at(&self, place: u32) -> Vec<String> {
        let values = self.states().map(|states| states.values_at(place));
        values.unwrap_or_default()
    }

    /// The projection of a conjunction to the variables of the file, if it can be computed.
    fn of_states(&self, formulas: &[LinearFormula]) -> Option<Vec<LinearFormula>> {
        match self.states() {
            Some(states) => states.without_choices(formulas),
            None => Some(formulas.to_vec()),
        }
    }

    fn point(&self, state: &ConcreteState) -> RunPoint {
        let document = &self.subject.document;
        let own = document.program.variables.iter().zip(&document.variables).zip(&state.values);
        let values =
            own.map(|((name, own), &value)| (name.clone(), own.domain.shown(value))).collect();
        let member = ShownMember { values, ..ShownMember::default() };
        RunPoint {
            state: ShownState { members: vec![Some(member)], next: Some(self.statement(state)) },
            inputs: Vec::new(),
            facts: state.facts.clone(),
        }
    }

    /// The statement that is executed next, by whom; where none is, what could be.
    fn statement(&self, state: &ConcreteState) -> ShownStatement {
        let document = &self.subject.document;
        let next = &document.locations[state.location as usize].next;
        let mover = state.step.and_then(|step| document.movers[step as usize]);
        let process = mover.map(|mover| document.processes[mover.process as usize].clone());
        let span = mover.map(|mover| mover.span).or(next.first().copied());
        let Some(span) = span else {
            let text = "a run-time error has occurred".to_owned();
            return ShownStatement { text, ..ShownStatement::default() };
        };
        let (line, mut text) = self.subject.command(span);
        if mover.is_none() && next.len() > 1 {
            text = self.subject.location_text(state.location);
        }
        let process = process.unwrap_or_default();
        ShownStatement { line: Some(line), process, text, span: Some(span) }
    }

    fn shown(&self, formulas: &[LinearFormula]) -> Vec<String> {
        let name = |variable| self.subject.name(variable);
        formulas.iter().map(|formula| formula.show(&name)).collect()
    }

    fn proof(&self, proof: &InvariantProof) -> ProofOutline {
        let invariant = |InvariantAt { location: place, always, cases }: &InvariantAt| {
            let shown =
                |all: &[LinearFormula]| self.shown(&self.of_states(all).unwrap_or_default());
            // Of cases that say nothing none is ruled out.
            let cases: Vec<Vec<String>> = cases.iter().map(|case| shown(case)).collect();
            let says_nothing = cases.iter().any(Vec::is_empty);
            Some(LocationInvariant {
                lines: self.lines(&[*place]),
                location: self.location_text(*place)?,
                always: shown(always),
                cases: if says_nothing { Vec::new() } else { cases },
            })
        };
        let ranking = |RankingFunction { term, locations: places }: &RankingFunction| RankedLoop {
            ranking: self.subject.shown_term(term),
            lines: self.lines(places),
            locations: self
                .states()
                .map(|states| states.location_texts(places))
                .unwrap_or_default(),
        };
        ProofOutline {
            invariants: proof.locations.iter().filter_map(invariant).collect(),
            rankings: proof.ranking_functions.iter().map(ranking).collect(),
        }
    }

    /// The description of a location, if it is one of the file.
    fn location_text(&self, place: u32) -> Option<String> {
        match self.states() {
            Some(states) => states.location_text(place),
            None => Some(self.subject.location_text(place)),
        }
    }

    fn lines(&self, places: &[u32]) -> Vec<usize> {
        let own = places.iter().flat_map(|&place| self.subject.positions(place));
        let mut lines: Vec<usize> = own.map(|position| position.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}
