//! `tertium check --safety`: whether a safety property holds, with an assumption made and used in the same
//! run if that is asked for (A §1, the third scenario).

use super::subject::{Subject, unfit};
use super::verdict::{self, Found};
use super::{Stand, emission, stand_for};
use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::Check;
use crate::input::{Trouble, name_in_json};
use crate::output;
use crate::supervisor::{self, Session};
use ::assume::{Plan, Question, Request, Start};
use model::Model;
use report::{SafetyCheck, SafetyCheckDocument};
use std::io::{Write, stderr};
use std::sync::Arc;
use std::time::Instant;

/// Lets `--assume` choose: the process with most states.
const AUTO: &str = "auto";

pub fn run(flags: Box<Check>) -> Status {
    let flags: Arc<Check> = Arc::from(flags);
    let worker = flags.clone();
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<String>| session.settle(check(&worker, session)),
        |text, console| console.out(&text),
    );
    ended.unwrap_or_else(|stopped| {
        console.out(&format!("unknown  {stopped}\n"));
        Status::Unknown
    })
}

fn check(flags: &Check, session: &Session<String>) -> Result<Status, Trouble> {
    let began = Instant::now();
    if let Some(path) = &flags.certificate {
        output::is_no_input(path, &flags.files)?;
        output::try_writing(path).map_err(|error| output::unwritable(path, &error))?;
    }
    let sync = flags.sync.as_deref();
    let subject = Subject::load(&flags.files, sync, &flags.limits, &session.monitor)?;
    session.remark(subject.warnings());
    let safety = subject.safety(flags.safety.as_deref())?;
    let stands = stands(flags, &subject, safety, session)?;
    let found = found(&subject, &stands, safety, session)?;
    if let Some(path) = &flags.certificate {
        session.remark(emission::write_certificate(path, &subject, &stands, safety, &found)?);
    }
    tell(flags, &subject, &stands, safety, &found, began, session);
    Ok(Status::of(&[found.verdict]))
}

/// The assumption, refined only as long as it gets smaller.
fn stands(
    flags: &Check,
    subject: &Subject,
    safety: &Model,
    session: &Session<String>,
) -> Result<Vec<Stand>, Trouble> {
    let Some(name) = &flags.assume else { return Ok(Vec::new()) };
    let number = match subject.processes(std::slice::from_ref(name)) {
        Err(_) if name == AUTO => subject.largest_first()[0],
        numbers => numbers?[0],
    };
    let request =
        Request { start: Start::Trivial, plan: Plan::Both, steps: None, until_flat: true };
    Ok(vec![stand_for(number, &subject.system, safety, &request, None, session)?])
}

/// The labels may tell, and then nobody has to look.
fn found(
    subject: &Subject,
    stands: &[Stand],
    safety: &Model,
    session: &Session<String>,
) -> Result<Found, Trouble> {
    Question::new(&subject.system, 0, safety).map_err(|why| unfit(&why))?;
    Ok(match stands {
        [stand] if stand.made.equivalence.holds == Some(true) => Found::holds(None),
        _ => verdict::of(&subject.system, stands, safety, session),
    })
}

fn tell(
    flags: &Check,
    subject: &Subject,
    stands: &[Stand],
    safety: &Model,
    found: &Found,
    began: Instant,
    session: &Session<String>,
) {
    if flags.json {
        let names: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
        let checked = SafetyCheck {
            property: &safety.name,
            verdict: found.verdict,
            reason: found.reason.clone(),
            seconds: began.elapsed().as_secs_f64(),
            states: found.states,
            assumption: stands.first().map(|stand| (stand.assumption.states(), stand.made.steps)),
            error: found.error.as_ref().map(|run| (run, &subject.system)),
        };
        let version = env!("CARGO_PKG_VERSION");
        return session.tell(report::to_json(&SafetyCheckDocument::new(version, &names, &checked)));
    }
    let colour = colour_of_stdout();
    session.tell(report::safety_line(&safety.name, found.verdict, &found.sentence(stands), colour));
    if let Some(run) = &found.error {
        session.tell(report::error_trace(run, &subject.system, colour));
    }
    if flags.verbose {
        for stand in stands {
            session.remark(format!(
                "`{}`: {} states for {}, {} steps\n",
                stand.process.name,
                stand.assumption.states(),
                stand.process.states(),
                stand.made.steps
            ));
        }
    }
}

/// What cannot be asked together with a safety property.
pub fn is_refused(flags: &Check) -> bool {
    let message = if flags.safety.is_none() {
        flags.assume.as_ref().map(|_| "`--assume` goes with `--safety P`")
    } else if flags.values {
        Some("`--values` is for formulas: a safety property has no value in a state")
    } else {
        None
    };
    if let Some(message) = message {
        let _ = writeln!(stderr(), "Error: {message}");
    }
    message.is_some()
}
