//! The way to where knowledge is missing (G §5: from the initial node along `cont` to the failure node).

use super::explanation::{Explanation, ShownNode, ShownSon, ShownStep, Why};
use super::names;
use super::whole::whole_state;
use crate::Request;
use crate::outcome::{Outcome, Reason};
use logic::{Formula, Node, NodeId, Truth};
use model::{Mode, Moves, TAU};
use rustc_hash::FxHashMap;

/// Explains an unknown verdict, if it is the model that leaves it open.
pub(super) fn way_to_doubt(request: &Request, outcome: &Outcome) -> Option<Explanation> {
    let Some(Reason::Doubt(doubt)) = &outcome.reason else { return None };
    let Request { system, formula, monitor, .. } = *request;
    let moves = Moves::new(system, monitor);
    let mut states: Vec<&[u32]> = Vec::new();
    let mut numbers: FxHashMap<&[u32], u32> = FxHashMap::default();
    let mut nodes: Vec<ShownNode> = Vec::new();
    for (index, (tuple, node)) in doubt.way.iter().enumerate() {
        let state = *numbers.entry(tuple).or_insert_with(|| {
            states.push(tuple);
            states.len() as u32 - 1
        });
        let next = doubt.way.get(index + 1);
        let son = next.map(|(target, _)| ShownSon {
            node: index as u32 + 1,
            step: step(&moves, formula, *node, tuple, target),
        });
        nodes.push(ShownNode {
            state,
            subformula: formula.written(*node),
            value: Truth::Unknown,
            why: if next.is_some() { Why::One } else { Why::Missing },
            sons: son.into_iter().collect(),
            asked: None,
        });
    }
    (!nodes.is_empty()).then(|| Explanation {
        verdict: Truth::Unknown,
        components: names(system),
        states: states.into_iter().map(|tuple| whole_state(system, tuple)).collect(),
        roots: vec![0],
        nodes,
        cut: 0,
        reason: outcome.reason.clone(),
    })
}

/// The transition that a position goes on by, if its subformula is a modality.
fn step(
    moves: &Moves,
    formula: &Formula,
    node: NodeId,
    from: &[u32],
    to: &[u32],
) -> Option<ShownStep> {
    let Node::Modal(_, actions, _) = formula.node(formula.definition(node)) else { return None };
    let set = formula.actions(actions);
    // A state with more transitions than this is not looked through.
    let steps = moves.steps(from, 1 << 16).unwrap_or_default();
    let fits = |action: Option<&str>| action.is_none_or(|action| set.contains(action));
    let between = steps.iter().filter(|(action, _, target)| fits(*action) && target == to);
    // The whole stands still if it makes no step.
    let has_actions = steps.iter().any(|(action, ..)| action.is_some());
    let still = (has_actions.then_some(TAU), Mode::MAY);
    let found = between.map(|(action, mode, _)| (*action, *mode)).max_by_key(|(_, mode)| mode.must);
    let (action, mode) = found.unwrap_or(still);
    Some(ShownStep { action: action.map(str::to_owned), is_sure: mode.must, is_one_of: false })
}
