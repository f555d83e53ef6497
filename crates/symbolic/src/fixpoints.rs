//! Fixpoints of the µ-calculus on sets of states as BDDs (Burch, Clarke, McMillan, Dill and Hwang 1992), in three
//! values.
//!
//! The under-approximation counts may steps for boxes and must steps for diamonds, the over-approximation the other way
//! round (C §6.2). Nested fixpoints of one kind continue from their last value (Emerson and Lei 1986), so a formula φ of
//! alternation depth d takes O((|φ|·n)^d) pre-images for n states. Where we differ: a modality whose operand has grown
//! is evaluated on the new states only (frontier sets), also inside of nested fixpoints.

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

/// A set difference is small if its BDD is at least this factor smaller than that of the set.
const SMALL_LOSS: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    /// Under-approximation: certainly true.
    Pessimist,
    /// Over-approximation: not certainly false.
    Optimist,
}

/// A pre-image that a modality needs: of the states in which its body is true, or false.
#[derive(Clone, Copy)]
struct PreImageQuery<'s> {
    id: NodeId,
    body: NodeId,
    is_must: bool,
    steps: Steps<'s>,
}

/// Evaluation of a formula on a care set of states, which no step leaves.
pub(crate) struct Evaluation<'a> {
    pub structure: &'a mut Structure,
    pub formula: &'a Formula,
    pub side: Side,
    pub care: &'a Bdd,
    /// By subformula: its care set and known bounds.
    pub scopes: Scopes,
    /// By operand of a modality: its care set and the invalid encodings; values outside are don't-cares.
    relevant: FxHashMap<NodeId, Bdd>,
    /// The first approximations.
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
    /// By modality, the target of its last pre-image and the pre-image.
    pre_images: FxHashMap<NodeId, (Bdd, Bdd)>,
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

    /// Evaluation with known bounds, restricted to their care sets.
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
            pre_images: FxHashMap::default(),
            active: Vec::new(),
            rounds: 0,
            record: None,
            structure,
            formula,
            side,
            care,
        })
    }

    /// The states that satisfy a subformula under the present values of its free variables.
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
        // A record has to contain the iterations of inner fixpoints, too.
        let is_recorded = self.record.as_ref().is_none_or(|record| record.is_proved(id));
        let is_usable = is_closed || is_recorded && self.free[id].ones().all(is_current);
        is_usable.then(|| value.clone())
    }

    /// The value of a node, if the variables that it depends on have the values of their fixpoints. Nodes that an
    /// evaluation did not need keep earlier values.
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

    /// Has a fixpoint begin with this approximation.
    pub fn begin_at(&mut self, var: VarId, value: Bdd) {
        self.extremes[var] = value.clone();
        self.values[var] = value;
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
        self.evaluate_definition(prop)?;
        let label = &self.structure.labels[prop];
        let certainly = if is_positive { label.tt.clone() } else { label.ff.clone() };
        let set = match self.side {
            Side::Pessimist => certainly,
            Side::Optimist if is_positive => label.ff.not(),
            Side::Optimist => label.tt.not(),
        };
        self.structure.manager.and(&set, self.scopes.care(id))
    }

    /// Evaluates a proposition that is defined by a formula.
    fn evaluate_definition(&mut self, prop: PropId) -> Result<(), Stop> {
        let Some(formula) = self.structure.defined.get(&prop).cloned() else { return Ok(()) };
        let [tt, possible] = [Side::Pessimist, Side::Optimist].map(|side| {
            let mut inner = Evaluation::new(self.structure, &formula, side, self.care)?;
            inner.node(formula.root())
        });
        self.structure.labels[prop] = Label { tt: tt?, ff: possible?.not() };
        // Only now, so that an evaluation that was stopped begins again.
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
        let target = self.node(body)?;
        // `[] f` = ¬`<>` ¬`f`.
        let target = match modality {
            Modality::Dia => target,
            Modality::Box => self.structure.manager.minus(self.scopes.care(body), &target)?,
        };
        let is_must = (modality == Modality::Dia) == (self.side == Side::Pessimist);
        let before =
            self.incremental_pre_image(PreImageQuery { id, body, is_must, steps }, target)?;
        match modality {
            Modality::Dia => Ok(before),
            Modality::Box => self.structure.manager.minus(&self.scopes.of(id).open, &before),
        }
    }

    /// The steps of a modality with these actions.
    fn steps(&self, actions: ActionSetId) -> Steps<'a> {
        self.structure.steps(self.formula.actions(actions))
    }

    /// The pre-image of a set, from the last pre-image of the modality where possible.
    fn incremental_pre_image(&mut self, query: PreImageQuery, target: Bdd) -> Result<Bdd, Stop> {
        let before = match self.pre_images.get(&query.id).cloned() {
            Some((old, result)) if old == target => return Ok(result),
            Some((old, result)) => self.updated_pre_image(old, result, &target, query)?,
            None => self.pre_image(&target, query)?,
        };
        self.pre_images.insert(query.id, (target, before.clone()));
        Ok(before)
    }

    /// Pre-image from that of another set: of a growing set only the new states are stepped back, of a
    /// shrinking one only the states that lose a step.
    fn updated_pre_image(
        &mut self,
        old: Bdd,
        result: Bdd,
        target: &Bdd,
        query: PreImageQuery,
    ) -> Result<Bdd, Stop> {
        if !self.distributes_over_union(query) {
            return self.pre_image(target, query);
        }
        let lost = self.structure.manager.minus(&old, target)?;
        let new = self.structure.manager.minus(target, &old)?;
        if lost.is_empty() {
            let simpler = self.structure.simpler(&new, target, &old)?;
            let more = self.pre_image(&simpler, query)?;
            return self.structure.manager.or(&result, &more);
        }
        let sizes = [&lost, target].map(|set| self.structure.manager.size([set]));
        let is_small = sizes[0] * SMALL_LOSS < sizes[1];
        if new.is_empty() && is_small {
            return self.pre_image_after_loss(lost, result, target, query);
        }
        self.pre_image(target, query)
    }

    /// Whether the pre-image of a union is the union of the pre-images.
    fn distributes_over_union(&self, query: PreImageQuery) -> bool {
        !query.is_must || self.structure.must.as_ref().is_none_or(Must::distributes_over_union)
    }

    /// The pre-image of a set that has lost some states: their predecessors need another successor.
    fn pre_image_after_loss(
        &mut self,
        lost: Bdd,
        result: Bdd,
        target: &Bdd,
        query: PreImageQuery,
    ) -> Result<Bdd, Stop> {
        let affected = self.pre_image(&lost, query)?;
        let Some((relation, manager)) = self.structure.steps_of(query.is_must) else {
            return self.pre_image(target, query);
        };
        let others = relation.image(&affected, manager)?;
        let others = manager.and(&others, target)?;
        let kept = self.pre_image(&others, query)?;
        let manager = &mut self.structure.manager;
        let gone = manager.minus(&affected, &kept)?;
        manager.minus(&result, &gone)
    }

    fn pre_image(&mut self, to: &Bdd, query: PreImageQuery) -> Result<Bdd, Stop> {
        let PreImageQuery { id, body, is_must, steps } = query;
        let simpler = match self.distributes_over_union(query) {
            true => self.simplified_target(to, body)?,
            // With hyper-transitions, invalid moves of the environment lead outside the care set; restricting the
            // target could add them.
            false => to.clone(),
        };
        let among = &self.scopes.of(id).open;
        self.structure.pre_image(&simpler, is_must, steps, among)
    }

    /// A set with a smaller BDD and the same pre-image within the care set: a step from there leads into the care set
    /// of the body.
    fn simplified_target(&mut self, to: &Bdd, body: NodeId) -> Result<Bdd, Stop> {
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
            self.prove_inner_fixpoints(var)?;
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

    /// Resets the approximations of this kind within a fixpoint, since a fixpoint of the other kind around them has
    /// changed.
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

/// The known lower bounds of least fixpoints and upper bounds of greatest ones (C §6.2).
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
