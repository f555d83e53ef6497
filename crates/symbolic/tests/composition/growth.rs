//! A group that grows forgets nothing: what is definite stays so, with the same value.

use crate::lifted::Lifter;
use crate::questions::random;
use crate::sets::{closed, point, value};
use std::cell::Cell;
use symbolic::{Policy, Question};
use testkit::for_seeds;

#[test]
fn what_is_definite_in_a_group_is_so_in_a_larger_one() {
    let [kept, new] = [0; 2].map(Cell::new);
    for_seeds("composition-growth", 0..2_000, |rng, case| {
        let Some(program) = random(rng, case, true) else { return Ok(()) };
        let Some(mut composition) = program.composition(rng, Policy::default()) else {
            return Ok(());
        };
        composition.seen_bits = 24;
        let small = program.group(rng);
        let mut large = [&small[..], &program.group(rng)].concat();
        large.sort_unstable();
        large.dedup();
        case.note(format!("-- groups {small:?} and {large:?}"));
        for _ in 0..2 {
            let formula = program.formula(rng, case);
            let question = Question { formula: &formula, asked: &[] };
            let [of_small, of_large] = [&small, &large]
                .map(|members| composition.lifted(members, question).expect("room enough"));
            let lifter = Lifter::new(&program.test_system, &large, &of_large.vars);
            let graph = lifter.graph(of_large.goes_on);
            for state in 0..graph.states.len() {
                let point = point(&composition, &graph, state);
                for node in closed(&of_small) {
                    let before = value(&composition, &of_small, node, &point);
                    let after = value(&composition, &of_large, node, &point);
                    if before.contains(&true) && before != after {
                        let state = &graph.states[state];
                        return Err(format!(
                            "subformula {node} in {:?} {state:?}: {before:?}, then {after:?}",
                            graph.vars
                        ));
                    }
                    let count = if before == after { &kept } else { &new };
                    count.set(count.get() + 1);
                }
            }
        }
        Ok(())
    });
    println!("{kept:?} the same, {new:?} new");
}
