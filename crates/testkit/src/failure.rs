//! Running a test on many seeds, and writing down the input of the one that fails.

use crate::rng::Rng;
use logic::Formula;
use std::any::Any;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// The input of one run, as the test tells it.
#[derive(Default)]
pub struct Case {
    text: String,
}

impl Case {
    /// Remembers a part of the input, in the language of `.tm` files where there is a way to say it.
    pub fn note(&mut self, part: impl AsRef<str>) {
        self.text.push_str(part.as_ref());
        self.text.push('\n');
    }

    /// Remembers the formula in question.
    pub fn note_property(&mut self, formula: &Formula) {
        self.note(format!("property failing: {} {};", formula.logic.name(), formula.source()));
    }
}

/// Calls the test with a generator for each seed. If it returns an error or panics, the case goes
/// into a file, and the panic that ends the test names the seed and the file.
///
/// With `TERTIUM_SEED` set, only that seed is run.
pub fn for_seeds(
    name: &str,
    seeds: Range<u64>,
    test: impl Fn(&mut Rng, &mut Case) -> Result<(), String>,
) {
    let only = std::env::var("TERTIUM_SEED").ok().and_then(|seed| seed.parse().ok());
    for seed in only.map_or(seeds, |seed| seed..seed + 1) {
        let mut case = Case::default();
        let run = || test(&mut Rng::new(seed), &mut case);
        let message = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(())) => continue,
            Ok(Err(message)) => message,
            Err(panic) => panic_message(&*panic),
        };
        let place = match write(name, seed, &message, &case) {
            Ok(path) => path.display().to_string(),
            Err(error) => format!("nowhere ({error}):\n{}", case.text),
        };
        panic!("{name}, seed {seed}: {message}\nthe input is in {place}");
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic").to_owned()
}

fn write(name: &str, seed: u64, message: &str, case: &Case) -> std::io::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target")),
        PathBuf::from,
    );
    let folder = target.join("failures");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}-{seed}.tm"));
    let comment: String = message.lines().map(|line| format!("// {line}\n")).collect();
    std::fs::write(&path, format!("// {name}, seed {seed}\n{comment}{}", case.text))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_its_seed_and_leaves_its_input() {
        let failing = || {
            for_seeds("failure-of-the-harness", 3..9, |rng, case| {
                case.note(format!("component of {}", rng.clone().below(10)));
                if *rng.pick(&[true, false]) { Ok(()) } else { Err("as planned".to_owned()) }
            });
        };
        let panic = catch_unwind(failing).expect_err("some seed fails");
        let message = panic_message(&*panic);
        assert!(message.contains("seed ") && message.contains("as planned"), "{message}");
        let path = message.rsplit(" in ").next().expect("the path stands last");
        let text = std::fs::read_to_string(path).expect("the file is there");
        assert!(text.contains("component of"), "{text}");
        std::fs::remove_file(path).expect("the file can go");
    }
}
