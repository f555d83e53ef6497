//! The documents are true of the code: THEORY.md, the drawing in ARCHITECTURE.md, the laws of the
//! house, the links, the commands, and the verdicts that the examples expect.

mod commands;
mod dependencies;
mod examples;
mod laws;
mod links;
mod prose;
mod templates;
mod theory;
mod trust;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files with this ending below a directory, in order; none if there is no such directory.
fn files_below(directory: &Path, ending: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(files_below(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found
}

/// The sources of a crate without their tests, as `(path, text)`.
fn sources(name: &str) -> Vec<(PathBuf, String)> {
    let directory = root().join("crates").join(name).join("src");
    let without_tests = |text: String| match text.find("\n#[cfg(test)]\nmod tests") {
        Some(start) => text[..start].to_owned(),
        None => text,
    };
    let read = |path: PathBuf| (path.clone(), without_tests(read(&path)));
    files_below(&directory, "rs").into_iter().map(read).collect()
}
