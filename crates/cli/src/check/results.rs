//! The main thread's side of a check: what is known so far, and what is told of it.

use super::{News, Place};
use crate::Status;
use crate::console::{Console, colour_of_stderr, colour_of_stdout};
use crate::flags::{Check, Format};
use crate::supervisor::rendered;
use crate::{allocator, input, output};
use report::{AnswerReport, Colour, ReportedTrace, TraceView, TracedRound};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tertium::{
    DeadlockState, Diagnostics, Error, Outcome, Property, Reason, SourceMap, Stopped,
    UndecidedAbstraction, Verdict,
};

/// A property that is going to be answered.
#[derive(Clone)]
pub(crate) struct Planned {
    name: String,
    logic: Option<&'static str>,
    formula: String,
    place: Place,
    /// The specification in the words of NuSMV.
    statement: String,
    not_supported: Option<String>,
}

impl Planned {
    pub fn new(property: &Property, place: Place) -> Self {
        Self {
            place,
            name: property.name().to_owned(),
            logic: Some(property.logic()),
            formula: property.formula().to_owned(),
            statement: property.statement().to_owned(),
            not_supported: property.not_supported().map(str::to_owned),
        }
    }

    /// One that is known by its name only, or by its formula.
    fn named(name: &str, logic: Option<&'static str>, formula: &str) -> Self {
        Self {
            name: name.to_owned(),
            logic,
            formula: formula.to_owned(),
            place: (None, None),
            statement: format!("specification {formula} "),
            not_supported: None,
        }
    }

    fn answered(&self, method: &'static str, outcome: Outcome, seconds: f64) -> AnswerReport {
        let Planned { name, logic, formula, place: (file, position), .. } = self.clone();
        AnswerReport {
            file,
            position,
            property: name,
            logic,
            formula,
            seconds,
            peak_bytes: allocator::peak_bytes(),
            method,
            outcome,
            trace: None,
        }
    }
}

/// The answers so far, on the main thread.
pub(crate) struct Results {
    flags: Arc<Check>,
    colour: Colour,
    /// Until the files are read, what the command line says.
    plan: Vec<Planned>,
    answers: Vec<AnswerReport>,
    /// The answer whose trace is looked for: if that does not end, it is told without.
    decided: Option<AnswerReport>,
    /// For `--log-refinement`: the rounds that led to each answer, by number of the property.
    rounds: Vec<Vec<TracedRound>>,
    /// By property: the knowledge that is reported if no answer comes.
    known: Vec<Option<UndecidedAbstraction>>,
    refused: usize,
    /// As JSON.
    errors: Vec<Value>,
    /// Whether files that were asked for are not there.
    lacks_files: bool,
    /// Whether it was said that another method is used than the one that was asked for.
    has_reported_method: bool,
    /// The last deadlock that there was a warning about.
    deadlock_state: Option<DeadlockState>,
    /// When the last answer came.
    started: Instant,
    /// Reading the files, and other work for all properties.
    shared: Duration,
}

impl Results {
    pub fn new(flags: Arc<Check>) -> Self {
        let given = flags.questions.0.iter();
        let given = given.map(|(logic, text)| Planned::named(text, Some(logic.name()), text));
        let nameless = |name: &str| Planned::named(name, None, "");
        let mut plan: Vec<Planned> = given.collect();
        for name in &flags.property {
            if plan.iter().all(|question| question.name != *name) {
                plan.push(nameless(name));
            }
        }
        if plan.is_empty() {
            plan.push(nameless("every property"));
        }
        if let [only] = &flags.files[..] {
            plan.iter_mut().for_each(|planned| planned.place.0 = Some(input::name_in_json(only)));
        }
        Self {
            flags,
            colour: colour_of_stdout(),
            plan,
            answers: Vec::new(),
            decided: None,
            rounds: Vec::new(),
            known: Vec::new(),
            refused: 0,
            errors: Vec::new(),
            lacks_files: false,
            has_reported_method: false,
            deadlock_state: None,
            started: Instant::now(),
            shared: Duration::ZERO,
        }
    }

    pub fn receive(&mut self, news: News, console: &mut Console) {
        match news {
            News::Plan(plan) => self.intend(plan, console),
            News::Round(number, round) => self.follow(number, round, console),
            News::Known(number, known) => {
                at(&mut self.known, number).replace(*known);
            }
            News::Shared(took) => self.shared += took,
            News::Answer(method, outcome, seconds) => {
                self.note(self.next().answered(method, *outcome, seconds), console);
            }
            News::Decided(method, outcome, seconds) => {
                let answer = self.next().answered(method, *outcome, seconds);
                let trace = Some(ReportedTrace::NotWithinLimits);
                self.decided = Some(AnswerReport { trace, ..answer });
            }
            News::Trace(trace, took) => {
                if let Some(decided) = self.decided.take() {
                    let (seconds, peak_bytes) = (decided.seconds + took, allocator::peak_bytes());
                    self.note(AnswerReport { trace, seconds, peak_bytes, ..decided }, console);
                }
            }
            News::Refused(found) => {
                match self.flags.events {
                    true => {
                        let errors = report::errors_json(&found.messages, &found.sources);
                        let text = rendered(&found);
                        console.out(&report::refused_event(self.next_name(), &text, &errors));
                    }
                    false => self.complain(&found, console),
                }
                self.refused += 1;
            }
            News::Wrong(found) => self.complain(&found, console),
            News::Unwritten(message) => self.miss(&message, console),
        }
    }

    fn intend(&mut self, plan: Vec<Planned>, console: &mut Console) {
        self.plan = plan;
        if self.flags.events {
            let planned = self.plan.iter().map(|question| report::Planned {
                name: &question.name,
                logic: question.logic.unwrap_or_default(),
                formula: &question.formula,
            });
            console.out(&report::plan_event(&planned.collect::<Vec<_>>()));
        }
    }

    /// The property that is being checked.
    fn next(&self) -> &Planned {
        &self.plan[(self.answers.len() + self.refused).min(self.plan.len() - 1)]
    }

    fn next_name(&self) -> &str {
        &self.next().name
    }

    /// Says what is wrong: at once, or under `--json` with the answers.
    fn complain(&mut self, found: &Diagnostics, console: &mut Console) {
        let errors = report::errors_json(&found.messages, &found.sources);
        match (self.flags.events, self.flags.json) {
            (true, _) => console.out(&report::errors_event(&rendered(found), &errors)),
            (false, true) => {}
            (false, false) => console.err(&rendered(found)),
        }
        self.errors.extend(errors.into_iter().map(|error| match &self.flags.files[..] {
            [only] => report::about_file(error, &input::name_in_json(only)),
            _ => error,
        }));
    }

    fn miss(&mut self, message: &str, console: &mut Console) {
        self.errors.push(report::plain_error(message, None, None));
        if !self.flags.json {
            console.err(&format!("Error: {message}\n"));
        }
        self.lacks_files = true;
    }

    fn follow(&mut self, number: usize, round: TracedRound, console: &mut Console) {
        let name = self.plan.get(number).map_or("", |planned| &planned.name);
        if self.flags.events {
            console.out(&match &round {
                TracedRound::Refined(round) => report::round_event(name, round),
                TracedRound::Found(round) => report::predicates_event(name, round),
            });
        } else if self.flags.verbose {
            console.err(&match &round {
                TracedRound::Refined(round) => report::round_line(round),
                TracedRound::Found(round) => round.to_text(),
            });
        }
        if self.flags.refining.log_refinement.is_some() {
            at(&mut self.rounds, number).push(round);
        }
    }

    fn note(&mut self, answer: AnswerReport, console: &mut Console) {
        self.tell_method(&answer, console);
        if self.flags.events {
            console.out(&report::answer_event(&answer));
        } else if self.flags.format == Format::Nusmv {
            console.out(&answer.to_nusmv(&self.next().statement));
            if let Some(ReportedTrace::Found(trace)) = &answer.trace {
                let title =
                    report::nusmv_title(answer.logic.unwrap_or_default(), answer.outcome.verdict);
                let shown = self.answers.iter().filter(|answer| answer.trace.is_some()).count();
                console.out(report::AS_DEMONSTRATED);
                console.out(&report::nusmv_text(trace, &title, shown + 1));
            }
        } else if !self.flags.json {
            const WIDEST: usize = 60;
            let width = self.plan.iter().map(|question| question.name.chars().count()).max();
            console.out(&answer.to_text(self.colour, width.unwrap_or(0).min(WIDEST)));
            if let Some(trace) = &answer.trace {
                console.out(&report::trace_text(trace, &self.trace_view(&answer.property)));
            }
            let most = if self.flags.verbose { usize::MAX } else { KNOWLEDGE_SHOWN };
            console.out(&answer.knowledge(most));
        }
        if self.flags.verbose {
            console.err(&answer.figures());
        }
        self.warn_of_deadlock(&answer, console);
        self.look_for_abstractions(&answer, console);
        self.answers.push(answer);
        let number = self.answers.len() + self.refused - 1;
        at(&mut self.rounds, number);
        self.started = Instant::now();
    }

    /// How traces are printed, and how the rest of one is found.
    fn trace_view(&self, property: &str) -> TraceView {
        let mut files: Vec<String> =
            self.flags.files.iter().map(|file| input::name_of(file)).collect();
        if self.flags.reading.joining.compose {
            files.insert(0, "--compose".to_owned());
        }
        let question = match self.flags.questions.0.iter().find(|(_, text)| text == property) {
            Some((logic, text)) => format!("--{} '{text}'", logic.name()),
            None => format!("--property '{property}'"),
        };
        TraceView {
            colour: self.colour,
            lines: self.flags.trace_lines,
            width: 100,
            command: format!("tertium explain {} {question}", files.join(" ")),
        }
    }

    /// Notes once that another method is used: the obstacle is the same for all properties.
    fn tell_method(&mut self, answer: &AnswerReport, console: &mut Console) {
        let Some(unsuited) = &answer.outcome.unsuited else { return };
        if !self.flags.limits.quiet && !self.has_reported_method {
            console.err(&report::unsuited_note(unsuited));
        }
        self.has_reported_method = true;
    }

    fn warn_of_deadlock(&mut self, answer: &AnswerReport, console: &mut Console) {
        let deadlock_state = &answer.outcome.deadlock_state;
        let (Some(found), Some(logic)) = (deadlock_state, answer.logic) else { return };
        if self.flags.limits.quiet || self.deadlock_state == *deadlock_state {
            return;
        }
        let warning = report::deadlock_warning(&answer.property, logic, found);
        let Some(warning) = warning else { return };
        console.err(&report::render(&[warning], &SourceMap::new(), colour_of_stderr()));
        self.deadlock_state.clone_from(deadlock_state);
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
        let why = match answer.method {
            "refine" => "a limit was reached before the abstractions decide it".to_owned(),
            method => format!("the method `{method}` decided it, which abstracts nothing"),
        };
        self.miss(&format!("no abstraction is written for `{property}`: {why}"), console);
    }

    pub fn finish(mut self, ended: Result<Status, Stopped>, console: &mut Console) -> Status {
        if let Err(stopped) = ended {
            self.give_up(stopped, console);
        }
        let is_refused = ended == Ok(Status::Wrong) || self.refused > 0;
        let files: Vec<String> = self.flags.files.iter().map(|f| input::name_in_json(f)).collect();
        let writes_reports = !(is_refused && self.answers.is_empty());
        let verdicts: Vec<Verdict> =
            self.answers.iter().map(|answer| answer.outcome.verdict).collect();
        let is_text = !self.flags.json && !self.flags.events && self.flags.format == Format::Text;
        if is_text {
            // A length neither holds nor fails.
            let decided = self.answers.iter().filter(|answer| answer.outcome.length.is_none());
            let decided: Vec<Verdict> = decided.map(|answer| answer.outcome.verdict).collect();
            console.out(&report::summary(&decided).unwrap_or_default());
            if self.shared >= WORTH_TELLING {
                let seconds = self.shared.as_secs_f64();
                console.out(&format!("{seconds:.2} s for reading and what the properties share\n"));
            }
        }
        if writes_reports {
            self.write_refinement_log(&files, console);
        }
        let Check { json, junit, sarif, report, .. } = &*self.flags;
        if *json || [junit, sarif, report].iter().any(|path| path.is_some()) {
            let document =
                report::check_document(VERSION, &files, &self.answers, self.shared, &self.errors);
            if *json {
                console.out(&report::to_json(&document));
            }
            if let Err(error) = write_reports(&self.flags, &document) {
                console.err(&rendered(&error.diagnostics()));
                self.lacks_files = true;
            }
        }
        if is_refused || self.lacks_files { Status::Wrong } else { Status::of(&verdicts) }
    }

    fn write_refinement_log(&mut self, files: &[String], console: &mut Console) {
        let Some(path) = &self.flags.refining.log_refinement else { return };
        let document = report::refinement_document(VERSION, files, &self.answers, &self.rounds);
        let text = report::to_json(&document);
        if input::is_dash(path) {
            console.out(&text);
        } else if let Err(error) = output::write(path, &text) {
            self.miss(&output::cannot_write(path, &error), console);
        }
    }

    /// Reports every unanswered property as unknown.
    fn give_up(&mut self, stopped: Stopped, console: &mut Console) {
        if let Some(answer) = self.decided.take() {
            self.note(answer, console);
        }
        let settled = self.answers.len() + self.refused;
        for (number, question) in self.plan.clone().into_iter().enumerate().skip(settled) {
            let method = tertium::method_name(&self.flags.method);
            let outcome = match question.not_supported.clone() {
                Some(what) => Outcome::unknown(Reason::Unsupported(what.into())),
                None => match at(&mut self.known, number).take() {
                    Some(known) => {
                        let known = UndecidedAbstraction { reason: stopped.into(), ..known };
                        Outcome::unknown(Reason::Refinement(Box::new(known)))
                    }
                    None => Outcome::stopped(stopped),
                },
            };
            let seconds = self.started.elapsed().as_secs_f64();
            self.note(question.answered(method, outcome, seconds), console);
        }
    }
}

/// The entry of this number, which is there from now on.
fn at<T: Default>(list: &mut Vec<T>, number: usize) -> &mut T {
    if list.len() <= number {
        list.resize_with(number + 1, T::default);
    }
    &mut list[number]
}

/// Less work is not worth a line.
const WORTH_TELLING: Duration = Duration::from_secs(1);

/// More of what a limit left of a refinement is shown with `-v` only.
const KNOWLEDGE_SHOWN: usize = 6;

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Writes the reports that were asked for.
pub(crate) fn write_reports(flags: &Check, document: &Value) -> Result<(), Error> {
    let Check { junit, sarif, report, only, .. } = flags;
    // One of several files leaves its document to the process that writes the reports of all.
    let of_all = |path: &Option<PathBuf>| path.clone().filter(|_| only.is_none());
    let wanted = [
        (of_all(junit), report::junit as fn(&Value) -> String),
        (of_all(sarif), |document| report::to_json(&report::sarif(document))),
        (report.clone(), report::to_json),
    ];
    for (path, text) in wanted.into_iter().filter_map(|(path, text)| Some((path?, text))) {
        output::write(&path, &text(document)).map_err(|error| output::unwritable(&path, &error))?;
    }
    Ok(())
}
