//! The attractor: all nodes from which a player can force the play into a given set, and how.

use super::Ticker;
use super::field::{Field, NONE, OUT, Zone};
use crate::arena::{Arena, Player};
use support::Stopped;

/// Decides the nodes `queue[start..]`, which have winners already, and what waits and is drawn to them.
/// Takes them off the queue.
///
/// One player's nodes go first while the other's still count as undecided: a node may have successors of
/// both kinds, and then its owner wins it.
pub fn settle(
    arena: &impl Arena,
    field: &mut Field,
    queue: &mut Vec<u32>,
    start: usize,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let mut middle = start;
    for index in start..queue.len() {
        if field.get(queue[index]).winner() == Player::Verifier {
            queue.swap(index, middle);
            middle += 1;
        }
    }
    for begin in [middle, start] {
        for &node in &queue[begin..] {
            field.move_to(node, OUT);
        }
        attract(arena, field, Zone::Waiting, OUT, queue, begin, ticker)?;
        queue.truncate(begin);
    }
    Ok(())
}

/// Every node of `queue` from `next` on draws its predecessors in `zone` to its winner's side: those of the
/// winner at once, those of the opponent when no successor in the zone is left to them. Who is drawn is
/// claimed with `rank` and joins the queue. All of them must have the same winner.
pub fn attract(
    arena: &impl Arena,
    field: &mut Field,
    zone: Zone,
    rank: u32,
    queue: &mut Vec<u32>,
    mut next: usize,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let Some(&first) = queue.get(next) else { return Ok(()) };
    let player = field.get(first).winner();
    while next < queue.len() {
        let node = queue[next];
        draw(arena, field, zone, rank, queue, node, player);
        next += 1;
        ticker.tick()?;
    }
    Ok(())
}

/// One step of [`attract`]: the predecessors of `node`, which is `player`'s.
#[inline(always)]
pub fn draw(
    arena: &impl Arena,
    field: &mut Field,
    zone: Zone,
    rank: u32,
    queue: &mut Vec<u32>,
    node: u32,
    player: Player,
) {
    arena.for_each_predecessor(node, |predecessor| {
        let state = field.get(predecessor);
        if !state.is_in(zone) {
            return;
        }
        if state.owner() == player {
            field.claim(predecessor, rank, player, node);
        } else if field.escapes(arena, predecessor, zone) {
            return;
        } else {
            field.claim(predecessor, rank, player, NONE);
        }
        queue.push(predecessor);
    });
}
