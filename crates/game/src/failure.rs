//! The failure node of an unknown position and its cause (C §2).
//!
//! The falsifier wins the pessimistic game there and the verifier the optimistic one. Let them play
//! against each other, each by that strategy: as long as every move is a must transition and no
//! literal is met, every position of the play is unknown too, and the play cannot go on forever, or
//! both would win it. The first may-only transition or unknown literal is the failure cause (C §2).

use crate::arena::{Arena, Player};
use crate::model_game::{ModelGame, View};
use crate::plan::Op;
use crate::three_valued_solution::ThreeValuedSolution;
use logic::Truth;
use rustc_hash::FxHashSet;

/// The failure state, as a position, and the failure cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FailureNode {
    /// The literal of the position is unknown in its state.
    Literal { position: u32 },
    /// The transition to this state may happen and need not.
    Transition { position: u32, target: u32 },
}

/// Follows both strategies from a position that is coloured unknown; also the positions in between, up to
/// the failure state.
pub fn find_failure_node(
    arena: &ModelGame,
    solution: &ThreeValuedSolution,
    start: u32,
) -> (Vec<u32>, FailureNode) {
    let mut path = Vec::new();
    let mut position = start;
    loop {
        path.push(position);
        match step(arena, solution, position) {
            Ok(next) => position = next,
            Err(failure) => return (path, failure),
        }
    }
}

/// All failures on these paths if they go on after may-only transitions, to a position not unknown, to a literal,
/// or to where it was before; also the positions on it. The last failures are the nearest to where something is known.
pub fn find_failure_nodes(
    arena: &ModelGame,
    solution: &ThreeValuedSolution,
    start: u32,
) -> (Vec<u32>, Vec<FailureNode>) {
    let (mut path, mut failures) = (Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let mut position = start;
    while seen.insert(position) {
        path.push(position);
        if solution.colour(position) != Some(Truth::Unknown) {
            break;
        }
        position = match step(arena, solution, position) {
            Ok(next) => next,
            Err(failure) => {
                failures.push(failure);
                match failure {
                    FailureNode::Literal { .. } => break,
                    FailureNode::Transition { position, .. } => strategy(arena, solution, position),
                }
            }
        };
    }
    (path, failures)
}

/// The next position of the play, or why it ends here.
fn step(
    arena: &ModelGame,
    solution: &ThreeValuedSolution,
    position: u32,
) -> Result<u32, FailureNode> {
    if arena.terminal(position).is_some() {
        return Err(FailureNode::Literal { position });
    }
    let next = strategy(arena, solution, position);
    let equation = arena.equation(position);
    if let Op::Modal(..) = arena.plan.equations[equation as usize].op {
        let (source, target) = (arena.place(position), arena.place(next));
        let (_, must) = arena.modes(equation, source, target);
        if !must {
            return Err(FailureNode::Transition { position, target });
        }
    }
    Ok(next)
}

/// Where the owner of an unknown position goes.
fn strategy(arena: &ModelGame, solution: &ThreeValuedSolution, position: u32) -> u32 {
    let view = match arena.view(View::Pessimistic).owner(position) {
        Player::Falsifier => View::Pessimistic,
        Player::Verifier => View::Optimistic,
    };
    let next = solution.side(view).strategy(arena.view(view), position);
    next.expect("the owner wins an unknown position in his own view")
}
