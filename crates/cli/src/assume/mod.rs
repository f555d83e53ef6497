//! `tertium assume`: makes an assumption that can stand for a process.

mod emission;
mod subject;
pub mod verdict;

use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Assume, Construction};
use crate::input::{Trouble, name_in_json};
use crate::supervisor::{self, Session};
use ::assume::{Ended, Made, Plan, Point, Question, Request, Start, make, quotient, replace};
use emission::Emission;
use model::{Model, System};
use report::{AssumeDocument, AssumeStats, Assumed, SafetyVerdict};
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
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<String>| session.settle(assume(&worker, session)),
        |text, console| console.out(&text),
    );
    ended.unwrap_or_else(|stopped| {
        console.out(&format!("unknown  {stopped}\n"));
        Status::Unknown
    })
}

fn assume(flags: &Assume, session: &Session<String>) -> Result<Status, Trouble> {
    let began = Instant::now();
    let emission = Emission::new(flags)?;
    let sync = flags.sync.as_deref();
    let subject = Subject::load(&flags.files, sync, &flags.limits, &session.monitor)?;
    session.remark(subject.warnings());
    let safety = subject.safety(&flags.safety)?;
    let numbers = subject.processes(&flags.process)?;
    emission.fits(&numbers)?;
    let (replaced, stands) = replace_all(flags, &subject, &numbers, safety, session)?;
    let found = verdict::of(&subject.system, &replaced, &stands, safety, session);
    session.remark(emission.write(&subject, &replaced, &stands, safety, &found)?);
    tell(flags, &subject, &stands, safety, &found, began, session);
    Ok(Status::of(&[found.verdict]))
}

/// Replaces one process after the other; each sees the assumptions of those before it.
fn replace_all(
    flags: &Assume,
    subject: &Subject,
    numbers: &[usize],
    safety: &Model,
    session: &Session<String>,
) -> Result<(System, Vec<Stand>), Trouble> {
    let mut replaced = subject.system.clone();
    let mut stands = Vec::new();
    for &number in numbers {
        let question = Question::new(&replaced, number, safety).map_err(|why| unfit(&why))?;
        let mut curve = Vec::new();
        let mut note = |point: Point| curve.push(point);
        let observe: Option<&mut dyn FnMut(Point)> = flags.curve.then_some(&mut note);
        let made = make(&question, &request(flags), &session.monitor, observe);
        if matches!(made.ended, Ended::Stopped(_)) {
            session.finish_in_peace();
        }
        let process = replaced.components[number].model.clone();
        let equivalence = &made.equivalence;
        let assumption = quotient(&process, &equivalence.class_of, equivalence.count);
        replaced = replace(&replaced, number, assumption.clone());
        let curve = flags.curve.then_some(curve);
        stands.push(Stand { number, process, assumption, made, curve });
    }
    Ok((replaced, stands))
}

fn request(flags: &Assume) -> Request {
    let start = match flags.method {
        Construction::Abstract => Start::Trivial,
        Construction::Basic => Start::Discrete,
    };
    Request { start, plan: Plan::Both, steps: flags.steps, until_flat: false }
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
        let names: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
        let verdict = SafetyVerdict {
            property: &safety.name,
            verdict: found.verdict,
            reason: found.reason.clone(),
            error: found.error.as_ref().map(|run| (run, &subject.system)),
        };
        let stats = AssumeStats { states: found.states, seconds: began.elapsed().as_secs_f64() };
        let parts: Vec<_> =
            stands.iter().map(|stand| (as_assumed(stand), stand.curve.as_deref())).collect();
        let version = env!("CARGO_PKG_VERSION");
        let document = AssumeDocument::new(version, &names, &verdict, &parts, stats);
        return session.tell(report::to_json(&document));
    }
    let colour = colour_of_stdout();
    session.tell(report::safety_line(&safety.name, found.verdict, &found.sentence(stands), colour));
    if let Some(run) = &found.error {
        session.tell(report::error_trace(run, &subject.system, colour));
    }
    for stand in stands {
        session.tell(format!("\n{}", as_assumed(stand).to_text(colour)));
        if let Some(curve) = &stand.curve {
            session.tell(format!("\n{}", report::curve_table(curve)));
        }
    }
}

fn as_assumed(stand: &Stand) -> Assumed<'_> {
    Assumed { process: &stand.process, assumption: &stand.assumption, made: &stand.made }
}
