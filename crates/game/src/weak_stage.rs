//! A stage whose fixpoints are of one kind: one attractor (G §4).
//!
//! In a µ-stage the verifier has to get out: what she can attract is true, and the rest, where plays go
//! on forever, false. Dually for ν.

use crate::arena::Player;
use crate::argument::Argument;
use crate::attraction::{Attraction, Counting, Work, stage_words, won_words};
use crate::board::{Board, BoardView};
use crate::plan::Stage;
use fixedbitset::FixedBitSet;
use logic::Fix;
use support::Stopped;

/// Who has to get out of a stage of this kind to win.
pub(crate) fn attracting_player(witness: Fix) -> Player {
    match witness {
        Fix::Mu => Player::Verifier,
        Fix::Nu => Player::Falsifier,
    }
}

/// Colours the live positions of a weak stage, given that inner stages are coloured. The slots get
/// the moves of the attracted positions.
pub(crate) fn colour(
    view: BoardView,
    stage: &Stage,
    witness: Fix,
    work: Work,
) -> Result<(), Stopped> {
    let Work { live, won, slots, frontier, arguments, monitor } = work;
    let words = stage_words(view.board, stage);
    let active = &live.as_slice()[words.clone()];
    let player = attracting_player(witness);
    let mut attraction = Attraction {
        view,
        stage,
        player,
        won,
        active,
        open: active.to_vec(),
        slots,
        frontier,
        counting: Counting::Before,
        argument: arguments.of(player),
        argued: &[],
    };
    attraction.take_exits(monitor)?;
    attraction.run(monitor)?;
    let rest = attraction.open;
    for ((won, live), rest) in won.as_mut_slice()[words].iter_mut().zip(active).zip(rest) {
        *won = if player == Player::Verifier { live & !rest } else { rest };
    }
    let owner = player.opponent();
    if let Some(argument) = arguments.of(owner) {
        suppose_rest(view.board, stage, argument, live, won, owner);
    }
    Ok(())
}

/// Who need not get out supposes that he wins what the other cannot attract.
fn suppose_rest(
    board: &Board,
    stage: &Stage,
    argument: &mut Argument,
    live: &FixedBitSet,
    won: &FixedBitSet,
    owner: Player,
) {
    argument.open(stage.lowest);
    for equation in stage.low..stage.high {
        argument.suppose(board, equation, won_words(board, equation, live, won, owner));
    }
    argument.close();
}
