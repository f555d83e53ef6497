//! The programs over integers of `benches/integers`, with what is expected of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

pub struct IntegerProgram {
    pub name: String,
    pub text: Arc<str>,
    /// By property, in the order of the file.
    pub expected: Vec<(String, bool)>,
}

/// All of them, by name.
pub fn integer_programs() -> Vec<IntegerProgram> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/integers");
    let files = std::fs::read_dir(folder).expect("the programs");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "while"));
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> IntegerProgram {
    let text = std::fs::read_to_string(file).expect("a text");
    let name = file.file_stem().expect("a name").display().to_string();
    IntegerProgram { name, expected: expectations(&text), text: text.into() }
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
