//! Cost of checking a program block by block, and when blocks are merged.

use crate::case::Program;
use cegar::{CegarAnswer, CegarLimits, LocationPartition, PartitionStats};
use logic::Truth;
use smt::Embedded;
use std::time::Duration;
use testkit::IntegerText;

/// Something that has nothing to do with loops, and so many of these, each of which counts up to `n`.
fn loops(count: usize) -> Program {
    let body = "x := 0; while x < n do x := x + 1 od;\n".repeat(count);
    let text = format!(
        "var n : int; var x : int; var y : int; var z : int;
         y := x; if y > 5 then z := 1 else z := 2 fi; y := z; next: {body} done: fin
         property ends: ctl AF at_done; property large: ctl AG (at_next -> (x > 5 -> y = 1));"
    );
    let expected = vec![("ends".to_owned(), true), ("large".to_owned(), true)];
    Program::read(IntegerText { name: "loops".to_owned(), text: text.into(), expected })
}

fn answer(
    program: &Program,
    property: usize,
    partition: &LocationPartition,
) -> (CegarAnswer, PartitionStats) {
    let (limits, patience) = (CegarLimits::default(), Duration::from_secs(60));
    let answer = program.answer(property, Some(partition), limits, patience, &mut Embedded::new());
    let answer = answer.expect("nothing stops it");
    assert_eq!(answer.verdict, Truth::from(program.expected[property].1));
    let stats = answer.partition.expect("it was taken apart");
    (answer, stats)
}

#[test]
fn the_largest_block_does_not_grow_with_the_program() {
    let largest = [4, 16, 64].map(|count| {
        let program = loops(count);
        let partition = LocationPartition::loops(program.program(), 4);
        let (answer, stats) = answer(&program, 1, &partition);
        assert!(answer.states > 4 * count);
        assert_eq!(stats.blocks, partition.len());
        stats.largest
    });
    assert!(largest.iter().all(|size| *size == largest[0]), "{largest:?}");
}

#[test]
fn only_the_block_that_a_cause_belongs_to_is_checked_again() {
    let program = loops(64);
    let partition = LocationPartition::loops(program.program(), 4);
    let (answer, stats) = answer(&program, 1, &partition);
    let [rounds, all] = [u64::from(answer.rounds), partition.len() as u64];
    assert!(rounds > 1, "{rounds}");
    // Each once, and then those in which something is undetermined: once to follow it, and once with what was learnt.
    assert!(stats.checked <= all + (rounds - 1) * 4, "{stats:?}, {rounds} rounds");
    assert!(stats.reused >= (rounds - 1) * (all - 3), "{stats:?}, {rounds} rounds");
}

#[test]
fn a_loop_that_ends_by_a_ranking_function_becomes_one_block() {
    let program = loops(3);
    let places = LocationPartition::locations(program.program());
    let (_, stats) = answer(&program, 0, &places);
    // Each of the three loops has two locations.
    assert_eq!(stats.blocks, places.len() - 3);
    assert!(stats.passes > 0);
}
