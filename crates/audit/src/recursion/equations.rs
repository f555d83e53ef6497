//! Whether the values of formulas in all contexts fit each other: conditions 3 to 6.

use super::blocks::{After, Block};
use super::format::{ListedContext, ListedTemporal, NodeValue};
use crate::error::{AuditError, ensure};
use fixedbitset::FixedBitSet;
use support::{Id, Monitor};
use transition::cfg::{Closure, CtlNode, FormulaId, FrameSteps, Operator, Temporal, TemporalId};

/// A node of a context.
type Place = (u32, u32);

pub(super) struct Labelling<'a> {
    closure: &'a Closure,
    blocks: &'a [Block],
    contexts: &'a [ListedContext],
    /// By context and formula, the nodes where it holds.
    truths: Vec<Vec<FixedBitSet>>,
    /// By context and node, the context that is called there.
    called: Vec<Vec<Option<u32>>>,
    monitor: &'a Monitor,
}

impl<'a> Labelling<'a> {
    pub fn new(
        steps: FrameSteps,
        closure: &'a Closure,
        blocks: &'a [Block],
        contexts: &'a [ListedContext],
        monitor: &'a Monitor,
    ) -> Result<Self, AuditError> {
        let is_main = contexts.first().is_some_and(|context| context.block == 0);
        ensure(is_main, "its first context is not the main program")?;
        let (truths, called) = Default::default();
        let mut labelling = Self { closure, blocks, contexts, truths, called, monitor };
        for (number, context) in (0..).zip(contexts) {
            let problem = format_args!("context {number} does not have the form of its block");
            let block = blocks.get(context.block as usize);
            let block = block.filter(|block| has_form(context, block, closure));
            let block = block.ok_or_else(|| AuditError::invalid(problem))?;
            let mut called = vec![None; block.states.len()];
            for ((node, ..), &to) in block.calls().zip(&context.called) {
                called[node as usize] = Some(to);
            }
            labelling.called.push(called);
            let truths = labelling.truths_of(steps, context, block)?;
            labelling.truths.push(truths);
        }
        Ok(labelling)
    }

    /// Where each formula holds in a context, operands first.
    fn truths_of(
        &self,
        steps: FrameSteps,
        context: &ListedContext,
        block: &Block,
    ) -> Result<Vec<FixedBitSet>, AuditError> {
        let mut truths: Vec<FixedBitSet> = Vec::new();
        for formula in self.closure.formulas.values() {
            let holds = |node: usize| match *formula {
                CtlNode::True => true,
                CtlNode::Atom(atom, _) => {
                    let ((point, values), atom) = (&block.states[node], self.closure.atoms[atom]);
                    steps.holds(block.procedure, point, values, atom)
                }
                CtlNode::Not(a) => !truths[a.index()].contains(node),
                CtlNode::Or(a, b) => {
                    truths[a.index()].contains(node) || truths[b.index()].contains(node)
                }
                CtlNode::Temporal(id) => context.temporals[id.index()].holds(node as u32),
            };
            let set = (0..block.states.len()).filter(|&node| holds(node)).collect();
            truths.push(set);
            self.monitor.step(block.states.len() as u64)?;
        }
        Ok(truths)
    }

    pub fn holds_at_start(&self, formula: FormulaId) -> bool {
        (0..self.blocks[0].entries).all(|entry| self.holds((0, entry), formula))
    }

    pub fn check(&self) -> Result<(), AuditError> {
        for number in 0..self.contexts.len() as u32 {
            self.check_calls(number)?;
            for (id, temporal) in self.closure.temporals.iter() {
                if let Operator::Until(left, goal) = temporal.operator {
                    self.check_passages(number, id, (left, goal))?;
                }
                for node in 0..self.block(number).states.len() as u32 {
                    self.monitor.step(1)?;
                    let fits = match temporal.operator {
                        Operator::Next(operand) => self.next((number, node), id, operand),
                        Operator::Until(left, goal) => self.until((number, node), id, (left, goal)),
                    };
                    let problem =
                        format_args!("context {number}, node {node}: a formula has a wrong value");
                    ensure(fits, problem)?;
                }
            }
        }
        Ok(())
    }

    fn block(&self, context: u32) -> &'a Block {
        &self.blocks[self.contexts[context as usize].block as usize]
    }

    fn holds(&self, (context, node): Place, formula: FormulaId) -> bool {
        self.truths[context as usize][formula.index()].contains(node as usize)
    }

    fn listed(&self, context: u32, id: TemporalId) -> &'a ListedTemporal {
        &self.contexts[context as usize].temporals[id.index()]
    }

    fn value(&self, (context, node): Place, id: TemporalId) -> NodeValue {
        self.listed(context, id).values[node as usize]
    }

    /// Condition 3.
    fn check_calls(&self, number: u32) -> Result<(), AuditError> {
        let problem = format_args!("context {number} calls contexts that it does not fit");
        let own = &self.contexts[number as usize];
        for ((_, block, returns), &called) in self.block(number).calls().zip(&own.called) {
            let to = self.contexts.get(called as usize).filter(|to| to.block == block);
            let to = to.ok_or_else(|| AuditError::invalid(problem))?;
            let exits = &self.blocks[block as usize].exits;
            for (own, there) in own.temporals.iter().zip(&to.temporals) {
                let agree = |(&back, &exit): (&u32, &u32)| own.holds(back) == there.holds(exit);
                ensure(returns.iter().zip(exits).all(agree), problem)?;
            }
        }
        Ok(())
    }

    /// The successors of a node; a call leads to the entry of what is called.
    fn successors(&self, (context, node): Place) -> Vec<Place> {
        match (&self.block(context).after[node as usize], self.entered((context, node))) {
            (After::Steps(next), _) => next.iter().map(|&next| (context, next)).collect(),
            (After::Call(..), entered) => entered.into_iter().collect(),
        }
    }

    /// The entry of what is called in a node.
    fn entered(&self, (context, node): Place) -> Option<Place> {
        Some((self.called[context as usize][node as usize]?, 0))
    }

    /// The successors in the frame of a node, through passages with numbers below a limit.
    fn in_frame(&self, (context, node): Place, id: TemporalId, limit: u64) -> Vec<Place> {
        let is_below = |number: u32| number > 0 && u64::from(number) < limit;
        match (&self.block(context).after[node as usize], self.entered((context, node))) {
            (After::Call(_, returns), Some((called, _))) => {
                let passages = self.listed(called, id).passages.iter();
                let passed = returns.iter().zip(passages).filter(|(_, number)| is_below(**number));
                passed.map(|(&back, _)| (context, back)).collect()
            }
            (After::Call(..), None) => Vec::new(),
            (After::Steps(next), _) => next.iter().map(|&next| (context, next)).collect(),
        }
    }

    /// Condition 5.
    fn check_passages(
        &self,
        number: u32,
        id: TemporalId,
        operands: (FormulaId, FormulaId),
    ) -> Result<(), AuditError> {
        let problem = format_args!("context {number} has exits with wrong passages");
        let exits = &self.block(number).exits;
        let passages = &self.listed(number, id).passages;
        if exits.is_empty() {
            return Ok(());
        }
        let reached = self.walk(number, id, operands, u64::MAX)?;
        for (&exit, &passage) in exits.iter().zip(passages) {
            ensure(reached.contains(exit as usize) == (passage > 0), problem)?;
        }
        let mut limits: Vec<u32> = passages.iter().copied().filter(|&number| number > 0).collect();
        limits.sort_unstable();
        limits.dedup();
        for limit in limits {
            let reached = self.walk(number, id, operands, u64::from(limit))?;
            for (&exit, _) in exits.iter().zip(passages).filter(|(_, own)| **own == limit) {
                ensure(reached.contains(exit as usize), problem)?;
            }
        }
        Ok(())
    }

    /// The nodes that f-paths lead to from the entry of a context, in its frame.
    fn walk(
        &self,
        number: u32,
        id: TemporalId,
        (left, goal): (FormulaId, FormulaId),
        limit: u64,
    ) -> Result<FixedBitSet, AuditError> {
        let mut seen = FixedBitSet::with_capacity(self.block(number).states.len());
        let mut open = vec![(number, 0)];
        while let Some(place) = open.pop() {
            if !seen.put(place.1 as usize) && self.holds(place, left) && !self.holds(place, goal) {
                open.extend(self.in_frame(place, id, limit));
            }
            self.monitor.step(1)?;
        }
        Ok(seen)
    }

    /// Condition 4.
    fn next(&self, place: Place, id: TemporalId, operand: FormulaId) -> bool {
        if self.block(place.0).is_exit(place.1) {
            return true;
        }
        let mut after = self.successors(place).into_iter().map(|next| self.holds(next, operand));
        let expected = match self.closure.temporals[id].is_all {
            true => after.all(|holds| holds),
            false => after.any(|holds| holds),
        };
        (self.value(place, id) != NodeValue::False) == expected
    }

    /// Condition 6.
    fn until(&self, place: Place, id: TemporalId, (left, goal): (FormulaId, FormulaId)) -> bool {
        let Temporal { is_all, .. } = self.closure.temporals[id];
        let value = self.value(place, id);
        if self.block(place.0).is_exit(place.1) {
            return is_all || !matches!(value, NodeValue::Within(_));
        }
        if self.holds(place, goal) {
            return value != NodeValue::False;
        }
        let left = self.holds(place, left);
        match value {
            NodeValue::False => {
                let is_false = |next: &Place| self.value(*next, id) == NodeValue::False;
                let after = self.successors(place);
                !left
                    || if is_all { after.iter().any(is_false) } else { after.iter().all(is_false) }
            }
            NodeValue::Within(rank) => {
                let falls = |next: Place| matches!(self.value(next, id), NodeValue::Within(after) if after < rank);
                let in_frame = self.in_frame(place, id, u64::MAX);
                let mut after = in_frame.into_iter().chain(self.entered(place));
                left && if is_all { after.all(falls) } else { after.any(falls) }
            }
            NodeValue::Leaving(rank) => {
                let falls = |next: Place| matches!(self.value(next, id), NodeValue::Leaving(after) if after < rank);
                left && !is_all && self.in_frame(place, id, u64::MAX).into_iter().any(falls)
            }
        }
    }
}

impl ListedTemporal {
    fn holds(&self, node: u32) -> bool {
        self.values[node as usize] != NodeValue::False
    }
}

/// Whether a context lists as much as it has to.
fn has_form(context: &ListedContext, block: &Block, closure: &Closure) -> bool {
    let fits = |(temporal, listed): (&Temporal, &ListedTemporal)| {
        let passages = if temporal.is_until() { block.exits.len() } else { 0 };
        listed.values.len() == block.states.len() && listed.passages.len() == passages
    };
    context.called.len() == block.calls().count()
        && context.temporals.len() == closure.temporals.len()
        && closure.temporals.values().zip(&context.temporals).all(fits)
}
