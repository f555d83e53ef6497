//! `tertium explain` of a program over integers: a run with values, or what holds at each line.

use super::modules::wrong;
use super::refusal::{In, refuse_deadlock};
use super::states::States;
use super::subject::Subject;
use super::{Asked, refuse_disagreement, searching_solver, why_not};
use crate::Status;
use crate::explain::drawn;
use crate::flags::Explain;
use crate::input::Trouble;
use cegar::{Answer, ConcreteRun, ConcreteState, InvariantAt, InvariantProof, Measure, RunEnd};
use explicit::{Method, Reason};
use logic::Truth;
use logic::evidence::{
    FoundRun, LocationInvariant, ProofOutline, RankedLoop, Recurrence, RunNotes, RunPoint,
    ShownMember, ShownState, ShownStatement,
};
use report::explanation::ExplanationHead;
use smt::{Formula, Solver};
use std::path::Path;
use support::Monitor;

/// The program with what is asked of it; nothing if it is not one over integers.
pub fn read(flags: &Explain, path: &Path, monitor: &Monitor) -> Result<Option<Subject>, Trouble> {
    Subject::read(path, &flags.questions, flags.property.as_slice(), monitor)
}

/// What there is for other files and not for these.
fn refuse_flags(flags: &Explain, subject: &Subject) -> Result<(), Trouble> {
    match flags.method {
        Method::Auto | Method::Refine | Method::Compositional | Method::Modular => {}
        Method::Direct => return Err(super::not_for_integers(Method::Direct)),
        Method::Symbolic => {
            return Err(Trouble::message(
                "what decision diagrams say of integers is not explained",
            )
            .with_help("`refine`, `compositional` and `modular` explain what they find"));
        }
    }
    if flags.form.is_other_than_text() && !flags.form.json {
        return Err(Trouble::message("a run of a program over integers has no drawing")
            .with_help("it is told as text, or with --json"));
    }
    let of = if subject.view.is_some() { In::Smv } else { In::Program };
    refuse_deadlock(flags.deadlock, of)
}

/// Explains the only question of a subject.
pub fn explain(
    flags: &Explain,
    subject: &Subject,
    head: &ExplanationHead,
    monitor: &Monitor,
) -> Result<(String, Status), Trouble> {
    refuse_flags(flags, subject)?;
    let solver = &mut *searching_solver(&flags.solving)?;
    let teller = Teller { subject, method: flags.method };
    let doubt = doubt(subject, solver, monitor)?;
    let (run, reason) = match why_not(&subject.questions[0], &subject.formulas[0], doubt.as_deref())
    {
        Ok(formula) => teller.tell(formula, solver, monitor)?,
        Err(why) => (teller.nothing(Truth::Unknown), Some(why.to_owned())),
    };
    let status = Status::of(&[run.verdict]);
    let reason = reason.map(Reason::NotTried);
    let head = ExplanationHead { reason: reason.as_ref(), ..head.clone() };
    Ok((drawn(&flags.form, &head, &run.explanation(String::new())), status))
}

/// Why nothing can be said because something may go wrong; an error if it does.
fn doubt(
    subject: &Subject,
    solver: &mut dyn Solver,
    monitor: &Monitor,
) -> Result<Option<String>, Trouble> {
    let Some(assurance) = &subject.assurance else { return Ok(None) };
    let asked = Asked::new(subject, &assurance.formula, Method::Refine);
    let (answer, _) = asked.answer(solver, monitor, &|_| {})?;
    wrong(subject, assurance, answer.verdict)
}

struct Teller<'a> {
    subject: &'a Subject,
    method: Method,
}

impl Teller<'_> {
    fn tell(
        &self,
        formula: &logic::Formula,
        solver: &mut dyn Solver,
        monitor: &Monitor,
    ) -> Result<(FoundRun, Option<String>), Trouble> {
        let subject = self.subject;
        let asked = Asked { evidence: true, ..Asked::new(subject, formula, self.method) };
        let (answer, known) = asked.answer(solver, monitor, &|_| {})?;
        refuse_disagreement(solver)?;
        if !answer.verdict.is_definite() {
            return Ok((self.nothing(answer.verdict), Some(subject.reason(&answer, known))));
        }
        let is_known = |place: u32| self.states().is_none_or(|states| states.are_at(place));
        let run = asked.with_question(monitor, &|_| {}, |question| {
            cegar::concretise(question, &answer, solver, &is_known)
        });
        Ok((self.found(&answer, run), None))
    }

    /// A verdict without a run.
    fn nothing(&self, verdict: Truth) -> FoundRun {
        let has_statements = self.subject.view.is_none();
        let notes = RunNotes { has_statements, ..RunNotes::default() };
        FoundRun::new(self.subject.questions[0].formula.clone(), verdict, notes)
    }

    /// What the file calls states, if it does.
    fn states(&self) -> Option<States<'_>> {
        self.subject.view.as_ref().map(|view| States { view })
    }

    fn points(&self, states: &[ConcreteState]) -> Vec<RunPoint> {
        match self.states() {
            Some(known) => known.told(states),
            None => states.iter().map(|state| self.point(state)).collect(),
        }
    }

    /// The number of a state among those that are shown.
    fn number(&self, states: &[ConcreteState], of: usize) -> usize {
        match self.states() {
            Some(known) => states[..of].iter().filter(|state| known.are_at(state.place)).count(),
            None => of,
        }
    }

    fn found(&self, answer: &Answer, run: Option<ConcreteRun>) -> FoundRun {
        let mut found = self.nothing(answer.verdict);
        let proof = |from: Option<&ConcreteState>| {
            // Where there is no state, nothing is to be said.
            let proof = self.proof(&cegar::argument(answer, from)?);
            (!proof.invariants.is_empty()).then_some(proof)
        };
        let Some(ConcreteRun { states, end, is_example }) = run else {
            found.notes.proof = proof(None);
            return found;
        };
        found.notes.is_example = is_example;
        found.points = self.points(&states);
        match end {
            RunEnd::Shown => {}
            RunEnd::Whatever => {
                // Of something that is so from everywhere, one start tells nothing.
                let is_everywhere = states.len() == 1 && answer.verdict == Truth::True;
                if is_everywhere {
                    found.points.clear();
                }
                found.notes.proof = proof(states.last().filter(|_| !is_everywhere));
            }
            RunEnd::Again(to) => found.loop_start = Some(self.number(&states, to)),
            RunEnd::Alike { to, where_holds } => match self.of_states(&where_holds) {
                Some(where_holds) => {
                    let mut wherever = self.values_at(states[to].place);
                    wherever.extend(self.shown(&where_holds));
                    let from = self.number(&states, to);
                    found.notes.recurrence = Some(Recurrence { from, wherever });
                }
                None => found.is_cut = true,
            },
            RunEnd::Onward => found.notes.goes_on = true,
            RunEnd::Cut | RunEnd::Lost => found.is_cut = true,
        }
        if is_example {
            found.notes.proof = proof(None);
        }
        found
    }

    /// The values that make up a place, where places are no lines.
    fn values_at(&self, place: u32) -> Vec<String> {
        let values = self.states().map(|states| states.values_at(place));
        values.unwrap_or_default()
    }

    /// What a conjunction says of states, if that can be said.
    fn of_states(&self, formulas: &[Formula]) -> Option<Vec<Formula>> {
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
        let next = &document.places[state.place as usize].next;
        let mover = state.step.and_then(|step| document.movers[step as usize]);
        let process = mover.map(|mover| document.processes[mover.process as usize].clone());
        let span = mover.map(|mover| mover.span).or(next.first().copied());
        let Some(span) = span else {
            let text = "something has gone wrong".to_owned();
            return ShownStatement { text, ..ShownStatement::default() };
        };
        let (line, mut text) = self.subject.command(span);
        if mover.is_none() && next.len() > 1 {
            text = self.subject.place(state.place);
        }
        let process = process.unwrap_or_default();
        ShownStatement { line: Some(line), process, text, span: Some(span) }
    }

    fn shown(&self, formulas: &[Formula]) -> Vec<String> {
        let name = |variable| self.subject.name(variable);
        formulas.iter().map(|formula| formula.show(&name)).collect()
    }

    fn proof(&self, proof: &InvariantProof) -> ProofOutline {
        let invariant = |InvariantAt { place, always, cases }: &InvariantAt| {
            let shown = |all: &[Formula]| self.shown(&self.of_states(all).unwrap_or_default());
            // Of cases that say nothing none is ruled out.
            let cases: Vec<Vec<String>> = cases.iter().map(|case| shown(case)).collect();
            let says_nothing = cases.iter().any(Vec::is_empty);
            Some(LocationInvariant {
                lines: self.lines(&[*place]),
                location: self.place(*place)?,
                always: shown(always),
                cases: if says_nothing { Vec::new() } else { cases },
            })
        };
        let ranking = |Measure { term, places }: &Measure| RankedLoop {
            ranking: self.subject.shown_term(term),
            lines: self.lines(places),
            locations: self.states().map(|states| states.places(places)).unwrap_or_default(),
        };
        ProofOutline {
            invariants: proof.places.iter().filter_map(invariant).collect(),
            rankings: proof.measures.iter().map(ranking).collect(),
        }
    }

    /// A place in words, if the file knows it.
    fn place(&self, place: u32) -> Option<String> {
        match self.states() {
            Some(states) => states.place(place),
            None => Some(self.subject.place(place)),
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
