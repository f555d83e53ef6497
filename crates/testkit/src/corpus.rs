//! Files that are not ours to keep, where they are found.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder with NuSMV's own examples; says that they are not there if they are not.
pub fn nusmv_examples() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/smv");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: NuSMV's examples are not at {}", folder.display());
    None
}

/// All SMV files in a folder and below, in order.
pub fn smv_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "smv") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
