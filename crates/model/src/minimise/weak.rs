//! Weak bisimulation: strong bisimulation of the weak steps, which are computed first.

use super::lts::{Lts, graph_of};
use crate::compare::JointAction;
use crate::partition::Partition;
use support::{Monitor, Reservation, Stopped};

/// The blocks of the states. What a state leads to by `tau` need not have a smaller number.
pub fn blocks(lts: &Lts, tau: JointAction, monitor: &Monitor) -> Result<Vec<u32>, Stopped> {
    let states = lts.graph.states();
    let mut room = Reservation::default();
    let silent: Vec<Vec<u32>> =
        (0..states as u32).map(|state| silent_closure(lts, tau, &[state])).collect();
    let mut rows: Vec<Vec<(JointAction, u32)>> = Vec::with_capacity(states);
    let mut size = 0;
    for own in &silent {
        monitor.step(1)?;
        let mut row: Vec<(JointAction, u32)> = own.iter().map(|&state| (tau, state)).collect();
        for &state in own {
            let seen = lts.graph.moves(state).iter().filter(|(action, _)| *action != tau);
            row.extend(seen.flat_map(|&(action, target)| {
                silent[target as usize].iter().map(move |&last| (action, last))
            }));
        }
        row.sort_unstable();
        row.dedup();
        size += row.len() as u64 + own.len() as u64;
        room.cover(16 * size, monitor)?;
        rows.push(row);
    }
    let diverges = |own: &Vec<u32>| own.iter().any(|&s| lts.diverging.contains(s as usize));
    let labels = silent.iter().map(|own| vec![u32::from(diverges(own))]).collect();
    let mut partition = Partition::new(states);
    partition.refine(&graph_of(rows), labels, monitor)?;
    Ok(partition.block_of)
}

/// The states that these lead to by `tau` in any number of steps, in rising order.
pub fn silent_closure(lts: &Lts, tau: JointAction, from: &[u32]) -> Vec<u32> {
    let mut seen: rustc_hash::FxHashSet<u32> = from.iter().copied().collect();
    let mut open = from.to_vec();
    while let Some(state) = open.pop() {
        for &(action, target) in lts.graph.moves(state) {
            if action == tau && seen.insert(target) {
                open.push(target);
            }
        }
    }
    let mut closure: Vec<u32> = seen.into_iter().collect();
    closure.sort_unstable();
    closure
}
