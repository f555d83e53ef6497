//! Programs with processes over finitely many values: all methods for finite models.

use logic::{Logic, Truth};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use support::FileId;
use tertium::{Answer, Model, Options, Verdict};
use testkit::programs::{InterleavedText, interleaved_text};
use testkit::{compile_for, for_seeds, reference};

fn model(text: &str) -> Model {
    Model::read("while", "program.while", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const METHODS: [&str; 5] = ["direct", "compositional", "symbolic", "refine", "auto"];

/// The verdict by the semantics.
fn expected(case: &InterleavedText, formula: &str) -> Verdict {
    let text: Arc<str> = formula.into();
    let surface = front::parse_formula(Logic::Ctl, FileId(0), &text, 0..text.len()).expect("CTL");
    let formula = compile_for(&surface, &case.model);
    let values = reference::evaluate(&case.model, &formula);
    let holds = |&state: &u32| values.truth(formula.root(), state) == Some(Truth::True);
    match case.model.init().iter().all(holds) {
        true => Verdict::True,
        false => Verdict::False,
    }
}

/// Whether the certificate of an answer is valid, if it has one.
fn is_certified(answer: &Answer) -> Result<bool, String> {
    match answer.audit().map_err(|error| error.to_string())? {
        Some(found) if !found.is_valid() => Err(format!("its certificate: {:?}", found.fault)),
        found => Ok(found.is_some()),
    }
}

#[test]
fn every_method_has_the_verdict_of_the_semantics() {
    for_seeds("processes", 0..200, |rng, case| {
        let has_array = rng.chance(0.3);
        let made = interleaved_text(rng, has_array);
        case.note(&made.program);
        let model = model(&made.program);
        for formula in &made.formulas {
            let asked = made.in_program(formula);
            case.note(&asked);
            let property = model.property(Logic::Ctl, &asked).map_err(|error| error.to_string())?;
            let expected = expected(&made, formula);
            let certifies = rng.chance(0.3);
            for method in METHODS {
                let options = Options::default().method(method).evidence(certifies);
                let found = model.check(&property, &options).map_err(|error| error.to_string())?;
                if found.verdict() != expected {
                    let found = found.verdict();
                    return Err(format!("{asked} by {method}: {found} and not {expected}"));
                }
                if certifies && !is_certified(&found)? {
                    return Err(format!("{asked} by {method}: there is no certificate"));
                }
            }
        }
        Ok(())
    });
}

/// The engine for integers takes the same programs, and need not find a verdict.
#[test]
fn the_abstraction_of_integers_agrees() {
    let (asked, decided) = (Cell::new(0), Cell::new(0));
    for_seeds("processes-integers", 0..40, |rng, case| {
        let has_array = rng.chance(0.4);
        let made = interleaved_text(rng, has_array);
        case.note(&made.program);
        let model = model(&made.program);
        let formula = &made.formulas[0];
        let property = model.property(Logic::Ctl, &made.in_program(formula));
        let property = property.map_err(|error| error.to_string())?;
        case.note(property.formula());
        let limit = Duration::from_secs(2);
        let options = Options::default().method("modular").evidence(true).timeout(limit);
        let found = model.check(&property, &options).map_err(|error| error.to_string())?;
        is_certified(&found)?;
        asked.set(asked.get() + 1);
        if found.verdict() == Verdict::Unknown {
            return Ok(());
        }
        decided.set(decided.get() + 1);
        match (found.verdict(), expected(&made, formula)) {
            (found, expected) if found == expected => Ok(()),
            (found, expected) => Err(format!("{found} and not {expected}")),
        }
    });
    println!("{} of {} decided", decided.get(), asked.get());
    if std::env::var_os("TERTIUM_SEED").is_none() {
        assert!(2 * decided.get() > asked.get());
    }
}

#[test]
fn truth_values_that_begin_false_are_certified_over_integers() {
    let text = "var b : bool := false; var n : int := 0; process P { while true do b := !b od } \
                process Q { n := 1 } property p: ctl AG (n = 0 | n = 1);";
    let model = model(text);
    let options = Options::default().method("modular").evidence(true);
    let found = model.check(&model.properties()[0], &options).expect("an answer");
    assert_eq!(found.verdict(), Verdict::True);
    assert_eq!(is_certified(&found), Ok(true));
}
