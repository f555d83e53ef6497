//! Models whose states are all atoms.

use crate::policy;
use model::Kind;
use support::{Monitor, StopReason, Stopped};
use symbolic::Policy;
use symbolic::mixed::{IterationOrder, Mixed, Reduction};
use testkit::reference;
use testkit::{for_seeds, pair};

#[test]
fn every_state_has_the_value_of_the_reference() {
    for_seeds("mixed-atoms", 0..600, |rng, case| {
        let kinds = [Kind::Gkmts, Kind::Gkmts, Kind::MixTs, Kind::Kmts, Kind::Kripke];
        let (model, formula) = pair(rng, case, &kinds, 12);
        let mut mixed = Mixed::of_model(&model, policy(rng), &Monitor::new())
            .map_err(|stopped| format!("{stopped:?}"))?;
        let mut open = 0;
        let mut watch = |moment| open += if moment == Reduction::Begins { 1 } else { -1 };
        let found = mixed
            .evaluate(&formula, IterationOrder::ByComponents, &mut watch)
            .map_err(|stopped| format!("{stopped:?}"))?;
        assert_eq!(open, 0, "reductions that begin end");
        let expected = reference::evaluate(&model, &formula);
        for state in 0..model.states() as u32 {
            let (is, ought) =
                (mixed.in_state(&found, state), expected.truth(formula.root(), state));
            if is != ought {
                return Err(format!("state {state} is {is:?} and ought to be {ought:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn limits_of_memory_and_cancellation_are_kept() {
    let (mut full, mut done) = (0, 0);
    for_seeds_counting(|outcome| match outcome {
        Err(Stopped(StopReason::Nodes)) => full += 1,
        Err(other) => panic!("{other:?}"),
        Ok(()) => done += 1,
    });
    assert!(full > 50 && done > 50, "{full} without room, {done} with");
}

fn for_seeds_counting(mut tell: impl FnMut(Result<(), Stopped>)) {
    let outcomes = std::cell::RefCell::new(Vec::new());
    for_seeds("mixed-room", 0..300, |rng, case| {
        let (model, formula) = pair(rng, case, &[Kind::Gkmts], 12);
        let most_nodes = rng.between(1, 120);
        let reorder_at = rng.chance(0.5).then_some(most_nodes / 2);
        let policy = Policy { most_nodes, reorder_at, ..Policy::default() };
        let outcome = Mixed::of_model(&model, policy, &Monitor::new()).and_then(|mut mixed| {
            mixed.evaluate(&formula, IterationOrder::ByComponents, &mut |_| {}).map(|_| ())
        });
        outcomes.borrow_mut().push(outcome);
        let stopped = Monitor::new();
        stopped.stop(StopReason::Cancelled);
        let outcome = Mixed::of_model(&model, Policy::default(), &stopped).and_then(|mut mixed| {
            mixed.evaluate(&formula, IterationOrder::ByComponents, &mut |_| {}).map(|_| ())
        });
        // Without a fixpoint there may be nothing to stop.
        assert!(matches!(outcome, Ok(()) | Err(Stopped(StopReason::Cancelled))), "{outcome:?}");
        Ok(())
    });
    outcomes.into_inner().into_iter().for_each(&mut tell);
}
