//! Explanations of programs over integers: a run with values, or what holds at each line.

use super::states::States;
use super::subject::Subject;
use super::{Search, refuse_disagreement, run_time_error, searching_solver};
use crate::engine::AUTO;
use crate::error::Error;
use crate::explanation::{Explained, Shape};
use crate::options::Options;
use cegar::{Answer, Argument, End, Fact, Held, Measure, Moment, Run};
use explicit::{Method, Outcome, Reason};
use logic::Truth;
use report::{HeldAt, MeasuredAt, ProgramStory, StoryArgument, StoryStep, StorySteps};
use smt::{Formula, Solver};
use support::Monitor;

/// Explains one property.
pub fn explain(
    subject: &Subject,
    number: usize,
    method: &str,
    options: &Options,
    monitor: &Monitor,
) -> Result<Explained, Error> {
    let solver = &mut *searching_solver(options)?;
    let method = if options.method == AUTO { AUTO } else { method };
    let teller = Teller { subject, method, options };
    let why = match undetermined(subject, options, solver, monitor)? {
        Some(why) => Some(why),
        None => match &subject.formulas[number] {
            Some(_) => None,
            None => Some(subject.all[number].not_supported.unwrap_or_default().to_owned()),
        },
    };
    let told = match (why, &subject.formulas[number]) {
        (None, Some(formula)) => teller.tell(formula, solver, monitor)?,
        (why, _) => {
            let nothing = ProgramStory::new(Truth::Unknown, teller.steps(&[]));
            ProgramStory { reason: why, ..nothing }
        }
    };
    let reason = told.reason.clone().map(Reason::NotTried);
    let outcome = Outcome { reason, ..Outcome::new(told.verdict, Method::Refine) };
    Ok(Explained { outcome, shape: Shape::Run(told) })
}

/// Why nothing can be said because a run-time error may happen; an error if it does.
fn undetermined(
    subject: &Subject,
    options: &Options,
    solver: &mut dyn Solver,
    monitor: &Monitor,
) -> Result<Option<String>, Error> {
    let Some(assurance) = &subject.document.assurance else { return Ok(None) };
    let search = Search::new(subject, &assurance.formula, "refine", options)?;
    let (answer, _) = search.answer(solver, monitor, &|_| {})?;
    run_time_error(subject, assurance, answer.verdict)
}

struct Teller<'a> {
    subject: &'a Subject,
    method: &'a str,
    options: &'a Options,
}

impl Teller<'_> {
    fn tell(
        &self,
        formula: &logic::Formula,
        solver: &mut dyn Solver,
        monitor: &Monitor,
    ) -> Result<ProgramStory, Error> {
        let subject = self.subject;
        let search = Search::new(subject, formula, self.method, self.options)?;
        let asked = Search { evidence: true, ..search };
        let (answer, known) = asked.answer(solver, monitor, &|_| {})?;
        refuse_disagreement(solver)?;
        if !answer.verdict.is_definite() {
            let nothing = ProgramStory::new(answer.verdict, self.steps(&[]));
            return Ok(ProgramStory { reason: Some(subject.reason(&answer, known)), ..nothing });
        }
        let is_known = |place: u32| self.states().is_none_or(|states| states.are_at(place));
        let run = asked.with_question(monitor, &|_| {}, |question| {
            cegar::tell(question, &answer, solver, &is_known)
        });
        Ok(self.story(&answer, run))
    }

    /// What the file calls states, if it does.
    fn states(&self) -> Option<States<'_>> {
        self.subject.document.view.as_ref().map(|view| States { view })
    }

    /// What is shown of some moments.
    fn steps(&self, moments: &[Moment]) -> StorySteps {
        match self.states() {
            Some(states) => StorySteps::States(states.told(moments)),
            None => StorySteps::Commands(moments.iter().map(|moment| self.step(moment)).collect()),
        }
    }

    /// The number of a moment among those that are shown.
    fn number(&self, moments: &[Moment], of: usize) -> usize {
        match self.states() {
            Some(states) => {
                moments[..of].iter().filter(|moment| states.are_at(moment.place)).count()
            }
            None => of,
        }
    }

    fn story(&self, answer: &Answer, run: Option<Run>) -> ProgramStory {
        let mut story = ProgramStory::new(answer.verdict, self.steps(&[]));
        let argument = |from: Option<&Moment>| {
            // Where there is no state, nothing is to be said.
            let argument = self.argument(&cegar::argument(answer, from)?);
            (!argument.places.is_empty()).then_some(argument)
        };
        let Some(Run { moments, end, is_example }) = run else {
            return ProgramStory { argument: argument(None), ..story };
        };
        story.is_example = is_example;
        story.steps = self.steps(&moments);
        match end {
            End::Shown => {}
            End::Whatever => {
                // Of something that is so from everywhere, one start tells nothing.
                let is_everywhere = moments.len() == 1 && answer.verdict == Truth::True;
                if is_everywhere {
                    story.steps = self.steps(&[]);
                }
                story.argument = argument(moments.last().filter(|_| !is_everywhere));
            }
            End::Again(to) => story.back_to = Some(self.number(&moments, to)),
            End::Alike { to, where_holds } => match self.of_states(&where_holds) {
                Some(where_holds) => {
                    let mut wherever = self.values_at(moments[to].place);
                    wherever.extend(self.shown(&where_holds));
                    story.goes_on = Some((self.number(&moments, to), wherever));
                }
                None => story.is_cut = true,
            },
            End::Onward => story.goes_on_otherwise = true,
            End::Cut | End::Lost => story.is_cut = true,
        }
        if is_example {
            story.argument = argument(None);
        }
        story
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

    fn step(&self, moment: &Moment) -> StoryStep {
        let (line, command) = self.command(moment);
        let remarks = moment.facts.iter().map(remark).collect();
        StoryStep { line, command, values: self.values(&moment.values), remarks }
    }

    fn values(&self, values: &[i64]) -> Vec<(String, String)> {
        let document = &self.subject.document;
        let own = document.program.variables.iter().zip(&document.variables).zip(values);
        own.map(|((name, own), &value)| (name.clone(), own.domain.shown(value))).collect()
    }

    /// What is done next, by whom; where nothing is, what could be.
    fn command(&self, moment: &Moment) -> (Option<usize>, String) {
        let document = &self.subject.document;
        let mover = moment.step.and_then(|step| document.movers[step as usize]);
        let next = &document.places[moment.place as usize].next;
        if let Some(mover) = mover {
            let (line, text) = self.subject.command(mover.span);
            let process = &document.processes[mover.process as usize];
            let text = if process.is_empty() { text } else { format!("{process}: {text}") };
            return (Some(line), text);
        }
        let mut commands = next.iter().map(|&span| self.subject.command(span));
        match (commands.next(), commands.next()) {
            (None, _) => (None, "something has gone wrong".to_owned()),
            (Some((line, text)), None) => (Some(line), text),
            (Some((line, _)), Some(_)) => (Some(line), self.subject.place(moment.place)),
        }
    }

    fn shown(&self, formulas: &[Formula]) -> Vec<String> {
        let name = |variable| self.subject.name(variable);
        formulas.iter().map(|formula| formula.show(&name)).collect()
    }

    fn argument(&self, argument: &Argument) -> StoryArgument {
        let held = |Held { place, always, cases }: &Held| {
            let shown = |all: &[Formula]| self.shown(&self.of_states(all).unwrap_or_default());
            // Of cases that say nothing none is ruled out.
            let cases: Vec<Vec<String>> = cases.iter().map(|case| shown(case)).collect();
            let says_nothing = cases.iter().any(Vec::is_empty);
            Some(HeldAt {
                lines: self.lines(&[*place]),
                place: self.place(*place)?,
                always: shown(always),
                cases: if says_nothing { Vec::new() } else { cases },
            })
        };
        let measured = |Measure { term, places }: &Measure| MeasuredAt {
            measure: self.subject.shown_term(term),
            lines: self.lines(places),
            places: self.states().map(|states| states.places(places)).unwrap_or_default(),
        };
        StoryArgument {
            places: argument.places.iter().filter_map(held).collect(),
            measures: argument.measures.iter().map(measured).collect(),
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

/// What is so at a moment, in words.
pub fn remark(Fact { subformula, holds }: &Fact) -> String {
    let holds = if *holds { "holds" } else { "does not hold" };
    format!("here {subformula} {holds}")
}
