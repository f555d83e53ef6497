//! The deterministic model of the same traces, by the subset construction.

use super::lts::{Lts, graph_of};
use super::weak::silent_closure;
use crate::compare::JointAction;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use support::{Monitor, Reservation, Stopped};

/// Its states are sets of states; the silent action, if there is one, is no part of traces.
pub fn deterministic(
    lts: &Lts,
    silent: Option<JointAction>,
    monitor: &Monitor,
) -> Result<Lts, Stopped> {
    let closed = |mut states: Vec<u32>| match silent {
        Some(tau) => silent_closure(lts, tau, &states),
        None => {
            states.sort_unstable();
            states.dedup();
            states
        }
    };
    let mut sets = vec![closed(lts.init.clone())];
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    numbers.insert(sets[0].clone(), 0);
    let (mut rows, mut size, mut room) = (Vec::new(), 0, Reservation::default());
    while let Some(set) = sets.get(rows.len()) {
        monitor.step(set.len() as u64)?;
        let mut successors: FxHashMap<JointAction, Vec<u32>> = FxHashMap::default();
        for &(action, target) in set.iter().flat_map(|&state| lts.graph.moves(state)) {
            if silent != Some(action) {
                successors.entry(action).or_default().push(target);
            }
        }
        let mut row = Vec::new();
        for (action, targets) in successors {
            let targets = closed(targets);
            let number = *numbers.entry(targets).or_insert_with_key(|targets| {
                size += targets.len() as u64;
                sets.push(targets.clone());
                sets.len() as u32 - 1
            });
            row.push((action, number));
        }
        room.cover(8 * size + 48 * sets.len() as u64, monitor)?;
        rows.push(row);
    }
    let init = if lts.init.is_empty() { Vec::new() } else { vec![0] };
    let origin = vec![None; rows.len()];
    Ok(Lts { graph: graph_of(rows), init, origin, diverging: FixedBitSet::new() })
}
