//! CheckGraph (M §5.2): from the assumption at the exit of a partition graph to the values at its entry.
//!
//! The recursion is the paper's. What is different, and why it is the same:
//!
//! - Formulas are taken level by level where the paper takes one after the other: those of one level do not depend
//!   on each other, so the fixpoints of a loop can be computed in the same passes.
//! - Results are stored by block and assumption ([`Store`]): a part of a loop's body is not checked again for formulas
//!   that are done, and a procedure that is called in many locations is checked once for each assumption.
//! - A loop inside of another continues from its last result (see [`loop_results`](crate::loop_results)).
//! - AX and EX of a loop: the body counts where the condition holds and only there (as printed, a state without the
//!   condition is in the second set vacuously). Untils of a loop: the two newest assumptions are compared.

use crate::ModularRequest;
use crate::assumption::Assumption;
use crate::claims::ClaimLog;
use crate::evaluator::Evaluator;
use crate::node::CheckedNode;
use crate::sets::ValuationSets;
use crate::store::RecordKey;
use support::Stopped;
use transition::cfg::{
    Cfg, CommandId, GraphId, LabelId, PartitionGraph, Sizes, TemporalId, UnfoldedId,
};

/// Data that does not change while a program is checked.
#[derive(Clone, Copy)]
pub struct CheckContext<'a> {
    pub request: &'a ModularRequest<'a>,
    /// How many nodes each graph has.
    pub sizes: &'a Sizes,
    /// Log of the values of nodes, if evidence is wanted.
    pub log: Option<&'a ClaimLog<'a>>,
}

/// Statistics of the check.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ModularStats {
    /// How often a node was checked, and how often its results were found instead.
    pub checked: u64,
    pub reused: u64,
    /// Passes over bodies of loops that are taken apart.
    pub passes: u64,
    /// The most room that a node with its assumptions took.
    pub largest_bytes: u64,
}

impl ModularStats {
    fn add(&mut self, other: &ModularStats) {
        self.checked += other.checked;
        self.reused += other.reused;
        self.passes += other.passes;
        // Both were in memory.
        self.largest_bytes += other.largest_bytes;
    }
}

pub struct GraphChecker<'a, S: ValuationSets> {
    pub context: CheckContext<'a>,
    pub evaluator: Evaluator<'a, S>,
    pub stats: ModularStats,
    /// How many loops and calls are around what is being checked.
    depth: usize,
    /// How many threads there are for it.
    threads: usize,
    /// The node that was looked at last. There is never another one in memory.
    loaded: Option<(GraphId, CheckedNode<S>)>,
}

type Found<S> = Result<Assumption<<S as ValuationSets>::Set>, Stopped>;

impl<'a, S: ValuationSets> GraphChecker<'a, S> {
    pub fn new(context: CheckContext<'a>, sets: S) -> Result<Self, Stopped> {
        let evaluator = Evaluator::new(sets, context.request.closure)?;
        Ok(Self {
            context,
            evaluator,
            stats: ModularStats::default(),
            depth: 0,
            threads: context.request.threads,
            loaded: None,
        })
    }

    pub(crate) fn request(&self) -> &'a ModularRequest<'a> {
        self.context.request
    }

    /// Checks the program under the empty assumption function (M Thm 5.2).
    pub fn program(&mut self) -> Found<S> {
        let closure = self.request().closure;
        let mut empty = Assumption::unknown(Vec::new(), closure);
        for id in closure.temporals.ids() {
            empty.set(id, self.evaluator.sets.none());
        }
        match closure.levels.len() {
            0 => Ok(Assumption::unknown(self.labels_at(self.request().partition.root), closure)),
            levels => self.graph(self.request().partition.root, 0, &empty, levels - 1),
        }
    }

    /// Values at the entry of a graph, for formulas up to a level. Its nodes are numbered from `place`.
    fn graph(
        &mut self,
        id: GraphId,
        place: u64,
        exit: &Assumption<S::Set>,
        level: usize,
    ) -> Found<S> {
        let partition = self.request().partition;
        match &partition.graphs[id] {
            PartitionGraph::Block(commands) => {
                let found = self.reuse_or_check(id, exit, level, |checker, _, _| {
                    checker.block(id, commands, exit, level)
                })?;
                self.record(place, &found, level);
                Ok(found)
            }
            PartitionGraph::Seq(parts) => self.seq(parts, place, exit, level),
            PartitionGraph::If { command, then, otherwise } => {
                let after = self.context.sizes.of(*then).wrapping_add(place).wrapping_add(1);
                let branches = [(*then, place.wrapping_add(1)), (*otherwise, after)];
                let is_worth =
                    |id: GraphId| self.context.sizes.of(id) >= self.request().worth_a_thread;
                let is_both = self.threads > 1 && is_worth(*then) && is_worth(*otherwise);
                let [then, otherwise] = match is_both {
                    true => self.in_parallel(branches, exit, level)?,
                    false => self.in_sequence(branches, exit, level)?,
                };
                let found = self.test(*command, &[&then, &otherwise], level)?;
                self.record(place, &found, level);
                Ok(found)
            }
            PartitionGraph::While { command, body } => {
                self.reuse_or_check_outside((id, place), exit, level, |checker, known, from| {
                    let body = (*body, place.wrapping_add(1));
                    checker.deeper(|checker| {
                        checker.check_loop(*command, body, exit, known, from..=level)
                    })
                })
            }
            PartitionGraph::Call { procedure, .. } => {
                let Some(body) = partition.procedures[*procedure] else { return Ok(exit.clone()) };
                // Others may call it: that is remembered even where nothing is around it.
                self.deeper(|checker| {
                    checker.reuse_or_check_outside((id, place), exit, level, |checker, _, _| {
                        checker.graph(body, place, exit, level)
                    })
                })
            }
        }
    }

    /// From the last to the first.
    fn seq(
        &mut self,
        parts: &[GraphId],
        place: u64,
        exit: &Assumption<S::Set>,
        level: usize,
    ) -> Found<S> {
        // Node numbers matter only where there is a log, and then they are small.
        let sizes = self.context.sizes;
        let mut end = parts.iter().fold(place, |end, &part| end.wrapping_add(sizes.of(part)));
        let mut at = exit.clone();
        for &part in parts.iter().rev() {
            end = end.wrapping_sub(sizes.of(part));
            at = self.graph(part, end, &at, level)?;
        }
        Ok(at)
    }

    fn in_sequence(
        &mut self,
        branches: [(GraphId, u64); 2],
        exit: &Assumption<S::Set>,
        level: usize,
    ) -> Result<[Assumption<S::Set>; 2], Stopped> {
        let [(then, first), (otherwise, second)] = branches;
        Ok([self.graph(then, first, exit, level)?, self.graph(otherwise, second, exit, level)?])
    }

    /// The branches have nothing to do with each other. Sets go to the other thread and back as bytes.
    fn in_parallel(
        &mut self,
        branches: [(GraphId, u64); 2],
        exit: &Assumption<S::Set>,
        level: usize,
    ) -> Result<[Assumption<S::Set>; 2], Stopped> {
        let [(then, first), (otherwise, second)] = branches;
        let closure = self.request().closure;
        let ids: Vec<TemporalId> = closure.up_to(level).collect();
        let (bytes, labels) = (exit.write(&ids, &self.evaluator.sets), exit.labels.clone());
        let (context, depth, seed) = (self.context, self.depth, self.evaluator.sets.seed());
        let (half, rest) = (self.threads / 2, self.threads - self.threads / 2);
        let ids = &ids;
        std::thread::scope(|scope| {
            let other = scope.spawn(move || -> Result<(Vec<u8>, ModularStats), Stopped> {
                let mut checker = GraphChecker::new(context, S::from_seed(seed)?)?;
                (checker.depth, checker.threads) = (depth, half);
                let mut exit = Assumption::unknown(labels, closure);
                let is_complete = exit.read(ids, &bytes, &mut checker.evaluator.sets)?;
                assert!(is_complete, "sets are read as they were written");
                let found = checker.graph(otherwise, second, &exit, level)?;
                Ok((found.write(ids, &checker.evaluator.sets), checker.stats))
            });
            let before = std::mem::replace(&mut self.threads, rest);
            let here = self.graph(then, first, exit, level);
            self.threads = before;
            let (bytes, stats) =
                other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            self.stats.add(&stats);
            let mut there = Assumption::unknown(self.labels_at(otherwise), closure);
            let is_complete = there.read(ids, &bytes, &mut self.evaluator.sets)?;
            assert!(is_complete, "sets are read as they were written");
            Ok([here?, there])
        })
    }

    fn deeper(&mut self, check: impl FnOnce(&mut Self) -> Found<S>) -> Found<S> {
        self.depth += 1;
        let found = check(self);
        self.depth -= 1;
        found
    }

    /// The base case: one node.
    fn block(
        &mut self,
        id: GraphId,
        commands: &[CommandId],
        exit: &Assumption<S::Set>,
        level: usize,
    ) -> Found<S> {
        let ModularRequest { program, assumed, .. } = *self.request();
        let mut node = match self.loaded.take() {
            Some((loaded, node)) if loaded == id => node,
            other => {
                // It has to go before the next one comes.
                drop(other);
                CheckedNode::new(Cfg::of(program, assumed, commands), &mut self.evaluator)?
            }
        };
        node.evaluate(&[exit], level, &mut self.evaluator)?;
        self.note(&node, exit);
        let entry = node.entry(&self.evaluator);
        self.loaded = Some((id, node));
        self.request().monitor.step(1)?;
        Ok(entry)
    }

    fn note(&mut self, node: &CheckedNode<S>, exit: &Assumption<S::Set>) {
        let sets = &self.evaluator.sets;
        let assumed = exit.sets().map(|set| sets.bytes_of(set)).sum::<u64>();
        let bytes = sets.bytes(node.bytes(sets) + assumed);
        self.stats.largest_bytes = self.stats.largest_bytes.max(bytes);
        self.stats.checked += 1;
    }

    /// The node of a condition, and its yes-edge and no-edge (M Def. 5.1).
    fn test(
        &mut self,
        command: CommandId,
        exits: &[&Assumption<S::Set>],
        level: usize,
    ) -> Found<S> {
        let cfg = Cfg::of_test(self.request().program, command);
        let mut node = CheckedNode::new(cfg, &mut self.evaluator)?;
        node.evaluate(exits, level, &mut self.evaluator)?;
        Ok(node.entry(&self.evaluator))
    }

    /// A loop. `at` is what is known at its condition already, for the levels before the first.
    fn check_loop(
        &mut self,
        command: CommandId,
        (body, place): (GraphId, u64),
        exit: &Assumption<S::Set>,
        mut at: Assumption<S::Set>,
        levels: std::ops::RangeInclusive<usize>,
    ) -> Found<S> {
        let closure = self.request().closure;
        let mut head =
            CheckedNode::new(Cfg::of_test(self.request().program, command), &mut self.evaluator)?;
        let first = *levels.start();
        let mut inside = match first {
            0 => Assumption::unknown(self.labels_at(body), closure),
            _ => self.graph(body, place, &at.up_to(first - 1, closure), first - 1)?,
        };
        for level in levels {
            let untils = self.untils(level);
            self.begin((body, place), exit, &at, level, &mut inside)?;
            let mut passes = 0;
            loop {
                head.evaluate(&[&inside, exit], level, &mut self.evaluator)?;
                let now = head.entry(&self.evaluator);
                let is_fixed = passes > 0 && untils.iter().all(|&id| now.get(id) == at.get(id));
                for &id in &closure.levels[level] {
                    at.set(id, now.get(id).cloned().unwrap_or_else(|| self.evaluator.sets.none()));
                }
                self.record(place.wrapping_sub(1), &at, level);
                if is_fixed {
                    break;
                }
                inside = self.graph(body, place, &at.up_to(level, closure), level)?;
                passes += 1;
                if untils.is_empty() {
                    break;
                }
            }
            self.count_passes(passes);
            self.keep((body, place), exit, &at, level, &inside);
        }
        Ok(at)
    }

    /// Whether a loop or a call is around the loop that is being checked.
    pub(crate) fn is_within_another(&self) -> bool {
        self.depth > 1
    }

    fn untils(&self, level: usize) -> Vec<TemporalId> {
        let closure = self.request().closure;
        let ids = closure.levels[level].iter().copied();
        ids.filter(|&id| closure.temporals[id].is_until()).collect()
    }

    fn count_passes(&mut self, passes: u64) {
        // M §5.2: every pass but the last adds a state to one of the untils, and none waits for another.
        assert!(
            passes as f64 <= self.evaluator.sets.valuations() + 1.0,
            "{passes} passes over a loop"
        );
        self.stats.passes += passes;
    }

    /// Of graphs with several nodes. With a log, stored results count only if this run recorded them at this node.
    fn reuse_or_check_outside(
        &mut self,
        (id, place): (GraphId, u64),
        exit: &Assumption<S::Set>,
        level: usize,
        check: impl FnOnce(&mut Self, Assumption<S::Set>, usize) -> Found<S>,
    ) -> Found<S> {
        let Some(log) = self.context.log else {
            return self.reuse_or_check(id, exit, level, check);
        };
        let closure = self.request().closure;
        let key = RecordKey::joined([self.key(id, exit, level).0, u128::from(place)]);
        let mut known = Assumption::unknown(self.labels_at(id), closure);
        let ids: Vec<TemporalId> = closure.up_to(level).collect();
        if log.is_recorded(key)
            && let Some(record) = self.request().store.get(key)
            && known.read(&ids, &record, &mut self.evaluator.sets)?
        {
            return Ok(known);
        }
        let found = check(self, Assumption::unknown(self.labels_at(id), closure), 0)?;
        self.request().store.put(key, &found.write(&ids, &self.evaluator.sets));
        log.note(key);
        Ok(found)
    }

    fn record(&self, place: u64, found: &Assumption<S::Set>, level: usize) {
        if let Some(log) = self.context.log {
            log.record(
                UnfoldedId(place as u32),
                found,
                level,
                self.request().closure,
                &self.evaluator.sets,
            );
        }
    }

    /// Looks for what is known of a graph under this assumption, and has the rest computed: the function gets
    /// what is known, and the first level that is not.
    fn reuse_or_check(
        &mut self,
        id: GraphId,
        exit: &Assumption<S::Set>,
        level: usize,
        check: impl FnOnce(&mut Self, Assumption<S::Set>, usize) -> Found<S>,
    ) -> Found<S> {
        let closure = self.request().closure;
        let mut known = Assumption::unknown(self.labels_at(id), closure);
        if self.depth == 0 && !self.request().keeps_all {
            return check(self, known, 0);
        }
        let keys: Vec<RecordKey> = (0..=level).map(|level| self.key(id, exit, level)).collect();
        let mut from = 0;
        for &key in &keys {
            let Some(record) = self.request().store.get(key) else { break };
            if !known.read(&closure.levels[from], &record, &mut self.evaluator.sets)? {
                break;
            }
            from += 1;
        }
        if from > level {
            self.stats.reused += 1;
            return Ok(known);
        }
        let found = check(self, known, from)?;
        for (key, level) in keys.iter().zip(&closure.levels).skip(from) {
            self.request().store.put(*key, &found.write(level, &self.evaluator.sets));
        }
        Ok(found)
    }

    fn key(&self, id: GraphId, exit: &Assumption<S::Set>, level: usize) -> RecordKey {
        let digest = exit.digest(level, self.request().closure, &self.evaluator.sets);
        // All calls of a procedure are one.
        let id = match self.request().partition.graphs[id] {
            PartitionGraph::Call { procedure, .. } => {
                self.request().partition.procedures[procedure].unwrap_or(id)
            }
            _ => id,
        };
        RecordKey::joined([self.request().question, u128::from(id.0), level as u128, digest])
    }

    fn labels_at(&self, id: GraphId) -> Vec<LabelId> {
        self.request().partition.labels_at(self.request().program, id)
    }
}
