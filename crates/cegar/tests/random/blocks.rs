//! Programs looked at block by block: whatever the blocks are, verdicts are as enumerated, and those of the composition.

use super::{Decided, FEW, agree, concrete, question};
use crate::programs::Subject;
use cegar::{CegarAnswer, CegarLimits, CegarQuestion, LocationPartition, run};
use logic::Formula;
use smt::Embedded;
use std::cell::Cell;
use testkit::{Rng, for_seeds};

fn by_blocks(
    subject: &Subject,
    formula: &Formula,
    limits: CegarLimits,
    partition: &LocationPartition,
) -> CegarAnswer {
    let question =
        CegarQuestion { partition: Some(partition), limits, ..subject.question(formula) };
    run(&question, &mut Embedded::new()).expect("nothing stops it")
}

/// Some of the partitions that there are.
fn partition(rng: &mut Rng, subject: &Subject) -> LocationPartition {
    let program = &subject.program;
    match rng.below(4) {
        0 => LocationPartition::loops(program, rng.between(1, 3)),
        1 => LocationPartition::locations(program),
        _ => {
            let most = rng.between(2, 4);
            LocationPartition::new(
                program.locations.iter().map(|_| rng.below(most) as u32).collect::<Vec<_>>(),
            )
        }
    }
}

fn compare(name: &str, seeds: std::ops::Range<u64>, is_closed: bool) -> Decided {
    let decided = Decided::default();
    let (apart, passes) = (Cell::new(0), Cell::new(0));
    for_seeds(name, seeds, |rng, case| {
        let (subject, structure, formula) = question(rng, case, is_closed);
        let partition = partition(rng, &subject);
        case.note(format!("{partition:?}"));
        let expected = concrete::verdict(&structure, &formula);
        let found = by_blocks(&subject, &formula, FEW, &partition);
        let stats = found.partition.expect("it was taken apart");
        apart.set(apart.get() + u32::from(stats.blocks > 1 && found.verdict.is_definite()));
        passes.set(passes.get() + u32::from(stats.passes > 2));
        decided.count(found.verdict, expected);
        agree(found.verdict, expected)
    });
    println!("{name}: {decided:?}, {} in pieces, {} with passes", apart.get(), passes.get());
    assert!(apart.get() * 4 > decided.all.get() && passes.get() * 10 > decided.all.get());
    decided
}

#[test]
fn closed_programs_in_blocks_are_as_enumerated() {
    let decided = compare("integers-pieces-closed", 0..3000, true);
    assert!(decided.found.get() * 100 >= decided.all.get() * 93, "{decided:?}");
}

#[test]
fn open_programs_in_blocks_are_as_enumerated_as_far_as_that_goes() {
    let decided = compare("integers-pieces-open", 0..2000, false);
    assert!(decided.both.get() * 100 >= decided.known.get() * 78, "{decided:?}");
}
