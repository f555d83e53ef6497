//! Random models against Spin, where it is on the path: whether something goes wrong, in the original, in the
//! model taken apart, and in the model with an assumption for one process.

use crate::agreement::agrees;
use crate::generate::program;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use testkit::Rng;

/// Unless `SPIN_PROGRAMS` says another number; `SPIN_SEED` says where the seeds begin.
const MODELS: u64 = 12;

fn is_there() -> bool {
    let spin = Command::new("spin").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let gcc = Command::new("gcc").arg("--version").stdout(Stdio::null()).status();
    let is_there = spin.is_ok() && gcc.is_ok();
    if !is_there {
        println!("skipped: Spin or gcc is not on the path");
    }
    is_there
}

fn folder() -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("promela-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Whether Spin finds an error other than an invalid end state; what it says if it does not accept the text.
/// It gets lost in loops within `atomic`, or dies of them: `None`.
fn spin_fails(text: &str) -> Result<Option<bool>, String> {
    let folder = folder();
    std::fs::write(folder.join("model.pml"), text).expect("a file");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output();
        let output = output.expect("a program that runs");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), stdout + &String::from_utf8_lossy(&output.stderr))
    };
    let (ok, stdout) = run("spin", &["-a", "model.pml"]);
    if !ok || stdout.contains("Error:") || stdout.contains("syntax error") {
        return Err(stdout);
    }
    let (ok, stdout) = run("gcc", &["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    if !ok {
        return Err(stdout);
    }
    let (_, stdout) = run("./pan", &["-E", "-m100000"]);
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    let errors = stdout.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let errors: Option<u32> = errors.and_then(|errors| errors.parse().ok());
    let is_lost = stdout.contains("max search depth too small");
    Ok(errors.filter(|&errors| errors > 0 || !is_lost).map(|errors| errors > 0))
}

#[test]
fn random_models_and_assumptions_are_what_spin_says() {
    if !is_there() {
        return;
    }
    let from: u64 = std::env::var("SPIN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let models = std::env::var("SPIN_PROGRAMS")
        .ok()
        .and_then(|models| models.parse().ok())
        .unwrap_or(MODELS);
    let checked = (from..from + models)
        .filter(|&seed| agrees(seed, &program(&mut Rng::new(seed)), &spin_fails).is_some())
        .count();
    println!("{checked} of {models} models could be taken apart and written");
    assert!(checked as u64 * 2 > models, "most models can be taken apart");
}
