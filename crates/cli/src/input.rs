//! The files of a command line as an input of the library.

use crate::flags::{Joining, Reading};
use std::io::{BufReader, stdin};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tertium::{Cancel, Error, Input, Loader};

/// Opens files for all commands: those of the file system, or texts that stand in their place.
pub(crate) type Files = Arc<dyn Loader + Send>;

/// Standard input, as it is called in messages.
pub const STANDARD_INPUT: &str = "<standard input>";

/// The files of a call, `-` being standard input.
pub fn input(
    files: &[PathBuf],
    sync: Option<&Path>,
    language: Option<&str>,
    loader: &Files,
    cancel: &Cancel,
) -> Input {
    let mut input = Input::new().loader(loader.clone()).cancel(cancel);
    for file in files {
        input = match is_dash(file) {
            true => input.stream(STANDARD_INPUT, Box::new(BufReader::new(stdin()))),
            false => input.file(file),
        };
    }
    if let Some(sync) = sync {
        input = input.sync_file(sync);
    }
    match language {
        Some(language) => input.language(language),
        None => input,
    }
}

/// The files of a command that is about one system.
pub fn system(
    files: &[PathBuf],
    Reading { joining, language }: &Reading,
    loader: &Files,
    cancel: &Cancel,
) -> Result<Input, Error> {
    is_one_system(files, joining)?;
    Ok(input(files, joining.sync.as_deref(), language.as_deref(), loader, cancel))
}

/// As it stands in messages.
pub fn name_of(path: &Path) -> String {
    if is_dash(path) { STANDARD_INPUT.to_owned() } else { path.display().to_string() }
}

/// As it stands in JSON.
pub fn name_in_json(path: &Path) -> String {
    path.display().to_string()
}

pub fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Refuses several files that nothing joins.
pub fn is_one_system(files: &[PathBuf], joining: &Joining) -> Result<(), Error> {
    if files.len() < 2 || joining.is_given() {
        return Ok(());
    }
    let message = format!("there are {} files, and one system at a time", files.len());
    Err(Error::wrong(message, "`--compose` joins them into one system"))
}
