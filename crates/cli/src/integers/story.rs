//! `tertium explain` of a program over integers: a run with values, or what holds at each line.

use super::modules::wrong;
use super::refusal::{In, refuse_deadlock};
use super::states::States;
use super::subject::Subject;
use super::{Asked, refuse_disagreement, searching_solver, why_not};
use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::Explain;
use crate::input::Trouble;
use cegar::{Answer, Argument, End, Fact, Held, Measure, Moment, Run};
use explicit::Method;
use logic::Truth;
use report::explanation::Head;
use report::{HeldAt, MeasuredAt, ProgramStory, StoryArgument, StoryStep, StorySteps};
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
    head: &Head,
    monitor: &Monitor,
) -> Result<(String, Status), Trouble> {
    refuse_flags(flags, subject)?;
    let solver = &mut *searching_solver(&flags.solving)?;
    let teller = Teller { subject, method: flags.method };
    let doubt = doubt(subject, solver, monitor)?;
    let told = match why_not(&subject.questions[0], &subject.formulas[0], doubt.as_deref()) {
        Ok(formula) => teller.tell(formula, solver, monitor)?,
        Err(why) => {
            let nothing = ProgramStory::new(Truth::Unknown, teller.steps(&[]));
            ProgramStory { reason: Some(why.to_owned()), ..nothing }
        }
    };
    let text = match flags.form.json {
        true => told.to_json(head),
        false => told.to_text(head, colour_of_stdout()),
    };
    Ok((text, Status::of(&[told.verdict])))
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
    ) -> Result<ProgramStory, Trouble> {
        let subject = self.subject;
        let asked = Asked { evidence: true, ..Asked::new(subject, formula, self.method) };
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
        self.subject.view.as_ref().map(|view| States { view })
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
