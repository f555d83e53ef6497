//! `auto` has an answer whenever `direct` or `symbolic` has one within the same limits: `refine`, and whatever else is
//! tried before them, leaves them what they need.

use std::cell::Cell;
use std::fs::read_to_string;
use std::path::Path;
use std::time::Duration;
use tertium::{Model, Options, Property, Reason};
use testkit::{Case, Rng, for_seeds, system_question};

fn is_answered(model: &Model, property: &Property, method: &str, bytes: u64) -> bool {
    let options = Options::default().method(method).memory(bytes).timeout(Duration::from_secs(120));
    let answer = model.check(property, &options);
    answer.is_ok_and(|answer| !matches!(answer.reason(), Some(Reason::Stopped(_))))
}

/// Whether others have an answer within a limit; an error if only `auto` has none.
fn others_answer(model: &Model, property: &Property, bytes: u64) -> Result<bool, String> {
    let others = ["direct", "symbolic"];
    let found = others.into_iter().find(|method| is_answered(model, property, method, bytes));
    let Some(method) = found else { return Ok(false) };
    match is_answered(model, property, "auto", bytes) {
        true => Ok(true),
        false => Err(format!("{}: only {method} answers with {bytes} bytes", property.name())),
    }
}

/// The members of the six families and of their broken ones, within so many bytes.
fn families(endings: &[&str], limits: &[u64]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/families");
    let mut answered = [0, 0];
    for family in ["arbiter-tree", "client-server", "msi", "philosophers", "pipeline", "token-ring"]
    {
        for ending in endings {
            let name = format!("{family}{ending}.tm");
            let text = read_to_string(folder.join(&name)).unwrap();
            let model = Model::read("tm", &name, &text).unwrap();
            for property in model.properties() {
                for &bytes in limits {
                    let found = others_answer(&model, property, bytes);
                    let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
                    answered[usize::from(found)] += 1;
                }
            }
        }
    }
    assert!(answered.iter().all(|&count| count > 20), "without, with an answer: {answered:?}");
}

#[test]
fn in_little_memory_auto_answers_what_others_answer() {
    families(&[""], &[1 << 13, 1 << 16, 1 << 19]);
}

#[test]
#[ignore = "takes minutes"]
fn in_any_memory_auto_answers_what_others_answer() {
    let limits: Vec<u64> = (12..24).flat_map(|bits| [1 << bits, 3 << (bits - 1)]).collect();
    families(&["", "-broken"], &limits);
}

fn one_system(rng: &mut Rng, case: &mut Case, answered: &Cell<u64>) -> Result<(), String> {
    let Some((system, _, formula)) = system_question(rng, case, 10) else { return Ok(()) };
    let property = format!("property p: {} {};", formula.logic.name(), formula.source());
    let text = testkit::system_text(&system) + &property;
    let model = Model::read("tm", "system.tm", &text).map_err(|error| error.to_string())?;
    let bytes = 1 << rng.between(6, 14);
    if others_answer(&model, &model.properties()[0], bytes)? {
        answered.set(answered.get() + 1);
    }
    Ok(())
}

#[test]
fn auto_answers_what_others_answer_about_random_systems() {
    let answered = Cell::new(0);
    for_seeds("fair-stop", 0..1_000, |rng, case| one_system(rng, case, &answered));
    assert!(answered.get() > 100, "{answered:?}");
}
