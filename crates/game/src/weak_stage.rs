//! A stage whose fixpoints are of one kind: one attractor (G §4).
//!
//! In a µ-stage the verifier has to get out: what she can attract is true, and the rest, where plays go
//! on forever, false. Dually for ν.

use crate::arena::Player;
use crate::attraction::{Attraction, Counting, Work, stage_words, won_words};
use crate::model_game::{ArenaView, ModelGame};
use crate::plan::Stage;
use crate::proof::PlayProof;
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

/// Colours the reachable positions of a weak stage, given that inner stages are coloured. `moves` gets
/// the moves of the attracted positions.
pub(crate) fn colour(
    view: ArenaView,
    stage: &Stage,
    witness: Fix,
    work: Work,
) -> Result<(), Stopped> {
    let Work { reachable, won, moves, frontier, proofs, monitor } = work;
    let words = stage_words(view.arena, stage);
    let active = &reachable.as_slice()[words.clone()];
    let player = attracting_player(witness);
    let mut attraction = Attraction {
        view,
        stage,
        player,
        won,
        active,
        open: active.to_vec(),
        moves,
        frontier,
        counting: Counting::Before,
        proof: proofs.of(player),
        argued: &[],
    };
    attraction.take_exits(monitor)?;
    attraction.run(monitor)?;
    let rest = attraction.open;
    for ((won, reachable), rest) in won.as_mut_slice()[words].iter_mut().zip(active).zip(rest) {
        *won = if player == Player::Verifier { reachable & !rest } else { rest };
    }
    let owner = player.opponent();
    if let Some(proof) = proofs.of(owner) {
        assume_rest(view.arena, stage, proof, reachable, won, owner);
    }
    Ok(())
}

/// Who need not get out assumes that he wins what the other cannot attract.
fn assume_rest(
    arena: &ModelGame,
    stage: &Stage,
    proof: &mut PlayProof,
    reachable: &FixedBitSet,
    won: &FixedBitSet,
    owner: Player,
) {
    proof.open(stage.lowest);
    for equation in stage.low..stage.high {
        proof.assume(arena, equation, won_words(arena, equation, reachable, won, owner));
    }
    proof.close();
}
