//! Solving what is left of a game after the easy parts are decided.

use super::attractor::settle;
use super::field::{Field, Zone};
use super::tangle::TangleLearner;
use super::zielonka::Zielonka;
use super::{Plan, Ticker};
use crate::arena::Arena;
use support::Stopped;

/// Zielonka's algorithm is the fastest on most games, tangle learning on most of those that are built to be hard; either
/// is exponential on some. Where both are allowed they take turns, each with twice the steps that it had last time, so
/// that no game takes much longer than the better of them. Tangles are kept from one turn to the next.
pub struct Engine<'p> {
    plan: &'p Plan,
    recursive: Option<Zielonka>,
    learner: Option<TangleLearner>,
}

impl<'p> Engine<'p> {
    pub fn new(plan: &'p Plan) -> Self {
        Self { plan, recursive: None, learner: None }
    }

    /// Solves those of the nodes that wait, and empties the list. All moves of theirs lead to one another
    /// or to decided nodes. What waits elsewhere is attracted.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        nodes: &mut Vec<u32>,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let mut budget = self.plan.component.saturating_mul(nodes.len() as u64);
        while !nodes.is_empty() {
            if self.plan.tangles {
                self.try_tangles(arena, field, nodes, budget, ticker)?;
            }
            if self.plan.zielonka && !nodes.is_empty() {
                self.try_zielonka(arena, field, nodes, budget, ticker)?;
            }
            budget = budget.saturating_mul(2);
        }
        if let Some(learner) = &mut self.learner {
            learner.forget();
        }
        Ok(())
    }

    /// Solves waiting nodes by Zielonka's algorithm, but may give up. Leaves those that still wait.
    pub fn try_zielonka(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        nodes: &mut Vec<u32>,
        budget: u64,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let recursive = match &mut self.recursive {
            Some(recursive) => recursive,
            missing => missing.insert(Zielonka::new(arena, field, ticker.monitor)?),
        };
        recursive.buckets.enter(arena, field, nodes);
        nodes.clear();
        let left = recursive.solve(arena, field, nodes, budget, ticker)?;
        finish(arena, field, nodes, left, ticker)
    }

    fn try_tangles(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        nodes: &mut Vec<u32>,
        budget: u64,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let learner = match &mut self.learner {
            Some(learner) => learner,
            missing => {
                missing.insert(TangleLearner::new(arena, field, self.plan.plain, ticker.monitor)?)
            }
        };
        learner.buckets.enter(arena, field, nodes);
        nodes.clear();
        let left = learner.solve(arena, field, nodes, budget, ticker)?;
        finish(arena, field, nodes, left, ticker)
    }
}

/// Decides the nodes that were won and what they attract, and leaves of the others those that still wait.
fn finish(
    arena: &impl Arena,
    field: &mut Field,
    won: &mut Vec<u32>,
    left: Vec<u32>,
    ticker: &mut Ticker,
) -> Result<(), Stopped> {
    settle(arena, field, won, 0, ticker)?;
    won.extend(left.into_iter().filter(|&node| field.get(node).is_in(Zone::Waiting)));
    Ok(())
}
