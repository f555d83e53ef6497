//! The files that the explorer can read: those of the command line, and those that they bring in.

use crate::input::{self, Trouble};
use crate::smv::{self, Language};
use explorer::SourceFile;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use support::Monitor;

/// A longer text is no text for an editor.
const MOST_BYTES: u64 = 2 << 20;
/// Files that bring in others without end are read so far.
const MOST_FILES: usize = 64;

/// Reads all of them, once.
pub fn read(files: &[PathBuf], sync: Option<&Path>) -> Result<Vec<SourceFile>, Trouble> {
    smv::among(files)?;
    let mut found: Vec<SourceFile> = Vec::new();
    let mut open: VecDeque<(PathBuf, &'static str, bool)> =
        files.iter().map(|path| (path.clone(), language(path), true)).collect();
    open.extend(sync.map(|path| (path.to_owned(), "sync", true)));
    while let Some((path, language, given)) = open.pop_front() {
        let name = name(&path)?;
        if found.len() >= MOST_FILES || found.iter().any(|known| known.name == name) {
            continue;
        }
        match source(&path, name, language, given) {
            Ok(file) => {
                open.extend(brought_in(&file, &path).map(|path| {
                    let language = self::language(&path);
                    (path, language, false)
                }));
                found.push(file);
            }
            Err(trouble) if given => return Err(trouble),
            // The one that names it is told so when it is read.
            Err(_) => {}
        }
    }
    Ok(found)
}

/// A file as it is called on the command line.
pub fn name(path: &Path) -> Result<String, Trouble> {
    if input::is_dash(path) {
        return Err(Trouble::message("the explorer edits files, and standard input is none")
            .with_help("write it to a file first"));
    }
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| Trouble::message(format!("the name of `{}` is not UTF-8", path.display())))
}

fn source(
    path: &Path,
    name: String,
    language: &'static str,
    given: bool,
) -> Result<SourceFile, Trouble> {
    let input = input::open(path)?;
    let bytes = path.metadata().map_err(|error| input::unreadable(path, &error))?.len();
    let text = match bytes > MOST_BYTES {
        true => None,
        false => Some(input::read_text(path, input, &Monitor::new())?),
    };
    Ok(SourceFile { name, language, given, text, bytes })
}

fn language(path: &Path) -> &'static str {
    match smv::language(path) {
        Some(Language::Smv) => "smv",
        Some(Language::Promela) => "promela",
        Some(Language::While) => "while",
        None if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("aut")) => "aut",
        None => "tm",
    }
}

/// What a text names after `from`. A text that cannot be parsed yet names its files all the same.
fn brought_in(file: &SourceFile, path: &Path) -> impl Iterator<Item = PathBuf> {
    let text = if file.language == "tm" { file.text.as_deref() } else { None };
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut rest = text.unwrap_or_default().split("from");
    rest.next();
    let named = |after: &str| {
        let (name, _) = after.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(folder.join(name))
    };
    rest.filter_map(named).collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_says_what_it_brings_in() {
        let text =
            "component A from \"x/a.aut\";\ncomponent B from\n \"b.tm\"; // from here\n\"from\"";
        let file = SourceFile {
            name: "models/all.tm".to_owned(),
            language: "tm",
            given: true,
            text: Some(text.to_owned()),
            bytes: 0,
        };
        let found: Vec<PathBuf> = brought_in(&file, Path::new("models/all.tm")).collect();
        assert_eq!(found, ["models/x/a.aut", "models/b.tm"].map(PathBuf::from));
    }
}
