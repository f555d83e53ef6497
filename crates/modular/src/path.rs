//! Counterexamples and witnesses of modular checking: a path through the program, across its blocks, with the values
//! of the variables.
//!
//! This is the usual forward construction (Clarke, Emerson and Sistla 1986): E and A untils by breadth-first search,
//! releases by a lasso. M checks verdicts only. Where we differ from the monolithic construction: the truth of a
//! formula in a state is read off the node that the state is in, which is checked again under the assumptions on the
//! nodes after it, so that one node is in memory here too. A search visits each state once, and each change of node
//! costs one check of that node.

use crate::ModularRequest;
use crate::assumption::Assumption;
use crate::claims::ClaimLog;
use crate::evaluator::Evaluator;
use crate::node::CheckedNode;
use crate::sets::ValuationSets;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use support::Stopped;
use transition::cfg::{
    Bound, CfgEdge, CfgTarget, CommandId, CtlAtom, CtlNode, Effect, FormulaId, LocationId,
    Operator, TemporalId, UnfoldedId, Unfolding,
};
use transition::{ExprNode as Expression, NodeId, VarId};

/// Of a step that gives a variable any value, so many values are looked at one by one.
const MOST_VALUES: u128 = 1 << 10;
/// No path is looked for through more states than this.
const MOST_STATES: usize = 1 << 20;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    place: UnfoldedId,
    /// `None` where a run-time error has occurred.
    at: Option<LocationId>,
    values: Vec<i64>,
}

/// A state on the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathState {
    /// Next command; `None` where a run-time error has occurred.
    pub command: Option<CommandId>,
    /// Whether it is inside of a hole: what is done there is only one of the things that may be done.
    pub in_hole: bool,
    pub values: Vec<i64>,
    pub formula_values: Vec<FormulaValue>,
}

/// A formula that holds in a state, or does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FormulaValue {
    pub formula: FormulaId,
    pub holds: bool,
    /// Whether that is so for all paths from here, so that no single one shows it.
    pub on_all_paths: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramPath {
    pub states: Vec<PathState>,
    /// The path goes on for ever, from the last state to this one.
    pub loop_start: Option<usize>,
    /// The path is too long to be shown to its end.
    pub is_cut: bool,
}

/// Data of a path search.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub request: &'a ModularRequest<'a>,
    pub unfolding: &'a Unfolding,
    pub log: &'a ClaimLog<'a>,
}

pub struct PathSearch<'k, 'a, S: ValuationSets> {
    setting: Setting<'a>,
    evaluator: &'k mut Evaluator<'a, S>,
    loaded: Option<(UnfoldedId, CheckedNode<S>)>,
    /// Where each node begins.
    entries: FxHashMap<UnfoldedId, LocationId>,
    path: ProgramPath,
}

impl<'k, 'a, S: ValuationSets> PathSearch<'k, 'a, S> {
    pub fn new(setting: Setting<'a>, evaluator: &'k mut Evaluator<'a, S>) -> Self {
        Self {
            setting,
            evaluator,
            loaded: None,
            entries: FxHashMap::default(),
            path: ProgramPath::default(),
        }
    }

    /// From the beginning of the program with these values, where a formula holds or does not.
    pub fn run(
        mut self,
        values: Vec<i64>,
        formula: FormulaId,
        holds: bool,
    ) -> Result<ProgramPath, Stopped> {
        let first = UnfoldedId(0);
        let state = State { place: first, at: Some(self.entry(first)), values };
        self.reach(&state)?;
        self.follow(state, formula, holds)?;
        Ok(self.path)
    }

    /// Goes on from the last state of the path as long as there is a single path that shows it.
    fn follow(
        &mut self,
        mut state: State,
        mut formula: FormulaId,
        mut holds: bool,
    ) -> Result<(), Stopped> {
        loop {
            match self.setting.request.closure.formulas[formula] {
                CtlNode::True | CtlNode::Atom(..) => {
                    self.note_value(formula, holds, false);
                    return Ok(());
                }
                CtlNode::Not(operand) => (formula, holds) = (operand, !holds),
                CtlNode::Or(a, b) => formula = self.chosen(&state, [a, b], holds)?,
                CtlNode::Temporal(id) => {
                    self.note_value(
                        formula,
                        holds,
                        self.setting.request.closure.temporals[id].is_all == holds,
                    );
                    match self.along(&mut state, id, holds)? {
                        Some(next) => (formula, holds) = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }

    /// Goes on from the last state as a temporal formula demands; what has to be shown at the end of it.
    fn along(
        &mut self,
        state: &mut State,
        id: TemporalId,
        holds: bool,
    ) -> Result<Option<(FormulaId, bool)>, Stopped> {
        let temporal = self.setting.request.closure.temporals[id];
        if temporal.is_all == holds {
            return Ok(None);
        }
        match temporal.operator {
            Operator::Next(operand) => {
                for next in self.successors(state, (operand, holds))? {
                    if self.truth(&next, operand)? == holds {
                        self.reach(&next)?;
                        *state = next;
                        return Ok(Some((operand, holds)));
                    }
                }
                Ok(None)
            }
            Operator::Until(_, goal) if holds => {
                Ok(self.search(state, id, goal)?.then_some((goal, true)))
            }
            Operator::Until(left, goal) => self.avoid(state, id, left, goal),
        }
    }

    /// Of the operands of a disjunction, one that shows what it is: a true one, or of two false ones the one that a
    /// path can be shown for.
    fn chosen(
        &mut self,
        state: &State,
        [a, b]: [FormulaId; 2],
        holds: bool,
    ) -> Result<FormulaId, Stopped> {
        if holds {
            return Ok(if self.truth(state, a)? { a } else { b });
        }
        let (first, second) =
            if self.is_path(b, false) && !self.is_path(a, false) { (b, a) } else { (a, b) };
        self.note_value(second, false, false);
        Ok(first)
    }

    /// Whether a formula's value is shown by one path through the program.
    fn is_path(&self, formula: FormulaId, holds: bool) -> bool {
        match self.setting.request.closure.formulas[formula] {
            CtlNode::Not(operand) => self.is_path(operand, !holds),
            CtlNode::Temporal(id) => self.setting.request.closure.temporals[id].is_all != holds,
            CtlNode::True | CtlNode::Atom(..) | CtlNode::Or(..) => false,
        }
    }

    /// A path to where the goal of an until holds, through states where the until does.
    fn search(
        &mut self,
        state: &mut State,
        id: TemporalId,
        goal: FormulaId,
    ) -> Result<bool, Stopped> {
        let until = self.formula_of(id);
        let mut parents: FxHashMap<State, Option<State>> =
            FxHashMap::from_iter([(state.clone(), None)]);
        // By location: who is in memory goes first.
        let mut open: FxHashMap<UnfoldedId, VecDeque<State>> = FxHashMap::default();
        open.entry(state.place).or_default().push_back(state.clone());
        while let Some(next) = self.next_open(&mut open) {
            if self.truth(&next, goal)? {
                self.reach_along(&next, &parents)?;
                *state = next;
                return Ok(true);
            }
            if parents.len() > MOST_STATES {
                break;
            }
            for successor in self.successors(&next, (until, true))? {
                if !parents.contains_key(&successor) && self.truth(&successor, until)? {
                    parents.insert(successor.clone(), Some(next.clone()));
                    open.entry(successor.place).or_default().push_back(successor);
                }
            }
        }
        self.path.is_cut = true;
        Ok(false)
    }

    fn next_open(&self, open: &mut FxHashMap<UnfoldedId, VecDeque<State>>) -> Option<State> {
        let here =
            self.loaded.as_ref().map(|(place, _)| *place).filter(|place| open.contains_key(place));
        let place = here.or_else(|| open.keys().min().copied())?;
        let states = open.get_mut(&place)?;
        let next = states.pop_front();
        if states.is_empty() {
            open.remove(&place);
        }
        next
    }

    fn reach_along(
        &mut self,
        last: &State,
        parents: &FxHashMap<State, Option<State>>,
    ) -> Result<(), Stopped> {
        let mut states = vec![last.clone()];
        while let Some(Some(before)) = states.last().and_then(|state| parents.get(state)) {
            states.push(before.clone());
        }
        for state in states.iter().rev().skip(1) {
            self.reach(state)?;
        }
        Ok(())
    }

    /// A path on which an until is not kept: to where neither side holds, or round for ever.
    fn avoid(
        &mut self,
        state: &mut State,
        id: TemporalId,
        left: FormulaId,
        goal: FormulaId,
    ) -> Result<Option<(FormulaId, bool)>, Stopped> {
        let until = self.formula_of(id);
        let first = self.path.states.len() - 1;
        let mut seen: FxHashMap<State, usize> = FxHashMap::default();
        loop {
            if !self.truth(state, left)? {
                self.note_value(goal, false, false);
                return Ok(Some((left, false)));
            }
            seen.insert(state.clone(), first + seen.len());
            let mut next = None;
            for successor in self.successors(state, (until, false))? {
                if !self.truth(&successor, until)? {
                    next = Some(successor);
                    break;
                }
            }
            let Some(next) = next.filter(|_| seen.len() < MOST_STATES) else {
                self.path.is_cut = true;
                return Ok(None);
            };
            if let Some(&at) = seen.get(&next) {
                self.note_value(goal, false, false);
                self.path.loop_start = Some(at);
                return Ok(None);
            }
            self.reach(&next)?;
            *state = next;
        }
    }

    fn formula_of(&self, id: TemporalId) -> FormulaId {
        let formulas = self.setting.request.closure.formulas.iter();
        let found = formulas.into_iter().find(|(_, formula)| **formula == CtlNode::Temporal(id));
        found.map_or(FormulaId(0), |(formula, _)| formula)
    }

    fn note_value(&mut self, formula: FormulaId, holds: bool, on_all_paths: bool) {
        if let Some(last) = self.path.states.last_mut() {
            let note_value = FormulaValue { formula, holds, on_all_paths };
            if !last.formula_values.contains(&note_value) {
                last.formula_values.push(note_value);
            }
        }
    }

    fn reach(&mut self, state: &State) -> Result<(), Stopped> {
        let (command, in_hole) = match state.at {
            Some(at) => {
                let location = &self.node(state.place)?.cfg().locations[at];
                (Some(location.command), location.in_hole.is_some())
            }
            None => (None, false),
        };
        let values = state.values.clone();
        self.path.states.push(PathState { command, in_hole, values, formula_values: Vec::new() });
        Ok(())
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

    /// Whether a formula holds in a state: what it is made of first.
    fn truth(&mut self, state: &State, formula: FormulaId) -> Result<bool, Stopped> {
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

    /// Decides an atom or a formula that begins with a temporal operator.
    fn simple(&mut self, state: &State, formula: FormulaId) -> Result<bool, Stopped> {
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

    /// Successors of a state. Where a variable may get any of very many values, only some are given, but one
    /// among them with which the wanted formula holds or fails, if there is one.
    fn successors(
        &mut self,
        state: &State,
        wanted: (FormulaId, bool),
    ) -> Result<Vec<State>, Stopped> {
        let Some(at) = state.at else { return Ok(vec![state.clone()]) };
        let edges = self.node(state.place)?.cfg().locations[at].edges.clone();
        let mut found: Vec<State> = Vec::new();
        let mut seen: FxHashSet<State> = FxHashSet::default();
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
        if in_hole.is_some_and(|in_hole| in_hole.ends) {
            // Who ends does not stay for ever: out of the hole first.
            found.sort_by_key(|next| (next.place, next.at) == (state.place, state.at));
        }
        Ok(found)
    }

    /// The values after a step.
    fn after(
        &mut self,
        edge: &CfgEdge,
        state: &State,
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
        state: &State,
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

    fn arrived(&mut self, from: &State, to: CfgTarget, values: Vec<i64>) -> State {
        match to {
            CfgTarget::Inside(to) => State { place: from.place, at: Some(to), values },
            CfgTarget::Error => State { place: from.place, at: None, values },
            CfgTarget::Exit(exit) => {
                let exits = &self.setting.unfolding.nodes[from.place].exits;
                match exits.get(exit as usize).copied() {
                    Some(place) => State { place, at: Some(self.entry(place)), values },
                    None => State { place: from.place, at: None, values },
                }
            }
        }
    }
}
