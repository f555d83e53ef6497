//! The attractor: all nodes from which a player can force the play into a given set, and how.

use super::Ticker;
use super::field::{Field, NONE, Zone};
use crate::arena::Arena;
use base::Stopped;

/// Every node of `queue` from `next` on draws its fathers in `zone` to its winner's side: those of the
/// winner at once, those of the opponent when no son in the zone is left to them. Who is drawn is
/// claimed with `rank` and joins the queue.
pub fn attract(
    arena: &impl Arena,
    field: &mut Field,
    zone: Zone,
    rank: u32,
    queue: &mut Vec<u32>,
    mut next: usize,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    while next < queue.len() {
        let node = queue[next];
        let player = field.get(node).winner();
        arena.for_each_father(node, |father| {
            let state = field.get(father);
            if !state.is_in(zone) {
                return;
            }
            if state.owner() == player {
                field.claim(father, rank, player, node);
            } else if field.escapes(arena, father, zone) {
                return;
            } else {
                field.claim(father, rank, player, NONE);
            }
            queue.push(father);
        });
        next += 1;
        ticker.tick()?;
    }
    Ok(())
}
