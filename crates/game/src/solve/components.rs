//! Solving a game one strongly connected component at a time, those that cannot be left first.
//!
//! The search is Tarjan's in the compact form of Pearce (2016): a node stands on the path or on the
//! stack, never on both. As soon as a component is complete it is solved and its winners attract what
//! waits, on the path and beyond it; who is decided is not searched any more. A component may then hold
//! more than one knot, but every move out of it leads to decided nodes, and that is all that counts.

use super::Ticker;
use super::engine::Engine;
use super::field::{Field, Zone};
use crate::arena::Arena;
use support::{Monitor, Reservation, Stopped};

pub struct Search {
    /// By node: 0 if not seen yet, else the least number known to be reachable from it.
    low: Vec<u32>,
    /// Nodes whose sons are being looked at, each with its own number. The strategy of such a node
    /// holds the position that it has come to.
    path: Vec<(u32, u32)>,
    seen: u32,
    _room: Reservation,
}

impl Search {
    pub fn new(field: &Field, monitor: &Monitor) -> Result<Self, Stopped> {
        let room = monitor.reserve(field.nodes().len() as u64 * 4)?;
        Ok(Self { low: vec![0; field.nodes().len()], path: Vec::new(), seen: 0, _room: room })
    }

    /// Decides all nodes that wait.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        engine: &mut Engine,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let mut stack = Vec::new();
        for root in field.nodes() {
            if !field.get(root).is_in(Zone::Waiting) {
                continue;
            }
            self.begin(field, root);
            while let Some(&(node, number)) = self.path.last() {
                ticker.tick()?;
                if let Some(son) = self.next_son(arena, field, node) {
                    self.begin(field, son);
                    continue;
                }
                self.path.pop();
                let low = self.low[node as usize];
                if let Some(&(parent, _)) = self.path.last() {
                    let reached = &mut self.low[parent as usize];
                    *reached = low.min(*reached);
                }
                if low < number {
                    stack.push(node);
                } else {
                    let start = self.component(&stack, number);
                    stack.push(node);
                    engine.solve(arena, field, &mut stack, start, ticker)?;
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, field: &mut Field, node: u32) {
        self.seen += 1;
        self.low[node as usize] = self.seen;
        self.path.push((node, self.seen));
        field.set_strategy(node, 0);
    }

    /// The next son to be searched.
    fn next_son(&mut self, arena: &impl Arena, field: &mut Field, node: u32) -> Option<u32> {
        if !field.get(node).is_in(Zone::Waiting) {
            return None;
        }
        let mut low = self.low[node as usize];
        let position = arena.find_son(node, field.strategy(node), |son| {
            if !field.get(son).is_in(Zone::Waiting) {
                return false;
            }
            let reached = self.low[son as usize];
            if reached != 0 {
                low = low.min(reached);
            }
            reached == 0
        });
        self.low[node as usize] = low;
        let position = position?;
        field.set_strategy(node, position);
        Some(arena.son_at(node, position))
    }

    /// Where on the stack the component of the node with this number begins.
    fn component(&self, stack: &[u32], number: u32) -> usize {
        let inside = |&&node: &&u32| self.low[node as usize] >= number;
        stack.len() - stack.iter().rev().take_while(inside).count()
    }
}
