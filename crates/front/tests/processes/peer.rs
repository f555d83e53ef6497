//! Random models against Spin, where it is on the path: whether something goes wrong, in the original, in the
//! model taken apart, and in the model with an assumption for one process.

use crate::generate::program;
use crate::support::{fails, quotient, replaced};
use base::{FileId, Monitor};
use front::promela::{Part, processes, read_promela, write_with_assumption};
use model::Model;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use testkit::Rng;

const MODELS: u64 = 25;

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
/// It gets lost in loops within `atomic`: `None`.
fn spin_fails(text: &str) -> Result<Option<bool>, String> {
    let folder = folder();
    std::fs::write(folder.join("model.pml"), text).expect("a file");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output();
        let output = output.expect("a program that runs");
        let told = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), told + &String::from_utf8_lossy(&output.stderr))
    };
    let (ok, told) = run("spin", &["-a", "model.pml"]);
    if !ok || told.contains("Error:") || told.contains("syntax error") {
        return Err(told);
    }
    let (ok, told) = run("gcc", &["-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"]);
    if !ok {
        return Err(told);
    }
    let (_, told) = run("./pan", &["-E", "-m100000"]);
    std::fs::remove_dir_all(&folder).expect("the folder is there");
    let errors = told.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next());
    let errors: u32 =
        errors.and_then(|errors| errors.parse().ok()).unwrap_or_else(|| panic!("{told}\n{text}"));
    Ok((errors > 0 || !told.contains("max search depth too small")).then_some(errors > 0))
}

/// `None` if one of us gives up.
fn check(seed: u64) -> Option<()> {
    let text = program(&mut Rng::new(seed));
    let program = read_promela(FileId(0), &text).ok()?;
    let apart = processes(&program, &Monitor::new()).ok()?;
    let original = spin_fails(&text).ok()??;
    assert_eq!(fails(&apart.system), original, "seed {seed}: taken apart\n{text}");
    let mut rng = Rng::new(seed ^ 0x5eed);
    let process = *rng.pick(&program.processes.ids().collect::<Vec<_>>());
    let component = process.0 as usize;
    assert_eq!(apart.of[component], Part::Process(process));
    let model = &apart.system.components[component].model;
    let with = |assumption: &Model| {
        write_with_assumption(&text, &program, &apart, component, assumption, &[]).ok()
    };
    let spin =
        |text: &str| spin_fails(text).unwrap_or_else(|told| panic!("seed {seed}: {told}\n{text}"));
    let written = with(model)?;
    assert_eq!(spin(&written)?, original, "seed {seed}: itself\n{text}\n{written}");
    let count = rng.between(1, 4);
    let classes: Vec<u32> = (0..model.states()).map(|_| rng.below(count) as u32).collect();
    let coarse = quotient(model, &classes);
    let written = with(&coarse)?;
    let with_assumption = spin(&written)?;
    let expected = fails(&replaced(&apart.system, component, coarse));
    // A process that is merged with itself before it starts can do more than any that Spin starts.
    let agree = match program.processes[process].is_active {
        true => with_assumption == expected,
        false => with_assumption <= expected,
    };
    assert!(agree && original <= with_assumption, "seed {seed}: a quotient\n{text}\n{written}");
    Some(())
}

#[test]
fn random_models_and_assumptions_are_what_spin_says() {
    if !is_there() {
        return;
    }
    let from: u64 = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let models =
        std::env::var("MODELS").ok().and_then(|models| models.parse().ok()).unwrap_or(MODELS);
    let checked = (from..from + models).filter(|&seed| check(seed).is_some()).count();
    println!("{checked} of {models} models could be taken apart and written");
    assert!(checked as u64 * 2 > models, "most models can be taken apart");
}
