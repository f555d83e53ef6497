//! Our own examples, and NuSMV's where they are found.

use crate::certificates::is_accepted;
use crate::questions::Program;
use crate::replay::replay;
use logic::Truth;
use std::fs;
use std::path::{Path, PathBuf};
use symbolic::Policy;
use testkit::Rng;

/// Of a file with many specifications, that many are looked at.
const FEW: usize = 3;

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        match path.extension() {
            _ if path.is_dir() => files.extend(files_below(&path)),
            Some(ending) if ending == "smv" => files.push(path),
            _ => {}
        }
    }
    files.sort();
    files
}

/// How many verdicts of a file were shown; `None` if there is no room for it.
fn shown(path: &Path) -> Option<usize> {
    let text = fs::read_to_string(path).expect("a text");
    let program = Program::read(&text, false).expect("a program");
    let mut session = program.session(Policy { most_nodes: 1 << 21, ..Policy::default() })?;
    let mut count = 0;
    for formula in program.formulas(&mut Rng::new(0), 0).iter().take(FEW) {
        let verdict = session.check(formula).ok()?.verdict == Truth::True;
        let name = path.display();
        is_accepted(&program, &mut session, formula, verdict)
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        replay(&program, &mut session, formula, verdict, 5_000)
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        count += 1;
    }
    Some(count)
}

#[test]
fn verdicts_on_examples_are_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = files_below(&root.join("examples"));
    files.extend(files_below(&root.join("../shared/corpus/smv")));
    // These take longer than all others together.
    files.retain(|file| !file.to_string_lossy().ends_with("-16.smv"));
    let counts: Vec<Option<usize>> = files.iter().map(|file| shown(file)).collect();
    let (full, all) = (counts.iter().filter(|count| count.is_none()).count(), counts.len());
    let sum: usize = counts.iter().flatten().sum();
    println!("{sum} verdicts of {all} files shown, no room for {full}");
    assert!(sum > 10 && full * 4 < all, "{sum}, {full} of {all}");
}
