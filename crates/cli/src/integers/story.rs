//! `tertium explain` of a program over integers: a run with values, or what holds at each line.

use super::subject::Subject;
use super::{Asked, PATIENCE, solver};
use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Explain, Solving};
use crate::input::Trouble;
use arithmetic::Formula;
use base::Monitor;
use check::Method;
use integers::{Answer, Argument, End, Fact, Held, Measure, Moment, Run};
use logic::Truth;
use report::explanation::Head;
use report::{HeldAt, MeasuredAt, ProgramStory, StoryArgument, StoryStep};
use std::path::Path;

/// The program with what is asked of it; nothing if it is not one over integers.
pub fn read(flags: &Explain, path: &Path, monitor: &Monitor) -> Result<Option<Subject>, Trouble> {
    let property = flags.property.as_slice();
    let Some(subject) = Subject::read(path, &flags.questions, property, monitor)? else {
        return Ok(None);
    };
    if !matches!(flags.method, Method::Auto | Method::Refine) {
        return Err(super::not_for_integers(flags.method));
    }
    if flags.form.is_other_than_text() && !flags.form.json {
        return Err(Trouble::message("a run of a program over integers has no drawing")
            .with_help("it is told as text, or with --json"));
    }
    Ok(Some(subject))
}

/// Explains the only question of a subject.
pub fn explain(
    flags: &Explain,
    subject: &Subject,
    head: &Head,
    monitor: &Monitor,
) -> Result<(String, Status), Trouble> {
    // What is not supported is not a formula of a while-program.
    let [Some(formula), ..] = &subject.formulas[..] else {
        return Err(Trouble::message("there is nothing to explain"));
    };
    let components = subject.components();
    let asked = Asked { subject, formula, evidence: true, components, pieces: None };
    let mut solver = solver(&Solving { solver: None, cross_check: false }, PATIENCE)?;
    let (answer, known) = asked.answer(&mut *solver, monitor, &|_| {})?;
    let told = if answer.verdict.is_definite() {
        let run = asked.with_question(monitor, &|_| {}, |question| {
            integers::tell(question, &answer, &mut *solver)
        });
        Teller { subject }.story(&answer, run)
    } else {
        ProgramStory {
            reason: Some(subject.reason(&answer, known)),
            ..ProgramStory::new(answer.verdict)
        }
    };
    let text = match flags.form.json {
        true => told.to_json(head),
        false => told.to_text(head, colour_of_stdout()),
    };
    Ok((text, Status::of(&[answer.verdict])))
}

struct Teller<'a> {
    subject: &'a Subject,
}

impl Teller<'_> {
    fn story(&self, answer: &Answer, run: Option<Run>) -> ProgramStory {
        let mut story = ProgramStory::new(answer.verdict);
        let argument = |from: Option<&Moment>| {
            integers::argument(answer, from).map(|argument| self.argument(&argument))
        };
        let Some(Run { moments, end, is_example }) = run else {
            return ProgramStory { argument: argument(None), ..story };
        };
        story.is_example = is_example;
        story.steps = moments.iter().map(|moment| self.step(moment)).collect();
        match end {
            End::Shown => {}
            End::Whatever => {
                // Of something that is so from everywhere, one start tells nothing.
                let is_everywhere = moments.len() == 1 && answer.verdict == Truth::True;
                if is_everywhere {
                    story.steps.clear();
                }
                story.argument = argument(moments.last().filter(|_| !is_everywhere));
            }
            End::Again(to) => story.back_to = Some(to),
            End::Alike { to, where_holds } => {
                story.goes_on = Some((to, self.shown(&where_holds)));
            }
            End::Cut | End::Lost => story.is_cut = true,
        }
        if is_example {
            story.argument = argument(None);
        }
        story
    }

    fn step(&self, moment: &Moment) -> StoryStep {
        let (line, command) = self.command(moment);
        let remark = |Fact { subformula, holds }: &Fact| {
            let holds = if *holds { "holds" } else { "does not hold" };
            format!("here {subformula} {holds}")
        };
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
        let held = |Held { place, always, cases }: &Held| HeldAt {
            lines: self.lines(&[*place]),
            place: self.subject.place(*place),
            always: self.shown(always),
            cases: cases.iter().map(|case| self.shown(case)).collect(),
        };
        let measured = |Measure { term, places }: &Measure| MeasuredAt {
            measure: self.subject.shown_term(term),
            lines: self.lines(places),
        };
        StoryArgument {
            places: argument.places.iter().map(held).collect(),
            measures: argument.measures.iter().map(measured).collect(),
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
