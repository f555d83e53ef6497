//! Verdicts of a group of components are certified on the monolithic transition system: the auditor knows no
//! components.

use crate::certificates::{audit, file, policy};
use crate::generate::program;
use crate::questions::Program;
use audit::{AfterDeadlock, Claim};
use logic::{Formula, Truth};
use std::cell::Cell;
use support::Monitor;
use symbolic::{Composition, LabelledMachine, Policy, SearchLimit, Trial};
use testkit::{Rng, for_seeds};
use transition::Division;

/// `None` if only the composition can be looked at, or the limit of the search does not suffice to begin.
pub fn in_parts(
    program: &Program,
    rng: &mut Rng,
    policy: Policy,
    effort: SearchLimit,
) -> Option<Composition> {
    let Program { document, labels, conditions, slice, .. } = program;
    let machine = &document.machine;
    let division = if rng.chance(0.7) { Division::Instances } else { Division::Recursive };
    let components = machine.components(slice, &division, &[]);
    let subject = LabelledMachine { machine, slice, labels, conditions };
    let made = Composition::new(subject, components, policy, effort, &Monitor::new());
    let mut composition = match made {
        Err(_) if effort != SearchLimit::Unlimited => return None,
        made => made.expect("enough room").ok()?,
    };
    composition.seen_bits = *rng.pick(&[0, 2, 24]);
    Some(composition)
}

/// The verdict, and whether it came before the composition.
fn decide(composition: &mut Composition, formula: &Formula) -> (Truth, bool) {
    let mut is_early = false;
    let watch = &mut |trial: &Trial| is_early = !trial.is_complete && trial.verdict.is_definite();
    let verdict = composition.check(formula, formula, SearchLimit::Unlimited, watch);
    (verdict.expect("enough room"), is_early)
}

#[test]
fn what_components_decide_is_true_and_shown() {
    let (all, early) = (Cell::new(0), Cell::new(0));
    for_seeds("certificates-of-components", 0..1_000, |rng, case| {
        let text = program(rng);
        case.note(&text);
        let program = Program::read(&text, rng.chance(0.5)).ok_or("the program is refused")?;
        let policy = policy(rng);
        let Some(mut composition) = in_parts(&program, rng, policy, SearchLimit::Unlimited) else {
            return Ok(());
        };
        let Some(mut session) = program.session(policy) else { return Ok(()) };
        for formula in program.formulas(rng, 3) {
            case.note_property(&formula);
            let (verdict, is_early) = decide(&mut composition, &formula);
            let expected = session.check(&formula).expect("enough room");
            if verdict != expected {
                return Err(format!("{verdict}, on the monolithic model {expected}"));
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
        }
        Ok(())
    });
    println!("{early:?} of {all:?} were decided before all were composed");
    assert!(early.get() * 10 > all.get(), "{early:?} of {all:?}");
}
