//! Random SMV files with `LTLSPEC`, `FAIRNESS` and `COMPASSION` against NuSMV, where it is found: named by `NUSMV`, or on
//! the path.

use crate::generate::{ATOMS, path, smv};
use std::cell::Cell;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use tertium::{Model, Options, Verdict};
use testkit::{Rng, for_seeds};

fn program() -> OsString {
    std::env::var_os("NUSMV").unwrap_or_else(|| "NuSMV".into())
}

/// NuSMV's verdict on the formula of a file; `None` if it refuses the file.
fn nusmv(file: &PathBuf) -> Option<bool> {
    let output = Command::new(program()).arg("-dcx").arg(file).output().expect("NuSMV runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let verdict = |line: &str| {
        let (_, value) = line.strip_prefix("-- specification ")?.rsplit_once(" is ")?;
        Some(value.trim() == "true")
    };
    said.lines().find_map(verdict)
}

/// A file, now and then with steps that block or an invariant.
fn file(rng: &mut Rng) -> String {
    let mut text = smv(rng);
    // NuSMV 2.6 loses paths where `COMPASSION` meets inputs: `X q` is true of `next(q) := i`, and false if `i` is a
    // variable.
    if text.contains("COMPASSION") {
        text = text.replace("IVAR", "VAR");
    }
    if rng.chance(0.3) {
        let constraint = ["TRANS next(p) | i", "TRANS q -> next(r)", "INVAR p | q", "INVAR !r | p"];
        writeln!(text, "{};", rng.pick(&constraint)).expect("a text");
    }
    let (size, with_past) = (rng.between(1, 9), rng.chance(0.4));
    writeln!(text, "LTLSPEC {};", path(rng, size, &ATOMS, with_past)).expect("a text");
    text
}

fn agree(name: &str, seeds: std::ops::Range<u64>) {
    if Command::new(program()).arg("-h").output().is_err() {
        println!("skipped: NuSMV is neither on the path nor named by NUSMV");
        return;
    }
    let [files, refused, compared, fail] = [const { Cell::new(0) }; 4];
    let count = |which: &Cell<u32>, more: usize| which.set(which.get() + more as u32);
    let place = std::env::temp_dir().join(format!("linear-{}.smv", std::process::id()));
    for_seeds(name, seeds, |rng, case| {
        let text = file(rng);
        case.note(&text);
        std::fs::write(&place, &text).expect("a file");
        let Some(holds) = nusmv(&place) else {
            count(&refused, 1);
            return Ok(());
        };
        count(&files, 1);
        let model = Model::read("smv", "model", &text).map_err(|error| error.to_string())?;
        for method in ["direct", "symbolic", "auto"] {
            let options = Options::default().method(method);
            // Some formulas are too large for their automata.
            let Ok(answer) = model.check(&model.properties()[0], &options) else { continue };
            let verdict = if holds { Verdict::True } else { Verdict::False };
            if answer.verdict() != verdict {
                return Err(format!("{} by {method}, NuSMV says {holds}", answer.verdict()));
            }
            count(&compared, 1);
            count(&fail, usize::from(!holds));
        }
        Ok(())
    });
    println!(
        "{files:?} files, {refused:?} refused by NuSMV, {compared:?} verdicts, {fail:?} false"
    );
    assert!(compared.get() > 2 * files.get(), "{compared:?} of {files:?}");
}

#[test]
fn verdicts_of_linear_time_are_those_of_nusmv() {
    agree("nusmv-linear-time", 0..60);
}

#[test]
#[ignore = "minutes: 2,000 files"]
fn verdicts_of_linear_time_on_many_files_are_those_of_nusmv() {
    agree("many-nusmv-linear-time", 1_000_000..1_002_000);
}
