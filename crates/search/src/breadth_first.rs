//! Breadth-first search for states in which propositions hold.
//!
//! The states are numbered in the order of their discovery, so that each level is an interval of numbers. A shortest
//! path to a state is found backwards: on the level before, one of the states has it as a successor. That expands each
//! state once more at worst, and only if a path is asked for; no state has a pointer to its predecessor.

use crate::{StateStore, Successors};
use support::{Monitor, StopReason, Stopped};

/// The result of a search.
pub struct Reachability {
    pub states: StateStore,
    pub transitions: u64,
    /// By proposition, a state in which it holds, on the first level that has one.
    pub found: Vec<Option<u32>>,
    /// How many initial states there are: the first ones.
    pub initial: u32,
    /// By level, its first state.
    levels: Vec<u32>,
    /// How many states have been expanded: all, unless everything was found before.
    pub expanded: u32,
}

/// Looks for states in which the propositions `0..propositions` hold, each by itself; ends as soon as there is one for
/// each of them, or where there would be more than `most` states.
pub fn reachability<S: Successors>(
    system: &mut S,
    propositions: usize,
    most: u64,
    monitor: &Monitor,
) -> Result<Reachability, S::Error> {
    monitor.phase("searching the states", 0);
    let mut states = StateStore::new(system.words());
    let (mut found, mut open) = (vec![None; propositions], propositions);
    let (mut levels, mut transitions, mut expanded) = (Vec::new(), 0, 0);
    system.initial(monitor, |row| Ok(insert(&mut states, row, most, monitor)?))?;
    let initial = states.len();
    let mut state = vec![0; system.words()];
    while expanded < states.len() && open > 0 {
        if levels.last().is_none_or(|&(_, end)| expanded == end) {
            levels.push((expanded, states.len()));
        }
        state.copy_from_slice(states.get(expanded));
        system.successors(&state, monitor, |_, target| {
            transitions += 1;
            Ok(insert(&mut states, target, most, monitor)?)
        })?;
        for (proposition, found) in found.iter_mut().enumerate() {
            if found.is_none() && system.holds(proposition, &state) {
                *found = Some(expanded);
                open -= 1;
            }
        }
        expanded += 1;
        if expanded.is_multiple_of(1024) {
            monitor.step(1024)?;
        }
    }
    let levels = levels.into_iter().map(|(first, _)| first).collect();
    Ok(Reachability { states, transitions, found, initial, levels, expanded })
}

fn insert(
    states: &mut StateStore,
    row: &[u64],
    most: u64,
    monitor: &Monitor,
) -> Result<(), Stopped> {
    states.insert(row, monitor)?;
    if u64::from(states.len()) > most {
        return Err(Stopped(StopReason::States));
    }
    Ok(())
}

impl Reachability {
    /// A shortest path from an initial state to a state that was expanded.
    pub fn path<S: Successors>(
        &self,
        system: &mut S,
        state: u32,
        monitor: &Monitor,
    ) -> Result<Vec<u32>, S::Error> {
        let mut path = vec![state];
        let mut level = self.levels.partition_point(|&first| first <= state) - 1;
        while level > 0 {
            let target = self.states.get(path[path.len() - 1]);
            let mut predecessor = None;
            for candidate in self.levels[level - 1]..self.levels[level] {
                system.successors(self.states.get(candidate), monitor, |_, row| {
                    if row == target {
                        predecessor = Some(candidate);
                    }
                    Ok(())
                })?;
                if predecessor.is_some() {
                    break;
                }
                if candidate.is_multiple_of(1024) {
                    monitor.step(0)?;
                }
            }
            // A state of this level was found from the one before.
            path.extend(predecessor);
            level -= 1;
        }
        path.reverse();
        Ok(path)
    }
}
