//! Random programs against NuSMV itself, where it is found.

use crate::generate::program;
use crate::programs::{by_bdds, read};
use logic::Truth;
use std::cell::Cell;
use std::process::Command;
use symbolic::Policy;
use testkit::for_seeds;

/// Asks NuSMV: the texts of specifications with their values. The program is the one that `NUSMV` names, or the
/// one on the path.
fn ask(text: &str) -> Option<Vec<(String, bool)>> {
    let program = std::env::var_os("NUSMV").unwrap_or_else(|| "NuSMV".into());
    let path = std::env::temp_dir().join(format!("symbolic-{}.smv", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    let output = Command::new(program).arg("-dcx").arg(&path).output().ok()?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = |line: &str| {
        let rest = line.strip_prefix("-- specification ").or(line.strip_prefix("-- invariant "))?;
        let (text, value) = rest.rsplit_once(" is ")?;
        Some((folded(text), value.trim() == "true"))
    };
    Some(stdout.lines().filter_map(verdict).collect())
}

/// With single spaces.
fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "takes minutes, and needs NuSMV"]
fn verdicts_on_random_programs_are_those_of_nusmv() {
    if ask("MODULE main").is_none() {
        println!("skipped: NuSMV is neither on the path nor named by NUSMV");
        return;
    }
    let compared = Cell::new(0);
    for_seeds("symbolic-against-nusmv", 0..3_000, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let document = read(&text).ok_or("the program is refused")?;
        let answers = ask(&text).unwrap_or_default();
        let found = by_bdds(&document, rng.chance(0.5), Policy::default());
        let (found, _) = found.map_err(|halt| format!("{halt:?}"))?;
        for (specification, verdict) in document.specifications.iter().zip(found) {
            let wanted = folded(&specification.text);
            // NuSMV prints some expressions in a manner of its own.
            let Some((_, value)) = answers.iter().find(|(text, _)| *text == wanted) else {
                continue;
            };
            if verdict != Some(Truth::from(*value)) {
                return Err(format!("{wanted}: {verdict:?}, NuSMV says {value}"));
            }
            compared.set(compared.get() + 1);
        }
        Ok(())
    });
    println!("{compared:?} verdicts");
    assert!(compared.get() > 3_000, "{compared:?}");
}
