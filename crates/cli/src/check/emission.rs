//! `--emit-abstraction`: the last abstractions as files.
//!
//! A file for each component, `system.tm` with all of them and the property, and `classes.json` with the states behind
//! each abstract state, for `--from-abstraction`. Several properties have a directory each, as each has abstractions of
//! its own.

use crate::output;
use serde::Deserialize;
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use tertium::{Abstractions, Error, StateClasses};

/// The first line of every file. Files without it were not written here, and are kept.
const MARK: &str = "// Written by `tertium check --emit-abstraction`";

/// The name of the file that has all components.
const WHOLE: &str = "system";

/// The name of the file that has the states behind each abstract state.
const CLASSES: &str = "classes.json";

/// The first entry of that file, and how it begins.
const ABOUT: &str = "written by `tertium check --emit-abstraction`";
const BEGIN_OF_CLASSES: &str = "{\"about\":\"written by `tertium check --emit-abstraction`\"";

/// Where the abstractions go: a directory for each property.
pub(crate) struct Emission {
    folders: Vec<PathBuf>,
    /// By component, then the one for all of them.
    files: Vec<String>,
}

impl Emission {
    /// Tries to make the directories: after a long check it would be late to learn that it cannot be
    /// done.
    pub fn new(folder: &Path, properties: &[&str], components: &[String]) -> Result<Self, Error> {
        let folders = match properties {
            [_] => vec![folder.to_owned()],
            several => distinct(several.iter().copied(), &[], "property")
                .into_iter()
                .map(|name| folder.join(name))
                .collect(),
        };
        let components = components.iter().map(String::as_str);
        let mut names = distinct(components, &[WHOLE], "component");
        names.push(WHOLE.to_owned());
        let files = names.into_iter().map(|name| format!("{name}.tm")).collect();
        let emission = Self { folders, files };
        for folder in &emission.folders {
            can_be_made(folder)?;
            emission.files.iter().try_for_each(|file| may_be_written(&folder.join(file), MARK))?;
            may_be_written(&folder.join(CLASSES), BEGIN_OF_CLASSES)?;
        }
        Ok(emission)
    }

    /// Writes the abstractions of a property, if there are any. The error is a message.
    pub fn write(
        &self,
        number: usize,
        property: &str,
        abstractions: &Abstractions,
    ) -> Result<(), String> {
        let Abstractions { texts, classes } = abstractions;
        if texts.is_empty() {
            return Ok(());
        }
        let folder = &self.folders[number];
        fs::create_dir_all(folder).map_err(|error| cannot_make(folder, &error))?;
        for ((component, text), file) in texts.iter().zip(&self.files) {
            let title = match component {
                Some(name) => format!("an abstraction of {name}"),
                None => "the abstractions of all components".to_owned(),
            };
            let path = folder.join(file);
            let text = format!("{MARK}: {title} for the property {property:?}.\n{text}");
            output::write(&path, &text).map_err(|error| output::cannot_write(&path, &error))?;
        }
        let path = folder.join(CLASSES);
        let document = json!({ "about": ABOUT, "property": property, "components": classes });
        output::write(&path, &report::to_json(&document))
            .map_err(|error| output::cannot_write(&path, &error))
    }
}

/// Whether the directory is there or can be made. As long as there is nothing to put into it, it stays
/// away.
fn can_be_made(folder: &Path) -> Result<(), Error> {
    let above = || folder.ancestors().filter(|path| !path.as_os_str().is_empty());
    if let Some(file) = above().find(|path| path.exists()).filter(|path| !path.is_dir()) {
        let message = format!("`{}` is a file, not a directory", file.display());
        let help =
            "`--emit-abstraction` writes several files: name a directory, which need not be there";
        return Err(Error::wrong(message, help));
    }
    let missing: Vec<&Path> = above().take_while(|path| !path.exists()).collect();
    let made = fs::create_dir_all(folder);
    for path in missing {
        // Of a path such as `new/..` there is a part that was there before, and it stays.
        let _ = fs::remove_dir(path);
    }
    made.map_err(|error| Error::wrong(cannot_make(folder, &error), ""))
}

fn cannot_make(folder: &Path, error: &io::Error) -> String {
    format!("cannot make `{}`: {error}", folder.display())
}

/// Whether there is no file, or one from another time.
fn may_be_written(path: &Path, mark: &str) -> Result<(), Error> {
    let is_ours = match fs::metadata(path) {
        Ok(data) => data.is_file() && is_marked(path, mark),
        Err(error) if error.kind() == ErrorKind::NotFound => true,
        Err(error) => return Err(output::unwritable(path, &error)),
    };
    if is_ours {
        return Ok(());
    }
    let name = path.display();
    let message = format!("`{name}` is there, and `--emit-abstraction` did not write it");
    Err(Error::wrong(message, "name another directory, or move it away"))
}

fn is_marked(path: &Path, mark: &str) -> bool {
    let mut begin = vec![0; mark.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == mark.as_bytes()
}

/// The states behind each abstract state, as they were written for one property.
pub(crate) fn read_classes(folder: &Path) -> Result<StateClasses, Error> {
    #[derive(Deserialize)]
    struct Written {
        components: StateClasses,
    }
    let path = folder.join(CLASSES);
    let name = path.display();
    let text = fs::read_to_string(&path).map_err(|error| {
        let help = "`--from-abstraction` needs a directory that `--emit-abstraction` wrote for one property";
        Error::wrong(format!("cannot read `{name}`: {error}"), help)
    })?;
    let written: Result<Written, _> = serde_json::from_str(&text);
    written.map(|written| written.components).map_err(|error| {
        let help = "let `--emit-abstraction` write it again";
        Error::wrong(format!("`{name}` does not list states by component: {error}"), help)
    })
}

/// Names that every file system takes and tells apart: with letters, digits, `_` and `.` only, not too
/// long, and different even where capital letters do not count.
fn distinct<'a>(
    names: impl Iterator<Item = &'a str>,
    reserved: &[&str],
    nameless: &str,
) -> Vec<String> {
    let mut taken: Vec<String> = reserved.iter().map(|name| name.to_lowercase()).collect();
    let mut next = |name: &str| {
        let base = portable(name, nameless);
        let copies = (2..).map(|copy| format!("{base}_{copy}"));
        let mut candidates = std::iter::once(base.clone()).chain(copies);
        let is_new = |name: &String| !taken.contains(&name.to_lowercase());
        let name = candidates.find(is_new).expect("there is no end of them");
        taken.push(name.to_lowercase());
        name
    };
    names.map(&mut next).collect()
}

fn portable(name: &str, nameless: &str) -> String {
    const LONGEST: usize = 48;
    let is_plain = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let words: Vec<&str> = name.split(|c| !is_plain(c)).filter(|word| !word.is_empty()).collect();
    let joined: String = words.join("_").trim_matches('.').chars().take(LONGEST).collect();
    if joined.is_empty() { nameless.to_owned() } else { joined }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_portable_and_distinct() {
        let names = ["M1", "m1", "a/b", "a_b", "../..", "...", "[] (!i | <> o)", "System", ""];
        let expected = ["M1", "m1_2", "a_b", "a_b_2", "_", "none", "i_o", "System_2", "none_2"];
        assert_eq!(distinct(names.into_iter(), &[WHOLE], "none"), expected);
        let long = "é".repeat(1000);
        let names = distinct([&*long, &*long].into_iter(), &[], "none");
        assert!(names[0] != names[1] && names.iter().all(|name| name.len() < 200));
    }
}
