//! Random Promela models by components: processes, and what they share.

use crate::certificates::{audit, file, policy};
use crate::components::{decide, in_parts};
use crate::models;
use crate::questions::Program;
use audit::{AfterDeadlock, Claim};
use front::GivenQuestion;
use logic::{Logic, Truth};
use std::cell::Cell;
use std::sync::Arc;
use support::FileId;
use testkit::{for_seeds, read_promela_asking};

/// About variables, channels and places of processes.
const QUESTIONS: [&str; 10] = [
    "AG x < 200",
    "EF (x == 2 & b)",
    "AG EF y == 1",
    "AG (b -> AF !b)",
    "E[x == 0 U y == 2]",
    "AG len(c) <= 1",
    "EF (len(c) == 1 & len(d) == 1)",
    "AG (len(d) == 1 -> EF len(d) == 0)",
    "AF AG a[0] == a[1]",
    "EG x == 0",
];

#[test]
fn what_components_of_random_promela_models_decide_is_true_and_shown() {
    let (all, early, definite) = (Cell::new(0), Cell::new(0), Cell::new([0, 0]));
    for_seeds("components-of-promela", 0..130, |rng, case| {
        let text = models::program(rng);
        case.note(&text);
        let asked: Vec<GivenQuestion> = QUESTIONS
            .iter()
            .filter(|_| rng.chance(0.5))
            .map(|&text| GivenQuestion { logic: Logic::Ctl, file: FileId(1), text: text.into() })
            .collect();
        let text: Arc<str> = text.into();
        let Ok(document) = read_promela_asking(FileId(0), &text, &asked) else { return Ok(()) };
        let program = Program::of(document, rng.chance(0.5));
        let policy = policy(rng);
        let Some(mut composition) = in_parts(&program, rng, policy) else { return Ok(()) };
        let Some(mut session) = program.session(policy) else { return Ok(()) };
        for formula in program.formulas(rng, 1) {
            case.note_property(&formula);
            let (verdict, is_early) = decide(&mut composition, &formula);
            let expected = session.check(&formula).expect("enough room");
            if verdict != expected {
                return Err(format!("{verdict}, on the whole {expected}"));
            }
            let is_true = verdict == Truth::True;
            let claim = Claim::new("p", &formula, AfterDeadlock::Ends, is_true);
            let bytes = composition.certificate(&formula, &claim).expect("enough room");
            let bytes = bytes.ok_or("nothing is shown")?;
            let audited = audit(&program, &formula, &file(&program, &bytes));
            let found = audited.map_err(|fault| format!("{verdict}: {fault}"))?;
            assert_eq!(found, is_true);
            all.set(all.get() + 1);
            early.set(early.get() + usize::from(is_early));
            let mut counts = definite.get();
            counts[usize::from(is_true)] += 1;
            definite.set(counts);
        }
        Ok(())
    });
    println!(
        "{early:?} of {all:?} were decided before the composition; false and true: {definite:?}"
    );
    assert!(all.get() > 400 && early.get() * 10 > all.get(), "{early:?} of {all:?}");
    assert!(definite.get().iter().all(|&count| count > 40), "{definite:?}");
}
