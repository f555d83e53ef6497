//! Tangle learning (van Dijk, *Attracting Tangles to Solve Parity Games*, CAV 2018).
//!
//! A tangle is a strongly connected set of nodes with a strategy of one player who wins every cycle in
//! it: his opponent must leave it, and if all exits lead to a region he is attracted to the region with
//! the whole tangle. The game is cut into regions from the highest priority down, by attractors that
//! use the tangles known so far. A region that the opponent cannot leave downwards contains new ones;
//! one without any exit is won. So it goes on until everything is won.
//!
//! Some of the descents also look for tangles inside open regions ([`progressive`](super::progressive)).

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
    pub(super) tangles: Tangles,
    search: ComponentSearch,
    /// Nodes of tangles without exits, each with its strategy and who wins it.
    dominions: Vec<(u32, u32, Player)>,
    /// Regions so far in this descent, also those inside of others.
    depth: usize,
    /// The steps inside of open regions, and all others.
    pub(super) inner_work: u64,
    outer_work: u64,
    /// Descents since the last game was solved, and how many are made before open regions are looked into.
    descents: u32,
    plain: u32,
    room: Reservation,
}

/// The region being made: who attracts, and at which rank. The nodes of other regions with higher ranks than the
/// floor, and free ones, are below it.
#[derive(Clone, Copy)]
pub struct Region {
    pub player: Player,
    pub rank: u32,
    pub floor: u32,
}

impl Region {
    /// Whether a move to a node of this rank leaves the region downwards.
    pub fn is_below(&self, rank: u32) -> bool {
        rank > self.floor && rank != self.rank
    }
}

/// The nodes of a region, with the moves of the player's strategy and all moves of the opponent's.
struct Knots<'k, 'f, 't, A> {
    arena: &'k A,
    field: &'k Field<'f>,
    region: &'k Region,
    ticker: &'k mut Ticker<'t>,
    tangles: &'k mut Tangles,
    dominions: &'k mut Vec<(u32, u32, Player)>,
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
            let player = self.region.player;
            let moves = knot.iter().map(|&node| (node, self.field.strategy(node), player));
            self.dominions.extend(moves);
        }
        Ok(())
    }
}

impl TangleLearner {
    pub fn new(
        arena: &impl Arena,
        field: &Field,
        plain: u32,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let nodes = field.nodes().len();
        let room = monitor.reserve(nodes as u64 * 12)?;
        Ok(Self {
            buckets: Buckets::new(arena, field, monitor)?,
            tangles: Tangles::new(nodes),
            search: ComponentSearch::new(nodes),
            dominions: Vec::new(),
            depth: 0,
            inner_work: 0,
            outer_work: 0,
            descents: 0,
            plain,
            room,
        })
    }

    /// Forgets all that was learned.
    pub fn forget(&mut self) {
        self.tangles.clear();
        (self.inner_work, self.outer_work, self.descents) = (0, 0, 0);
    }

    /// Solves the game of the entered nodes, in which everybody can move. They are added to `stack`,
    /// in regions still, each with its winner and his strategy.
    ///
    /// Gives up when a descent ends after more than `budget` steps: then `stack` has those that are decided all the
    /// same, and the others, which are returned, wait.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        budget: u64,
        ticker: &mut Ticker,
    ) -> Result<Vec<u32>, Stopped> {
        let limit = ticker.work().saturating_add(budget);
        let mut left = Vec::new();
        while self.buckets.highest(field).is_some() {
            if ticker.work() > limit {
                self.buckets.clear(field, |node| left.push(node));
                break;
            }
            let bytes = self.tangles.bytes() + field.nodes().len() as u64 * 4;
            self.room.keep_up(bytes, ticker.monitor)?;
            let decided = stack.len();
            let (started, inner) = (ticker.work(), self.inner_work);
            self.descend(arena, field, stack, ticker)?;
            let freed = self.free_all(arena, field, stack, decided);
            ticker.spend((freed) as u32)?;
            self.win_dominions(arena, field, stack, ticker)?;
            self.outer_work += ticker.work() - started - (self.inner_work - inner);
        }
        Ok(left)
    }

    /// Makes regions, and learns from those that are closed, until a dominion is found or no node is left.
    ///
    /// A progressive descent makes a region of each head and looks into the open ones. It takes place whenever that
    /// took less time so far than all the rest, and takes at most twice as long.
    fn descend(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        self.tangles.forget_watches();
        self.depth = 0;
        self.descents += 1;
        let is_progressive = self.descents > self.plain && self.inner_work <= self.outer_work;
        let mut allowance = if is_progressive { 2 * self.outer_work } else { 0 };
        while let Some(priority) = self.buckets.highest(field) {
            let rank = self.next_rank()?;
            let region = Region { player: Player::of_priority(priority), rank, floor: rank };
            let start = stack.len();
            if is_progressive {
                self.buckets.claim_one(field, region.rank, region.player, stack);
                self.attract(arena, field, stack, &region, start, ticker)?;
            } else {
                self.make_region(arena, field, stack, &region, ticker)?;
            }
            let open = self.next_rank()?;
            if close_heads(arena, field, &stack[start..], &region, open) {
                self.learn(arena, field, &stack[start..], &region, ticker)?;
            } else if allowance > 0 {
                let before = ticker.work();
                self.search_open(arena, field, &stack[start..], &region, allowance, ticker)?;
                let spent = ticker.work() - before;
                allowance = allowance.saturating_sub(spent);
                self.inner_work += spent;
            }
            if self.has_won() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Whether a dominion was found that is to be decided first.
    pub(super) fn has_won(&self) -> bool {
        !self.dominions.is_empty()
    }

    pub(super) fn next_rank(&mut self) -> Result<u32, Stopped> {
        self.depth += 1;
        rank_of_depth(self.depth)
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
            let looks = self.tangles.draw(field, region.rank, stack, node, region.player);
            next += 1;
            ticker.spend(1 + looks)?;
        }
        Ok(())
    }

    /// Finds the tangles in a closed region: the knots that can be reached from its heads.
    pub(super) fn learn(
        &mut self,
        arena: &impl Arena,
        field: &Field,
        nodes: &[u32],
        region: &Region,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let heads = nodes.iter().copied().filter(|&head| field.get(head).is_marked());
        let (tangles, dominions) = (&mut self.tangles, &mut self.dominions);
        let mut knots = Knots { arena, field, region, ticker, tangles, dominions };
        self.search.run(heads, &mut knots)?;
        self.search.forget(nodes);
        Ok(())
    }

    /// Ends the descent: every node from `start` on is free again. How many there are.
    fn free_all(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
    ) -> usize {
        // Chains hold each node once, so they are emptied before they are filled again.
        self.buckets.clear(field, |node| stack.push(node));
        let freed = stack.len() - start;
        for node in stack.drain(start..) {
            field.release(node, Zone::Free);
            self.buckets.push(arena, node);
        }
        freed
    }

    /// Decides the dominions that were found and what they attract. Dominions of one player may overlap: then the
    /// strategy of the first one counts, which is never left.
    fn win_dominions(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        if self.dominions.is_empty() {
            return Ok(());
        }
        self.tangles.forget_watches();
        let rank = rank_of_depth(0)?;
        for player in [Player::Verifier, Player::Falsifier] {
            let start = stack.len();
            for &(node, successor, winner) in &self.dominions {
                if winner == player && field.get(node).is_in(Zone::Free) {
                    field.claim(node, rank, player, successor);
                    stack.push(node);
                }
            }
            let region = Region { player, rank, floor: rank };
            self.attract(arena, field, stack, &region, start, ticker)?;
        }
        self.dominions.clear();
        self.descents = self.descents.min(self.plain.saturating_sub(1));
        Ok(())
    }
}

/// Gives the player's heads a move within the region. Whether a head can be kept in it: the heads that cannot, and the
/// nodes that need them, are taken out of it and given the rank `open`.
pub fn close_heads(
    arena: &impl Arena,
    field: &mut Field,
    nodes: &[u32],
    region: &Region,
    open: u32,
) -> bool {
    let mut leaving = Vec::new();
    let mut heads = 0;
    for &head in nodes {
        let state = field.get(head);
        if !state.is_marked() {
            continue;
        }
        heads += 1;
        let leaves = if state.owner() == region.player {
            let inside = |next| field.get(next).rank() == region.rank;
            let found = arena.find_successor(head, 0, inside);
            let successor = found.map_or(NONE, |position| arena.successor_at(head, position));
            field.set_strategy(head, successor);
            found.is_none()
        } else {
            arena.any_successor(head, |next| region.is_below(field.get(next).rank()))
        };
        if leaves {
            leaving.push(head);
        }
    }
    if leaving.is_empty() || leaving.len() == heads {
        return leaving.is_empty();
    }
    heads -= leaving.len();
    leaving.iter().for_each(|&head| field.move_to(head, open));
    while let Some(node) = leaving.pop() {
        arena.for_each_predecessor(node, |predecessor| {
            let state = field.get(predecessor);
            let needs = state.owner() != region.player || field.strategy(predecessor) == node;
            if state.rank() == region.rank && needs {
                heads -= usize::from(state.is_marked());
                field.move_to(predecessor, open);
                leaving.push(predecessor);
            }
        });
    }
    heads > 0
}
