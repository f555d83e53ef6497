//! Tangle learning (van Dijk, *Attracting Tangles to Solve Parity Games*, CAV 2018).
//!
//! A tangle is a strongly connected set of nodes with a strategy of one player who wins every cycle in
//! it: his opponent must leave it, and if all exits lead to a region he is attracted to the region with
//! the whole tangle. The game is cut into regions from the highest priority down, by attractors that
//! use the tangles known so far. A region that the opponent cannot leave downwards contains new ones;
//! one without any exit is won. So it goes on until everything is won.

use super::Ticker;
use super::attractor::draw;
use super::buckets::Buckets;
use super::field::{Field, NONE, Zone, rank_of_depth};
use super::tangle_store::Tangles;
use crate::arena::{Arena, Player};
use support::{ComponentSearch, Monitor, Reservation, SearchedGraph, Stopped};

pub struct TangleLearner {
    /// The game that [`solve`](Self::solve) will solve is entered here.
    pub buckets: Buckets,
    tangles: Tangles,
    search: ComponentSearch,
    /// Nodes of tangles without exits, each with its strategy.
    dominion: Vec<(u32, u32)>,
    room: Reservation,
}

/// The region being made: who attracts, at which rank, and where on the stack it begins.
struct Region {
    player: Player,
    rank: u32,
    start: usize,
}

/// The nodes of a region, with the moves of the player's strategy and all moves of the opponent's.
struct Knots<'k, 'f, 't, A> {
    arena: &'k A,
    field: &'k Field<'f>,
    region: &'k Region,
    ticker: &'k mut Ticker<'t>,
    tangles: &'k mut Tangles,
    dominion: &'k mut Vec<(u32, u32)>,
}

impl<A: Arena> SearchedGraph for Knots<'_, '_, '_, A> {
    type Error = Stopped;

    fn find(
        &mut self,
        node: u32,
        from: u32,
        mut is_wanted: impl FnMut(u32) -> bool,
    ) -> Result<Option<(u32, u32)>, Stopped> {
        self.ticker.tick()?;
        if self.field.get(node).owner() == self.region.player {
            let successor = self.field.strategy(node);
            return Ok((from == 0 && is_wanted(successor)).then_some((0, successor)));
        }
        let is_inside = |successor: u32| self.field.get(successor).rank() == self.region.rank;
        let place = self
            .arena
            .find_successor(node, from, |successor| is_inside(successor) && is_wanted(successor));
        Ok(place.map(|place| (place, self.arena.successor_at(node, place))))
    }

    fn take(&mut self, knot: &[u32], _: &mut ComponentSearch) -> Result<(), Stopped> {
        let moves_to_itself = match knot {
            [node] if self.field.get(*node).owner() == self.region.player => {
                self.field.strategy(*node) == *node
            }
            [node] => self.arena.any_successor(*node, |successor| successor == *node),
            _ => true,
        };
        if moves_to_itself && !self.tangles.add(self.arena, self.field, self.region.player, knot) {
            let moves = knot.iter().map(|&node| (node, self.field.strategy(node)));
            self.dominion.extend(moves);
        }
        Ok(())
    }
}

impl TangleLearner {
    pub fn new(arena: &impl Arena, field: &Field, monitor: &Monitor) -> Result<Self, Stopped> {
        let nodes = field.nodes().len();
        let room = monitor.reserve(nodes as u64 * 12)?;
        Ok(Self {
            buckets: Buckets::new(arena, field, monitor)?,
            tangles: Tangles::new(nodes),
            search: ComponentSearch::new(nodes),
            dominion: Vec::new(),
            room,
        })
    }

    /// Solves the game of the entered nodes, in which everybody can move. They are added to `stack`,
    /// in regions still, each with its winner and his strategy.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let mut decided = stack.len();
        while self.buckets.highest(field).is_some() {
            let bytes = self.tangles.bytes() + field.nodes().len() as u64 * 4;
            self.room.keep_up(bytes, ticker.monitor)?;
            let winner = self.descend(arena, field, stack, ticker)?;
            self.free_all(arena, field, stack, decided);
            if let Some(winner) = winner {
                self.win_dominion(arena, field, stack, winner, ticker)?;
                decided = stack.len();
            }
        }
        self.tangles.clear();
        Ok(())
    }

    /// Makes regions, and learns from those that are closed, until a dominion is found or no node is
    /// left. Whose dominion it is.
    fn descend(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<Option<Player>, Stopped> {
        self.tangles.forget_watches();
        let mut depth = 0;
        while let Some(priority) = self.buckets.highest(field) {
            depth += 1;
            let player = Player::of_priority(priority);
            let region = Region { player, rank: rank_of_depth(depth)?, start: stack.len() };
            self.make_region(arena, field, stack, &region, ticker)?;
            if close_heads(arena, field, &stack[region.start..], &region) {
                self.learn(arena, field, &stack[region.start..], &region, ticker)?;
                if !self.dominion.is_empty() {
                    return Ok(Some(player));
                }
            }
        }
        Ok(None)
    }

    /// Attracts to the highest priority, and to lower ones of the same parity until inversion.
    fn make_region(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        region: &Region,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        loop {
            let next = stack.len();
            self.buckets.claim_highest(field, region.rank, region.player, stack);
            self.attract(arena, field, stack, region, next, ticker)?;
            if !self.buckets.highest_belongs_to(field, region.player) {
                return Ok(());
            }
        }
    }

    /// The attractor, with tangles.
    fn attract(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        region: &Region,
        mut next: usize,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        while next < stack.len() {
            let node = stack[next];
            draw(arena, field, Zone::Free, region.rank, stack, node, region.player);
            self.tangles.draw(field, region.rank, stack, node, region.player);
            next += 1;
            ticker.tick()?;
        }
        Ok(())
    }

    /// Finds the tangles in a closed region: the knots that can be reached from its heads.
    fn learn(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        nodes: &[u32],
        region: &Region,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let heads = nodes.iter().copied().filter(|&head| field.get(head).is_marked());
        let (tangles, dominion) = (&mut self.tangles, &mut self.dominion);
        let mut knots = Knots { arena, field, region, ticker, tangles, dominion };
        self.search.run(heads, &mut knots)?;
        self.search.forget(nodes);
        Ok(())
    }

    /// Ends the descent: every node from `start` on is free again.
    fn free_all(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
    ) {
        // Chains hold each node once, so they are emptied before they are filled again.
        self.buckets.clear(field, |node| stack.push(node));
        for node in stack.drain(start..) {
            field.release(node, Zone::Free);
            self.buckets.push(arena, node);
        }
    }

    fn win_dominion(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        player: Player,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        self.tangles.forget_watches();
        let region = Region { player, rank: rank_of_depth(0)?, start: stack.len() };
        for (node, successor) in self.dominion.drain(..) {
            field.claim(node, region.rank, player, successor);
            stack.push(node);
        }
        self.attract(arena, field, stack, &region, region.start, ticker)
    }
}

/// Gives the player's heads a move within the region. Whether neither they lack one nor the
/// opponent's heads have one to lower regions.
fn close_heads(arena: &impl Arena, field: &mut Field, nodes: &[u32], region: &Region) -> bool {
    nodes.iter().all(|&head| {
        let state = field.get(head);
        if !state.is_marked() {
            return true;
        }
        if state.owner() != region.player {
            return !arena.any_successor(head, |successor| field.get(successor).is_in(Zone::Free));
        }
        let found =
            arena.find_successor(head, 0, |successor| field.get(successor).rank() == region.rank);
        let successor = found.map_or(NONE, |position| arena.successor_at(head, position));
        field.set_strategy(head, successor);
        found.is_some()
    })
}
