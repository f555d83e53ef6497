//! `tertium convert`: between formats, and to a wider kind of model.

use crate::console::or_exit;
use crate::flags::Convert;
use crate::input::{self, Files, is_dash};
use crate::supervisor::{self, Session};
use crate::{Status, output};
use std::io::{Write, stdout};
use std::sync::Arc;
use tertium::{ConvertOptions, Error};

pub fn run(flags: Convert, loader: &Files) -> Status {
    let flags = Arc::new(flags);
    let (worker, loader) = (flags.clone(), loader.clone());
    let (ended, mut console) = supervisor::run(
        &flags.limits,
        move |session: &Session<()>| session.settle(convert(&worker, &loader, session), false),
        |(), _| {},
    );
    ended.unwrap_or_else(|stopped| {
        console.err(&format!("unknown: {stopped}; nothing was written\n"));
        Status::Unknown
    })
}

fn convert(flags: &Convert, loader: &Files, session: &Session<()>) -> Result<Status, Error> {
    let path = &flags.output;
    let options = ConvertOptions {
        to: flags.to.clone(),
        file: (!is_dash(path)).then(|| path.clone()),
        partition: flags.partition.clone(),
        memory: flags.limits.memory,
        cancel: session.cancel.clone(),
    };
    options.validate()?;
    let (files, language) = (std::slice::from_ref(&flags.input), flags.language.as_deref());
    let model = input::input(files, None, language, loader, &session.cancel).read()?;
    if flags.partition.is_none() {
        session.warn(&model.warnings(), &flags.limits);
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
