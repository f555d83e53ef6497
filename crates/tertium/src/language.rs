//! The languages that models are written in.

use crate::error::Error;
use front::LANGUAGES;
use std::path::Path;

/// A language that models are written in.
pub(crate) type Language = &'static dyn front::Language;

/// The language of this name.
pub(crate) fn language_named(name: &str) -> Result<Language, Error> {
    front::language_named(name).ok_or_else(|| {
        let names = LANGUAGES.iter().map(|language| language.name());
        let help = support::did_you_mean(name, "the languages are", names);
        Error::message(format!("there is no language `{name}`")).with_help(help)
    })
}

/// A file whose ending says nothing.
pub(crate) fn unknown_ending(path: &Path) -> Error {
    let endings: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| language.endings().iter().map(|ending| format!(".{ending}")))
        .collect();
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
    let found = front::language_of(path).map(|language| language.name());
    found.ok_or_else(|| unknown_ending(path))
}

/// The files that a text names, as far as that can be seen without parsing it: a text that is wrong names its files all
/// the same.
///
/// ```
/// let text = "component A from \"x/a.aut\";\ncomponent B from\n \"b.tm\"; // from here\n\"from\"";
/// assert_eq!(tertium::files_named_in("tm", text), ["x/a.aut", "b.tm"]);
/// ```
pub fn files_named_in(language: &str, text: &str) -> Vec<String> {
    let Some(language) = front::language_named(language) else { return Vec::new() };
    // Only components can be in other files.
    let names_files = !language.is_system() && language.stream().is_none();
    let mut rest = if names_files { text.split("from") } else { "".split("from") };
    rest.next();
    let named = |after: &str| {
        let (name, _) = after.trim_start().strip_prefix('"')?.split_once('"')?;
        Some(name.to_owned())
    };
    rest.filter_map(named).chain(language.includes(text)).collect()
}
