//! Solving what is left of a game after the easy parts are decided.

use super::Ticker;
use super::attractor::settle;
use super::field::Field;
use super::tangle::TangleLearner;
use super::zielonka::Zielonka;
use crate::arena::Arena;
use support::{Monitor, Stopped};

/// Zielonka's algorithm is the fastest on most games and exponential on some; tangle learning is its
/// second where both are allowed.
pub struct Engine {
    zielonka: Option<Zielonka>,
    learner: Option<TangleLearner>,
    /// How often Zielonka's algorithm may enter a node anew, on average, before tangles are learned.
    patience: u64,
}

impl Engine {
    /// Without patience there is no try.
    pub fn new(
        arena: &impl Arena,
        field: &Field,
        patience: Option<u64>,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        let zielonka = match patience {
            Some(_) => Some(Zielonka::new(arena, field, monitor)?),
            None => None,
        };
        Ok(Self { zielonka, learner: None, patience: patience.unwrap_or(0) })
    }

    /// Solves the nodes `stack[start..]` as far as they wait, and takes them off the stack. All moves
    /// of theirs lead to one another or to decided nodes. What waits elsewhere is attracted.
    pub fn solve(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
        ticker: &mut Ticker,
    ) -> Result<(), Stopped> {
        let budget = self.patience.saturating_mul((stack.len() - start) as u64);
        let left = self.try_zielonka(arena, field, stack, start, budget, ticker)?;
        if left.is_empty() {
            return Ok(());
        }
        let learner = match &mut self.learner {
            Some(learner) => learner,
            missing => missing.insert(TangleLearner::new(arena, field, ticker.monitor)?),
        };
        learner.buckets.enter(arena, field, &left);
        learner.solve(arena, field, stack, ticker)?;
        settle(arena, field, stack, start, ticker)
    }

    /// As [`solve`](Self::solve), but may give up. The nodes that still wait.
    pub fn try_zielonka(
        &mut self,
        arena: &impl Arena,
        field: &mut Field,
        stack: &mut Vec<u32>,
        start: usize,
        budget: u64,
        ticker: &mut Ticker,
    ) -> Result<Vec<u32>, Stopped> {
        let Some(zielonka) = &mut self.zielonka else { return Ok(stack.split_off(start)) };
        zielonka.buckets.enter(arena, field, &stack[start..]);
        stack.truncate(start);
        let left = zielonka.solve(arena, field, stack, budget, ticker)?;
        settle(arena, field, stack, start, ticker)?;
        Ok(left)
    }
}
