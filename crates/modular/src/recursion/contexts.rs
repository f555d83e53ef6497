//! Blocks under assumptions (M Def. 2.4): what holds in the nodes of a block depends on what holds in the frames
//! above it only by the formulas that hold where it is left.
//!
//! Formulas are taken level by level. On level n, a *context* is a block with the formulas of smaller levels that hold
//! in its nodes, its exits included. One until of the level, f U g, is then a function from the exits where it holds to
//! the entry, and a small one: let an *f-path* be a path on which f holds and g does not. The entry satisfies
//!
//! - E(f U g) if an f-path, which may lead into calls that do not return, leads to g, or one leads to an exit with
//!   E(f U g);
//! - A(f U g) if all f-paths that stay below the exits lead to g, and all that leave lead to exits with A(f U g).
//!
//! So we need the exits that f-paths lead to, a least fixpoint over all contexts, and two sets of nodes.
//! A call that returns is then an edge, to the returns of the exits that f-paths lead to. Each infinite run has an
//! infinite path over steps, such edges, and steps into calls that do not return, and conversely. That
//! is why sets of nodes, without stacks, are enough.
//!
//! Then the main program, which has no exits, is known on level n, with it the exits of what it calls, and so on: these
//! are the contexts of level n + 1. There are finitely many.

use super::blocks::{BlockNode, EntryBlocks};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::rc::Rc;
use support::{Id, Monitor, Reservation, Stopped};
use transition::cfg::{Closure, CtlNode, FormulaId, Operator, Temporal, TemporalId};

/// A block, and the temporal formulas that hold in its nodes, those of smaller levels.
#[derive(Clone)]
struct BlockContext {
    block: u32,
    holds: Vec<Option<Rc<FixedBitSet>>>,
    /// The contexts of the blocks that its nodes call.
    calls: FxHashMap<u32, u32>,
}

/// The atoms that hold in each node of each block.
type Atoms = Vec<Vec<FixedBitSet>>;

pub struct Contexts<'b> {
    blocks: &'b EntryBlocks<'b>,
    closure: &'b Closure,
    monitor: &'b Monitor,
    atoms: Atoms,
    all: Vec<BlockContext>,
    /// How many contexts were looked at.
    pub looked_at: u64,
    room: Reservation,
}

/// One until or next on a level, for all contexts.
enum Solved {
    /// Where it holds, exits aside.
    Next(Vec<FixedBitSet>),
    Until {
        is_all: bool,
        /// Where f holds without g.
        left_only: Vec<FixedBitSet>,
        /// E: where some f-path leads to g. A: where all f-paths do, if they do not lead to exits.
        certain: Ranks,
        reach: Reach,
    },
}

/// By context and node: 0 if a formula does not certainly hold there, else how far the goal is at most (A) or at
/// least (E), counted from 1.
pub type Ranks = Vec<Vec<u32>>;

/// The exits that f-paths lead to from the entry, by context and place in the list: 0 for none, else a number that is
/// larger than those of the calls on the path.
pub type Reach = Vec<Vec<u32>>;

impl<'b> Contexts<'b> {
    /// Every block without assumptions.
    pub fn new(
        blocks: &'b EntryBlocks<'b>,
        closure: &'b Closure,
        monitor: &'b Monitor,
    ) -> Result<Self, Stopped> {
        let mut atoms = Vec::new();
        for (number, block) in (0..).zip(&blocks.all) {
            let mut own = vec![FixedBitSet::with_capacity(block.nodes.len()); closure.atoms.len()];
            for (id, atom) in closure.atoms.iter() {
                for (at, node) in block.nodes.iter().enumerate() {
                    own[id.index()].set(at, blocks.holds(number, node, *atom));
                }
                monitor.step(1)?;
            }
            atoms.push(own);
        }
        let all = (0..).zip(&blocks.all).map(|(number, block)| BlockContext {
            block: number,
            holds: vec![None; closure.temporals.len()],
            calls: calls_of(&block.nodes).collect(),
        });
        let (all, room) = (all.collect(), monitor.reserve(0)?);
        Ok(Self { blocks, closure, monitor, atoms, all, looked_at: 0, room })
    }

    /// Computes all levels.
    pub fn solve(&mut self) -> Result<(), Stopped> {
        for level in 0..self.closure.levels.len() {
            let ids = self.closure.levels[level].clone();
            let solved = ids.iter().map(|&id| self.temporal(self.closure.temporals[id]));
            let solved = solved.collect::<Result<Vec<_>, _>>()?;
            self.split(&ids, &solved)?;
        }
        Ok(())
    }

    pub fn blocks(&self) -> &'b EntryBlocks<'b> {
        self.blocks
    }

    pub fn closure(&self) -> &'b Closure {
        self.closure
    }

    /// Counts a step against the limits.
    pub fn step(&self) -> Result<(), Stopped> {
        self.monitor.step(1)
    }

    pub fn block_of(&self, context: u32) -> u32 {
        self.all[context as usize].block
    }

    pub fn nodes_of(&self, context: u32) -> &'b [BlockNode] {
        self.nodes(self.block_of(context))
    }

    /// The context that a node calls, with its first node.
    pub fn called(&self, context: u32, node: u32) -> Option<(u32, u32)> {
        let called = *self.all[context as usize].calls.get(&node)?;
        Some((called, self.entry(called)))
    }

    /// How many contexts there are.
    pub fn len(&self) -> u32 {
        self.all.len() as u32
    }

    /// The place of an exit among those of its block.
    pub fn exit_place(&self, context: u32, node: u32) -> usize {
        let exits = &self.blocks.all[self.block_of(context) as usize].exits;
        exits.iter().position(|&exit| exit == node).unwrap_or(0)
    }

    /// Whether a temporal formula that is computed holds in a node of a context.
    pub fn is_set(&self, context: u32, node: u32, id: TemporalId) -> bool {
        let own = self.all[context as usize].holds[id.index()].as_ref();
        own.is_some_and(|set| set.contains(node as usize))
    }

    /// Whether a formula holds in a node of a context.
    pub fn holds(&self, context: u32, node: u32, formula: FormulaId) -> bool {
        let own = &self.all[context as usize];
        let at = node as usize;
        let mut values: FxHashMap<FormulaId, bool> = FxHashMap::default();
        let mut last = false;
        for id in self.closure.parts(formula) {
            last = match self.closure.formulas[id] {
                CtlNode::True => true,
                CtlNode::Atom(atom, _) => self.atoms[own.block as usize][atom.index()].contains(at),
                CtlNode::Not(a) => !values[&a],
                CtlNode::Or(a, b) => values[&a] || values[&b],
                CtlNode::Temporal(id) => self.is_set(context, node, id),
            };
            values.insert(id, last);
        }
        last
    }

    /// Where a formula holds, by context.
    pub fn everywhere(&self, formula: FormulaId) -> Result<Vec<FixedBitSet>, Stopped> {
        let mut found = Vec::new();
        for (number, context) in (0..).zip(&self.all) {
            let nodes = self.nodes(context.block).len();
            let mut set = FixedBitSet::with_capacity(nodes);
            (0..nodes as u32).for_each(|at| set.set(at as usize, self.holds(number, at, formula)));
            self.monitor.step(1)?;
            found.push(set);
        }
        Ok(found)
    }

    fn nodes(&self, block: u32) -> &'b [BlockNode] {
        &self.blocks.all[block as usize].nodes
    }

    /// The first node of what is called in a node.
    fn entry(&self, context: u32) -> u32 {
        self.blocks.all[self.all[context as usize].block as usize].entries[0]
    }

    fn temporal(&mut self, temporal: Temporal) -> Result<Solved, Stopped> {
        match temporal.operator {
            Operator::Next(formula) => self.next(temporal.is_all, formula),
            Operator::Until(f, g) => {
                let (left_only, goal) = (self.left_only(f, g)?, self.everywhere(g)?);
                let reach = self.reach(&left_only)?;
                let certain = self.certain(temporal.is_all, &left_only, &goal, &reach)?;
                Ok(Solved::Until { is_all: temporal.is_all, left_only, certain, reach })
            }
        }
    }

    /// Where f holds without g, by context.
    pub fn left_only(&self, f: FormulaId, g: FormulaId) -> Result<Vec<FixedBitSet>, Stopped> {
        let (mut left_only, goal) = (self.everywhere(f)?, self.everywhere(g)?);
        let both = left_only.iter_mut().zip(&goal);
        both.for_each(|(left_only, goal)| left_only.difference_with(goal));
        Ok(left_only)
    }

    // M Def. 2.5, AX and EX.
    fn next(&self, is_all: bool, formula: FormulaId) -> Result<Solved, Stopped> {
        let inner = self.everywhere(formula)?;
        let mut found = Vec::new();
        for (context, inner_here) in self.all.iter().zip(&inner) {
            let nodes = self.nodes(context.block);
            let mut set = FixedBitSet::with_capacity(nodes.len());
            for (at, node) in nodes.iter().enumerate() {
                let mut after = node.next.iter().map(|&next| inner_here.contains(next as usize));
                let holds = match context.calls.get(&(at as u32)) {
                    Some(&called) => inner[called as usize].contains(self.entry(called) as usize),
                    None if is_all => after.all(|holds| holds),
                    None => after.any(|holds| holds),
                };
                set.set(at, holds);
            }
            self.monitor.step(1)?;
            found.push(set);
        }
        Ok(Solved::Next(found))
    }

    pub fn reach(&self, left_only: &[FixedBitSet]) -> Result<Reach, Stopped> {
        let mut reach: Reach = Vec::new();
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); self.all.len()];
        for (number, context) in (0..).zip(&self.all) {
            reach.push(vec![0; self.blocks.all[context.block as usize].exits.len()]);
            context.calls.values().for_each(|&called| callers[called as usize].push(number));
        }
        // The main program has no exits.
        let mut open: Vec<u32> = (1..self.all.len() as u32).collect();
        let mut waits = FixedBitSet::with_capacity(self.all.len());
        waits.insert_range(..);
        let mut turn = 0;
        while let Some(number) = open.pop() {
            waits.set(number as usize, false);
            let found = self.exits_from_entry(number, left_only, &reach)?;
            turn += 1;
            let fresh = found.ones().filter(|&place| reach[number as usize][place] == 0);
            let fresh: Vec<usize> = fresh.collect();
            fresh.iter().for_each(|&place| reach[number as usize][place] = turn);
            if !fresh.is_empty() {
                let again = callers[number as usize].iter().copied().filter(|&caller| caller != 0);
                open.extend(again.filter(|&caller| !waits.put(caller as usize)));
            }
        }
        Ok(reach)
    }

    fn exits_from_entry(
        &self,
        number: u32,
        left_only: &[FixedBitSet],
        reach: &Reach,
    ) -> Result<FixedBitSet, Stopped> {
        let context = &self.all[number as usize];
        let block = &self.blocks.all[context.block as usize];
        let mut seen = FixedBitSet::with_capacity(block.nodes.len());
        let mut open = block.entries.clone();
        while let Some(node) = open.pop() {
            if seen.put(node as usize) || !left_only[number as usize].contains(node as usize) {
                continue;
            }
            open.extend(self.within(number, node, reach));
            self.monitor.step(1)?;
        }
        let mut found = FixedBitSet::with_capacity(block.exits.len());
        for (place, &exit) in block.exits.iter().enumerate() {
            found.set(place, seen.contains(exit as usize));
        }
        Ok(found)
    }

    /// The successors of a node in its frame; a call leads to the returns of the exits that it can reach.
    pub fn within<'a>(
        &'a self,
        number: u32,
        node: u32,
        reach: &'a Reach,
    ) -> impl Iterator<Item = u32> + 'a {
        let context = &self.all[number as usize];
        let node_of = &self.nodes(context.block)[node as usize];
        let returns = context.calls.get(&node).zip(node_of.call.as_ref());
        let returns = returns.into_iter().flat_map(|(&called, call)| {
            let passed = call.returns.iter().zip(&reach[called as usize]);
            passed.filter(|(_, turn)| **turn > 0).map(|(&back, _)| back)
        });
        node_of.next.iter().copied().chain(returns)
    }

    /// E: the nodes from which some f-path leads to the goal. A: those from which all do, exits being as good.
    pub fn certain(
        &self,
        is_all: bool,
        left_only: &[FixedBitSet],
        goal: &[FixedBitSet],
        reach: &Reach,
    ) -> Result<Ranks, Stopped> {
        let mut certain: Ranks = Vec::new();
        // By context and node, who leads there, and how many successors are not sure.
        let nodes = |context: &BlockContext| self.nodes(context.block).len();
        let mut before: Vec<Vec<Vec<(u32, u32)>>> =
            self.all.iter().map(|context| vec![Vec::new(); nodes(context)]).collect();
        let mut missing: Vec<Vec<u32>> =
            self.all.iter().map(|context| vec![0; nodes(context)]).collect();
        // Breadth first, so that ranks are distances.
        let mut open: VecDeque<(u32, u32)> = VecDeque::new();
        for (number, context) in (0..).zip(&self.all) {
            let at = number as usize;
            let mut first = goal[at].clone();
            for exit in &self.blocks.all[context.block as usize].exits {
                first.set(*exit as usize, is_all);
            }
            certain.push((0..nodes(context)).map(|node| u32::from(first.contains(node))).collect());
            open.extend(first.ones().map(|node| (number, node as u32)));
            for node in left_only[at].ones().map(|node| node as u32) {
                let inside = self.within(number, node, reach).map(|to| (number, to));
                let called = context.calls.get(&node).map(|&called| (called, self.entry(called)));
                for (context, to) in inside.chain(called) {
                    before[context as usize][to as usize].push((number, node));
                    missing[at][node as usize] += 1;
                }
                self.monitor.step(1)?;
            }
        }
        while let Some((number, node)) = open.pop_front() {
            let rank = certain[number as usize][node as usize] + 1;
            for &(context, source) in &before[number as usize][node as usize] {
                let remaining = &mut missing[context as usize][source as usize];
                *remaining -= 1;
                let is_source = !is_all || *remaining == 0;
                let own = &mut certain[context as usize][source as usize];
                if is_source && *own == 0 {
                    *own = rank;
                    open.push_back((context, source));
                }
            }
            self.monitor.step(1)?;
        }
        Ok(certain)
    }

    /// The contexts of the next level, from the main program downwards.
    fn split(&mut self, ids: &[TemporalId], solved: &[Solved]) -> Result<(), Stopped> {
        let mut found: Vec<BlockContext> = Vec::new();
        // The context before, and the formulas of the level that hold in the exits.
        let mut index: FxHashMap<(u32, Vec<FixedBitSet>), u32> = FxHashMap::default();
        let root = (0, vec![FixedBitSet::new(); ids.len()]);
        index.insert(root.clone(), 0);
        let mut open = vec![root];
        let mut next = 0;
        while next < open.len() {
            let (base, exits) = open[next].clone();
            next += 1;
            let mut context = self.all[base as usize].clone();
            let nodes = self.nodes(context.block);
            self.room.grow((nodes.len() * (8 + ids.len() / 8)) as u64, self.monitor)?;
            let mut sets = Vec::new();
            for (solved, exits) in solved.iter().zip(&exits) {
                sets.push(self.in_context(base, solved, exits)?);
            }
            for (node, called) in &mut context.calls {
                let Some(call) = &nodes[*node as usize].call else { continue };
                let at_returns = sets.iter().map(|set| {
                    let mut own = FixedBitSet::with_capacity(call.returns.len());
                    for (place, &node) in call.returns.iter().enumerate() {
                        own.set(place, set.contains(node as usize));
                    }
                    own
                });
                let key = (*called, at_returns.collect());
                let fresh = open.len() as u32;
                *called = *index.entry(key.clone()).or_insert(fresh);
                if *called == fresh {
                    open.push(key);
                }
            }
            for (id, set) in ids.iter().zip(sets) {
                context.holds[id.index()] = Some(Rc::new(set));
            }
            found.push(context);
        }
        self.looked_at += found.len() as u64;
        self.all = found;
        Ok(())
    }

    /// Where one formula holds in a context with these exits.
    fn in_context(
        &self,
        base: u32,
        solved: &Solved,
        exits: &FixedBitSet,
    ) -> Result<FixedBitSet, Stopped> {
        let at = base as usize;
        let block = &self.blocks.all[self.all[at].block as usize];
        let (is_all, left_only, certain, reach) = match solved {
            Solved::Next(sets) => {
                let mut set = sets[at].clone();
                for (place, &exit) in block.exits.iter().enumerate() {
                    set.set(exit as usize, exits.contains(place));
                }
                return Ok(set);
            }
            Solved::Until { is_all, left_only, certain, reach } => {
                (*is_all, &left_only[at], &certain[at], reach)
            }
        };
        // E: where it holds; A: where it does not. Ways lead there.
        let mut marked = FixedBitSet::with_capacity(block.nodes.len());
        let own = certain.iter().enumerate().filter(|(_, rank)| (**rank > 0) != is_all);
        own.for_each(|(node, _)| marked.insert(node));
        for (place, &exit) in block.exits.iter().enumerate() {
            marked.set(exit as usize, exits.contains(place) != is_all);
        }
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); block.nodes.len()];
        for node in left_only.ones().map(|node| node as u32) {
            self.within(base, node, reach).for_each(|to| before[to as usize].push(node));
            self.monitor.step(1)?;
        }
        let mut open: Vec<usize> = marked.ones().collect();
        while let Some(node) = open.pop() {
            let own = before[node].iter().map(|&source| source as usize);
            open.extend(own.filter(|&source| !marked.put(source)));
        }
        if is_all {
            marked.toggle_range(..);
        }
        Ok(marked)
    }
}

/// The nodes that call a block, each with its number.
fn calls_of(nodes: &[BlockNode]) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..).zip(nodes).filter_map(|(at, node)| Some((at, node.call.as_ref()?.block)))
}
