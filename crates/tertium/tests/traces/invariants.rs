//! Lemmas of invariants, put to the test: each holds in all reachable states, and from any state that satisfies the
//! invariant with all of them every step leads to such a state again.

use super::ensure;
use super::variables::{Design, condition};
use std::cell::Cell;
use tertium::{Logic, Model, Options, Verdict};
use testkit::{Case, Rng, for_seeds};

/// Formulas for each model.
const TRIES: usize = 6;

pub fn check(seeds: u64) {
    let [inductive, with_lemmas] = [Cell::new(0), Cell::new(0)];
    for_seeds("invariant-lemmas", 0..seeds, |rng: &mut Rng, case: &mut Case| {
        let design = Design::random(rng);
        case.note(design.text());
        // Most formulas are no invariants.
        let disjunction = |rng: &mut Rng| {
            let parts: Vec<String> = (0..rng.between(1, 4)).map(|_| condition(rng)).collect();
            parts.join(" | ")
        };
        let mut candidates = (0..TRIES).map(|_| disjunction(rng)).collect::<Vec<_>>().into_iter();
        let found = candidates.find_map(|invariant| match lemmas(&design, &invariant) {
            Ok(None) => None,
            Ok(Some(lemmas)) => Some(Ok((invariant, lemmas))),
            Err(error) => Some(Err(error)),
        });
        let Some((invariant, lemmas)) = found.transpose()? else { return Ok(()) };
        case.note(format!("-- AG ({invariant})"));
        inductive.set(inductive.get() + 1);
        with_lemmas.set(with_lemmas.get() + u32::from(!lemmas.is_empty()));
        for lemma in &lemmas {
            let holds = verdict(&design.text(), &format!("AG ({lemma})"))?;
            ensure(holds == Verdict::True, || format!("it does not hold everywhere: {lemma}"))?;
        }
        let all = lemmas.iter().fold(format!("({invariant})"), |all, one| format!("{all} & {one}"));
        let again = verdict(&design.text_from(Some(&all)), &format!("AX ({all})"))?;
        ensure(again == Verdict::True, || format!("a step leads out of {all}"))
    });
    println!("{inductive:?} invariants are inductive, {with_lemmas:?} with lemmas");
    assert!(with_lemmas.get() >= 3, "{inductive:?} {with_lemmas:?}");
}

/// The lemmas of the explanation, if the invariant holds and there are few.
fn lemmas(design: &Design, invariant: &str) -> Result<Option<Vec<String>>, String> {
    let model = read(&design.text())?;
    let property = model.property(Logic::Ctl, &format!("AG ({invariant})"));
    let property = property.map_err(|error| error.to_string())?;
    let answer = model.check(&property, &Options::default()).map_err(|error| error.to_string())?;
    if answer.verdict() != Verdict::True {
        return Ok(None);
    }
    let explained = answer.explanation().map_err(|error| error.to_string())?;
    // An invariant that is constant is none.
    Ok(explained.graph.invariant.and_then(|proof| proof.lemmas))
}

fn verdict(text: &str, formula: &str) -> Result<Verdict, String> {
    let model = read(text)?;
    let property = model.property(Logic::Ctl, formula).map_err(|error| error.to_string())?;
    let answer = model.check(&property, &Options::default().method("direct"));
    answer.map(|answer| answer.verdict()).map_err(|error| format!("{formula}: {error}"))
}

fn read(text: &str) -> Result<Model, String> {
    Model::read("smv", "random.smv", text).map_err(|error| error.to_string())
}
