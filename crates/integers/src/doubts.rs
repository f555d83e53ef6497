//! Where knowledge is missing in a game without a verdict.

use crate::drawing::Drawing;
use base::{Monitor, Stopped};
use game::{Board, Doubt, Op, Plan, Play, find_doubts};
use logic::{Formula, NodeId, PropId, Truth};

/// What is not known, in states of the region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// Whether a proposition holds in a state.
    Label { state: u32, prop: PropId },
    /// Whether a step leads from one state to another.
    Step { from: u32, to: u32 },
}

/// Why a part of a formula is not known in a state of a drawing, from there on: the last causes are the nearest to what is
/// known. There are none if it is known.
pub(crate) fn causes(
    drawing: &Drawing,
    (formula, part): (&Formula, NodeId),
    state: u32,
    monitor: &Monitor,
) -> Result<Vec<Cause>, Stopped> {
    let plan = Plan::new(formula);
    let board = Board::new(&drawing.model, formula, &plan, monitor)?;
    let start = board.position(state, plan.equation_of(part));
    let play = Play::new(&board, &[start], monitor)?;
    if play.colour(start) != Some(Truth::Unknown) {
        return Ok(Vec::new());
    }
    let state = |place: u32| drawing.positions.get(place as usize).map(|(state, _)| *state);
    let cause = |doubt: Doubt| match doubt {
        Doubt::Literal { position } => {
            let op = board.plan.equations[board.equation(position) as usize].op;
            let Op::Lit(prop, _) = op else { return None };
            Some(Cause::Label { state: state(board.place(position))?, prop })
        }
        Doubt::Transition { position, target } => {
            Some(Cause::Step { from: state(board.place(position))?, to: state(target)? })
        }
    };
    Ok(find_doubts(&board, &play, start).into_iter().filter_map(cause).collect())
}
