//! `tertium check --safety`: whether a safety property holds, with an assumption made and used in the same
//! run if that is asked for (A §1, the third scenario).

use super::subject::Subject;
use super::verdict::{self, Found};
use super::{Stand, as_assumed, emission, stand_for};
use crate::Status;
use crate::console::colour_of_stdout;
use crate::flags::{Check, Deadlock, Format};
use crate::input::{Trouble, name_in_json};
use crate::supervisor::{Session, run_telling};
use ::assume::{Plan, Request, Start};
use explicit::Method;
use logic::Truth;
use model::Model;
use report::{Colour, SafetyCheck, SafetyVerdict};
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Lets `--assume` choose: the process with most states.
const AUTO: &str = "auto";

pub fn run(flags: Box<Check>) -> Status {
    let flags: Arc<Check> = Arc::from(flags);
    let worker = flags.clone();
    let nothing =
        |reason: &str, seconds: f64| flags.json.then(|| nothing_known(&flags, reason, seconds));
    let files: Vec<&PathBuf> = flags.certificate.iter().collect();
    run_telling(&flags.limits, &files, nothing, move |session| check(&worker, session))
}

/// A limit was reached before there was anything to check.
fn nothing_known(flags: &Check, reason: &str, seconds: f64) -> String {
    let property = flags.safety.as_deref().unwrap_or_default();
    let reason = Some(reason.to_owned());
    let verdict = SafetyVerdict { property, verdict: Truth::Unknown, reason, error: None };
    as_json(flags, &SafetyCheck { verdict, seconds, states: None, assumption: None })
}

fn as_json(flags: &Check, checked: &SafetyCheck) -> String {
    let names: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
    report::to_json(&report::safety_document(env!("CARGO_PKG_VERSION"), &names, checked))
}

fn check(flags: &Check, session: &Session<String>) -> Result<Status, Trouble> {
    let began = Instant::now();
    emission::can_be_written(&[], flags.certificate.as_deref(), &flags.files)?;
    let sync = flags.sync.as_deref();
    let subject = Subject::load(&flags.files, sync, &flags.limits, &session.monitor)?;
    let safety = subject.asked(flags.safety.as_deref(), &flags.limits, session)?;
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
    let Some(name) = flags.assume.first() else { return Ok(Vec::new()) };
    let number = match subject.process("--assume", name) {
        Err(trouble) if name == AUTO => *subject.largest_first().first().ok_or(trouble)?,
        number => number?,
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
    match stands {
        [stand] if stand.made.equivalence.holds == Some(true) => Ok(Found::holds(None)),
        _ => verdict::of(&subject.system, stands, safety, session),
    }
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
        let checked = SafetyCheck {
            verdict: found.as_report(safety, &subject.system),
            seconds: began.elapsed().as_secs_f64(),
            states: found.states,
            assumption: stands.first().map(|stand| (stand.assumption.states(), stand.made.steps)),
        };
        return session.tell(as_json(flags, &checked));
    }
    session.tell(found.to_text(safety, &subject.system, stands, colour_of_stdout()));
    if flags.verbose {
        for stand in stands {
            session.remark(as_assumed(stand).headline(Colour::Off));
        }
    }
}

/// What cannot be asked together with a safety property.
pub fn is_refused(flags: &Check) -> bool {
    let refusal = match (&flags.safety, &flags.assume[..]) {
        (None, []) => None,
        (None, _) if flags.is_about_program() => None,
        (None, _) => {
            Some(("--assume", "goes with `--safety P`, or with a while-program that has holes", ""))
        }
        (Some(_), [_, _, ..]) => Some(("--assume", "can be given once with `--safety`", "")),
        (Some(_), _) => misplaced(flags).map(|(flag, help)| (flag, "is for formulas", help)),
    };
    if let Some((flag, what, help)) = refusal {
        let help = if help.is_empty() { String::new() } else { format!("  Help: {help}\n") };
        let _ = write!(stderr(), "Error: `{flag}` {what}\n{help}");
    }
    refusal.is_some()
}

/// A flag that says nothing of a safety property, and what to do instead.
fn misplaced(flags: &Check) -> Option<(&'static str, &'static str)> {
    const HOW: &str = "a safety property is checked by looking at the states of all processes, or of an \
                       assumption and the others: `--assume N`";
    let special =
        [flags.about_modules(), flags.refining.first_given(), flags.modular.first_given()];
    if let Some(flag) = special.into_iter().flatten().next() {
        return Some((flag, HOW));
    }
    let is_other_method = match flags.method {
        Method::Auto => false,
        Method::Direct => !flags.assume.is_empty(),
        _ => true,
    };
    let given = [
        (is_other_method, "--method", HOW),
        (!flags.order.is_empty(), "--order", HOW),
        (flags.values, "--values", "a safety property has no value in a state"),
        (
            flags.deadlock != Deadlock::Warn,
            "--deadlock",
            "to stand still is not against a safety property",
        ),
        (flags.format != Format::Text, "--format", "for a script there is `--json`"),
        (flags.audit, "--audit", "write a `--certificate`, and give it to `tertium certify`"),
    ];
    given.into_iter().find(|(is_given, ..)| *is_given).map(|(_, flag, help)| (flag, help))
}
