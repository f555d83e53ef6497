//! The cause of an unknown in the abstract game (C §5, G §5): a play through unknown positions, and what is not known
//! on it.

use crate::abstract_model::AbstractModel;
use game::{FailureNode, ModelGame, Op, Plan, ThreeValuedSolution, find_failure_nodes};
use logic::{Formula, NodeId, PropId, Truth};
use support::{Monitor, Stopped};

/// The cause of an unknown, in abstract states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Whether a proposition holds in a state.
    Label { state: u32, prop: PropId },
    /// Whether a step leads from one state to another.
    Step { from: u32, to: u32 },
}

/// A play through unknown positions.
pub(crate) struct UndeterminedPlay {
    /// The abstract states that it passes.
    pub states: Vec<u32>,
    /// The causes of the unknown on it; the last are the nearest to definite positions.
    pub causes: Vec<Cause>,
}

/// The cause of the unknown value of a subformula in a state of the abstract model; none if the value is definite.
pub(crate) fn cause_of_unknown(
    model: &AbstractModel,
    (formula, part): (&Formula, NodeId),
    state: u32,
    monitor: &Monitor,
) -> Result<Option<UndeterminedPlay>, Stopped> {
    let plan = Plan::new(formula);
    let arena = ModelGame::new(&model.model, formula, &plan, monitor)?;
    let start = arena.position(state, plan.equation_of(part));
    let solution = ThreeValuedSolution::new(&arena, &[start], monitor)?;
    if solution.colour(start) != Some(Truth::Unknown) {
        return Ok(None);
    }
    let (path, found) = find_failure_nodes(&arena, &solution, start);
    let causes = found.into_iter().filter_map(|failure| cause(&arena, model, failure)).collect();
    Ok(Some(UndeterminedPlay { states: states(&arena, model, &path), causes }))
}

fn cause(arena: &ModelGame, model: &AbstractModel, failure: FailureNode) -> Option<Cause> {
    let state = |location: u32| model.positions.get(location as usize).map(|(state, _)| *state);
    match failure {
        FailureNode::Literal { position } => {
            let op = arena.plan.equations[arena.equation(position) as usize].op;
            let Op::Lit(prop, _) = op else { return None };
            Some(Cause::Label { state: state(arena.place(position))?, prop })
        }
        FailureNode::Transition { position, target } => {
            Some(Cause::Step { from: state(arena.place(position))?, to: state(target)? })
        }
    }
}

/// The states that a play enters, one after the other.
fn states(arena: &ModelGame, model: &AbstractModel, path: &[u32]) -> Vec<u32> {
    let mut states = Vec::new();
    let mut is_entered = true;
    for &position in path {
        // Between a modality and where it leads there may be a set of states.
        let Some(location) = arena.state(position) else {
            continue;
        };
        if is_entered {
            states.push(model.positions[location as usize].0);
        }
        let op = arena.plan.equations[arena.equation(position) as usize].op;
        is_entered = matches!(op, Op::Modal(..));
    }
    states
}
