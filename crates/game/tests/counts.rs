//! The figures of a play against a search that keeps its positions in an ordinary set.

use game::{ModelGame, Plan, ThreeValuedSolution};
use model::Kind;
use std::collections::BTreeSet;
use support::Monitor;
use testkit::{for_seeds, pair};

#[test]
fn live_positions_and_the_moves_between_them() {
    for_seeds("counts", 0..2000, |rng, case| {
        let (model, formula) = pair(rng, case, &Kind::ALL, 16);
        let (plan, monitor) = (Plan::new(&formula), Monitor::new());
        let arena = ModelGame::new(&model, &formula, &plan, &monitor).map_err(|e| e.to_string())?;
        let initial: Vec<u32> =
            model.init().iter().map(|&state| arena.position(state, plan.root)).collect();
        let solution =
            ThreeValuedSolution::new(&arena, &initial, &monitor).map_err(|e| e.to_string())?;
        let (mut found, mut open, mut moves) = (BTreeSet::new(), initial, 0);
        while let Some(position) = open.pop() {
            if found.insert(position) {
                arena.for_each_successor(position, |successor| {
                    moves += 1;
                    open.push(successor);
                });
            }
        }
        let reachable: BTreeSet<u32> =
            solution.reachable.ones().map(|position| position as u32).collect();
        if reachable != found || solution.nodes() != found.len() as u64 || solution.edges != moves {
            return Err(format!(
                "{} nodes and {} moves, not {moves}",
                solution.nodes(),
                solution.edges
            ));
        }
        Ok(())
    });
}
