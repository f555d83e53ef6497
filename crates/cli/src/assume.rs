//! `tertium assume`, which makes assumptions that can stand for processes, and `tertium check --safety`.

use crate::check::write_reports;
use crate::console::colour_of_stdout;
use crate::flags::{Assume, Check, Construction, Deadlock, Direction, Format, Limits};
use crate::input::{self, Files, is_dash, name_in_json};
use crate::supervisor::{Session, run_telling};
use crate::{Status, output};
use report::{AssumedProcess, Colour, SafetyCheck, SafetyVerdict};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tertium::{
    AssumeConstruction, AssumeEquivalence, AssumeOptions, Error, Input, MadeAssumption,
    SafetyAnswer, SafetyModel, Verdict,
};

pub fn run(flags: Assume, loader: &Files) -> Status {
    let flags = Arc::new(flags);
    let (worker, loader) = (flags.clone(), loader.clone());
    let nothing =
        |reason: &str, seconds: f64| flags.json.then(|| nothing_made(&flags, reason, seconds));
    let files: Vec<&PathBuf> = flags.output.iter().chain(&flags.certificate).collect();
    run_telling(&flags.limits, flags.json, &files, nothing, move |session| {
        assume(&worker, &loader, session)
    })
}

fn assume(flags: &Assume, loader: &Files, session: &Session<String>) -> Result<Status, Error> {
    let began = Instant::now();
    let options = AssumeOptions {
        safety: flags.safety.clone(),
        construction: match flags.method {
            Construction::Auto => AssumeConstruction::Auto,
            Construction::Abstract => AssumeConstruction::Abstract,
            Construction::Basic => AssumeConstruction::Basic,
        },
        equivalence: match flags.equivalence {
            Direction::Auto => AssumeEquivalence::Auto,
            Direction::Both => AssumeEquivalence::Both,
            Direction::Forward => AssumeEquivalence::Forward,
            Direction::Backward => AssumeEquivalence::Backward,
        },
        steps: flags.steps,
        curve: flags.curve,
        outputs: flags.output.clone(),
        system: flags.system,
        cancel: session.cancel.clone(),
    };
    options.validate()?;
    let certificate = flags.certificate.as_deref();
    can_be_written(&flags.output, certificate, &flags.files)?;
    let input = input::system(&flags.files, &flags.reading, loader, &session.cancel)?;
    let model = read(input, flags.safety.as_deref(), &flags.limits, session)?;
    // Stopped, it still has to say what it knows by then.
    let answer = session.in_peace(|| tertium::assume(&model, &flags.process, &options))?;
    for path in &flags.output {
        let content = answer.output(path, flags.system)?;
        output::replace(path, |out| Ok::<_, Error>(content.write(out)))?
            .map_err(|error| output::unwritable(path, &error))?;
    }
    write_certificate(certificate, &answer, session)?;
    send_assumed(flags, &answer, began, session);
    Ok(Status::of(&[answer.verdict]))
}

/// Reads the files, and says what is odd about them and about the property.
fn read(
    input: Input,
    safety: Option<&str>,
    limits: &Limits,
    session: &Session<String>,
) -> Result<SafetyModel, Error> {
    let model = input.read_safety()?;
    session.warn(model.warnings(), limits);
    session.warn(&model.warnings_about(safety)?, limits);
    Ok(model)
}

/// Each file is another one, none is read, and all can be written.
fn can_be_written(
    outputs: &[PathBuf],
    certificate: Option<&Path>,
    inputs: &[PathBuf],
) -> Result<(), Error> {
    if certificate.is_some_and(is_dash) {
        let message = "a certificate is no text for standard output: give `--certificate` a file";
        return Err(Error::wrong(message, ""));
    }
    let all: Vec<&Path> = outputs.iter().map(|path| &**path).chain(certificate).collect();
    for (at, path) in all.iter().enumerate() {
        if all[..at].iter().any(|other| place_of(other) == place_of(path)) {
            let message = format!("`{}` would be written twice", path.display());
            return Err(Error::wrong(message, "give each its own file"));
        }
        output::is_no_input(path, inputs)?;
        output::try_writing(path).map_err(|error| output::unwritable(path, &error))?;
    }
    Ok(())
}

/// Where a file will be, if it is not there yet.
fn place_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn write_certificate(
    path: Option<&Path>,
    answer: &SafetyAnswer,
    session: &Session<String>,
) -> Result<(), Error> {
    let Some(path) = path else { return Ok(()) };
    let Some(bytes) = answer.certificate() else {
        let name = path.display();
        session.remark(format!("Warning: `{name}` is not written: there is no certificate\n"));
        return Ok(());
    };
    output::replace(path, |out| Ok::<_, Error>(out.write_all(&bytes)))?
        .map_err(|error| output::unwritable(path, &error))
}

fn send_assumed(flags: &Assume, answer: &SafetyAnswer, began: Instant, session: &Session<String>) {
    if flags.json {
        let verdict = as_report(answer);
        let stats = (answer.states, began.elapsed().as_secs_f64());
        return session.tell(as_json(flags, &verdict, &answer.assumptions, stats));
    }
    session.tell(verdict_text(answer));
    for one in &answer.assumptions {
        session.tell(format!("\n{}", as_assumed(one).to_text(colour_of_stdout())));
        if let Some(curve) = &one.curve {
            session.tell(format!("\n{}", report::curve_table(curve)));
        }
    }
}

/// A limit was reached before there was anything to make.
fn nothing_made(flags: &Assume, reason: &str, seconds: f64) -> String {
    let property = flags.safety.as_deref().unwrap_or_default();
    let reason = Some(reason.to_owned());
    let verdict = SafetyVerdict { property, verdict: Verdict::Unknown, reason, error: None };
    as_json(flags, &verdict, &[], (None, seconds))
}

fn as_json(
    flags: &Assume,
    verdict: &SafetyVerdict,
    made: &[MadeAssumption],
    stats: (Option<usize>, f64),
) -> String {
    let names: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
    let parts: Vec<_> = made.iter().map(|one| (as_assumed(one), one.curve.as_deref())).collect();
    let version = env!("CARGO_PKG_VERSION");
    report::to_json(&report::assume_document(version, &names, verdict, &parts, stats))
}

fn as_assumed(one: &MadeAssumption) -> AssumedProcess<'_> {
    AssumedProcess { process: &one.process, assumption: &one.assumption, made: &one.made }
}

fn as_report<'a>(answer: &'a SafetyAnswer) -> SafetyVerdict<'a> {
    SafetyVerdict {
        property: answer.property(),
        verdict: answer.verdict,
        reason: answer.reason.clone(),
        error: answer.error.as_ref().map(|run| (run, answer.system())),
    }
}

/// The verdict and why, and the run into the error.
fn verdict_text(answer: &SafetyAnswer) -> String {
    let colour = colour_of_stdout();
    let line = report::safety_line(answer.property(), answer.verdict, &sentence(answer), colour);
    let run = answer.error.as_ref().map(|run| report::error_trace(run, answer.system(), colour));
    line + &run.unwrap_or_default()
}

fn sentence(answer: &SafetyAnswer) -> String {
    match (answer.verdict, &answer.reason) {
        (Verdict::Unknown, Some(reason)) => return reason.clone(),
        (_, Some(reason)) => return format!("decided on the abstraction; {reason}"),
        (Verdict::False, None) => return "a shortest trace into the error:".to_owned(),
        (_, None) => {}
    }
    let names: Vec<String> =
        answer.assumptions.iter().map(|one| format!("`{}`", one.process.name)).collect();
    let place = match *names {
        [] => String::new(),
        [_, _, ..] => format!(" with the assumptions in place of {}", names.join(", ")),
        _ => format!(" with the assumption in place of {}", names.join(", ")),
    };
    match answer.states {
        Some(1) => format!("1 state is reachable{place}"),
        Some(states) => format!("{states} states are reachable{place}"),
        None => "decided on the abstraction".to_owned(),
    }
}

/// `tertium check --safety`.
pub fn check(flags: Box<Check>, loader: &Files) -> Status {
    let flags: Arc<Check> = Arc::from(flags);
    let (worker, loader) = (flags.clone(), loader.clone());
    let nothing = |reason: &str, seconds: f64| {
        let checked = SafetyCheck {
            verdict: SafetyVerdict {
                property: flags.safety.as_deref().unwrap_or_default(),
                verdict: Verdict::Unknown,
                reason: Some(reason.to_owned()),
                error: None,
            },
            seconds,
            states: None,
            assumption: None,
        };
        let document = checked_as_json(&flags, &checked);
        let _ = write_reports(&flags, &document);
        flags.json.then(|| report::to_json(&document))
    };
    let files: Vec<&PathBuf> = flags.certificate.iter().collect();
    run_telling(&flags.limits, flags.json, &files, nothing, move |session| {
        let ended = check_safety(&worker, &loader, session);
        if let Err(error) = &ended {
            let found = error.diagnostics();
            let errors = report::errors_json(&found.messages, &found.sources);
            write_reports(&worker, &report::errors_document(errors))?;
        }
        ended
    })
}

fn check_safety(flags: &Check, loader: &Files, session: &Session<String>) -> Result<Status, Error> {
    let began = Instant::now();
    if let Some((flag, what, help)) = misplaced(flags) {
        return Err(Error::wrong(format!("`{flag}` {what}"), help));
    }
    let certificate = flags.certificate.as_deref();
    can_be_written(&[], certificate, &flags.files)?;
    let input = input::system(&flags.files, &flags.reading, loader, &session.cancel)?;
    let (safety, assume) = (flags.safety.as_deref(), flags.assume.first().map(String::as_str));
    let model = read(input, safety, &flags.limits, session)?;
    let answer = match assume {
        Some(_) => session.in_peace(|| model.check(safety, assume, &session.cancel))?,
        None => model.check(safety, None, &session.cancel)?,
    };
    write_certificate(certificate, &answer, session)?;
    let first = answer.assumptions.first();
    let document = checked_as_json(
        flags,
        &SafetyCheck {
            verdict: as_report(&answer),
            seconds: began.elapsed().as_secs_f64(),
            states: answer.states,
            assumption: first.map(|one| (one.assumption.states(), one.made.steps)),
        },
    );
    write_reports(flags, &document)?;
    if flags.json {
        session.tell(report::to_json(&document));
    } else {
        session.tell(verdict_text(&answer));
        for one in answer.assumptions.iter().filter(|_| flags.verbose) {
            session.remark(as_assumed(one).headline(Colour::Off));
        }
    }
    Ok(Status::of(&[answer.verdict]))
}

fn checked_as_json(flags: &Check, checked: &SafetyCheck) -> Value {
    let names: Vec<String> = flags.files.iter().map(|path| name_in_json(path)).collect();
    report::safety_document(env!("CARGO_PKG_VERSION"), &names, checked)
}

/// A flag that does not go with a safety property, why, and what to do instead.
fn misplaced(flags: &Check) -> Option<(&'static str, &'static str, &'static str)> {
    const HOW: &str = "a safety property is checked on the composition of all processes, or with an assumption in \
                       place of one: `--assume N`";
    if flags.assume.len() > 1 {
        return Some(("--assume", "can be given only once with `--safety`", ""));
    }
    let special =
        [flags.about_modules(), flags.refining.first_given(), flags.modular.first_given()];
    let special = special.into_iter().flatten().next().map(|flag| (true, flag, HOW));
    let is_other_method = match &*flags.method {
        "auto" => false,
        "direct" => !flags.assume.is_empty(),
        _ => true,
    };
    let given = [
        (is_other_method, "--method", HOW),
        (!flags.order.is_empty(), "--order", HOW),
        (flags.values, "--values", "a safety property has no values in states"),
        (
            flags.deadlock != Deadlock::Warn,
            "--deadlock",
            "a deadlock state does not violate a safety property",
        ),
        (flags.format != Format::Text, "--format", "for a script there is `--json`"),
        (flags.audit, "--audit", "write a `--certificate`, and give it to `tertium certify`"),
    ];
    let mut all = special.into_iter().chain(given);
    all.find(|(is_given, ..)| *is_given).map(|(_, flag, help)| (flag, "is for formulas", help))
}
