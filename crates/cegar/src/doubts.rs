//! Where knowledge is missing in a game without a verdict.

use crate::drawing::Drawing;
use game::{Board, Doubt, Op, Plan, Play, find_doubts};
use logic::{Formula, NodeId, PropId, Truth};
use support::{Monitor, Stopped};

/// What is not known, in states of the region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Whether a proposition holds in a state.
    Label { state: u32, prop: PropId },
    /// Whether a step leads from one state to another.
    Step { from: u32, to: u32 },
}

/// A play through what is in doubt.
pub(crate) struct Doubts {
    /// The states of the region that it goes through.
    pub states: Vec<u32>,
    /// What is not known on it; the last causes are the nearest to what is known.
    pub causes: Vec<Cause>,
}

/// Why a part of a formula is not known in a state of a drawing; nothing if it is known.
pub(crate) fn doubts(
    drawing: &Drawing,
    (formula, part): (&Formula, NodeId),
    state: u32,
    monitor: &Monitor,
) -> Result<Option<Doubts>, Stopped> {
    let plan = Plan::new(formula);
    let board = Board::new(&drawing.model, formula, &plan, monitor)?;
    let start = board.position(state, plan.equation_of(part));
    let play = Play::new(&board, &[start], monitor)?;
    if play.colour(start) != Some(Truth::Unknown) {
        return Ok(None);
    }
    let (way, found) = find_doubts(&board, &play, start);
    let causes = found.into_iter().filter_map(|doubt| cause(&board, drawing, doubt)).collect();
    Ok(Some(Doubts { states: states(&board, drawing, &way), causes }))
}

fn cause(board: &Board, drawing: &Drawing, doubt: Doubt) -> Option<Cause> {
    let state = |place: u32| drawing.positions.get(place as usize).map(|(state, _)| *state);
    match doubt {
        Doubt::Literal { position } => {
            let op = board.plan.equations[board.equation(position) as usize].op;
            let Op::Lit(prop, _) = op else { return None };
            Some(Cause::Label { state: state(board.place(position))?, prop })
        }
        Doubt::Transition { position, target } => {
            Some(Cause::Step { from: state(board.place(position))?, to: state(target)? })
        }
    }
}

/// The states that a play enters, one after the other.
fn states(board: &Board, drawing: &Drawing, way: &[u32]) -> Vec<u32> {
    let mut states = Vec::new();
    let mut is_entered = true;
    for &position in way {
        // Between a modality and where it leads there may be a set of states.
        let Some(place) = board.state(position) else { continue };
        if is_entered {
            states.push(drawing.positions[place as usize].0);
        }
        let op = board.plan.equations[board.equation(position) as usize].op;
        is_entered = matches!(op, Op::Modal(..));
    }
    states
}
