//! `tertium check`: every property of the files, or the formulas of the command line.

mod ledger;
mod method;

use crate::Status;
use crate::console::colour_of_stderr;
use crate::flags::Check;
use crate::input::Trouble;
use crate::load::{Loaded, load};
use crate::{allocator, supervisor};
use base::{Diagnostic, Span};
use check::{Request, Round};
use ledger::Ledger;
use logic::{Formula, Logic, Signature, Surface};
use method::{Approach, not_available};
use report::Answer;
use std::io::{Write, stderr};
use std::sync::Arc;
use std::time::Instant;

type Session = supervisor::Session<News>;

/// What the worker tells.
enum News {
    /// The questions, before the first of them is answered.
    Plan(Vec<Question>),
    /// A refinement has come so far with the next question.
    Round(Box<Round>),
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

const DEADLOCK_HELP: &str = "`--deadlock error` refuses it; `stutter` lets the system stand still there, \
                             `warn` takes it as it is";

fn check_files(flags: &Check, session: &Session) -> Result<Status, Trouble> {
    let mut loaded = load(&flags.files, flags.sync.as_deref(), &session.monitor)?;
    let approach = Approach::new(flags, &loaded.system)?;
    let questions = prepare(flags, &mut loaded)?;
    session.remark(loaded.warnings_for(&flags.limits));
    session.tell(News::Plan(questions.iter().map(|(question, _)| question.clone()).collect()));
    for (question, formula) in &questions {
        session.tell(match answer(flags, &loaded, &approach, (question, formula), session) {
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
    approach: &Approach,
    (question, formula): (&Question, &Formula),
    session: &Session,
) -> Result<Answer, check::Error> {
    let started = Instant::now();
    let is_watched = flags.verbose || flags.refining.trace.is_some();
    let watch = |round: &Round| {
        if is_watched {
            session.tell(News::Round(Box::new(round.clone())));
        }
    };
    let outcome = check::run(&Request {
        method: approach.method,
        values: flags.values,
        order: &approach.order,
        deadlock: flags.deadlock.into(),
        refinement: approach.refinement.clone(),
        watch: &watch,
        ..Request::new(&loaded.system, formula, &session.monitor)
    })?;
    let seconds = started.elapsed().as_secs_f64();
    let Question { name, logic, formula, .. } = question.clone();
    let peak_bytes = allocator::peak_bytes();
    Ok(Answer { property: name, logic, formula, seconds, peak_bytes, outcome })
}
