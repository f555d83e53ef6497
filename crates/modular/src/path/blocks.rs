//! The states of the blocks of a partition.
//!
//! The truth of a formula in a state is read off the node that the state is in, which is checked again under the
//! assumptions on the nodes after it, so that one node is in memory here too. A search visits each state once, and each
//! change of node costs one check of that node.

use super::{PathState, PathStates};
use crate::ModularRequest;
use crate::assumption::Assumption;
use crate::claims::ClaimLog;
use crate::evaluator::Evaluator;
use crate::node::CheckedNode;
use crate::sets::ValuationSets;
use rustc_hash::{FxHashMap, FxHashSet};
use support::Stopped;
use transition::cfg::{
    Bound, CfgEdge, CfgTarget, Closure, CtlAtom, CtlNode, Effect, FormulaId, LocationId,
    UnfoldedId, Unfolding,
};
use transition::{ExprNode as Expression, NodeId, VarId};

/// Of a step that gives a variable any value, so many values are looked at one by one.
const MOST_VALUES: u128 = 1 << 10;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BlockState {
    place: UnfoldedId,
    /// `None` where a run-time error has occurred.
    at: Option<LocationId>,
    values: Vec<i64>,
}

/// Data of a path search.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub request: &'a ModularRequest<'a>,
    pub unfolding: &'a Unfolding,
    pub log: &'a ClaimLog<'a>,
}

/// The states of a program that is checked block by block.
pub struct BlockStates<'k, 'a, S: ValuationSets> {
    setting: Setting<'a>,
    evaluator: &'k mut Evaluator<'a, S>,
    loaded: Option<(UnfoldedId, CheckedNode<S>)>,
    /// Where each node begins.
    entries: FxHashMap<UnfoldedId, LocationId>,
}

impl<'k, 'a, S: ValuationSets> BlockStates<'k, 'a, S> {
    pub fn new(setting: Setting<'a>, evaluator: &'k mut Evaluator<'a, S>) -> Self {
        Self { setting, evaluator, loaded: None, entries: FxHashMap::default() }
    }

    /// The beginning of the program with these values.
    pub fn first(&mut self, values: Vec<i64>) -> BlockState {
        let place = UnfoldedId(0);
        BlockState { place, at: Some(self.entry(place)), values }
    }

    /// The node of a location, checked.
    fn node(&mut self, place: UnfoldedId) -> Result<&CheckedNode<S>, Stopped> {
        let loaded = match self.loaded.take() {
            Some(loaded) if loaded.0 == place => loaded,
            other => {
                // It has to go before the next one comes.
                drop(other);
                (place, self.load(place)?)
            }
        };
        Ok(&self.loaded.insert(loaded).1)
    }

    fn load(&mut self, place: UnfoldedId) -> Result<CheckedNode<S>, Stopped> {
        let Setting { request, unfolding, log } = self.setting;
        let ModularRequest { program, partition, assumed, closure, .. } = *request;
        let mut exits = Vec::new();
        for &exit in &unfolding.nodes[place].exits {
            let labels = partition.labels_at(program, unfolding.nodes[exit].graph);
            let mut known = Assumption::unknown(labels, closure);
            log.known(exit, &mut known, closure, &mut self.evaluator.sets)?;
            exits.push(known);
        }
        let cfg = unfolding.cfg(place, program, partition, assumed);
        let mut node = CheckedNode::new(cfg, self.evaluator)?;
        if let Some(top) = closure.levels.len().checked_sub(1) {
            node.evaluate(&exits.iter().collect::<Vec<_>>(), top, self.evaluator)?;
        }
        Ok(node)
    }

    fn entry(&mut self, place: UnfoldedId) -> LocationId {
        let Setting { request, unfolding, .. } = self.setting;
        let ModularRequest { program, partition, assumed, .. } = *request;
        *self
            .entries
            .entry(place)
            .or_insert_with(|| unfolding.cfg(place, program, partition, assumed).entry)
    }

    /// Decides an atom or a formula that begins with a temporal operator.
    fn simple(&mut self, state: &BlockState, formula: FormulaId) -> Result<bool, Stopped> {
        let closure = self.setting.request.closure;
        let Some(at) = state.at else {
            let set = self.evaluator.at_error(formula)?;
            return Ok(self.evaluator.sets.contains(&set, &state.values));
        };
        match closure.formulas[formula] {
            CtlNode::Temporal(id) => {
                let set = self.node(state.place)?.get(at, id).cloned();
                Ok(set.is_some_and(|set| self.evaluator.sets.contains(&set, &state.values)))
            }
            CtlNode::Atom(atom, bound) => match closure.atoms[atom] {
                CtlAtom::Holds(node) => Ok(self.evaluate(node, &state.values) != 0),
                CtlAtom::Error | CtlAtom::End => Ok(false),
                CtlAtom::At(label) => {
                    let location = &self.node(state.place)?.cfg().locations[at];
                    let in_hole = location.in_hole.as_ref();
                    let is_unsure = in_hole.is_some_and(|in_hole| in_hole.labels.contains(&label));
                    Ok(if is_unsure {
                        bound == Bound::Maybe
                    } else {
                        location.labels.contains(&label)
                    })
                }
            },
            CtlNode::True | CtlNode::Not(_) | CtlNode::Or(..) => Ok(true),
        }
    }

    fn evaluate(&self, node: NodeId, values: &[i64]) -> i64 {
        let leaf = |leaf: Expression| match leaf {
            Expression::Now(var) => values[var.0 as usize],
            _ => 0,
        };
        self.setting.request.program.data.exprs.evaluate(node, leaf).unwrap_or(0)
    }

    /// The values after a step.
    fn after(
        &mut self,
        edge: &CfgEdge,
        state: &BlockState,
        wanted: (FormulaId, bool),
    ) -> Result<Vec<Vec<i64>>, Stopped> {
        let values = &state.values;
        let with = |var: VarId, value: i64| {
            let mut values = values.clone();
            values[var.0 as usize] = value;
            values
        };
        match edge.effect {
            Effect::Nothing | Effect::Fails => Ok(vec![values.clone()]),
            Effect::Set(var, node) => Ok(vec![with(var, self.evaluate(node, values))]),
            Effect::Any(var) => {
                let domain = &self.setting.request.program.data.vars[var].domain;
                let few = domain.size().min(MOST_VALUES) as u64;
                let mut all: Vec<Vec<i64>> =
                    (0..few).map(|number| with(var, domain.value(number))).collect();
                if domain.size() > MOST_VALUES {
                    all.extend(self.wanted_value(edge, state, var, wanted)?);
                }
                Ok(all)
            }
        }
    }

    /// Values after a step that gives a variable any value, with which a formula holds or does not.
    fn wanted_value(
        &mut self,
        edge: &CfgEdge,
        state: &BlockState,
        any: VarId,
        (formula, holds): (FormulaId, bool),
    ) -> Result<Option<Vec<i64>>, Stopped> {
        let there = self.arrived(state, edge.to, state.values.clone());
        let mut set = match there.at {
            None => self.evaluator.at_error(formula)?,
            Some(at) => {
                self.node(there.place)?;
                let Some((_, node)) = &self.loaded else { return Ok(None) };
                node.value(at, formula, self.evaluator)?
            }
        };
        let sets = &mut self.evaluator.sets;
        if !holds {
            set = sets.minus(&sets.all(), &set)?;
        }
        if let Some(after) = edge.after {
            let after = sets.holds(after)?;
            set = sets.and(&set, &after)?;
        }
        for var in self.setting.request.program.data.vars.ids().filter(|&var| var != any) {
            let same = sets.with_value(var, state.values[var.0 as usize])?;
            set = sets.and(&set, &same)?;
        }
        Ok(sets.pick(&set))
    }

    fn arrived(&mut self, from: &BlockState, to: CfgTarget, values: Vec<i64>) -> BlockState {
        match to {
            CfgTarget::Inside(to) => BlockState { place: from.place, at: Some(to), values },
            CfgTarget::Error => BlockState { place: from.place, at: None, values },
            CfgTarget::Exit(exit) => {
                let exits = &self.setting.unfolding.nodes[from.place].exits;
                match exits.get(exit as usize).copied() {
                    Some(place) => BlockState { place, at: Some(self.entry(place)), values },
                    None => BlockState { place: from.place, at: None, values },
                }
            }
        }
    }
}

impl<S: ValuationSets> PathStates for BlockStates<'_, '_, S> {
    type State = BlockState;
    type Head = BlockState;

    fn closure(&self) -> &Closure {
        self.setting.request.closure
    }

    // What it is made of first.
    fn truth(&mut self, state: &BlockState, formula: FormulaId) -> Result<bool, Stopped> {
        let closure = self.setting.request.closure;
        let order = closure.parts(formula);
        let mut values: Vec<bool> = Vec::with_capacity(order.len());
        for &part in &order {
            let of = |operand: FormulaId| values[order.binary_search(&operand).unwrap_or(0)];
            let value = match closure.formulas[part] {
                CtlNode::True => true,
                CtlNode::Not(operand) => !of(operand),
                CtlNode::Or(a, b) => of(a) || of(b),
                CtlNode::Atom(..) | CtlNode::Temporal(_) => self.simple(state, part)?,
            };
            values.push(value);
        }
        Ok(values.pop().unwrap_or(false))
    }

    fn successors(
        &mut self,
        state: &BlockState,
        wanted: (FormulaId, bool),
    ) -> Result<Vec<BlockState>, Stopped> {
        let Some(at) = state.at else { return Ok(vec![state.clone()]) };
        let edges = self.node(state.place)?.cfg().locations[at].edges.clone();
        let mut found: Vec<BlockState> = Vec::new();
        let mut seen: FxHashSet<BlockState> = FxHashSet::default();
        for edge in &edges {
            if edge.guard.is_some_and(|guard| self.evaluate(guard, &state.values) == 0) {
                continue;
            }
            for values in self.after(edge, state, wanted)? {
                if edge.after.is_some_and(|after| self.evaluate(after, &values) == 0) {
                    continue;
                }
                let next = self.arrived(state, edge.to, values);
                if seen.insert(next.clone()) {
                    found.push(next);
                }
            }
        }
        self.setting.request.monitor.step(found.len() as u64)?;
        let in_hole = self.node(state.place)?.cfg().locations[at].in_hole.as_ref();
        if in_hole.is_some_and(|in_hole| !in_hole.postponed().is_empty()) {
            // Who ends does not stay for ever: out of the hole first.
            found.sort_by_key(|next| (next.place, next.at) == (state.place, state.at));
        }
        Ok(found)
    }

    fn shown(&mut self, state: &BlockState) -> Result<PathState, Stopped> {
        let (command, in_hole) = match state.at {
            Some(at) => {
                let location = &self.node(state.place)?.cfg().locations[at];
                (Some(location.command), location.in_hole.is_some())
            }
            None => (None, false),
        };
        let values = state.values.clone();
        let (is_return, formula_values) = (false, Vec::new());
        Ok(PathState { command, is_return, in_hole, values, formula_values })
    }

    fn part(&self, state: &BlockState) -> u32 {
        state.place.0
    }

    fn current(&self) -> Option<u32> {
        self.loaded.as_ref().map(|(place, _)| place.0)
    }

    fn head(&self, state: &BlockState) -> (BlockState, usize) {
        (state.clone(), 0)
    }
}
