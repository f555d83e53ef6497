//! `tertium certify`: checks a certificate without trusting the engine that found the verdict.

use crate::Status;
use crate::check::given;
use crate::console::colour_of_stdout;
use crate::flags::Certify;
use crate::input::{self, Files, is_dash, name_of};
use crate::supervisor::{Session, run_telling};
use std::io::Read;
use std::path::PathBuf;
use tertium::{Certification, Error, Options};

pub fn run(flags: Certify, loader: &Files) -> Status {
    let (limits, loader) = (flags.limits.clone(), loader.clone());
    run_telling(&limits, false, &[], |_, _| None, move |session| certify(&flags, &loader, session))
}

fn certify(flags: &Certify, loader: &Files, session: &Session<String>) -> Result<Status, Error> {
    let mut files: Vec<&PathBuf> = flags.files.iter().collect();
    files.push(&flags.certificate);
    if files.into_iter().filter(|path| is_dash(path)).count() > 1 {
        let message = "standard input is named twice, and can be read only once";
        return Err(Error::wrong(message, ""));
    }
    let bytes = read(flags, loader)?;
    let input = input::system(&flags.files, &flags.reading, loader, &session.cancel)?;
    let input = flags.fair.of(input);
    let mut options =
        Options::default().cancel(&session.cancel).cross_check(flags.solving.cross_check);
    options = given(options, &flags.solving.solver, Options::solver);
    options = given(options, &flags.limits.memory, Options::memory);
    let found = match tertium::is_about_assumptions(&bytes) {
        true => input.read_safety()?.certify(&bytes, &options),
        false => tertium::certify_with(&input.read()?, &bytes, &options),
    };
    let found = found.map_err(|error| match error {
        Error::Foreign(problem) => {
            Error::wrong(format!("`{}`: {problem}", name_of(&flags.certificate)), "")
        }
        error => error,
    })?;
    let found = match &flags.require[..] {
        [] => found,
        required => found.requiring(required),
    };
    tell(&found, session);
    Ok(match found.is_valid() {
        false => Status::Bad,
        true if found.is_narrower() => Status::Unknown,
        true => Status::Good,
    })
}

fn tell(found: &Certification, session: &Session<String>) {
    let colour = colour_of_stdout();
    for claim in &found.claims {
        let said = format!("is {}{}", claim.verdict, claim.provided);
        session.tell(report::certified(&claim.property, Ok(&said), colour));
    }
    match &found.fault {
        Some((property, problem)) => {
            session.tell(report::certified(property, Err(problem), colour));
        }
        None => {
            for property in &found.missing {
                session.tell(report::not_claimed(property, colour));
            }
        }
    }
}

fn read(flags: &Certify, loader: &Files) -> Result<Vec<u8>, Error> {
    let path = &flags.certificate;
    let mut bytes = Vec::new();
    let read = match is_dash(path) {
        true => std::io::stdin().read_to_end(&mut bytes),
        false => loader.open(path)?.read_to_end(&mut bytes),
    };
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Error::wrong(format!("cannot read `{}`: {error}", name_of(path)), "")),
    }
}
