//! Solving a game one strongly connected component at a time, those that cannot be left first.
//!
//! As soon as a component is complete it is solved and its winners attract what waits, on the path of the search and
//! beyond it; who is decided is not searched any more. A component may then hold more than one knot, but every move
//! out of it leads to decided nodes, and that is all that counts.

use super::Ticker;
use super::engine::Engine;
use super::field::{Field, Zone};
use crate::arena::Arena;
use support::{ComponentSearch, SearchedGraph, Stopped};

/// Decides all nodes that wait.
pub fn solve(
    arena: &impl Arena,
    field: &mut Field,
    engine: &mut Engine,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    let nodes = field.nodes();
    let _reservation = ticker.monitor.reserve(nodes.len() as u64 * 4)?;
    let mut search = ComponentSearch::new(nodes.len());
    search.run(nodes, &mut Waiting { arena, field, engine, ticker, stack: Vec::new() })
}

/// The nodes that wait, with their moves to each other.
struct Waiting<'w, 'f, 'p, 't, A> {
    arena: &'w A,
    field: &'w mut Field<'f>,
    engine: &'w mut Engine<'p>,
    ticker: &'w mut Ticker<'t>,
    stack: Vec<u32>,
}

impl<A: Arena> SearchedGraph for Waiting<'_, '_, '_, '_, A> {
    type Error = Stopped;

    fn find(
        &mut self,
        node: u32,
        from: u32,
        mut is_wanted: impl FnMut(u32) -> bool,
    ) -> Result<Option<(u32, u32)>, Stopped> {
        self.ticker.tick()?;
        let waits = |node: u32| self.field.get(node).is_in(Zone::Waiting);
        if !waits(node) {
            return Ok(None);
        }
        let place = self
            .arena
            .find_successor(node, from, |successor| waits(successor) && is_wanted(successor));
        Ok(place.map(|place| (place, self.arena.successor_at(node, place))))
    }

    fn take(&mut self, nodes: &[u32], _: &mut ComponentSearch) -> Result<(), Stopped> {
        if !nodes.iter().any(|&node| self.field.get(node).is_in(Zone::Waiting)) {
            return Ok(());
        }
        self.stack.extend_from_slice(nodes);
        self.engine.solve(self.arena, self.field, &mut self.stack, self.ticker)
    }
}
