//! Tangles inside open regions, after progressive tangle learning (van Dijk, Oink's solver `ptl`).
//!
//! A region is open if its head can be left downwards. The part of it that avoids the head may have tangles all the
//! same, so it is cut into regions of its own, by the heads of its highest priorities. A head of the opponent splits it:
//! the nodes that can be drawn to the old head without the new one, and the rest, which needs the new one and is
//! searched for tangles that avoid it. Tangle learning alone takes exponential time on two counters (van Dijk, *A Parity
//! Game Tale of Two Counters*, GandALF 2019), and not with these tangles.

use super::Ticker;
use super::field::{Field, NONE};
use super::tangle::{Region, TangleLearner, close_heads};
use crate::arena::{Arena, Player};
use support::Stopped;

/// The deepest nesting of regions in regions.
const LEVELS: u32 = 256;

/// Of a search inside an open region: whose it is, and the ranks of what is above and of what is below all searched
/// parts.
struct Inside {
    player: Player,
    floor: u32,
    lower: u32,
    /// The steps after which the search is over.
    limit: u64,
}

impl TangleLearner {
    /// Learns from the inside of an open region with one head, which stands first.
    pub(super) fn search_open(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        region: &[u32],
        Region { player, rank, .. }: &Region,
        budget: u64,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let (lower, label) = (self.next_rank()?, self.next_rank()?);
        let limit = ticker.work() + budget;
        let inside = Inside { player: *player, floor: *rank, lower, limit };
        let (&head, rest) = region.split_first().expect("a region has a head");
        let rest = sorted(arena, field, rest.to_vec(), label);
        field.move_to(head, lower);
        self.search(arena, field, &inside, (&rest, label, head), LEVELS, ticker)
    }

    /// Learns from the nodes of this rank, which are among those of a list in falling order and were drawn to a head.
    fn search(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        inside: &Inside,
        (nodes, mut rank, head): (&[u32], u32, u32),
        levels: u32,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        for (index, &top) in nodes.iter().enumerate() {
            if field.get(top).rank() != rank {
                continue;
            }
            if levels == 0 || ticker.work() > inside.limit || self.has_won() {
                return Ok(());
            }
            let &Inside { player, floor, lower, .. } = inside;
            let region = Region { player, rank: self.next_rank()?, floor };
            if Player::of_priority(arena.priority(top)) == player {
                let mut part = vec![top];
                self.attract_inside(arena, field, &mut part, &region, rank, ticker)?;
                if close_heads(arena, field, &part, &region, lower) {
                    self.learn(arena, field, &part, &region, ticker)?;
                } else {
                    let label = self.next_rank()?;
                    let rest = sorted(arena, field, part.split_off(1), label);
                    field.move_to(top, lower);
                    let part = (&rest[..], label, top);
                    self.search(arena, field, inside, part, levels - 1, ticker)?;
                    rest.iter().for_each(|&node| field.move_to(node, floor));
                }
                part.iter().for_each(|&node| field.move_to(node, floor));
            } else {
                field.move_to(top, lower);
                let mut part = vec![head];
                self.attract_inside(arena, field, &mut part, &region, rank, ticker)?;
                field.move_to(head, lower);
                let label = self.next_rank()?;
                let is_left = |&&node: &&u32| field.get(node).rank() == rank;
                let rest: Vec<u32> = nodes[index..].iter().filter(is_left).copied().collect();
                ticker.spend((nodes.len() - index) as u32)?;
                rest.iter().for_each(|&node| field.move_to(node, label));
                self.search(arena, field, inside, (&rest, label, top), levels - 1, ticker)?;
                rest.iter().for_each(|&node| field.move_to(node, lower));
                rank = region.rank;
            }
        }
        Ok(())
    }

    /// Attracts to a head from the nodes of one rank.
    fn attract_inside(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        part: &mut Vec<u32>,
        region: &Region,
        rest: u32,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        field.claim_head(part[0], region.rank, region.player);
        let mut next = 0;
        while next < part.len() {
            let node = part[next];
            arena.for_each_predecessor(node, |predecessor| {
                let state = field.get(predecessor);
                if state.rank() != rest {
                    return;
                }
                if state.owner() == region.player {
                    field.claim(predecessor, region.rank, region.player, node);
                } else if arena
                    .any_successor(predecessor, |to| region.is_below(field.get(to).rank()))
                {
                    return;
                } else {
                    field.claim(predecessor, region.rank, region.player, NONE);
                }
                part.push(predecessor);
            });
            let looks = self.tangles.draw_inside(field, region, rest, part, node);
            next += 1;
            ticker.spend(1 + looks)?;
        }
        Ok(())
    }
}

/// Gives these nodes a rank, and puts them into falling order.
fn sorted(arena: &impl Arena, field: &mut Field, mut nodes: Vec<u32>, rank: u32) -> Vec<u32> {
    nodes.iter().for_each(|&node| field.move_to(node, rank));
    nodes.sort_unstable_by_key(|&node| std::cmp::Reverse((arena.priority(node), node)));
    nodes
}
