//! Our own examples, and NuSMV's where they are found.

use crate::certificates::is_accepted;
use crate::questions::Program;
use crate::replay::{all, replay};
use logic::Truth;
use std::fs;
use std::path::Path;
use symbolic::Policy;
use testkit::{Rng, nusmv_examples, smv_files};

/// Of a file with many specifications, that many are looked at.
const FEW: usize = 3;

/// How many verdicts of a file were shown; `None` if there is no room for it.
fn shown(path: &Path) -> Option<usize> {
    let text = fs::read_to_string(path).expect("a text");
    let program = Program::read(&text, false).expect("a program");
    let mut session = program.session(Policy { most_nodes: 1 << 21, ..Policy::default() })?;
    let mut count = 0;
    for formula in program.formulas(&mut Rng::new(0), 0).iter().take(FEW) {
        let verdict = session.check(formula).ok()? == Truth::True;
        let name = path.display();
        is_accepted(&program, &mut session, formula, verdict)
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        replay(&program, &mut session, formula, verdict, all(5_000))
            .unwrap_or_else(|problem| panic!("{name}: {problem}"));
        count += 1;
    }
    Some(count)
}

#[test]
fn verdicts_on_examples_are_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = smv_files(&root.join("examples"));
    files.extend(nusmv_examples().iter().flat_map(|folder| smv_files(folder)));
    // The first take longer than all others together, the second have no finite machine.
    let is_left_out = |file: &Path| {
        file.to_string_lossy().ends_with("-16.smv")
            || file.starts_with(root.join("examples/integers"))
    };
    files.retain(|file| !is_left_out(file));
    let counts: Vec<Option<usize>> = files.iter().map(|file| shown(file)).collect();
    let (full, all) = (counts.iter().filter(|count| count.is_none()).count(), counts.len());
    let sum: usize = counts.iter().flatten().sum();
    println!("{sum} verdicts of {all} files shown, no room for {full}");
    assert!(sum > 10 && full * 4 < all, "{sum}, {full} of {all}");
}
