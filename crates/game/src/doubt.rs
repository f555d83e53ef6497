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
    let mut position = start;
    let mut way = Vec::new();
    loop {
        way.push(position);
        if board.terminal(position).is_some() {
            return (way, Doubt::Literal { position });
        }
        let next = next(board, play, position)
            .expect("the owner wins an unknown position in his own view");
        let equation = board.equation(position);
        if let Op::Modal(..) = board.plan.equations[equation as usize].op {
            let (source, target) = (board.place(position), board.place(next));
            let (_, must) = board.modes(equation, source, target);
            if !must {
                return (way, Doubt::Transition { position, target });
            }
        }
        position = next;
    }
}

/// The same play from a position that is coloured unknown, past all failure causes: up to a position that is not unknown, to
/// a literal, or to where it was before.
pub fn follow(board: &Board, play: &Play, start: u32) -> Vec<u32> {
    let mut way = vec![start];
    let mut position = start;
    while board.terminal(position).is_none() && play.colour(position) == Some(Truth::Unknown) {
        match next(board, play, position) {
            Some(next) if !way.contains(&next) => position = next,
            _ => break,
        }
        way.push(position);
    }
    way
}

/// What who owns an unknown position plays in the view in which he wins it.
fn next(board: &Board, play: &Play, position: u32) -> Option<u32> {
    let view = match board.view(View::Pessimistic).owner(position) {
        Player::Falsifier => View::Pessimistic,
        Player::Verifier => View::Optimistic,
    };
    play.side(view).strategy(board.view(view), position)
}
