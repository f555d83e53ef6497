//! The main thread's side of a check: what is known so far, and what is told of it.

use super::method::method;
use super::{News, Question};
use crate::Status;
use crate::console::{Console, colour_of_stderr, colour_of_stdout};
use crate::flags::{Check, Format};
use crate::{allocator, input, output};
use explicit::{DeadEnd, Method, Outcome, Reason};
use logic::{Logic, Truth};
use report::{AnswerReport, BestKnowledge, Colour, Planned, TracedRound};
use std::sync::Arc;
use std::time::Instant;
use support::{SourceMap, Stopped};

/// What is known so far, on the side of the main thread.
pub struct Ledger {
    flags: Arc<Check>,
    colour: Colour,
    /// Until the files are read, what the command line says.
    plan: Vec<Question>,
    answers: Vec<AnswerReport>,
    /// For `--trace`: the rounds that led to each answer.
    rounds: Vec<Vec<TracedRound>>,
    /// Those of the next answer.
    current: Vec<TracedRound>,
    /// What is known of the next answer, should there be none.
    known: Option<BestKnowledge>,
    refused: usize,
    /// Whether files that were asked for are not there.
    lacks_files: bool,
    /// Whether it was said that another method is used than the one that was asked for.
    has_told_method: bool,
    /// The last deadlock that there was a warning about.
    dead_end: Option<DeadEnd>,
    /// When the last answer came.
    started: Instant,
}

impl Ledger {
    pub fn new(flags: Arc<Check>) -> Self {
        let given = flags.questions.0.iter();
        let given = given.map(|(logic, text)| Question::new(text, Some(*logic), text, None));
        let nameless = |name: &str| Question::new(name, None, "", None);
        let mut plan: Vec<Question> = given.collect();
        for name in &flags.property {
            if plan.iter().all(|question| question.name != *name) {
                plan.push(nameless(name));
            }
        }
        if plan.is_empty() {
            plan.push(nameless("every property"));
        }
        Self {
            flags,
            colour: colour_of_stdout(),
            plan,
            answers: Vec::new(),
            rounds: Vec::new(),
            current: Vec::new(),
            known: None,
            refused: 0,
            lacks_files: false,
            has_told_method: false,
            dead_end: None,
            started: Instant::now(),
        }
    }

    pub fn hear(&mut self, news: News, console: &mut Console) {
        match news {
            News::Plan(plan) => self.intend(plan, console),
            News::Round(round) => self.follow(round, console),
            News::Known(known) => self.known = Some(*known),
            News::Answer(answer) => self.note(*answer, console),
            News::Refused(message) => {
                match self.flags.events {
                    true => console.out(&report::refused_event(self.next_name(), &message)),
                    false => console.err(&message),
                }
                self.refused += 1;
                self.current.clear();
            }
            News::Unwritten(message) => self.miss(&message, console),
        }
    }

    fn intend(&mut self, plan: Vec<Question>, console: &mut Console) {
        self.plan = plan;
        if self.flags.events {
            let planned = self.plan.iter().map(|question| Planned {
                name: &question.name,
                logic: question.logic.unwrap_or_default(),
                formula: &question.formula,
            });
            console.out(&report::plan_event(&planned.collect::<Vec<_>>()));
        }
    }

    /// What is being answered.
    fn next(&self) -> &Question {
        &self.plan[(self.answers.len() + self.refused).min(self.plan.len() - 1)]
    }

    fn next_name(&self) -> &str {
        &self.next().name
    }

    fn miss(&mut self, message: &str, console: &mut Console) {
        console.err(&format!("Error: {message}\n"));
        self.lacks_files = true;
    }

    fn follow(&mut self, round: TracedRound, console: &mut Console) {
        if self.flags.events {
            console.out(&match &round {
                TracedRound::Refined(round) => report::round_event(self.next_name(), round),
                TracedRound::Found(round) => report::predicates_event(self.next_name(), round),
            });
        } else if self.flags.verbose {
            console.err(&match &round {
                TracedRound::Refined(round) => report::round_line(round),
                TracedRound::Found(round) => round.to_text(),
            });
        }
        if self.flags.refining.trace.is_some() {
            self.current.push(round);
        }
    }

    fn note(&mut self, answer: AnswerReport, console: &mut Console) {
        self.tell_method(&answer, console);
        if self.flags.events {
            console.out(&report::answer_event(&answer));
        } else if self.flags.format == Format::Nusmv {
            console.out(&answer.to_nusmv(&self.next().statement));
        } else if !self.flags.json {
            const WIDEST: usize = 60;
            let width = self.plan.iter().map(|question| question.name.chars().count()).max();
            console.out(&answer.to_text(self.colour, width.unwrap_or(0).min(WIDEST)));
            let most = if self.flags.verbose { usize::MAX } else { KNOWLEDGE_SHOWN };
            console.out(&answer.knowledge(most));
        }
        if self.flags.verbose {
            console.err(&answer.figures());
        }
        self.warn_of_deadlock(&answer, console);
        self.look_for_abstractions(&answer, console);
        self.answers.push(answer);
        self.rounds.push(std::mem::take(&mut self.current));
        self.known = None;
        self.started = Instant::now();
    }

    /// What keeps a method from being used is the same for all questions.
    fn tell_method(&mut self, answer: &AnswerReport, console: &mut Console) {
        let Some(unsuited) = &answer.outcome.unsuited else { return };
        if !self.flags.limits.quiet && !self.has_told_method {
            console.err(&report::unsuited_note(unsuited));
        }
        self.has_told_method = true;
    }

    /// CTL speaks of systems that always go on; to the other logics a deadlock is a state like others.
    fn warn_of_deadlock(&mut self, answer: &AnswerReport, console: &mut Console) {
        let dead_end = &answer.outcome.dead_end;
        let Some(found) = dead_end.as_ref().filter(|_| answer.logic == Some(Logic::Ctl.name()))
        else {
            return;
        };
        if self.flags.limits.quiet || self.dead_end == *dead_end {
            return;
        }
        let warning = report::deadlock_warning(&answer.property, found);
        console.err(&report::render(&[warning], &SourceMap::new(), colour_of_stderr()));
        self.dead_end.clone_from(dead_end);
    }

    /// There are none if the question was not decided, or not by refining.
    fn look_for_abstractions(&mut self, answer: &AnswerReport, console: &mut Console) {
        let AnswerReport { property, outcome, .. } = answer;
        if self.flags.refining.emit_abstraction.is_none() || !outcome.abstractions.is_empty() {
            return;
        }
        if let Some(Reason::Stopped(stopped)) = outcome.reason {
            if !self.flags.limits.quiet {
                let lacking = format!("no abstraction is written for `{property}`: {stopped}");
                console.err(&format!("Warning: {lacking}\n"));
            }
            return;
        }
        let why = match outcome.method {
            Method::Refine => "a limit was reached before they say it by themselves".to_owned(),
            method => format!("the method `{}` decided it, which abstracts nothing", method.name()),
        };
        self.miss(&format!("no abstraction is written for `{property}`: {why}"), console);
    }

    pub fn finish(mut self, ended: Result<Status, Stopped>, console: &mut Console) -> Status {
        if let Err(stopped) = ended {
            self.give_up(stopped, console);
        }
        let is_refused = ended == Ok(Status::Wrong) || self.refused > 0;
        let files: Vec<String> = self.flags.files.iter().map(|f| input::name_in_json(f)).collect();
        let is_told = !(is_refused && self.answers.is_empty());
        if self.flags.json && is_told {
            console.out(&report::to_json(&report::check_document(VERSION, &files, &self.answers)));
        }
        let verdicts: Vec<Truth> =
            self.answers.iter().map(|answer| answer.outcome.verdict).collect();
        let is_text = !self.flags.json && !self.flags.events && self.flags.format == Format::Text;
        if let (true, Some(summary)) = (is_text, report::summary(&verdicts)) {
            console.out(&summary);
        }
        if is_told {
            self.write_trace(&files, console);
        }
        if is_refused || self.lacks_files { Status::Wrong } else { Status::of(&verdicts) }
    }

    fn write_trace(&mut self, files: &[String], console: &mut Console) {
        let Some(path) = &self.flags.refining.trace else { return };
        let document = report::trace_document(VERSION, files, &self.answers, &self.rounds);
        let text = report::to_json(&document);
        if input::is_dash(path) {
            console.out(&text);
        } else if let Err(error) = output::write(path, &text) {
            self.miss(&output::cannot_write(path, &error), console);
        }
    }

    /// Whatever is not answered is unknown.
    fn give_up(&mut self, stopped: Stopped, console: &mut Console) {
        let settled = self.answers.len() + self.refused;
        for question in self.plan.clone().into_iter().skip(settled) {
            let method = method(&self.flags);
            let outcome = match question.not_supported {
                Some(why) => Outcome::not_tried(method, why),
                None => match self.known.take() {
                    Some(known) => {
                        let known = BestKnowledge { why: stopped.to_string(), ..known };
                        Outcome::not_tried(method, known.to_text())
                    }
                    None => Outcome::stopped(method, stopped),
                },
            };
            let mut answer = question.answered(outcome);
            answer.seconds = self.started.elapsed().as_secs_f64();
            answer.peak_bytes = allocator::peak_bytes();
            self.note(answer, console);
        }
    }
}

/// More of what a limit left of a refinement is shown with `-v` only.
const KNOWLEDGE_SHOWN: usize = 6;

const VERSION: &str = env!("CARGO_PKG_VERSION");
