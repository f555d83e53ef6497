//! The languages that models are written in.

use crate::beginning;
use crate::error::Error;
use std::path::Path;

/// A language that models are written in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Language {
    Aut,
    Tm,
    Smv,
    Promela,
    While,
}

/// Name, file endings, and how a text in it begins.
type Row = (Language, &'static str, &'static [&'static str], fn(&[u8]) -> bool);

const LANGUAGES: [Row; 5] = [
    (Language::Tm, "tm", &["tm"], |_| false),
    (Language::Aut, "aut", &["aut"], |start| start.trim_ascii_start().starts_with(b"des")),
    (Language::Smv, "smv", &["smv"], beginning::is_smv),
    (Language::Promela, "promela", &["pml", "promela", "prom"], beginning::is_promela),
    (Language::While, "while", &["while"], beginning::is_while),
];

impl Language {
    pub fn name(self) -> &'static str {
        LANGUAGES.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The language of this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let names = LANGUAGES.iter().map(|row| row.1);
        let found = LANGUAGES.iter().find(|row| row.1 == name).map(|row| row.0);
        found.ok_or_else(|| {
            let help = support::did_you_mean(name, "the languages are", names);
            Error::message(format!("there is no language `{name}`")).with_help(help)
        })
    }

    /// The language of a file, by its ending.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        LANGUAGES.iter().find(|row| row.2.contains(&&*ending)).map(|row| row.0)
    }

    /// The language of a text that has no file, by how it begins.
    pub fn of_start(start: &[u8]) -> Self {
        LANGUAGES.iter().find(|row| row.3(start)).map_or(Language::Tm, |row| row.0)
    }

    /// One of its files, with its article.
    pub fn of_one_file(self) -> &'static str {
        match self {
            Language::Promela => "a Promela file",
            Language::While => "a while-program",
            _ => "an SMV file",
        }
    }

    /// Whether a file in it is a system of its own and no component.
    pub fn is_whole(self) -> bool {
        !matches!(self, Language::Tm | Language::Aut)
    }
}

/// A file whose ending says nothing.
pub(crate) fn unknown_ending(path: &Path) -> Error {
    let endings: Vec<String> =
        LANGUAGES.iter().flat_map(|row| row.2.iter().map(|ending| format!(".{ending}"))).collect();
    let message = format!("the ending of `{}` names no language", path.display());
    Error::message(message).with_help(format!(
        "the endings are {}; `--language` names a language for any ending",
        endings.join(", ")
    ))
}

/// The name of the language of a file, by its ending.
///
/// # Errors
///
/// The ending names none.
pub fn language_of(path: &Path) -> Result<&'static str, Error> {
    Language::of_path(path).map(Language::name).ok_or_else(|| unknown_ending(path))
}

/// The files that a text names, as far as that can be seen without parsing it: a text that is wrong names its files all
/// the same.
///
/// ```
/// let text = "component A from \"x/a.aut\";\ncomponent B from\n \"b.tm\"; // from here\n\"from\"";
/// assert_eq!(tertium::files_named_in("tm", text), ["x/a.aut", "b.tm"]);
/// ```
pub fn files_named_in(language: &str, text: &str) -> Vec<String> {
    let mut rest =
        if language == Language::Tm.name() { text.split("from") } else { "".split("from") };
    rest.next();
    let named = |after: &str| {
        let (name, _) = after.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(name.to_owned())
    };
    rest.filter_map(named).collect()
}
