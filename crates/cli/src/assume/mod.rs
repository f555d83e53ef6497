//! `tertium assume`: makes an assumption that can stand for a process.

pub mod checking;
mod emission;
mod subject;
mod verdict;

use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Assume, Construction, Direction};
use crate::input::{Trouble, name_in_json};
use crate::supervisor::{Session, run_telling};
use ::assume::{Equivalence, Made, Plan, Point, Question, Request, Start, make, quotient, replace};
use emission::Emission;
use logic::Truth;
use model::{Model, System};
use report::{AssumedProcess, SafetyVerdict};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
pub use subject::Subject;
use subject::unfit;
use verdict::Found;

/// A process and what was made for it.
pub struct Stand {
    /// Its number among the components.
    pub number: usize,
    pub process: Model,
    pub assumption: Model,
    pub made: Made,
    /// If it was asked for.
    curve: Option<Vec<Point>>,
}

pub fn run(flags: Assume) -> Status {
    let flags = Arc::new(flags);
    let worker = flags.clone();
    let nothing =
        |reason: &str, seconds: f64| flags.json.then(|| nothing_made(&flags, reason, seconds));
    let files: Vec<&PathBuf> = flags.output.iter().chain(&flags.certificate).collect();
    run_telling(&flags.limits, &files, nothing, move |session| assume(&worker, session))
}

fn assume(flags: &Assume, session: &Session<String>) -> Result<Status, Trouble> {
    let began = Instant::now();
    basic_has_no_steps(flags)?;
    let emission = Emission::new(flags)?;
    let sync = flags.sync.as_deref();
    let subject = Subject::load(&flags.files, sync, &flags.limits, &session.monitor)?;
    let safety = subject.asked(flags.safety.as_deref(), &flags.limits, session)?;
    let numbers = subject.processes(&flags.process)?;
    emission.fits(&subject, &numbers)?;
    let stands = replace_all(flags, &subject, &numbers, safety, session)?;
    let found = verdict::of(&subject.system, &stands, safety, session)?;
    session.remark(emission.write(&subject, &stands, safety, &found)?);
    tell(flags, &subject, &stands, safety, &found, began, session);
    Ok(Status::of(&[found.verdict]))
}

fn basic_has_no_steps(flags: &Assume) -> Result<(), Trouble> {
    let flag = match (flags.method, flags.steps, flags.curve) {
        (Construction::Basic, Some(_), _) => "--steps",
        (Construction::Basic, None, true) => "--curve",
        _ => return Ok(()),
    };
    let message = format!("`{flag}` does not go with `--method basic`, which takes no steps");
    Err(Trouble::message(message).with_help("`--method abstract` goes step by step"))
}

/// Replaces one process after the other; each sees the assumptions of those before it.
fn replace_all(
    flags: &Assume,
    subject: &Subject,
    numbers: &[usize],
    safety: &Model,
    session: &Session<String>,
) -> Result<Vec<Stand>, Trouble> {
    let mut replaced = subject.system.clone();
    let mut stands = Vec::new();
    for &number in numbers {
        let mut curve = Vec::new();
        let mut note = |point: Point| curve.push(point);
        let observe: Option<&mut dyn FnMut(Point)> = flags.curve.then_some(&mut note);
        let stand = stand_for(number, &replaced, safety, &request(flags), observe, session)?;
        replaced = replace(&replaced, number, stand.assumption.clone());
        let curve = flags.curve.then_some(curve);
        stands.push(Stand { curve, ..stand });
    }
    Ok(stands)
}

/// Makes an assumption for one process.
fn stand_for(
    number: usize,
    system: &System,
    safety: &Model,
    request: &Request,
    observe: Option<&mut dyn FnMut(Point)>,
    session: &Session<String>,
) -> Result<Stand, Trouble> {
    let question = Question::new(system, number, safety).map_err(|why| unfit(&why))?;
    // Stopped, it still has to say what it knows by then.
    let made = session.in_peace(|| make(&question, request, &session.monitor, observe));
    let process = system.components[number].model.clone();
    let Equivalence { class_of, count, .. } = &made.equivalence;
    let assumption = quotient(&process, class_of, *count);
    Ok(Stand { number, process, assumption, made, curve: None })
}

/// The system with the assumptions in the places of their processes.
fn with_all(system: &System, stands: &[Stand]) -> System {
    let put =
        |system: System, stand: &Stand| replace(&system, stand.number, stand.assumption.clone());
    stands.iter().fold(system.clone(), put)
}

fn request(flags: &Assume) -> Request {
    let start = match flags.method {
        // Who asks for steps wants to see some.
        Construction::Auto if flags.steps.is_some() || flags.curve => Start::Trivial,
        Construction::Auto => Start::Auto,
        Construction::Abstract => Start::Trivial,
        Construction::Basic => Start::Discrete,
    };
    let plan = match flags.equivalence {
        Direction::Both => Plan::Both,
        Direction::Forward => Plan::Forward,
        Direction::Backward => Plan::Backward,
    };
    Request { start, plan, steps: flags.steps, until_flat: false }
}

fn tell(
    flags: &Assume,
    subject: &Subject,
    stands: &[Stand],
    safety: &Model,
    found: &Found,
    began: Instant,
    session: &Session<String>,
) {
    if flags.json {
        let verdict = found.as_report(safety, &subject.system);
        let stats = (found.states, began.elapsed().as_secs_f64());
        let parts: Vec<_> =
            stands.iter().map(|stand| (as_assumed(stand), stand.curve.as_deref())).collect();
        return session.tell(as_json(flags, &verdict, &parts, stats));
    }
    let colour = colour_of_stdout();
    session.tell(found.to_text(safety, &subject.system, stands, colour));
    for stand in stands {
        session.tell(format!("\n{}", as_assumed(stand).to_text(colour)));
        if let Some(curve) = &stand.curve {
            session.tell(format!("\n{}", report::curve_table(curve)));
        }
    }
}

/// A limit was reached before there was anything to make.
fn nothing_made(flags: &Assume, reason: &str, seconds: f64) -> String {
    let property = flags.safety.as_deref().unwrap_or_default();
    let reason = Some(reason.to_owned());
    let verdict = SafetyVerdict { property, verdict: Truth::Unknown, reason, error: None };
    as_json(flags, &verdict, &[], (None, seconds))
}

fn as_json(
    flags: &Assume,
    verdict: &SafetyVerdict,
    parts: &[(AssumedProcess, Option<&[Point]>)],
    stats: (Option<usize>, f64),
) -> String {
    let names: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
    let version = env!("CARGO_PKG_VERSION");
    report::to_json(&report::assume_document(version, &names, verdict, parts, stats))
}

fn as_assumed(stand: &Stand) -> AssumedProcess<'_> {
    AssumedProcess { process: &stand.process, assumption: &stand.assumption, made: &stand.made }
}
