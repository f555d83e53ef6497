//! Why a position is unknown.
//!
//! The falsifier wins the pessimistic game there and the verifier the optimistic one. Let them play
//! against each other, each by that strategy: as long as every move is a must transition and no
//! literal is met, every position of the play is unknown too, and the play cannot go on forever, or
//! both would win it. The first may-only transition or unknown literal is the failure cause (C §2).

use crate::arena::{Arena, Player};
use crate::board::{Board, View};
use crate::plan::Op;
use crate::play::Play;
use logic::Truth;
use rustc_hash::FxHashSet;

/// The failure state, as a position, and the failure cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The literal of the position is unknown in its state.
    Literal { position: u32 },
    /// The transition to this state may happen and need not.
    Transition { position: u32, target: u32 },
}

/// Follows both strategies from a position that is coloured unknown; also the positions on the way, up to
/// the failure state.
pub fn find_doubt(board: &Board, play: &Play, start: u32) -> (Vec<u32>, Doubt) {
    let mut way = Vec::new();
    let mut position = start;
    loop {
        way.push(position);
        match step(board, play, position) {
            Ok(next) => position = next,
            Err(doubt) => return (way, doubt),
        }
    }
}

/// All doubts on the way if it goes on behind may-only transitions, to a position that is not unknown, to a literal, or to where
/// it was before; also the positions on it. The last doubts are the nearest to where something is known.
pub fn find_doubts(board: &Board, play: &Play, start: u32) -> (Vec<u32>, Vec<Doubt>) {
    let (mut way, mut doubts) = (Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let mut position = start;
    while seen.insert(position) {
        way.push(position);
        if play.colour(position) != Some(Truth::Unknown) {
            break;
        }
        position = match step(board, play, position) {
            Ok(next) => next,
            Err(doubt) => {
                doubts.push(doubt);
                match doubt {
                    Doubt::Literal { .. } => break,
                    Doubt::Transition { position, .. } => strategy(board, play, position),
                }
            }
        };
    }
    (way, doubts)
}

/// The next position of the play, or why it ends here.
fn step(board: &Board, play: &Play, position: u32) -> Result<u32, Doubt> {
    if board.terminal(position).is_some() {
        return Err(Doubt::Literal { position });
    }
    let next = strategy(board, play, position);
    let equation = board.equation(position);
    if let Op::Modal(..) = board.plan.equations[equation as usize].op {
        let (source, target) = (board.place(position), board.place(next));
        let (_, must) = board.modes(equation, source, target);
        if !must {
            return Err(Doubt::Transition { position, target });
        }
    }
    Ok(next)
}

/// Where the owner of an unknown position goes.
fn strategy(board: &Board, play: &Play, position: u32) -> u32 {
    let view = match board.view(View::Pessimistic).owner(position) {
        Player::Falsifier => View::Pessimistic,
        Player::Verifier => View::Optimistic,
    };
    let next = play.side(view).strategy(board.view(view), position);
    next.expect("the owner wins an unknown position in his own view")
}
