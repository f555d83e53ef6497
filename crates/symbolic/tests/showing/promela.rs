//! Random Promela models by components: processes, and what they share. The work on each is limited, so that the few
//! that are hard for BDDs are left.

use crate::certificates::{audit, file};
use crate::components::in_parts;
use crate::models;
use crate::questions::Program;
use audit::{AfterDeadlock, Claim};
use front::GivenQuestion;
use logic::{Logic, Truth};
use std::cell::Cell;
use std::sync::Arc;
use support::FileId;
use symbolic::{Policy, SearchLimit, Trial};
use testkit::{for_seeds, read_promela_asking};

const NODES: usize = 20_000;
const EFFORT: SearchLimit = SearchLimit::AtMost { nodes: NODES, steps: 300_000 };

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
    let [all, early, left, definite] = [(); 4].map(|()| Cell::new([0, 0]));
    let count = |cell: &Cell<[u32; 2]>, index: bool| {
        let mut counts = cell.get();
        counts[usize::from(index)] += 1;
        cell.set(counts);
    };
    for_seeds("components-of-promela", 0..60, |rng, case| {
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
        let policy = Policy { most_nodes: NODES, ..Policy::default() };
        let (composition, session) =
            (in_parts(&program, rng, policy, EFFORT), program.session(policy));
        let (Some(mut composition), Some(mut session)) = (composition, session) else {
            count(&left, false);
            return Ok(());
        };
        for formula in program.formulas(rng, 1) {
            case.note_property(&formula);
            let mut is_early = false;
            let watch = &mut |trial: &Trial| is_early = !trial.is_complete;
            let verdict = composition.check(&formula, &formula, EFFORT, watch);
            let (Ok(verdict), Ok(expected)) = (verdict, session.check(&formula)) else {
                count(&left, true);
                continue;
            };
            if !verdict.is_definite() {
                count(&left, true);
                continue;
            }
            if verdict != expected {
                return Err(format!("{verdict}, on the whole {expected}"));
            }
            let is_true = verdict == Truth::True;
            count(&all, true);
            count(&early, is_early);
            count(&definite, is_true);
            let claim = Claim::new("p", &formula, AfterDeadlock::Ends, is_true);
            let Ok(bytes) = composition.certificate(&formula, &claim) else { continue };
            let bytes = bytes.ok_or("nothing is shown")?;
            let audited = audit(&program, &formula, &file(&program, &bytes));
            let found = audited.map_err(|fault| format!("{verdict}: {fault}"))?;
            assert_eq!(found, is_true);
        }
        Ok(())
    });
    println!(
        "{all:?} decided, {early:?} not before the composition and before it, {definite:?} false and \
         true; models and questions left: {left:?}"
    );
    assert!(definite.get().iter().all(|&count| count > 20), "{definite:?}");
    assert!(early.get()[1] > 10, "{early:?}");
}
