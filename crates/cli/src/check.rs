//! `tertium check`: every property of the files, or the formulas of the command line.

use crate::Status;
use crate::console::{Console, colour_of_stderr, colour_of_stdout};
use crate::flags::{Check, Semantics};
use crate::input::Trouble;
use crate::load::{Loaded, load};
use crate::{allocator, input, supervisor};
use base::{Diagnostic, SourceMap, Span, Stopped};
use check::{DeadEnd, Method, Request};
use logic::{Formula, Logic, Signature, Surface, Truth};
use model::System;
use report::{Answer, CheckDocument, Colour};
use std::io::{Write, stderr};
use std::sync::Arc;
use std::time::Instant;

type Session = supervisor::Session<News>;

/// What the worker tells.
enum News {
    /// The questions, before the first of them is answered.
    Plan(Vec<Question>),
    Answer(Box<Answer>),
    /// The next question is not a proper one.
    Refused(String),
}

#[derive(Clone)]
struct Question {
    name: String,
    logic: Option<Logic>,
    formula: String,
    /// Where the formula stands, once that is known.
    span: Option<Span>,
}

pub fn run(flags: Check) -> Status {
    if let Some(message) = not_available(&flags) {
        let _ = writeln!(stderr(), "Error: {message}");
        return Status::Wrong;
    }
    let flags = Arc::new(flags);
    let mut ledger = Ledger::new(flags.clone());
    let worker = flags.clone();
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session| session.settle(check_files(&worker, session)),
        |news, console| ledger.hear(news, console),
    );
    ledger.finish(ended, &mut console)
}

fn not_available(flags: &Check) -> Option<String> {
    let message = match (flags.method, flags.semantics) {
        (method @ (Method::Refine | Method::Symbolic | Method::Modular), _) => {
            let name = method.name();
            format!("the method `{name}` is not available yet; `direct` and `compositional` are")
        }
        (_, Semantics::Ris) => "the semantics `ris` is not available yet; `sis` is".to_owned(),
        (Method::Compositional, _) if flags.values => {
            "`--values` asks for every state: that needs `--method direct`".to_owned()
        }
        (Method::Direct, _) if !flags.order.is_empty() => {
            "`--order` is for `--method compositional`; `direct` composes all at once".to_owned()
        }
        _ => return None,
    };
    Some(message)
}

const DEADLOCK_HELP: &str = "`--deadlock error` refuses it; `stutter` lets the system stand still there, \
                             `warn` takes it as it is";

fn check_files(flags: &Check, session: &Session) -> Result<Status, Trouble> {
    let mut loaded = load(&flags.files, flags.sync.as_deref(), &session.monitor)?;
    let order = order(&flags.order, &loaded.system)?;
    let questions = prepare(flags, &mut loaded)?;
    session.remark(loaded.warnings_for(&flags.limits));
    session.tell(News::Plan(questions.iter().map(|(question, _)| question.clone()).collect()));
    for (question, formula) in &questions {
        session.tell(match answer(flags, &loaded, &order, (question, formula), session) {
            Ok(answer) => News::Answer(Box::new(answer)),
            // It is the system that is wrong, whatever is asked of it.
            Err(error @ check::Error::Deadlock(_)) => {
                return Err(Trouble::message(error.to_string()).with_help(DEADLOCK_HELP));
            }
            Err(error) => News::Refused(refusal(&loaded, question, &error)),
        });
    }
    Ok(Status::Good)
}

/// The components that `--order` names.
fn order(wanted: &[String], system: &System) -> Result<Vec<usize>, Trouble> {
    let names: Vec<&str> = system.components.iter().map(|part| &*part.model.name).collect();
    let mut order = Vec::new();
    for name in wanted {
        let Some(component) = names.iter().position(|known| known == name) else {
            let help = did_you_mean(name, "the components are", names.iter().copied());
            return Err(Trouble::message(format!("`--order`: there is no component `{name}`"))
                .with_help(help));
        };
        if order.contains(&component) {
            return Err(Trouble::message(format!("`--order` names the component `{name}` twice")));
        }
        order.push(component);
    }
    Ok(order)
}

/// Why a question is no proper one, under the formula if that is what shows it.
fn refusal(loaded: &Loaded, question: &Question, error: &check::Error) -> String {
    let name = &question.name;
    let is_shown_by_it = matches!(error, check::Error::Contradiction { .. });
    let (Some(span), true) = (question.span, is_shown_by_it) else {
        return format!("Error: `{name}`: {error}\n");
    };
    let label = format!("the property `{name}` shows it");
    let diagnostic = Diagnostic::error(error.to_string(), span, label);
    report::render(&[diagnostic], &loaded.sources, colour_of_stderr())
}

/// The formulas to check, their names looked up.
fn prepare(flags: &Check, loaded: &mut Loaded) -> Result<Vec<(Question, Formula)>, Trouble> {
    let properties =
        if flags.questions.0.is_empty() { chosen(flags, loaded)? } else { given(flags, loaded)? };
    let props = loaded.system.props();
    let actions = loaded.system.actions();
    let signature = Signature { family: loaded.system.family(), props: &props, actions: &actions };
    let mut errors = Vec::new();
    let mut questions = Vec::new();
    for (name, surface) in properties {
        match logic::compile(&surface, &signature, &mut loaded.warnings) {
            Ok(formula) => questions.push((question(name, &surface), formula)),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() { Ok(questions) } else { Err(faults(errors, loaded)) }
}

fn question(name: String, surface: &Surface) -> Question {
    let (logic, span) = (Some(surface.logic), Some(surface.span));
    Question { name, logic, formula: surface.source(), span }
}

fn faults(mut errors: Vec<Diagnostic>, loaded: &Loaded) -> Trouble {
    errors.extend(loaded.warnings.iter().cloned());
    Trouble::Faults(errors, Box::new(loaded.sources.clone()))
}

/// The formulas of the command line; each is its own name.
fn given(flags: &Check, loaded: &mut Loaded) -> Result<Vec<(String, Surface)>, Trouble> {
    let mut errors = Vec::new();
    let mut found = Vec::new();
    for (logic, text) in &flags.questions.0 {
        let text: Arc<str> = text.as_str().into();
        let file = loaded.sources.add(format!("<--{}>", logic.name()), text.clone());
        match front::parse_formula(*logic, file, &text, 0..text.len()) {
            Ok(surface) => found.push((surface.source(), surface)),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    if errors.is_empty() { Ok(found) } else { Err(faults(errors, loaded)) }
}

/// The properties of the files, all of them or those that `--property` names.
fn chosen(flags: &Check, loaded: &mut Loaded) -> Result<Vec<(String, Surface)>, Trouble> {
    let properties: Vec<(String, Surface)> =
        loaded.properties.drain(..).map(|property| (property.name, property.surface)).collect();
    if properties.is_empty() {
        return Err(Trouble::message("there is no property to check").with_help(
            "give one with --mu, --ctl or --mcf, or write `property NAME: ctl AG p;` into a .tm file",
        ));
    }
    for wanted in &flags.property {
        if !properties.iter().any(|(name, _)| name == wanted) {
            return Err(no_such_property(wanted, properties.iter().map(|(name, _)| &**name)));
        }
    }
    let is_wanted = |name: &String| flags.property.is_empty() || flags.property.contains(name);
    Ok(properties.into_iter().filter(|(name, _)| is_wanted(name)).collect())
}

fn no_such_property<'a>(wanted: &str, names: impl Iterator<Item = &'a str> + Clone) -> Trouble {
    let help = did_you_mean(wanted, "the files have", names);
    Trouble::message(format!("there is no property `{wanted}`")).with_help(help)
}

/// The name that is nearest, or else all that there are.
fn did_you_mean<'a>(
    wanted: &str,
    there_are: &str,
    names: impl Iterator<Item = &'a str> + Clone,
) -> String {
    match base::nearest(wanted, names.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            format!("{there_are} {}", names.join(", "))
        }
    }
}

fn answer(
    flags: &Check,
    loaded: &Loaded,
    order: &[usize],
    (question, formula): (&Question, &Formula),
    session: &Session,
) -> Result<Answer, check::Error> {
    let started = Instant::now();
    // Who asks for an order asks for the method that has one.
    let method = match flags.method {
        Method::Auto if !order.is_empty() && !flags.values => Method::Compositional,
        method => method,
    };
    let outcome = check::run(&Request {
        method,
        values: flags.values,
        order,
        deadlock: flags.deadlock.into(),
        ..Request::new(&loaded.system, formula, &session.monitor)
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let Question { name, logic, formula, .. } = question.clone();
    let peak_bytes = allocator::peak_bytes();
    Ok(Answer { property: name, logic, formula, seconds, peak_bytes, outcome })
}

/// What is known so far, on the side of the main thread.
struct Ledger {
    flags: Arc<Check>,
    colour: Colour,
    /// Until the files are read, what the command line says.
    plan: Vec<Question>,
    answers: Vec<Answer>,
    refused: usize,
    /// The last deadlock that there was a warning about.
    dead_end: Option<DeadEnd>,
    /// When the last answer came.
    started: Instant,
}

impl Ledger {
    fn new(flags: Arc<Check>) -> Self {
        let given = flags.questions.0.iter().map(|(logic, text)| Question {
            name: text.clone(),
            logic: Some(*logic),
            formula: text.clone(),
            span: None,
        });
        let nameless = |name: &str| Question {
            name: name.to_owned(),
            logic: None,
            formula: String::new(),
            span: None,
        };
        let mut plan: Vec<Question> = given.collect();
        plan.extend(flags.property.iter().map(|name| nameless(name)));
        if plan.is_empty() {
            plan.push(nameless("every property"));
        }
        Self {
            flags,
            colour: colour_of_stdout(),
            plan,
            answers: Vec::new(),
            refused: 0,
            dead_end: None,
            started: Instant::now(),
        }
    }

    fn hear(&mut self, news: News, console: &mut Console) {
        match news {
            News::Plan(plan) => self.plan = plan,
            News::Answer(answer) => self.note(*answer, console),
            News::Refused(message) => {
                self.refused += 1;
                console.err(&message);
            }
        }
    }

    fn note(&mut self, answer: Answer, console: &mut Console) {
        if !self.flags.json {
            const WIDEST: usize = 60;
            let width = self.plan.iter().map(|question| question.name.chars().count()).max();
            console.out(&answer.to_text(self.colour, width.unwrap_or(0).min(WIDEST)));
        }
        if self.flags.verbose {
            console.err(&answer.figures());
        }
        self.warn_of_deadlock(&answer, console);
        self.answers.push(answer);
        self.started = Instant::now();
    }

    /// CTL speaks of systems that always go on; to the other logics a deadlock is a state like others.
    fn warn_of_deadlock(&mut self, answer: &Answer, console: &mut Console) {
        let dead_end = &answer.outcome.dead_end;
        let Some(found) = dead_end.as_ref().filter(|_| answer.logic == Some(Logic::Ctl)) else {
            return;
        };
        if self.flags.limits.quiet || self.dead_end == *dead_end {
            return;
        }
        let warning = report::deadlock_warning(&answer.property, found);
        console.err(&report::render(&[warning], &SourceMap::new(), colour_of_stderr()));
        self.dead_end.clone_from(dead_end);
    }

    fn finish(mut self, ended: Result<Status, Stopped>, console: &mut Console) -> Status {
        if let Err(stopped) = ended {
            self.give_up(stopped, console);
        }
        let is_refused = ended == Ok(Status::Wrong) || self.refused > 0;
        if self.flags.json && !(is_refused && self.answers.is_empty()) {
            let files: Vec<String> =
                self.flags.files.iter().map(|f| input::name_in_json(f)).collect();
            console.out(&report::to_json(&CheckDocument::new(VERSION, &files, &self.answers)));
        }
        let verdicts: Vec<Truth> =
            self.answers.iter().map(|answer| answer.outcome.verdict).collect();
        if let (false, Some(summary)) = (self.flags.json, report::summary(&verdicts)) {
            console.out(&summary);
        }
        if is_refused { Status::Wrong } else { status_of(&verdicts) }
    }

    /// Whatever is not answered is unknown.
    fn give_up(&mut self, stopped: Stopped, console: &mut Console) {
        let settled = self.answers.len() + self.refused;
        for Question { name, logic, formula, .. } in self.plan.clone().into_iter().skip(settled) {
            let mut answer = Answer::stopped((name, logic, formula), self.flags.method, stopped);
            answer.seconds = self.started.elapsed().as_secs_f64();
            answer.peak_bytes = allocator::peak_bytes();
            self.note(answer, console);
        }
    }
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn status_of(verdicts: &[Truth]) -> Status {
    if verdicts.contains(&Truth::False) {
        Status::Bad
    } else if verdicts.contains(&Truth::Unknown) {
        Status::Unknown
    } else {
        Status::Good
    }
}
