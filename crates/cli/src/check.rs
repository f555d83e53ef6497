//! `tertium check`: every property of the files, or the formulas of the command line.

mod certificate;
mod components;
mod composed;
mod diagrams;
mod emission;
mod ledger;
mod method;
mod mixed;
mod refined;

use crate::Status;
use crate::assume::checking;
use crate::console::{Console, colour_of_stderr};
use crate::flags::Check;
use crate::input::{Trouble, is_dash};
use crate::load::{Loaded, load};
use crate::questions::{self, Item, Question, Task};
use crate::smv::native::native_property;
use crate::smv::states::Scope;
use crate::smv::{self, Either, Program};
use crate::{allocator, integers, modular, output, supervisor};
use certificate::Certifier;
use components::{by_components, early_by_components};
use diagrams::{Early, at_once, by_diagrams};
use emission::Emission;
use explicit::{Deadlock, Method, Outcome, Request, Round};
use ledger::Ledger;
pub use method::method;
use method::{Approach, not_available};
use refined::by_refinement;
use report::{AnswerReport, BestKnowledge, TracedRound};
use std::io::{self, Write, stderr};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use support::Diagnostic;

pub type Session = supervisor::Session<News>;

/// What the worker tells.
pub enum News {
    /// The questions, before the first of them is answered.
    Plan(Vec<Question>),
    /// A refinement has come so far with the next question.
    Round(TracedRound),
    /// What is known of the next answer, should it not come.
    Known(Box<BestKnowledge>),
    Answer(Box<AnswerReport>),
    /// The next question is not a proper one.
    Refused(String),
    /// What the last answer was to leave in files is not all there.
    Unwritten(String),
}

impl News {
    /// An answer that was begun at some time and is there now.
    pub fn answer(question: &Question, outcome: Outcome, started: Instant) -> Self {
        let seconds = started.elapsed().as_secs_f64();
        let peak_bytes = allocator::peak_bytes();
        let answer = question.clone().answered(outcome);
        News::Answer(Box::new(AnswerReport { seconds, peak_bytes, ..answer }))
    }
}

pub fn run(flags: Box<Check>) -> Status {
    if checking::is_refused(&flags) {
        return Status::Wrong;
    }
    if flags.safety.is_some() {
        return checking::run(flags);
    }
    if let Some(message) = not_available(&flags).or_else(|| unwritable_trace(&flags)) {
        let _ = writeln!(stderr(), "Error: {message}");
        return Status::Wrong;
    }
    let flags: Arc<Check> = Arc::from(flags);
    let mut ledger = Ledger::new(flags.clone());
    let worker = flags.clone();
    let console = match flags.events {
        true => Console::of_events(),
        false => Console::new(flags.limits.wants_progress()),
    };
    let (ended, mut console) = supervisor::run_on(
        console,
        &flags.limits,
        move |session| session.settle(check_files(&worker, session)),
        |news, console| ledger.hear(news, console),
    );
    ledger.finish(ended, &mut console)
}

/// After a long check it would be late to learn that.
fn unwritable_trace(flags: &Check) -> Option<String> {
    let path = flags.refining.trace.as_deref().filter(|path| !is_dash(path))?;
    output::try_writing(path).err().map(|error| output::cannot_write(path, &error))
}

const DEADLOCK_HELP: &str = "`--deadlock error` refuses it; `stutter` lets the system stand still there, \
                             `warn` takes it as it is";

fn check_files(flags: &Check, session: &Session) -> Result<Status, Trouble> {
    for path in flags.certificate.iter().chain(&flags.refining.trace) {
        output::is_no_input(path, &flags.files)?;
    }
    let method = method(flags);
    if let Some(path) = smv::among(&flags.files)? {
        if smv::is_while(path)
            && let Some(status) = integers::answer_all(flags, path, session)?
        {
            return Ok(status);
        }
        return match (method, smv::is_while(path)) {
            (Method::Modular | Method::Auto, true) => {
                integers::refuse_solver(&flags.solving)?;
                match modular::answer_all(flags, path, session)? {
                    Some(status) => Ok(status),
                    None => check_smv(flags, path, session),
                }
            }
            (Method::Modular, false) => Err(not_a_program()),
            _ => check_smv(flags, path, session),
        };
    }
    if method == Method::Modular {
        return Err(not_a_program());
    }
    not_of_smv(flags)?;
    integers::refuse_solver(&flags.solving)?;
    let mut loaded = load(&flags.files, flags.sync.as_deref(), &session.monitor)?;
    loaded.reduce(flags.semantics);
    let tasks = questions::prepare(&flags.questions, &flags.property, &mut loaded)?;
    session.remark(loaded.warnings_for(&flags.limits));
    session.tell(News::Plan(tasks.iter().map(|task| task.question.clone()).collect()));
    if method == Method::Symbolic {
        return composed::answer_all(flags, &loaded.system, &tasks, session);
    }
    let items = tasks.into_iter().map(|task| Item::Task(Box::new(task))).collect();
    answer_items(flags, &loaded, items, session)
}

fn not_a_program() -> Trouble {
    Trouble::message("the method `modular` takes while-programs apart, and there is none here")
        .with_help("a while-program is in a file that ends in .while")
}

/// What only an SMV file has cannot be asked of others.
fn not_of_smv(flags: &Check) -> Result<(), Trouble> {
    let Some(flag) = flags.about_modules() else { return Ok(()) };
    let help = match flag {
        "--unknown" => "write `component A unknown { … }` for one that is missing",
        _ => "the components of other files are those of the `system` line",
    };
    Err(Trouble::message(format!("`{flag}` is for the modules of an SMV file")).with_help(help))
}

/// Answers the specifications of an SMV file by the method that is asked for.
fn check_smv(flags: &Check, path: &Path, session: &Session) -> Result<Status, Trouble> {
    let read = smv::read_either(path, &flags.questions, &flags.property, &session.monitor)?;
    let program = match read {
        Either::Finite(program) => program,
        Either::Integers(document, sources, all, chosen) => {
            let subject = integers::Subject::of_smv(*document, sources, &all, &chosen);
            return integers::answer_smv(flags, &subject, session);
        }
    };
    integers::refuse_solver(&flags.solving)?;
    if flags.certificate.is_some() && !flags.questions.0.is_empty() {
        return Err(Trouble::message("a certificate is about the specifications of an SMV file")
            .with_help("write the formula into the file, as `SPEC` or `MUSPEC`"));
    }
    session.remark(program.warnings_for(&flags.limits));
    session.tell(News::Plan(program.questions()?));
    match method(flags) {
        Method::Symbolic if at_once(flags, &program, session)? => Ok(Status::Good),
        Method::Symbolic => by_diagrams(flags, &program, Early::default(), session),
        Method::Compositional => by_components(flags, &program, session),
        Method::Refine => by_refinement(flags, &program, session),
        Method::Auto if needs_states(flags, &program) => by_states(flags, &program, session),
        Method::Auto => match program.suits_diagrams() {
            Some(why) => {
                session.remark(if flags.verbose { why } else { String::new() });
                if at_once(flags, &program, session)? {
                    return Ok(Status::Good);
                }
                let early = early_by_components(flags, &program, session)?;
                match flags.asks_for_evidence() {
                    true if early.is_complete() => by_components(flags, &program, session),
                    true => by_diagrams(flags, &program, Early::default(), session),
                    false => by_diagrams(flags, &program, early, session),
                }
            }
            None => by_states(flags, &program, session),
        },
        _ => by_states(flags, &program, session),
    }
}

/// Whether something is asked for that only a list of states has, or that is simpler for it.
fn needs_states(flags: &Check, program: &Program) -> bool {
    let deadlock: Deadlock = flags.deadlock.into();
    let shows_states = flags.asks_for_evidence() && !program.may_exceed(flags.states);
    flags.values || shows_states || deadlock == Deadlock::Stutter
}

/// The explicit methods: enumerate the states, then as with every system.
fn by_states(flags: &Check, program: &Program, session: &Session) -> Result<Status, Trouble> {
    let scope = if flags.certificate.is_some() { Scope::File } else { Scope::Asked };
    let mut loaded = program.enumerate(scope, flags.states, &session.monitor)?;
    let deadlock = flags.deadlock.into();
    session.remark(loaded.warnings_of_states(deadlock, &flags.limits));
    if !flags.asks_for_evidence() {
        loaded.look_for_unfair_states(deadlock, &session.monitor)?;
    }
    let items = program.items(&mut loaded)?;
    answer_items(flags, &loaded, items, session)
}

fn answer_items(
    flags: &Check,
    loaded: &Loaded,
    items: Vec<Item>,
    session: &Session,
) -> Result<Status, Trouble> {
    let approach = Approach::new(flags, &loaded.system)?;
    let emission = emission(flags, &items, loaded)?;
    let work = Work { flags, loaded, approach, items, emission, session };
    certifying(flags, session, |out| work.answer_all(out))
}

/// Answers all questions, into a certificate if one is wanted; the inner error is about writing it.
fn certifying(
    flags: &Check,
    session: &Session,
    answer_all: impl FnOnce(Option<&mut dyn Write>) -> Result<io::Result<()>, Trouble>,
) -> Result<Status, Trouble> {
    let written = match &flags.certificate {
        Some(path) => output::replace(path, |out| answer_all(Some(out)))?
            .map_err(|error| output::cannot_write(path, &error)),
        None => answer_all(None)?.map_err(|error| error.to_string()),
    };
    if let Err(message) = written {
        session.tell(News::Unwritten(message));
    }
    Ok(Status::Good)
}

/// All that is to be answered.
struct Work<'a> {
    flags: &'a Check,
    loaded: &'a Loaded,
    approach: Approach,
    items: Vec<Item>,
    emission: Option<Emission>,
    session: &'a Session,
}

impl Work<'_> {
    /// Answers all questions; the inner error is about writing the certificate.
    fn answer_all(&self, out: Option<&mut dyn Write>) -> Result<io::Result<()>, Trouble> {
        let Self { flags, loaded, session, .. } = *self;
        let mut certifier = Certifier::new(flags, &loaded.system, out);
        for (number, item) in self.items.iter().enumerate() {
            let task = match item {
                Item::Task(task) => task,
                Item::Unanswered(question, why) => {
                    let outcome = Outcome::not_tried(self.approach.method, why.clone());
                    session.tell(News::Answer(Box::new(question.clone().answered(outcome))));
                    continue;
                }
            };
            match answer(flags, loaded, &self.approach, task, session) {
                Ok(answer) => self.tell(number, task, answer, &mut certifier),
                // It is the system that is wrong, whatever is asked of it.
                Err(error @ explicit::Error::Deadlock(_)) => {
                    return Err(Trouble::message(error.to_string()).with_help(DEADLOCK_HELP));
                }
                Err(error) => session.tell(News::Refused(refusal(loaded, &task.question, &error))),
            }
        }
        Ok(certifier.finish())
    }

    /// Tells an answer, and writes what it is to leave in files.
    fn tell(
        &self,
        number: usize,
        task: &Task,
        mut answer: AnswerReport,
        certifier: &mut Certifier,
    ) {
        let session = self.session;
        let certified = certifier.certify(task, &mut answer, &session.monitor);
        let emitted = self.emission.as_ref().map(|emission| {
            let models = &answer.outcome.abstractions;
            let property = native_property(task, self.loaded);
            let property = property.map_err(|_| "the property cannot be written".to_owned())?;
            emission.write(number, &self.loaded.system, &property, models)
        });
        session.tell(News::Answer(Box::new(answer)));
        if let Some(Err(message)) = emitted {
            session.tell(News::Unwritten(message));
        }
        match certified {
            Ok(_) if self.flags.limits.quiet => {}
            Ok(told) => session.remark(told.unwrap_or_default()),
            Err(message) => session.tell(News::Unwritten(message)),
        }
    }
}

fn emission(flags: &Check, items: &[Item], loaded: &Loaded) -> Result<Option<Emission>, Trouble> {
    let names: Vec<&str> = items.iter().map(|item| &*item.question().name).collect();
    let folder = flags.refining.emit_abstraction.as_deref();
    folder.map(|folder| Emission::new(folder, &names, &loaded.system)).transpose()
}

/// Why a question is no proper one, under the formula if that is what shows it.
fn refusal(loaded: &Loaded, question: &Question, error: &explicit::Error) -> String {
    let name = &question.name;
    let is_shown_by_it = matches!(error, explicit::Error::Contradiction { .. });
    let (Some(span), true) = (question.span, is_shown_by_it) else {
        return format!("Error: `{name}`: {error}\n");
    };
    let label = format!("the property `{name}` shows it");
    let diagnostic = Diagnostic::error(error.to_string(), span, label);
    report::render(&[diagnostic], &loaded.sources, colour_of_stderr())
}

fn answer(
    flags: &Check,
    loaded: &Loaded,
    approach: &Approach,
    Task { question, formula, .. }: &Task,
    session: &Session,
) -> Result<AnswerReport, explicit::Error> {
    let started = Instant::now();
    let is_watched = flags.watches_rounds();
    let watch = |round: &Round| {
        if is_watched {
            session.tell(News::Round(TracedRound::Refined(Box::new(round.clone()))));
        }
    };
    let mut outcome = explicit::run(&Request {
        method: approach.method,
        values: flags.values,
        order: &approach.order,
        deadlock: flags.deadlock.into(),
        evidence: flags.asks_for_evidence(),
        refinement: approach.refinement.clone(),
        watch: &watch,
        ..Request::new(&loaded.system, formula, &session.monitor)
    })?;
    loaded.in_all_states(&mut outcome);
    if loaded.dead_end.is_some() {
        // It was told, and means something else here.
        outcome.dead_end = None;
    }
    let seconds = started.elapsed().as_secs_f64();
    let peak_bytes = allocator::peak_bytes();
    Ok(AnswerReport { seconds, peak_bytes, ..question.clone().answered(outcome) })
}
