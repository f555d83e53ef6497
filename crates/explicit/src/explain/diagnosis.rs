//! The path to the cause of an unknown (G §5: from the initial node along `cont` to the failure node).

use super::composition::composed_state;
use super::names;
use crate::Request;
use crate::outcome::{Outcome, Reason};
use logic::evidence::{
    Decision, EvidenceGraph, Justification, ShownNode, ShownState, ShownStep, UnfoldedEvidence,
    unfold,
};
use logic::{Node, NodeId, Truth};
use model::{Mode, Moves, TAU};
use rustc_hash::FxHashMap;
use std::convert::Infallible;

/// Explains an unknown verdict, if it is the model that leaves it open.
pub(super) fn path_to_cause(request: &Request, outcome: &Outcome) -> Option<UnfoldedEvidence> {
    let Some(Reason::Undetermined(diagnosis)) = &outcome.reason else { return None };
    let moves = Moves::new(request.system, request.monitor);
    let mut path = DiagnosisPath { request, moves, positions: &diagnosis.path };
    let Ok(explanation) = unfold(&mut path, Truth::Unknown, vec![0], usize::MAX);
    let components = names(request.system);
    (!diagnosis.path.is_empty()).then_some(UnfoldedEvidence { components, ..explanation })
}

struct DiagnosisPath<'a> {
    request: &'a Request<'a>,
    moves: Moves<'a>,
    positions: &'a [(Vec<u32>, NodeId)],
}

impl DiagnosisPath<'_> {
    /// The transition that a position goes on by, if its subformula is a modality.
    fn step(&self, position: usize) -> Option<ShownStep> {
        let formula = self.request.formula;
        let ((from, node), (to, _)) = (&self.positions[position], &self.positions[position + 1]);
        let Node::Modal(_, actions, _) = formula.node(formula.definition(*node)) else {
            return None;
        };
        let set = formula.actions(actions);
        // A state with more transitions than this is not looked through.
        let steps = self.moves.steps(from, 1 << 16).unwrap_or_default();
        let fits = |action: Option<&str>| action.is_none_or(|action| set.contains(action));
        let between = steps.iter().filter(|(action, _, target)| fits(*action) && target == to);
        // The composition stutters if it has no step.
        let has_actions = steps.iter().any(|(action, ..)| action.is_some());
        let still = (has_actions.then_some(TAU), Mode::MAY);
        let found =
            between.map(|(action, mode, _)| (*action, *mode)).max_by_key(|(_, mode)| mode.must);
        let (action, mode) = found.unwrap_or(still);
        let action = action.map(str::to_owned);
        Some(ShownStep { action, is_must: mode.must, ..ShownStep::default() })
    }
}

/// Positions are numbers on the path; states are those of the first position in them.
impl EvidenceGraph for DiagnosisPath<'_> {
    type Position = usize;
    type Stop = Infallible;

    fn describe(&self, position: usize) -> ShownNode {
        let (state, node) = &self.positions[position];
        let first = self.positions.iter().position(|(other, _)| other == state);
        let subformula = self.request.formula.written(*node);
        let state = first.unwrap_or(position) as u32;
        ShownNode::new(state, subformula, Some(*node), Truth::Unknown)
    }

    fn decide(
        &mut self,
        position: usize,
        _: &FxHashMap<usize, u32>,
    ) -> Result<Decision<usize>, Infallible> {
        Ok(match position + 1 {
            next if next < self.positions.len() => {
                Decision::new(Justification::One, vec![(next, self.step(position))])
            }
            _ => Decision::here(Justification::Missing, []),
        })
    }

    fn show(&self, state: u32) -> ShownState {
        composed_state(self.request.system, &self.positions[state as usize].0)
    }
}
