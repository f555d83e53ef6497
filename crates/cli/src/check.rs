//! `tertium check`: every property of the files, or the formulas of the command line.

mod batch;
mod emission;
mod results;

pub(crate) use results::write_reports;

use crate::console::Console;
use crate::flags::{Check, Format};
use crate::input::{self, Files, is_dash};
use crate::{Status, assume, output, supervisor};
use emission::Emission;
use report::{ReportedTrace, TracedRound};
use results::{Planned, Results};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use supervisor::rendered;
use tertium::{
    Ablation, Diagnostics, Error, Event, Model, Options, Outcome, Property, SetRepresentation,
    Span, Trace, UndecidedAbstraction, Verdict,
};

/// So long may a trace take, however short the check was.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) type Session = supervisor::Session<News>;

/// Messages of the worker.
pub(crate) enum News {
    /// The questions, before the first of them is answered.
    Plan(Vec<Planned>),
    /// A refinement has come so far with a question.
    Round(usize, TracedRound),
    /// The knowledge that is reported if no answer comes.
    Known(usize, Box<UndecidedAbstraction>),
    /// The answer to the next question: its method, its outcome, and how long it took.
    Answer(&'static str, Box<Outcome>, f64),
    /// A decided property whose trace is still searched for.
    Decided(&'static str, Box<Outcome>, f64),
    /// The trace of what is decided, which took so long.
    Trace(Option<ReportedTrace>, f64),
    /// The next question is not a proper one.
    Refused(Diagnostics),
    /// The input or the call is wrong.
    Wrong(Diagnostics),
    /// Work for several properties took so long.
    Shared(Duration),
    /// A file could not be written.
    Unwritten(String),
}

pub fn run(mut flags: Box<Check>, loader: &Files) -> Status {
    match files(&flags) {
        Ok(Checking::Each(files)) => {
            return batch::run(&flags, &files).unwrap_or_else(|error| refuse(&flags, &error));
        }
        Ok(Checking::Together(files)) => flags.files = files,
        Err(error) => return refuse(&flags, &error),
    }
    if flags.safety.is_some() {
        return assume::check(flags, loader);
    }
    let options = options(&flags);
    let refused = options.validate().err().map(Error::from);
    if let Some(error) = refused.or_else(|| refusal(&flags)) {
        return refuse(&flags, &error);
    }
    let flags: Arc<Check> = Arc::from(flags);
    let mut results = Results::new(flags.clone());
    let (worker, loader) = (flags.clone(), loader.clone());
    let console = match flags.events {
        true => Console::of_events(),
        false => Console::new(flags.limits.wants_progress()),
    };
    let (ended, mut console) = supervisor::run_on(
        console,
        &flags.limits,
        move |session| match check(&worker, options, &loader, session) {
            Ok(status) => Ok(status),
            Err(Error::Stopped(stopped)) => Err(stopped),
            Err(error) => {
                session.tell(News::Wrong(error.diagnostics()));
                Ok(Status::Wrong)
            }
        },
        |news, console| results.receive(news, console),
    );
    results.finish(ended, &mut console)
}

/// The files of a call.
enum Checking {
    /// One after the other.
    Each(Vec<PathBuf>),
    /// As one system.
    Together(Vec<PathBuf>),
}

fn files(flags: &Check) -> Result<Checking, Error> {
    if let Some(only) = &flags.only {
        return Ok(Checking::Together(vec![only.clone()]));
    }
    let files = batch::expanded(&flags.files)?;
    let is_alone = files == flags.files || batch::about_one_system(flags).is_some();
    let is_one = flags.reading.joining.is_given() || is_alone && files.len() == 1;
    Ok(if is_one { Checking::Together(files) } else { Checking::Each(files) })
}

/// Says what is wrong, before anything is checked.
fn refuse(flags: &Check, error: &Error) -> Status {
    let found = error.diagnostics();
    let mut console = Console::new(false);
    match flags.json {
        true => {
            let errors = report::errors_json(&found.messages, &found.sources);
            console.out(&report::to_json(&report::errors_document(errors)));
        }
        false => console.err(&rendered(&found)),
    }
    Status::Wrong
}

/// The flags as options of the library.
fn options(flags: &Check) -> Options {
    let Check { refining, modular, solving, limits, .. } = flags;
    let mut options = Options::default()
        .method(&flags.method)
        .deadlock(flags.deadlock.into())
        .order(flags.order.clone())
        .missing(flags.unknown.clone())
        .values(flags.values)
        .defines(flags.defines)
        .all_variables(flags.format == Format::Nusmv)
        .causes(flags.causes)
        .evidence(flags.asks_for_evidence())
        .rounds(flags.watches_rounds())
        .log_refinement(refining.log_refinement.is_some())
        .states(flags.states)
        .reduction(!flags.no_reduction)
        .cross_check(solving.cross_check)
        .abstracted(refining.abstracted.clone())
        .abstractions(refining.emit_abstraction.is_some())
        .hyper(refining.hyper)
        .lazy(refining.lazy)
        .paper(refining.paper)
        .ablation(Ablation {
            no_keep_colours: refining.no_keep_colours,
            no_drop: refining.no_drop,
            no_take_over: refining.no_take_over,
            both_sides: refining.both_sides,
        })
        .assume(flags.assume.clone());
    options = given(options, &flags.components, Options::components);
    options = given(options, &flags.semantics.map(tertium::Semantics::from), Options::semantics);
    options = given(options, &solving.solver, Options::solver);
    options = given(options, &modular.partition, Options::partition);
    options = given(options, &modular.sets.map(SetRepresentation::from), Options::sets);
    options = given(options, &modular.resume, Options::resume);
    options = given(options, &modular.threads, Options::threads);
    options = given(options, &limits.memory, Options::memory);
    given(options, &limits.timeout, Options::timeout)
}

/// Sets an option if its flag was given.
pub fn given<T: Clone>(
    options: Options,
    flag: &Option<T>,
    set: impl FnOnce(Options, T) -> Options,
) -> Options {
    match flag {
        Some(value) => set(options, value.clone()),
        None => options,
    }
}

/// Checks combinations of flags that the library does not know.
fn refusal(flags: &Check) -> Option<Error> {
    let log = flags.refining.log_refinement.as_deref();
    if flags.certificate.as_deref().is_some_and(is_dash) {
        let message = "a certificate is no text for standard output: give `--certificate` a file";
        return Some(Error::wrong(message, ""));
    }
    if flags.json && log.is_some_and(is_dash) {
        let message = "`--json` and `--log-refinement -` both write one object to standard output: give `--log-refinement` a file";
        return Some(Error::wrong(message, ""));
    }
    // After a long check it would be late to learn that.
    let path = log.filter(|path| !is_dash(path))?;
    output::try_writing(path).err().map(|error| output::unwritable(path, &error))
}

fn check(
    flags: &Check,
    options: Options,
    loader: &Files,
    session: &Session,
) -> Result<Status, Error> {
    for path in flags.certificate.iter().chain(&flags.refining.log_refinement) {
        output::is_no_input(path, &flags.files)?;
    }
    let started = Instant::now();
    let input = input::system(&flags.files, &flags.reading, loader, &session.cancel)?;
    let model = flags.fair.of(input).read()?;
    if !flags.assume.is_empty() && !model.is_program() {
        let message = "`--assume` goes with `--safety P`, or with a while-program that has holes";
        return Err(Error::wrong(message, ""));
    }
    let properties = match flags.certificate.is_some() && !flags.questions.0.is_empty() {
        true => model.formulas_apart(&flags.questions.0)?,
        false => model.select(&flags.questions.0, &flags.property)?,
    };
    session.tell(News::Shared(started.elapsed()));
    let options = match &flags.refining.from_abstraction {
        Some(folder) => options.start(emission::read_classes(folder)?),
        None => options,
    };
    let emission = flags.refining.emit_abstraction.as_deref();
    let names: Vec<&str> = properties.iter().map(Property::name).collect();
    let components = model.component_names();
    let emission = emission.map(|folder| Emission::new(folder, &names, &components)).transpose()?;
    let number = |property: &Property| properties.iter().position(|one| one == property);
    let forward = |event: Event| match event {
        Event::Plan(plan) => {
            let planned = |property| Planned::new(property, place(flags, &model, property));
            session.tell(News::Plan(plan.iter().map(planned).collect()));
        }
        Event::Round(property, round) => {
            number(property).into_iter().for_each(|n| session.tell(News::Round(n, round.clone())));
        }
        Event::Known(property, known) => {
            let tell = |n| session.tell(News::Known(n, Box::new(known.clone())));
            number(property).into_iter().for_each(tell);
        }
        Event::Shared(took) => session.tell(News::Shared(took)),
        Event::Answer(answer) => {
            tell(flags, emission.as_ref(), number(answer.property()), answer, session);
        }
        Event::Refused(_, error) => session.tell(News::Refused(error.diagnostics())),
        Event::Warnings(warnings) => session.warn(warnings, &flags.limits),
        Event::Note(text) if !flags.limits.quiet => session.remark(text),
        Event::Detail(text) if flags.verbose => session.remark(text),
        _ => {}
    };
    let options = options.cancel(&session.cancel);
    let answers = model.check_all(&properties, &options, &forward)?;
    if let Some(path) = &flags.certificate {
        let bytes = tertium::certificates(&model, answers.iter().flatten());
        let written: Result<_, std::convert::Infallible> =
            output::replace(path, |out| Ok(out.write_all(&bytes)));
        let Ok(written) = written;
        if let Err(error) = written {
            session.tell(News::Unwritten(output::cannot_write(path, &error)));
        }
    }
    Ok(Status::Good)
}

/// The file that states a property, and line and column in it.
type Place = (Option<String>, Option<(usize, usize)>);

fn place(flags: &Check, model: &Model, property: &Property) -> Place {
    let given = match &flags.files[..] {
        [only] => Some(input::name_in_json(only)),
        _ => None,
    };
    let stated = property.span().filter(|_| flags.questions.0.is_empty());
    let named = |span: Span| model.sources().file(span.file).name.clone();
    (given.or_else(|| stated.map(named)), stated.map(|span| model.sources().position(span)))
}

/// Tells an answer, and what it is to leave behind.
fn tell(
    flags: &Check,
    emission: Option<&Emission>,
    number: Option<usize>,
    answer: &tertium::Answer,
    session: &Session,
) {
    let (method, outcome) = (answer.method(), Box::new(answer.outcome().clone()));
    if wants_trace(flags, answer) {
        session.tell(News::Decided(method, outcome, answer.seconds()));
        let started = Instant::now();
        session.tell(News::Trace(trace(answer), started.elapsed().as_secs_f64()));
    } else {
        session.tell(News::Answer(method, outcome, answer.seconds()));
    }
    if let (Some(emission), Some(number)) = (emission, number)
        && let Err(message) =
            emission.write(number, answer.property().name(), answer.abstractions())
    {
        session.tell(News::Unwritten(message));
    }
    if !flags.asks_for_evidence() || answer.verdict() == Verdict::Unknown {
        return;
    }
    if let Some(why) = answer.not_certified().filter(|_| !flags.limits.quiet) {
        session.remark(format!("{why}\n"));
    }
    if flags.audit {
        audit(flags, answer, number == Some(0), session);
    }
}

/// A property that fails has a trace, and one that holds where that is asked for.
fn wants_trace(flags: &Check, answer: &tertium::Answer) -> bool {
    match answer.verdict() {
        Verdict::False => !flags.no_trace && !flags.limits.quiet,
        Verdict::True => flags.witness,
        Verdict::Unknown => false,
    }
}

/// The trace of an answer, given up when it takes much longer than the answer.
fn trace(answer: &tertium::Answer) -> Option<ReportedTrace> {
    let patience = PATIENCE.max(Duration::from_secs_f64(answer.seconds() / 5.0));
    match answer.trace(Some(patience)) {
        Ok(found) => {
            // That all paths satisfy a property is shown by no path.
            let is_shown = |trace: &Trace| !trace.is_prefix || answer.verdict() == Verdict::False;
            let none = || answer.is_refuted_by_no_path().then_some(ReportedTrace::NoPath);
            found.filter(is_shown).map(|trace| ReportedTrace::Found(Box::new(trace))).or_else(none)
        }
        Err(Error::Stopped(_)) => Some(ReportedTrace::NotWithinLimits),
        Err(_) => None,
    }
}

fn audit(flags: &Check, answer: &tertium::Answer, is_first: bool, session: &Session) {
    let name = answer.property().name();
    let remark = |text: String| {
        if !flags.limits.quiet {
            session.remark(text);
        }
    };
    match answer.audit() {
        Ok(None) => {}
        Ok(Some(found)) => {
            for claim in &found.claims {
                match claim.size {
                    Some(_) if claim.property != name && !is_first => {}
                    Some((steps, positions)) => {
                        remark(report::audited(&claim.property, steps, positions));
                    }
                    None if claim.property == name => remark(format!("`{name}`: audited\n")),
                    None => {}
                }
            }
            if let Some((_, fault)) = found.fault {
                let problem = format!("`{name}` does not pass the audit: {fault}");
                session
                    .tell(News::Unwritten(format!("{problem}\n  Help: {}", crate::status::REPORT)));
            }
        }
        Err(error) => remark(format!("`{name}` is not audited: {error}\n")),
    }
}
