//! Deadlocks found during refinement.
//!
//! In a game of all components a modality without edges may stand on a deadlock, or have lost its edges to
//! pruning, or be decided. If no abstract step leads out of its states, none of the concrete tuples behind
//! them has one, because may transitions only say too much. What remains is whether one of these tuples can
//! be reached, and a path of the game may be spurious.
//!
//! Along a given path each component can be followed by itself. The concrete states of an abstract state agree
//! on the joint label (C Def. 5.3), so where abstract states are composable all their concrete states are, and
//! the path says which components move by which actions. So the path is concrete if each component has a run
//! along it, and then any tuple of last states of these runs is a deadlock state.

use super::{Run, enabled};
use crate::Deadlock;
use crate::cause::deadlock_state;
use fixedbitset::FixedBitSet;
use game::SubsystemGame;
use model::{Mode, Moves};
use support::Stopped;

/// The last step of a path to a node: the node before it, and the rule; `None` at the start.
type Before = Option<(u32, u32)>;

impl<'f> Run<'_, 'f> {
    /// Looks for a deadlock in a game of all components, if none has been met yet.
    pub(super) fn search_deadlock(&mut self, part: &SubsystemGame<'f>) -> Result<(), Stopped> {
        let is_asked = self.request.deadlock == Deadlock::Warn && self.deadlock_state.is_none();
        if !is_asked || part.inside.contains(&false) {
            return Ok(());
        }
        let dead = self.dead_nodes(part);
        if dead.is_empty() {
            return Ok(());
        }
        let predecessors = predecessors(part);
        for node in dead {
            self.monitor().check()?;
            if let Some(tuple) = self.concrete_end(part, &predecessors, node) {
                debug_assert_eq!(
                    Moves::new(self.request.system, self.monitor()).of(&tuple),
                    Mode::NONE
                );
                self.deadlock_state = Some(deadlock_state(self.request.system, &tuple));
                return Ok(());
            }
        }
        Ok(())
    }

    /// A modal node for each state of the part that no abstract step leads out of.
    fn dead_nodes(&mut self, part: &SubsystemGame<'f>) -> Vec<u32> {
        let graph = &part.graph;
        let mut seen = FixedBitSet::with_capacity(part.tuples.len() / part.components.len());
        let mut dead = Vec::new();
        for node in 0..graph.len() as u32 {
            let is_bare = graph.class(node).is_modal() && graph.successors(node).is_empty();
            let state = graph.states[node as usize];
            if is_bare && !seen.put(state as usize) && self.is_dead(&part.in_order(state)) {
                dead.push(node);
            }
        }
        dead
    }

    fn is_dead(&mut self, tuple: &[u32]) -> bool {
        for (abstraction, &member) in self.abstractions.iter_mut().zip(tuple) {
            abstraction.steps(member);
        }
        !enabled::may_move(self.question.interface, &self.abstractions, tuple)
    }

    /// Concrete states of all components in which a path to a node ends; `None` if the path is spurious.
    fn concrete_end(
        &self,
        part: &SubsystemGame<'f>,
        predecessors: &[Option<Before>],
        node: u32,
    ) -> Option<Vec<u32>> {
        let mut path = vec![(node, None)];
        while let Some(&(last, _)) = path.last()
            && let Some((before, rule)) = predecessors[last as usize]?
        {
            path.push((before, Some(rule)));
        }
        path.reverse();
        (0..part.inside.len()).map(|component| self.follow(part, &path, component)).collect()
    }

    /// The last state of a run of one component along a path: nodes, each with the rule by which the next
    /// one is reached.
    fn follow(
        &self,
        part: &SubsystemGame<'f>,
        path: &[(u32, Option<u32>)],
        component: usize,
    ) -> Option<u32> {
        let blocks = self.abstractions[component].concrete.blocks()?;
        let model = &self.request.system.components[component].model;
        let place = part.components.iter().position(|&inside| inside == component)?;
        let block = |node: u32| part.tuple(part.graph.states[node as usize])[place];
        let is_in = |state: u32, node: u32| blocks[state as usize] == block(node);
        let start = path.first()?.0;
        let initial = model.init().iter().copied();
        let mut states: Vec<u32> = initial.filter(|&state| is_in(state, start)).collect();
        for step in path.windows(2) {
            let [(from, Some(rule)), (to, _)] = *step else { return None };
            if !part.graph.class(from).is_modal() {
                continue;
            }
            let Some(action) = self.action_of(component, rule) else { continue };
            let steps = states.iter().flat_map(|&state| model.edges().out(state));
            let mut next: Vec<u32> = steps
                .filter(|&(target, class)| class.action == action && is_in(target, to))
                .map(|(target, _)| target)
                .collect();
            next.sort_unstable();
            next.dedup();
            states = next;
        }
        states.first().copied()
    }
}

/// By node: the last step of a shortest path to it, if there is one. Targets of hyper-transitions are left
/// out; their members are successors too.
fn predecessors(part: &SubsystemGame) -> Vec<Option<Before>> {
    let graph = &part.graph;
    let mut predecessors = vec![None; graph.len()];
    let mut found = graph.initial.clone();
    found.iter().for_each(|&node| predecessors[node as usize] = Some(None));
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        for (edge, step) in part.steps_of(node) {
            let successor = edge.node();
            let is_set = graph.subformulas.chosen_by(graph.labels[successor as usize]).is_some();
            if !is_set && predecessors[successor as usize].is_none() {
                predecessors[successor as usize] = Some(Some((node, step.rule)));
                found.push(successor);
            }
        }
    }
    predecessors
}
