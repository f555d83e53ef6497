//! Preprocessing: positions that are decided without solving.

use super::Ticker;
use super::attractor::settle;
use super::field::{Field, NONE, rank_of_depth};
use crate::arena::{Arena, Player};
use crate::parity_game::ParityGame;
use support::Stopped;

/// Decides dead-end positions, self-loops that their owner wins or cannot leave, and their attractors. The
/// other nodes wait.
pub fn preprocess(
    game: &ParityGame,
    field: &mut Field,
    stack: &mut Vec<u32>,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let rank = rank_of_depth(0)?;
    for node in field.nodes() {
        field.set_owner(node, game.owner(node));
        match trivial_winner(game, node) {
            None => {
                field.release_counted(node, game.successors(node).len() as u32);
                continue;
            }
            Some(winner) if winner == game.owner(node) => field.claim(node, rank, winner, node),
            Some(winner) => field.claim(node, rank, winner, NONE),
        }
        stack.push(node);
    }
    settle(game, field, stack, 0, ticker)
}

fn trivial_winner(game: &ParityGame, node: u32) -> Option<Player> {
    let (owner, successors) = (game.owner(node), game.successors(node));
    let stays = Player::of_priority(game.priority(node));
    if stays == owner && successors.contains(&node) {
        return Some(owner);
    }
    successors.iter().all(|&successor| successor == node).then(|| owner.opponent())
}
