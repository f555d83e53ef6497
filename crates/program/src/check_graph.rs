//! CheckGraph (M §5.2): from what is assumed of the end of a partition graph to what holds at its beginning.
//!
//! The recursion is the paper's. What is different, and why it is the same:
//!
//! - Formulas are taken level by level where the paper takes one after the other: those of one level do not depend
//!   on each other, so the fixpoints of a loop can be computed in the same passes.
//! - Results are remembered under what they are results of ([`Store`]): a part of a loop's body is not looked at
//!   again for formulas that are done, and a procedure that is called in many places is looked at once for each
//!   assumption.
//! - AX and EX of a loop: the body counts where the condition holds and only there (as printed, a state without the
//!   condition is in the second set vacuously). Untils of a loop: the two newest assumptions are compared.

use crate::assumption::Assumption;
use crate::kit::Kit;
use crate::node::Node;
use crate::sets::Sets;
use crate::store::{Key, Store};
use base::{Monitor, Stopped};
use flow::{
    Assumed, Closure, CommandId, Flow, Graph, GraphId, Kind, LabelId, Partition, Program,
    TemporalId,
};

/// What does not change while a program is checked.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub program: &'a Program,
    pub partition: &'a Partition,
    pub assumed: &'a [Assumed],
    pub closure: &'a Closure,
    pub store: &'a dyn Store,
    pub monitor: &'a Monitor,
    /// Whether everything is remembered, and not only what may be needed again.
    pub keeps_all: bool,
    /// The same for all runs about the same question.
    pub question: u128,
}

/// What it took.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Figures {
    /// How often a node was checked, and how often its results were found instead.
    pub checked: u64,
    pub reused: u64,
    /// Passes over bodies of loops that are taken apart: all, and the most that one loop took for one level.
    pub passes: u64,
    pub most_passes: u64,
    /// The most room that a node with its assumptions took.
    pub largest_bytes: u64,
}

pub struct Checker<'a, S: Sets> {
    pub subject: Subject<'a>,
    pub kit: Kit<'a, S>,
    pub figures: Figures,
    /// How many loops and calls are around what is being checked.
    depth: usize,
    /// The node that was looked at last. There is never another one in memory.
    loaded: Option<(GraphId, Node<S>)>,
}

type Found<S> = Result<Assumption<<S as Sets>::Set>, Stopped>;

impl<'a, S: Sets> Checker<'a, S> {
    pub fn new(subject: Subject<'a>, sets: S) -> Result<Self, Stopped> {
        let kit = Kit::new(sets, subject.closure)?;
        Ok(Self { subject, kit, figures: Figures::default(), depth: 0, loaded: None })
    }

    /// Of the whole program, under the empty assumption function (M Thm 5.2).
    pub fn whole(&mut self) -> Found<S> {
        let closure = self.subject.closure;
        let mut empty = Assumption::unknown(Vec::new(), closure);
        for id in closure.temporals.ids() {
            empty.set(id, self.kit.sets.none());
        }
        match closure.levels.len() {
            0 => Ok(Assumption::unknown(self.labels_at(self.subject.partition.root), closure)),
            levels => self.graph(self.subject.partition.root, &empty, levels - 1),
        }
    }

    /// What holds at the beginning of a graph, for formulas up to a level.
    fn graph(&mut self, id: GraphId, exit: &Assumption<S::Set>, level: usize) -> Found<S> {
        let partition = self.subject.partition;
        match &partition.graphs[id] {
            Graph::Piece(commands) => self.remembered(id, exit, level, |checker, known, _| {
                checker.piece(id, commands, exit, level, known)
            }),
            Graph::Seq(parts) => {
                let mut at = exit.clone();
                for &part in parts.iter().rev() {
                    at = self.graph(part, &at, level)?;
                }
                Ok(at)
            }
            Graph::If { command, then, otherwise } => {
                let then = self.graph(*then, exit, level)?;
                let otherwise = self.graph(*otherwise, exit, level)?;
                self.test(*command, &[&then, &otherwise], level)
            }
            Graph::While { command, body } => {
                self.remembered(id, exit, level, |checker, known, from| {
                    checker.deeper(|checker| {
                        checker.repeated(*command, *body, exit, known, from..=level)
                    })
                })
            }
            Graph::Call(procedure) => {
                let Some(body) = partition.procedures[*procedure] else { return Ok(exit.clone()) };
                self.remembered(id, exit, level, |checker, _, _| {
                    checker.deeper(|checker| checker.graph(body, exit, level))
                })
            }
        }
    }

    fn deeper(&mut self, check: impl FnOnce(&mut Self) -> Found<S>) -> Found<S> {
        self.depth += 1;
        let found = check(self);
        self.depth -= 1;
        found
    }

    /// The base case: one node.
    fn piece(
        &mut self,
        id: GraphId,
        commands: &[CommandId],
        exit: &Assumption<S::Set>,
        level: usize,
        _: Assumption<S::Set>,
    ) -> Found<S> {
        let Subject { program, assumed, .. } = self.subject;
        let mut node = match self.loaded.take() {
            Some((loaded, node)) if loaded == id => node,
            other => {
                // It has to go before the next one comes.
                drop(other);
                Node::new(Flow::of(program, assumed, commands), &mut self.kit)?
            }
        };
        node.evaluate(&[exit], level, &mut self.kit)?;
        self.note(&node, exit);
        let entry = node.entry(&self.kit);
        self.loaded = Some((id, node));
        self.subject.monitor.step(1)?;
        Ok(entry)
    }

    fn note(&mut self, node: &Node<S>, exit: &Assumption<S::Set>) {
        let sets = &self.kit.sets;
        let assumed = exit.sets().map(|set| sets.bytes_of(set)).sum::<u64>();
        let bytes = sets.bytes(node.bytes(sets) + assumed);
        self.figures.largest_bytes = self.figures.largest_bytes.max(bytes);
        self.figures.checked += 1;
    }

    /// The node of a condition, and its yes-edge and no-edge (M Def. 5.1).
    fn test(
        &mut self,
        command: CommandId,
        exits: &[&Assumption<S::Set>],
        level: usize,
    ) -> Found<S> {
        let flow = Flow::of_test(self.subject.program, command);
        let mut node = Node::new(flow, &mut self.kit)?;
        node.evaluate(exits, level, &mut self.kit)?;
        Ok(node.entry(&self.kit))
    }

    /// A loop. `at` is what is known at its condition already, for the levels before the first.
    fn repeated(
        &mut self,
        command: CommandId,
        body: GraphId,
        exit: &Assumption<S::Set>,
        mut at: Assumption<S::Set>,
        levels: std::ops::RangeInclusive<usize>,
    ) -> Found<S> {
        let closure = self.subject.closure;
        let mut head = Node::new(Flow::of_test(self.subject.program, command), &mut self.kit)?;
        let first = *levels.start();
        let mut inside = match first {
            0 => Assumption::unknown(self.labels_at(body), closure),
            _ => self.graph(body, &at.up_to(first - 1, closure), first - 1)?,
        };
        for level in levels {
            let untils = self.untils(level);
            for &id in &closure.levels[level] {
                inside.set(id, self.kit.sets.none());
            }
            let mut passes = 0;
            loop {
                head.evaluate(&[&inside, exit], level, &mut self.kit)?;
                let now = head.entry(&self.kit);
                let is_fixed = passes > 0 && untils.iter().all(|&id| now.get(id) == at.get(id));
                for &id in &closure.levels[level] {
                    at.set(id, now.get(id).cloned().unwrap_or_else(|| self.kit.sets.none()));
                }
                if is_fixed {
                    break;
                }
                inside = self.graph(body, &at.up_to(level, closure), level)?;
                passes += 1;
                if untils.is_empty() {
                    break;
                }
            }
            self.passed(passes);
        }
        Ok(at)
    }

    fn untils(&self, level: usize) -> Vec<TemporalId> {
        let closure = self.subject.closure;
        let ids = closure.levels[level].iter().copied();
        ids.filter(|&id| closure.temporals[id].is_until()).collect()
    }

    fn passed(&mut self, passes: u64) {
        // M §5.2: every pass but the last adds a state to one of the untils, and none waits for another.
        debug_assert!(passes as f64 <= self.kit.sets.valuations() + 1.0, "{passes} passes");
        self.figures.passes += passes;
        self.figures.most_passes = self.figures.most_passes.max(passes);
    }

    /// Looks for what is known of a graph under this assumption, and has the rest computed: the function gets
    /// what is known, and the first level that is not.
    fn remembered(
        &mut self,
        id: GraphId,
        exit: &Assumption<S::Set>,
        level: usize,
        check: impl FnOnce(&mut Self, Assumption<S::Set>, usize) -> Found<S>,
    ) -> Found<S> {
        let closure = self.subject.closure;
        let mut known = Assumption::unknown(self.labels_at(id), closure);
        if self.depth == 0 && !self.subject.keeps_all {
            return check(self, known, 0);
        }
        let keys: Vec<Key> = (0..=level).map(|level| self.key(id, exit, level)).collect();
        let mut from = 0;
        for &key in &keys {
            let Some(record) = self.subject.store.get(key) else { break };
            if !known.read(&closure.levels[from], &record, &mut self.kit.sets)? {
                break;
            }
            from += 1;
        }
        if from > level {
            self.figures.reused += 1;
            return Ok(known);
        }
        let found = check(self, known, from)?;
        for at in from..=level {
            let record = found.write(&closure.levels[at], &self.kit.sets);
            self.subject.store.put(keys[at], &record);
        }
        Ok(found)
    }

    fn key(&self, id: GraphId, exit: &Assumption<S::Set>, level: usize) -> Key {
        let digest = exit.digest(level, self.subject.closure, &self.kit.sets);
        // All calls of a procedure are one.
        let id = match self.subject.partition.graphs[id] {
            Graph::Call(procedure) => self.subject.partition.procedures[procedure].unwrap_or(id),
            _ => id,
        };
        Key::joined([self.subject.question, u128::from(id.0), level as u128, digest])
    }

    /// The labels of where a graph begins.
    fn labels_at(&self, id: GraphId) -> Vec<LabelId> {
        let Subject { program, partition, .. } = self.subject;
        match &partition.graphs[id] {
            Graph::Piece(commands) => self.labels_of(commands[0]),
            Graph::Seq(parts) => self.labels_at(parts[0]),
            Graph::If { command, .. } | Graph::While { command, .. } => {
                program.commands[*command].labels.clone()
            }
            Graph::Call(procedure) => self.labels_of(program.procedures[*procedure].body[0]),
        }
    }

    fn labels_of(&self, command: CommandId) -> Vec<LabelId> {
        let program = self.subject.program;
        match program.commands[command].kind {
            Kind::Call(procedure) => self.labels_of(program.procedures[procedure].body[0]),
            _ => program.commands[command].labels.clone(),
        }
    }
}
