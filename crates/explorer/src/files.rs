//! The files that the explorer can read: those of the command line, and those that they bring in.

use crate::OpenedFile;
use std::collections::VecDeque;
use std::io::Read;
use std::path::{Path, PathBuf};
use tertium::{Error, FileSystem, Loader};

/// A longer text is no text for an editor.
const MOST_BYTES: u64 = 2 << 20;
/// Files that bring in others without end are read so far.
const MOST_FILES: usize = 64;

/// Reads all of them, once.
///
/// # Errors
///
/// One of those that were given cannot be read.
pub fn read(files: &[PathBuf], sync: Option<&Path>) -> Result<Vec<OpenedFile>, Error> {
    let mut found: Vec<OpenedFile> = Vec::new();
    let mut open: VecDeque<(PathBuf, &'static str, bool)> = VecDeque::new();
    for path in files {
        name(path)?;
        open.push_back((path.clone(), tertium::language_of(path)?, true));
    }
    open.extend(sync.map(|path| (path.to_owned(), "sync", true)));
    while let Some((path, language, given)) = open.pop_front() {
        let name = name(&path)?;
        if found.len() >= MOST_FILES || found.iter().any(|known| known.name == name) {
            continue;
        }
        match source(&path, name, language, given) {
            Ok(file) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                let text = file.text.as_deref().unwrap_or_default();
                for name in tertium::files_named_in(language, text) {
                    let path = folder.join(name);
                    open.extend(tertium::language_of(&path).ok().map(|known| (path, known, false)));
                }
                found.push(file);
            }
            Err(error) if given => return Err(error),
            // The one that names it says so when it is read.
            Err(_) => {}
        }
    }
    Ok(found)
}

/// A file as it is called on the command line.
///
/// # Errors
///
/// It is standard input, or its name is not UTF-8.
pub fn name(path: &Path) -> Result<String, Error> {
    if path.as_os_str() == "-" {
        let message = "the explorer edits files, and standard input is none";
        return Err(Error::wrong(message, "write it to a file first"));
    }
    let name = path.to_str().map(str::to_owned);
    name.ok_or_else(|| Error::wrong(format!("the name of `{}` is not UTF-8", path.display()), ""))
}

fn source(
    path: &Path,
    name: String,
    language: &'static str,
    given: bool,
) -> Result<OpenedFile, Error> {
    let mut input = FileSystem.open(path)?;
    let unreadable = |error: std::io::Error| {
        Error::wrong(format!("cannot read `{}`: {error}", path.display()), "")
    };
    let bytes = path.metadata().map_err(unreadable)?.len();
    let mut text = String::new();
    if bytes <= MOST_BYTES {
        input.read_to_string(&mut text).map_err(unreadable)?;
    }
    let text = (bytes <= MOST_BYTES).then_some(text);
    Ok(OpenedFile { name, language, given, text, bytes })
}
