//! Every example of every language by every method that supports it: checked, explained, certified, the certificate
//! read again, and the verdicts compared with those that the command prints as JSON.

use library::{Said, command, examples, said};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tertium::{Answer, Error, Model, Options, Reason, Verdict};

/// The limit of one check, one explanation and one certificate.
const LIMIT: Duration = Duration::from_millis(500);

/// No further explanation or certificate is asked for after this time with one example and one method.
const BUDGET: Duration = Duration::from_millis(1500);

/// Counts by method.
#[derive(Default)]
struct Counts {
    checked: usize,
    stopped: usize,
    explained: usize,
    certified: usize,
    compared: usize,
}

fn options(method: &str) -> Options {
    Options::default().method(method).timeout(LIMIT)
}

/// The answers of a method to all properties, or nothing if it does not support the question.
fn answers(model: &Model, method: &str) -> Option<Vec<Answer>> {
    let place = || format!("{} by {method}", model.names().join(" "));
    match model.check_all(model.properties(), &options(method), &()) {
        Ok(answers) => Some(
            answers
                .into_iter()
                .map(|answer| answer.unwrap_or_else(|error| panic!("{}: {error}", place())))
                .collect(),
        ),
        Err(Error::Unsupported(_)) => None,
        Err(_) if !model.methods().contains(&method) => None,
        Err(error) => panic!("{}: {error}", place()),
    }
}

fn is_stopped(answer: &Answer) -> bool {
    matches!(answer.reason(), Some(Reason::Stopped(_)))
}

/// Explains and certifies a definite answer. A limit is no fault.
fn show(answer: &Answer, model: &Model, place: &str, counts: &mut Counts) {
    match answer.explanation() {
        Ok(explanation) => {
            counts.explained += 1;
            assert_eq!(explanation.verdict(), answer.verdict(), "{place}");
        }
        Err(Error::Unsupported(_) | Error::Stopped(_)) => {}
        Err(error) => panic!("{place}: {error}"),
    }
    let bytes = match answer.certificate() {
        Ok(bytes) => bytes,
        Err(Error::Unsupported(_) | Error::Stopped(_) | Error::Input(_)) => return,
        Err(error) => panic!("{place}: {error}"),
    };
    let limits = Options::default().timeout(BUDGET);
    let found = match tertium::certify_with(model, &bytes, &limits) {
        Ok(found) => found,
        Err(Error::Stopped(_)) => return,
        Err(error) => panic!("{place}: {error}"),
    };
    assert!(found.is_valid(), "{place}: {:?}", found.fault);
    let claim = found.claims.iter().find(|claim| claim.property == answer.property().name());
    let claim = claim.unwrap_or_else(|| panic!("{place}: it is claimed"));
    assert_eq!(claim.verdict, answer.verdict() == Verdict::True, "{place}");
    counts.certified += 1;
}

/// Compares answers with what the command says, apart from those that a limit has stopped on either side.
fn compare(answers: &[Answer], said: &[Said], method: &str, place: &str) -> usize {
    assert_eq!(answers.len(), said.len(), "{place}");
    let mut compared = 0;
    for (answer, said) in answers.iter().zip(said) {
        let property = answer.property();
        let own = [property.name(), property.logic(), property.formula()];
        assert_eq!(said.property, own, "{place}");
        if is_stopped(answer) || said.verdict != answer.verdict().to_string() {
            // A verdict on one side only: the other side was stopped by the limit.
            let is_limited = said.verdict == "unknown" || answer.verdict() == Verdict::Unknown;
            assert!(is_limited, "{place}: {} or {}?", answer.verdict(), said.verdict);
            continue;
        }
        assert!(method == "auto" || said.method == answer.method(), "{place}: {}", said.method);
        compared += 1;
    }
    compared
}

fn check_example(path: &Path, command: &Path, all: &Mutex<BTreeMap<&'static str, Counts>>) {
    let model = Model::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut known = vec![Verdict::Unknown; model.properties().len()];
    for method in Options::methods().iter().map(|method| method.name) {
        let place = format!("{} by {method}", path.display());
        let started = Instant::now();
        let said = said(command, path, method, LIMIT.as_secs_f64());
        let Some(answers) = answers(&model, method) else {
            assert!(said.is_none(), "{place}: the command answers what the library refuses");
            continue;
        };
        let said = said.unwrap_or_else(|| panic!("{place}: the command refuses"));
        let mut counts = Counts { checked: answers.len(), ..Counts::default() };
        counts.compared = compare(&answers, &said, method, &place);
        for (known, answer) in known.iter_mut().zip(&answers) {
            let place = format!("{place}: `{}`", answer.property().name());
            if answer.verdict() == Verdict::Unknown {
                assert!(answer.reason().is_some(), "{place}: an unknown has a reason");
                counts.stopped += usize::from(is_stopped(answer));
                continue;
            }
            let verdict = answer.verdict();
            assert!(
                *known == Verdict::Unknown || *known == verdict,
                "{place}: {known} or {verdict}?"
            );
            *known = verdict;
            if started.elapsed() < BUDGET {
                show(answer, &model, &place, &mut counts);
            }
        }
        let mut all = all.lock().expect("no panic");
        let sum = all.entry(method).or_default();
        sum.checked += counts.checked;
        sum.stopped += counts.stopped;
        sum.explained += counts.explained;
        sum.certified += counts.certified;
        sum.compared += counts.compared;
    }
}

#[test]
fn every_example_by_every_method() {
    let (examples, command) = (examples(), command());
    let (next, counts) = (AtomicUsize::new(0), Mutex::default());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(path) = examples.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check_example(path, &command, &counts);
                }
            });
        }
    });
    let counts = counts.into_inner().expect("no panic");
    println!("{} examples", examples.len());
    println!("method         checked  at the limit  explained  certified  as the command says");
    for (method, Counts { checked, stopped, explained, certified, compared }) in &counts {
        println!(
            "{method:14} {checked:7} {stopped:13} {explained:10} {certified:10} {compared:20}"
        );
    }
    let sum = |of: fn(&Counts) -> usize| counts.values().map(of).sum::<usize>();
    assert_eq!(counts.len(), Options::methods().len(), "every method supports some example");
    assert!(sum(|counts| counts.checked) > 500);
    assert!(sum(|counts| counts.explained) > 200);
    assert!(sum(|counts| counts.certified) > 200);
    assert!(sum(|counts| counts.compared) > 500);
}
