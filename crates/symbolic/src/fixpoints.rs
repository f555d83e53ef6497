//! Fixpoints of the µ-calculus on sets of states as BDDs (Burch, Clarke, McMillan, Dill and Hwang 1992), in three
//! values.
//!
//! The under-approximation counts may steps for boxes and must steps for diamonds, the over-approximation the other way
//! round (C §6.2). Nested fixpoints of one kind continue from their last value (Emerson and Lei 1986), so a formula of
//! alternation depth d takes O(n^d) images. Where we differ: a modality whose operand has grown is
//! evaluated on the new states only (frontier sets), also inside of nested fixpoints.

use crate::facts::{costs, free_variables};
use crate::musts::Must;
use crate::record::Record;
use crate::relation::Steps;
use crate::scopes::Scopes;
use crate::structure::{Label, Structure};
use bdd::{Bdd, Manager, Stop};
use fixedbitset::FixedBitSet;
use logic::{ActionSetId, Fix, Formula, Modality, Node, NodeId, PropId, VarId};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use support::IdVec;

/// A loss is small if its BDD is so many times smaller than the set's.
const LITTLE: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Under-approximation: certainly true.
    Pessimist,
    /// Over-approximation: not certainly false.
    Optimist,
}

/// A modality that asks from where steps lead to where its body is true, or false.
#[derive(Clone, Copy)]
struct Asked<'s> {
    id: NodeId,
    body: NodeId,
    is_must: bool,
    steps: Steps<'s>,
}

/// A formula on the states that count, which no step leaves.
pub(crate) struct Evaluation<'a> {
    pub structure: &'a mut Structure,
    pub formula: &'a Formula,
    pub side: Side,
    pub care: &'a Bdd,
    /// Where the parts of the formula count, and what is known of them.
    pub scopes: Scopes,
    /// By node under a modality: the states in which it counts and what is no state. Elsewhere a set that
    /// steps lead to may be anything.
    relevant: FxHashMap<NodeId, Bdd>,
    /// First approximations.
    extremes: IdVec<VarId, Bdd>,
    /// The present approximations.
    pub values: IdVec<VarId, Bdd>,
    /// By node, the variables that occur freely in it.
    free: IdVec<NodeId, FixedBitSet>,
    /// By node, how many modalities are in it.
    cost: IdVec<NodeId, u32>,
    /// When a variable got its value.
    changed: IdVec<VarId, u64>,
    clock: u64,
    /// By node, its last result and when it was found.
    pub memo: FxHashMap<NodeId, (u64, Bdd)>,
    /// By modality, what it was asked last and what came out.
    asked: FxHashMap<NodeId, (Bdd, Bdd)>,
    /// The fixpoints being computed, innermost last.
    active: Vec<VarId>,
    rounds: u64,
    /// Proof of the results, if evidence is wanted.
    pub record: Option<Record>,
}

impl<'a> Evaluation<'a> {
    pub fn new(
        structure: &'a mut Structure,
        formula: &'a Formula,
        side: Side,
        care: &'a Bdd,
    ) -> Result<Self, Stop> {
        let scopes = Scopes::plain(formula, care, &structure.manager);
        Self::within(structure, formula, side, care, scopes)
    }

    /// Evaluation with known bounds, restricted to the states that count.
    pub fn within(
        structure: &'a mut Structure,
        formula: &'a Formula,
        side: Side,
        care: &'a Bdd,
        scopes: Scopes,
    ) -> Result<Self, Stop> {
        let extremes = extremes(formula, &scopes, &mut structure.manager)?;
        Ok(Self {
            values: extremes.clone(),
            extremes,
            free: free_variables(formula),
            cost: costs(formula),
            scopes,
            relevant: FxHashMap::default(),
            changed: formula.vars().map(|_| 0).collect(),
            clock: 0,
            memo: FxHashMap::default(),
            asked: FxHashMap::default(),
            active: Vec::new(),
            rounds: 0,
            record: None,
            structure,
            formula,
            side,
            care,
        })
    }

    /// Where a part of the formula is true; no variable that is bound outside of it occurs in it.
    pub fn node(&mut self, id: NodeId) -> Result<Bdd, Stop> {
        if let Some(known) = self.known(id) {
            return Ok(known);
        }
        if let Some(given) = self.scopes.given(id) {
            return Ok(given);
        }
        let value = match self.formula.node(id) {
            Node::Const(true) => self.scopes.care(id).clone(),
            Node::Const(false) => self.structure.manager.constant(false),
            Node::Lit(prop, is_positive) => self.literal(id, prop, is_positive)?,
            Node::And(a, b) => self.and(a, b)?,
            Node::Or(a, b) => self.or(id, a, b)?,
            Node::Modal(modality, actions, body) => self.modal(id, modality, actions, body)?,
            Node::Fix(var) => self.fixpoint(id, var)?,
            Node::Var(var) => self.values[var].clone(),
        };
        let value = self.scopes.clamped(id, value, &mut self.structure.manager)?;
        self.memo.insert(id, (self.clock, value.clone()));
        Ok(value)
    }

    /// The last result, if nothing that it depends on has changed since.
    pub fn known(&self, id: NodeId) -> Option<Bdd> {
        let (time, value) = self.memo.get(&id)?;
        let is_current = |var: usize| self.changed[VarId(var as u32)] <= *time;
        let is_closed = self.free[id].is_clear();
        // Who wants to see the rounds of a fixpoint wants to see those of the last time.
        let is_usable = is_closed || self.record.is_none() && self.free[id].ones().all(is_current);
        is_usable.then(|| value.clone())
    }

    /// Value of a node, if the variables that it depends on have the values of their fixpoints. An evaluation
    /// leaves nodes that it did not need as they were, even where what is around has changed.
    pub fn settled(&self, id: NodeId) -> Option<Bdd> {
        let mut seen = self.free[id].clone();
        let mut open: Vec<usize> = seen.ones().collect();
        while let Some(var) = open.pop() {
            let var = VarId(var as u32);
            let body = self.formula.var(var).body;
            if self.known(body).as_ref() != Some(&self.values[var]) {
                return None;
            }
            open.extend(self.free[body].difference(&seen));
            seen.union_with(&self.free[body]);
        }
        self.known(id)
    }

    pub fn set(&mut self, var: VarId, value: Bdd) {
        self.clock += 1;
        self.changed[var] = self.clock;
        self.values[var] = value;
    }

    fn or(&mut self, id: NodeId, a: NodeId, b: NodeId) -> Result<Bdd, Stop> {
        let (a, b) = self.cheaper_first(a, b);
        let a = self.node(a)?;
        if a == *self.scopes.care(id) {
            return Ok(a);
        }
        let b = self.node(b)?;
        self.structure.manager.or(&a, &b)
    }

    /// Orders two subformulas: one without a modality, or known, often makes the other needless.
    fn cheaper_first(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        let cost = |id: NodeId| if self.known(id).is_some() { 0 } else { self.cost[id] };
        if cost(b) < cost(a) { (b, a) } else { (a, b) }
    }

    fn and(&mut self, a: NodeId, b: NodeId) -> Result<Bdd, Stop> {
        let (a, b) = self.cheaper_first(a, b);
        let a = self.node(a)?;
        if a.is_empty() {
            return Ok(a);
        }
        let b = self.node(b)?;
        self.structure.manager.and(&a, &b)
    }

    pub fn is_without_variables(&self, id: NodeId) -> bool {
        self.free[id].is_clear()
    }

    fn literal(&mut self, id: NodeId, prop: PropId, is_positive: bool) -> Result<Bdd, Stop> {
        self.find_out(prop)?;
        let label = &self.structure.labels[prop];
        let certainly = if is_positive { label.tt.clone() } else { label.ff.clone() };
        let set = match self.side {
            Side::Pessimist => certainly,
            Side::Optimist if is_positive => label.ff.not(),
            Side::Optimist => label.tt.not(),
        };
        self.structure.manager.and(&set, self.scopes.care(id))
    }

    /// Computes where a proposition is true that is defined by a formula.
    fn find_out(&mut self, prop: PropId) -> Result<(), Stop> {
        let Some(formula) = self.structure.defined.get(&prop).cloned() else { return Ok(()) };
        let [tt, possible] = [Side::Pessimist, Side::Optimist].map(|side| {
            let mut inner = Evaluation::new(self.structure, &formula, side, self.care)?;
            inner.node(formula.root())
        });
        self.structure.labels[prop] = Label { tt: tt?, ff: possible?.not() };
        // Only now: who gives up before asks again.
        self.structure.defined.remove(&prop);
        Ok(())
    }

    fn modal(
        &mut self,
        id: NodeId,
        modality: Modality,
        actions: ActionSetId,
        body: NodeId,
    ) -> Result<Bdd, Stop> {
        let steps = self.steps(actions);
        let there = self.node(body)?;
        // `[] f` is not `<> not f`.
        let there = match modality {
            Modality::Dia => there,
            Modality::Box => self.structure.manager.minus(self.scopes.care(body), &there)?,
        };
        let is_must = (modality == Modality::Dia) == (self.side == Side::Pessimist);
        let before = self.from(Asked { id, body, is_must, steps }, there)?;
        match modality {
            Modality::Dia => Ok(before),
            Modality::Box => self.structure.manager.minus(&self.scopes.of(id).open, &before),
        }
    }

    /// The steps that a modality speaks of.
    fn steps(&self, actions: ActionSetId) -> Steps<'a> {
        self.structure.steps(self.formula.actions(actions))
    }

    /// From where a step leads there. What grows is asked for what is new only.
    fn from(&mut self, asked: Asked, there: Bdd) -> Result<Bdd, Stop> {
        let before = match self.asked.get(&asked.id).cloned() {
            Some((old, result)) if old == there => return Ok(result),
            Some((old, result)) => self.changed_from(old, result, &there, asked)?,
            None => self.pre_image(&there, asked)?,
        };
        self.asked.insert(asked.id, (there, before.clone()));
        Ok(before)
    }

    /// Pre-image from that of another set: of a growing set only the new states are stepped back, of a
    /// shrinking one only the states that lose a step.
    fn changed_from(
        &mut self,
        old: Bdd,
        result: Bdd,
        there: &Bdd,
        asked: Asked,
    ) -> Result<Bdd, Stop> {
        if !self.is_of_steps(asked) {
            return self.pre_image(there, asked);
        }
        let lost = self.structure.manager.minus(&old, there)?;
        let new = self.structure.manager.minus(there, &old)?;
        if lost.is_empty() {
            let simpler = self.structure.simpler(&new, there, &old)?;
            let more = self.pre_image(&simpler, asked)?;
            return self.structure.manager.or(&result, &more);
        }
        let sizes = [&lost, there].map(|set| self.structure.manager.size([set]));
        let is_little = sizes[0] * LITTLE < sizes[1];
        if new.is_empty() && is_little {
            return self.shrunk_by(lost, result, there, asked);
        }
        self.pre_image(there, asked)
    }

    /// Whether what leads to a set is what leads to its members.
    fn is_of_steps(&self, asked: Asked) -> bool {
        !asked.is_must || self.structure.must.as_ref().is_none_or(Must::is_of_steps)
    }

    /// Those with a step to what is lost need another step.
    fn shrunk_by(
        &mut self,
        lost: Bdd,
        result: Bdd,
        there: &Bdd,
        asked: Asked,
    ) -> Result<Bdd, Stop> {
        let affected = self.pre_image(&lost, asked)?;
        let Some((relation, manager)) = self.structure.steps_of(asked.is_must) else {
            return self.pre_image(there, asked);
        };
        let others = relation.image(&affected, manager)?;
        let others = manager.and(&others, there)?;
        let kept = self.pre_image(&others, asked)?;
        let manager = &mut self.structure.manager;
        let gone = manager.minus(&affected, &kept)?;
        manager.minus(&result, &gone)
    }

    fn pre_image(&mut self, to: &Bdd, asked: Asked) -> Result<Bdd, Stop> {
        let Asked { id, body, is_must, steps } = asked;
        let simpler = match self.is_of_steps(asked) {
            true => self.as_far_as_it_counts(to, body)?,
            // An answer that is no step leads to where nothing counts, and that is not there.
            false => to.clone(),
        };
        let among = &self.scopes.of(id).open;
        self.structure.before(&simpler, is_must, steps, among)
    }

    /// Some set that is the same for who makes a step from where it counts: that leads to where the target
    /// counts.
    fn as_far_as_it_counts(&mut self, to: &Bdd, body: NodeId) -> Result<Bdd, Stop> {
        let Structure { manager, states, .. } = &mut *self.structure;
        let care = self.scopes.care(body);
        if to == care && manager.size([&*states]) < manager.size([to]) {
            return Ok(states.clone());
        }
        let relevant = match self.relevant.entry(body) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(manager.or(care, &states.not())?),
        };
        manager.restrict(to, relevant)
    }

    fn fixpoint(&mut self, id: NodeId, var: VarId) -> Result<Bdd, Stop> {
        let kind = self.formula.var(var).kind;
        let outer = self.active.last().map(|&outer| self.formula.var(outer).kind);
        if outer != Some(kind) {
            self.reset(id, var, kind);
        }
        self.active.push(var);
        let body = self.formula.var(var).body;
        if self.record.is_some() {
            self.show_what_is_within(var)?;
        }
        let value = loop {
            self.rounds += 1;
            self.structure.manager.monitor().step(1).map_err(Stop::Stopped)?;
            let mark = self.begin_round(var);
            let value = self.node(body)?;
            let is_last = value == self.values[var];
            self.end_round(var, &value, mark, is_last);
            if is_last || self.is_enough(id, &value)? {
                break value;
            }
            self.set(var, value);
        };
        self.active.pop();
        Ok(value)
    }

    /// The approximations of this kind within a fixpoint begin anew, as what is around has changed the
    /// other way.
    fn reset(&mut self, id: NodeId, var: VarId, kind: Fix) {
        let mut open = vec![id];
        let mut seen: Vec<VarId> = vec![var];
        while let Some(id) = open.pop() {
            match self.formula.node(id) {
                Node::Const(_) | Node::Lit(..) | Node::Var(_) => {}
                Node::And(a, b) | Node::Or(a, b) => open.extend([a, b]),
                Node::Modal(_, _, body) => open.push(body),
                Node::Fix(inner) => {
                    seen.push(inner);
                    open.push(self.formula.var(inner).body);
                }
            }
        }
        for var in seen {
            if self.formula.var(var).kind == kind {
                self.set(var, self.extremes[var].clone());
            }
        }
    }
}

/// The least and the greatest that fixpoints can be (C §6.2).
fn extremes(
    formula: &Formula,
    scopes: &Scopes,
    manager: &mut Manager,
) -> Result<IdVec<VarId, Bdd>, Stop> {
    let mut extremes = IdVec::new();
    for (_, var) in formula.vars() {
        let scope = scopes.of(var.body);
        extremes.push(match var.kind {
            Fix::Mu => scope.tt.clone(),
            Fix::Nu => manager.minus(&scope.care, &scope.ff)?,
        });
    }
    Ok(extremes)
}
