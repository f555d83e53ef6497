//! `tertium convert` and `tertium minimise`: models in other formats, in a wider kind of model, or smaller.

use crate::console::or_exit;
use crate::flags::{Convert, Limits, Minimise};
use crate::input::{self, Files, is_dash};
use crate::supervisor::{self, Session};
use crate::{Status, output};
use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use tertium::{ConvertOptions, Error};

/// A conversion: from where, to where, and how.
pub struct Job {
    input: PathBuf,
    output: PathBuf,
    language: Option<String>,
    options: ConvertOptions,
    limits: Limits,
}

impl From<Convert> for Job {
    fn from(flags: Convert) -> Self {
        let Convert { input, output, to, partition, language, limits } = flags;
        let options = ConvertOptions { to, partition, ..ConvertOptions::default() };
        Self { input, output, language, options, limits }
    }
}

impl From<Minimise> for Job {
    fn from(flags: Minimise) -> Self {
        let Minimise { input, output, equivalence, to, language, limits } = flags;
        let to = to.into_iter().collect();
        let minimised = Some(equivalence);
        let options = ConvertOptions { to, minimised, ..ConvertOptions::default() };
        Self { input, output, language, options, limits }
    }
}

pub fn run(job: Job, loader: &Files) -> Status {
    let job = Arc::new(job);
    let (worker, loader) = (job.clone(), loader.clone());
    let (ended, mut console) = supervisor::run(
        &job.limits,
        move |session: &Session<()>| session.settle(convert(&worker, &loader, session), false),
        |(), _| {},
    );
    ended.unwrap_or_else(|stopped| {
        console.err(&format!("unknown: {stopped}; nothing was written\n"));
        Status::Unknown
    })
}

fn convert(job: &Job, loader: &Files, session: &Session<()>) -> Result<Status, Error> {
    let path = &job.output;
    let options = ConvertOptions {
        file: (!is_dash(path)).then(|| path.clone()),
        memory: job.limits.memory,
        cancel: session.cancel.clone(),
        ..job.options.clone()
    };
    options.validate()?;
    let (files, language) = (std::slice::from_ref(&job.input), job.language.as_deref());
    let model = input::input(files, None, language, loader, &session.cancel).read()?;
    if options.partition.is_none() {
        session.warn(&model.warnings(), &job.limits);
    }
    let converted = tertium::convert(&model, &options)?;
    if is_dash(path) {
        session.begin_writing();
        let mut out = stdout().lock();
        or_exit(converted.write(&mut out).and_then(|()| out.flush()));
    } else {
        output::replace(path, |out| Ok::<_, Error>(converted.write(out)))?
            .map_err(|error| output::unwritable(path, &error))?;
    }
    Ok(Status::Good)
}
