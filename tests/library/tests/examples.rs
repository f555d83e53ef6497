//! Every example of every language by every method that supports it: checked, explained, certified, the certificate
//! read again, and all of it compared with what the command says.

use library::{command, examples, verdicts};
use std::time::Duration;
use tertium::{Error, Model, Options, Verdict};

fn options(method: &str) -> Options {
    Options::default().method(method).timeout(Duration::from_secs(5))
}

#[test]
fn every_example_by_every_method() {
    let (mut checked, mut explained, mut certified) = (0, 0, 0);
    for path in examples() {
        let model =
            Model::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut known: Vec<Verdict> = vec![Verdict::Unknown; model.properties().len()];
        for method in model.methods() {
            let answers = match model.check_all(model.properties(), &options(method), &()) {
                Ok(answers) => answers,
                Err(Error::Unsupported(_)) => continue,
                Err(error) => panic!("{} by {method}: {error}", path.display()),
            };
            for (known, answer) in known.iter_mut().zip(answers) {
                let answer = answer.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let place = format!("{} {:?} by {method}", path.display(), answer.property());
                checked += 1;
                let verdict = answer.verdict();
                if verdict == Verdict::Unknown {
                    assert!(answer.reason().is_some(), "{place}: an unknown has a reason");
                    continue;
                }
                assert!(
                    *known == Verdict::Unknown || *known == verdict,
                    "{place}: {known} or {verdict}?"
                );
                *known = verdict;
                match answer.explanation() {
                    Ok(explanation) => {
                        explained += 1;
                        assert_eq!(explanation.verdict(), verdict, "{place}");
                    }
                    Err(Error::Unsupported(_) | Error::Stopped(_)) => {}
                    Err(error) => panic!("{place}: {error}"),
                }
                let bytes = match answer.certificate() {
                    Ok(bytes) => bytes,
                    Err(Error::Unsupported(_) | Error::Stopped(_) | Error::Input(_)) => continue,
                    Err(error) => panic!("{place}: {error}"),
                };
                let found =
                    tertium::certify(&model, &bytes).unwrap_or_else(|e| panic!("{place}: {e}"));
                assert!(found.is_valid(), "{place}: {:?}", found.fault);
                let claim = found.claims.iter().find(|c| c.property == answer.property().name());
                let claim = claim.unwrap_or_else(|| panic!("{place}: it is claimed"));
                assert_eq!(claim.verdict, verdict == Verdict::True, "{place}");
                certified += 1;
            }
        }
    }
    println!("{checked} checked, {explained} explained, {certified} certified");
    assert!(checked > 500 && explained > 200 && certified > 200);
}

#[test]
fn the_command_says_the_same() {
    let Some(command) = command() else {
        println!("skipped: the command is not built");
        return;
    };
    for path in examples() {
        let model = Model::open(&path).expect("it is read");
        let Some(said) = verdicts(&command, &path, "auto") else { continue };
        let answers = model.check_all(model.properties(), &options("auto"), &()).expect("answers");
        let own: Vec<(String, String)> = answers
            .into_iter()
            .flatten()
            .map(|answer| (answer.property().name().to_owned(), answer.verdict().to_string()))
            .collect();
        assert_eq!(own, said, "{}", path.display());
    }
}
