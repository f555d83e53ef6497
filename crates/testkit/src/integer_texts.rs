//! The programs of `benches/integers`, with what is expected of them, for tests and for measurements.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program over integers.
pub struct IntegerText {
    pub name: String,
    pub text: Arc<str>,
    /// By property, in the order of the file.
    pub expected: Vec<(String, bool)>,
}

/// All programs, by name.
pub fn integer_texts() -> Vec<IntegerText> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = above.map(|folder| folder.join("benches/integers")).find(|folder| folder.is_dir());
    let files = std::fs::read_dir(folder.expect("the folder")).expect("the programs");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "while"));
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> IntegerText {
    let text = std::fs::read_to_string(file).expect("a text");
    let name = file.file_stem().expect("a name").display().to_string();
    IntegerText { name, expected: expectations(&text), text: text.into() }
}

/// Lines such as `// expect: "ends" = true`.
fn expectations(text: &str) -> Vec<(String, bool)> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("// expect: \""));
    let read = |line: &str| {
        let (name, value) = line.split_once("\" = ")?;
        Some((name.to_owned(), value.trim().parse().ok()?))
    };
    lines.map(|line| read(line).unwrap_or_else(|| panic!("{line}"))).collect()
}
