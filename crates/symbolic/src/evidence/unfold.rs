//! Strategy of the winner as an evidence graph over concrete states: witnesses and counterexamples from the rings of
//! the fixpoints (Clarke, Grumberg, McMillan and Zhao, DAC 1995; for the µ-calculus Kick, 1995).
//!
//! The proof orders the approximations of every fixpoint by the time at which they were computed. Where the winner of
//! the game chooses, the walk takes one successor from an earlier approximation, so least fixpoints are reached after
//! finitely many steps; where the loser chooses, it takes all successors. A position of a greatest fixpoint follows
//! from itself: a path back to it is searched by a fixpoint of its own ([`ReturnPath`]), which closes a lasso. Each
//! step costs one image of a single state.
//!
//! Where we differ: one walk serves both verdicts, because the dual formula is proven when the verdict is false, and
//! paths back are tried ever less often, since each costs a fixpoint.

use super::plan::{END, Entry, Plan};
use super::walk::{Field, Images, State, StateWords};
use crate::proof::Proof;
use crate::relation::Steps;
use bdd::{Bdd, Stop};
use logic::evidence::{
    Decision, EvidenceGraph, Justification, ShownNode, ShownState, ShownStep, UnfoldedEvidence,
    unfold,
};
use logic::{ActionSetId, Formula, Modality, Node, NodeId, Truth, VarId};
use rustc_hash::FxHashMap;
use support::IdVec;

/// More initial states than this are not all shown.
const INITIAL: usize = 16;
/// In a brief walk, states with more successors than this are not expanded.
const SUCCESSORS: usize = 64;
/// Searches for a return path, at most.
const TRIES: u32 = 40;
/// Visits of a fixpoint before a return path is searched for: most walks come to an earlier position by then.
const PATIENCE: u32 = 64;

/// The number of a plan: 0 is the one of the proof, the others are paths back.
type PlanId = usize;

/// A position: a state with a subformula, and the time before which the approximations that it follows from were
/// computed. For a variable the plan has the time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    state: u32,
    node: NodeId,
    plan: PlanId,
    before: usize,
}

type Successor = (Key, Option<ShownStep>);

/// A path from a position back to itself.
struct ReturnPath {
    plan: Plan,
    /// The position that it leads to.
    origin: Key,
    /// It was found from what the proof had shown before this time.
    before: usize,
}

pub(super) struct Walk<'a, W> {
    pub field: Field<'a, W>,
    pub proof: &'a Proof,
    pub plan: &'a Plan,
    pub care: &'a Bdd,
    /// The formula that was asked; `proof` shows it or its dual.
    formula: &'a Formula,
    /// By subformula: how many modalities one has to follow.
    costs: IdVec<NodeId, u32>,
    returns: Vec<ReturnPath>,
    /// By variable, how often it was visited; and how many return paths were searched for.
    visits: FxHashMap<VarId, u32>,
    tries: u32,
    numbers: FxHashMap<State, u32>,
    states: Vec<State>,
    /// Whether universal fixpoints are not followed.
    is_brief: bool,
    /// Whether return paths are searched for at once.
    is_shortest: bool,
    most: usize,
    /// The number of positions that were not visited.
    left_out: u64,
}

impl<'a, W: StateWords> Walk<'a, W> {
    pub fn new(
        field: Field<'a, W>,
        formula: &'a Formula,
        proof: &'a Proof,
        plan: &'a Plan,
        care: &'a Bdd,
    ) -> Self {
        Self {
            field,
            proof,
            plan,
            care,
            formula,
            costs: costs(&proof.shown),
            returns: Vec::new(),
            visits: FxHashMap::default(),
            tries: 0,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            is_brief: false,
            is_shortest: false,
            most: 0,
            left_out: 0,
        }
    }

    pub fn shortest(self, is_shortest: bool) -> Self {
        Self { is_shortest, ..self }
    }

    /// Whether some fixpoint is universal.
    pub fn has_universal_fixpoint(&self) -> bool {
        self.proof.shown.vars().any(|(var, _)| self.is_universal(var))
    }

    /// Whether a fixpoint ranges over all paths: a box is in its block.
    fn is_universal(&self, var: VarId) -> bool {
        let formula = &self.proof.shown;
        let block = formula.block_of(formula.var(var).body);
        formula.blocks()[block].nodes.iter().any(|&id| match formula.node(id) {
            Node::Modal(Modality::Box, _, body) => formula.block_of(body) == block,
            _ => false,
        })
    }

    pub fn unfold(&mut self, most: usize, is_brief: bool) -> Result<UnfoldedEvidence, Stop> {
        (self.most, self.is_brief, self.tries, self.left_out) = (most, is_brief, 0, 0);
        self.numbers.clear();
        self.states.clear();
        self.returns.clear();
        self.visits.clear();
        let initial = self.initial()?;
        let root = self.proof.shown.root();
        let roots = initial.into_iter().map(|state| self.position(state, root, 0, END)).collect();
        let mut explanation = unfold(self, Truth::from(self.proof.verdict), roots, most)?;
        explanation.cut += self.left_out;
        explanation.components = self.field.words.components();
        explanation.fairness = self.formula.conditions().to_vec();
        explanation.constants = self.field.words.constants_of(self.states.first());
        Ok(explanation)
    }

    /// The initial states to show.
    fn initial(&mut self) -> Result<Vec<State>, Stop> {
        let wanted = if self.proof.verdict { INITIAL + 1 } else { 1 };
        let mut states = self.pick_states(&self.proof.start.clone(), wanted)?;
        if states.len() > INITIAL {
            states.truncate(1);
            // A number that is larger than it can be written is large enough.
            let all = self.field.structure.count(&self.proof.start);
            self.left_out += (all as u64).saturating_sub(1);
        }
        Ok(states)
    }

    /// Some states of a set.
    fn pick_states(&mut self, set: &Bdd, most: usize) -> Result<Vec<State>, Stop> {
        let mut left = set.clone();
        let mut states = Vec::new();
        while states.len() < most
            && let Some(state) = self.field.pick(&left)
        {
            let only = self.field.only(&state)?;
            left = self.field.structure.manager.minus(&left, &only)?;
            states.push(state);
        }
        Ok(states)
    }

    /// The position of a subformula that is known in a state.
    fn position(&mut self, state: State, node: NodeId, plan: PlanId, before: usize) -> Key {
        let fresh = self.states.len() as u32;
        let number = *self.numbers.entry(state.clone()).or_insert(fresh);
        if number == fresh {
            self.states.push(state);
        }
        let formula = &self.proof.shown;
        let mut node = formula.representative(node);
        // A fixpoint whose variable does not occur is its body.
        while let Node::Fix(var) = formula.node(node) {
            node = formula.representative(formula.var(var).body);
        }
        let Node::Var(var) = formula.node(node) else {
            return Key { state: number, node, plan, before };
        };
        let plan = if self.return_path_has(plan, var) { plan } else { 0 };
        // A return path leads to the position that it was searched for.
        if let Some(path) = self.return_path(plan)
            && self.first_entry(&path.plan, var, number).is_some_and(|entry| entry.at == 0)
        {
            return path.origin;
        }
        Key { state: number, node, plan, before: END }
    }

    fn return_path(&self, plan: PlanId) -> Option<&ReturnPath> {
        plan.checked_sub(1).map(|index| &self.returns[index])
    }

    fn return_path_has(&self, plan: PlanId, var: VarId) -> bool {
        self.return_path(plan).is_some_and(|path| path.plan.has(var))
    }

    /// The plan that has a variable.
    fn plan_for(&self, plan: PlanId, var: VarId) -> &Plan {
        match self.return_path(plan) {
            Some(path) if path.plan.has(var) => &path.plan,
            _ => self.plan,
        }
    }

    /// The first approximation of a variable that has a state.
    fn first_entry<'p>(&self, plan: &'p Plan, var: VarId, state: u32) -> Option<&'p Entry> {
        let state = &self.states[state as usize];
        plan.of(var).iter().find(|entry| self.field.contains(&entry.states, state))
    }

    /// Plan and time from which the value of a variable follows. Where it was assumed, a return path is searched: for a
    /// shortest path at the first visits, else after some, and then ever less often.
    fn approximation_for(&mut self, key: Key, var: VarId) -> Result<(PlanId, usize), Stop> {
        let Some(entry) = self.first_entry(self.plan_for(key.plan, var), var, key.state) else {
            return Ok((key.plan, key.before));
        };
        let (at, due) = (entry.at, entry.due);
        let count = self.visits.entry(var).or_insert(0);
        *count += 1;
        let is_time = match self.is_shortest {
            true => *count <= 8 || count.is_power_of_two(),
            false => *count >= PATIENCE && count.is_power_of_two(),
        };
        if due > at && key.plan == 0 && is_time && self.tries < TRIES && !self.is_universal(var) {
            self.tries += 1;
            let state = self.states[key.state as usize].clone();
            if let Some(path) = self.find_return(&state, var, due)? {
                self.returns.push(ReturnPath { plan: path, origin: key, before: due });
                return Ok((self.returns.len(), END));
            }
        }
        Ok((key.plan, due))
    }

    /// The alternative that holds; the one with fewer modalities if both do.
    fn choose_disjunct(
        &mut self,
        state: u32,
        mut disjuncts: [NodeId; 2],
        plan: PlanId,
        before: usize,
    ) -> Result<NodeId, Stop> {
        disjuncts.sort_by_key(|&disjunct| self.costs[disjunct]);
        let state = self.states[state as usize].clone();
        let holds = self.holds_in(disjuncts[0], &state, plan, before)?;
        Ok(if holds { disjuncts[0] } else { disjuncts[1] })
    }

    /// Whether a subformula holds in a state, by the approximations before some time: one step is taken from the state,
    /// rather than back from all states in which the operand holds.
    fn holds_in(
        &mut self,
        id: NodeId,
        state: &State,
        plan: PlanId,
        before: usize,
    ) -> Result<bool, Stop> {
        let formula = &self.proof.shown;
        match formula.node(id) {
            Node::And(a, b) => {
                Ok(self.holds_in(a, state, plan, before)?
                    && self.holds_in(b, state, plan, before)?)
            }
            Node::Or(a, b) => {
                Ok(self.holds_in(a, state, plan, before)?
                    || self.holds_in(b, state, plan, before)?)
            }
            Node::Modal(modality, actions, body) => {
                let steps = self.field.structure.steps(formula.actions(actions));
                let successors = self.field.successors(state, modality == Modality::Dia, steps)?;
                let there = self.evaluate_within(body, &successors, plan, before)?;
                Ok(match modality {
                    Modality::Dia => !there.is_empty(),
                    Modality::Box => there == successors,
                })
            }
            _ => {
                let only = self.field.only(state)?;
                Ok(self.evaluate_within(id, &only, plan, before)? == only)
            }
        }
    }

    /// The states of a set in which a subformula holds, by the approximations before some time.
    fn evaluate_within(
        &mut self,
        id: NodeId,
        among: &Bdd,
        plan: PlanId,
        before: usize,
    ) -> Result<Bdd, Stop> {
        let formula = &self.proof.shown;
        match formula.node(id) {
            Node::Const(true) => Ok(among.clone()),
            Node::Const(false) => Ok(self.field.structure.manager.constant(false)),
            Node::Lit(prop, is_positive) => {
                let label = &self.field.structure.labels[prop];
                let set = if is_positive { label.tt.clone() } else { label.ff.clone() };
                self.field.structure.manager.and(&set, among)
            }
            Node::And(a, b) => {
                let some = self.evaluate_within(a, among, plan, before)?;
                self.evaluate_within(b, &some, plan, before)
            }
            Node::Or(a, b) => {
                let a = self.evaluate_within(a, among, plan, before)?;
                let b = self.evaluate_within(b, among, plan, before)?;
                self.field.structure.manager.or(&a, &b)
            }
            Node::Modal(modality, actions, body) => {
                let care = self.care.clone();
                let there = self.evaluate_within(body, &care, plan, before)?;
                let steps = self.field.structure.steps(formula.actions(actions));
                self.field.modal(modality, &there, steps, &care, among)
            }
            Node::Fix(var) if formula.var(var).node.is_none() => {
                self.evaluate_within(formula.var(var).body, among, plan, before)
            }
            Node::Fix(var) | Node::Var(var) => {
                let known =
                    self.plan_for(plan, var).known(var, self.time(plan, var, before)).cloned();
                let known = known.unwrap_or(self.field.structure.manager.constant(false));
                self.field.structure.manager.and(&known, among)
            }
        }
    }

    /// Time of a variable: one that a return path does not mention was known before the path began.
    fn time(&self, plan: PlanId, var: VarId, before: usize) -> usize {
        match self.return_path(plan) {
            Some(path) if !path.plan.has(var) => path.before,
            _ => before,
        }
    }

    /// A state, the steps of a modality, and where they lead by action: those that must be, or those that may.
    fn images_of(
        &mut self,
        state: u32,
        actions: ActionSetId,
        is_must: bool,
    ) -> Result<(State, Steps<'a>, Images), Stop> {
        let from = self.states[state as usize].clone();
        let steps = self.field.structure.steps(self.proof.shown.actions(actions));
        let images = self.field.images(&from, is_must, steps)?;
        Ok((from, steps, images))
    }

    /// A step into the earliest approximation that can be reached.
    fn one_step(
        &mut self,
        state: u32,
        actions: ActionSetId,
        body: NodeId,
        plan: PlanId,
        before: usize,
    ) -> Result<Vec<Successor>, Stop> {
        let formula = &self.proof.shown;
        let (from, steps, images) = self.images_of(state, actions, true)?;
        let successors = self.field.union(&images)?;
        let mut there = self.evaluate_within(body, &successors, plan, before)?;
        if let Node::Var(var) | Node::Fix(var) = formula.node(body) {
            let entries = self.plan_for(plan, var).of(var).iter();
            let rings: Vec<Bdd> = entries.map(|entry| entry.states.clone()).collect();
            for ring in rings {
                let nearest = self.field.structure.manager.and(&there, &ring)?;
                if !nearest.is_empty() {
                    there = nearest;
                    break;
                }
            }
        }
        let Some(to) = self.field.pick(&there) else { return Ok(Vec::new()) };
        let action = images.into_iter().find(|(_, image)| self.field.contains(image, &to));
        let mut step = self.shown_step(&from, &to, steps)?;
        // Where all steps count, it does not matter which inputs make them; here it does.
        step.action = action.and_then(|(action, _)| action).or(assignments(&step.inputs));
        Ok(vec![(self.position(to, body, plan, before), Some(step))])
    }

    fn shown_step(&mut self, from: &State, to: &State, steps: Steps) -> Result<ShownStep, Stop> {
        let (from, to) = (self.field.only(from)?, self.field.only(to)?);
        let Field { structure, words, .. } = &mut self.field;
        let inputs = words.inputs(structure, [&from, &to], steps)?;
        Ok(ShownStep { inputs, is_must: true, ..ShownStep::default() })
    }

    /// All steps, unless there are too many.
    fn all_steps(
        &mut self,
        state: u32,
        actions: ActionSetId,
        body: NodeId,
        plan: PlanId,
        before: usize,
    ) -> Result<(Justification, Vec<Successor>), Stop> {
        let (from, steps, images) = self.images_of(state, actions, false)?;
        let certain = self.field.images(&from, true, steps)?;
        let most = if self.is_brief { SUCCESSORS } else { self.most };
        let mut targets: Vec<(Option<String>, State)> = Vec::new();
        for (action, image) in &images {
            let some = self.pick_states(image, most + 1 - targets.len().min(most))?;
            targets.extend(some.into_iter().map(|to| (action.clone(), to)));
        }
        if targets.is_empty() {
            return Ok((Justification::Itself, Vec::new()));
        }
        if targets.len() > most {
            self.left_out += u64::from(!self.is_brief);
            return Ok((Justification::Throughout, Vec::new()));
        }
        let mut found = Vec::new();
        for (action, to) in targets {
            let is_it = |(known, image): &(Option<String>, Bdd)| {
                *known == action && self.field.contains(image, &to)
            };
            let is_must = certain.iter().any(is_it);
            let step = ShownStep { is_must, action, ..self.shown_step(&from, &to, steps)? };
            found.push((self.position(to, body, plan, before), Some(step)));
        }
        Ok((Justification::All, found))
    }
}

impl<W: StateWords> EvidenceGraph for Walk<'_, W> {
    type Position = Key;
    type Stop = Stop;

    fn describe(&self, key: Key) -> ShownNode {
        let value = Truth::from(self.proof.verdict);
        ShownNode::new(key.state, self.formula.written(key.node), Some(key.node), value)
    }

    fn decide(&mut self, key: Key, _: &FxHashMap<Key, u32>) -> Result<Decision<Key>, Stop> {
        let formula = &self.proof.shown;
        let (mut plan, mut before, mut definition) = (key.plan, key.before, key.node);
        if let Node::Var(var) = formula.node(key.node) {
            if self.is_brief && self.is_universal(var) {
                return Ok(Decision::here(Justification::Throughout, []));
            }
            definition = formula.definition(key.node);
            (plan, before) = self.approximation_for(key, var)?;
        }
        let (why, here) = match formula.node(definition) {
            Node::And(a, b) => (Justification::All, vec![a, b]),
            Node::Or(a, b) => {
                (Justification::One, vec![self.choose_disjunct(key.state, [a, b], plan, before)?])
            }
            Node::Modal(Modality::Dia, actions, body) => {
                let step = self.one_step(key.state, actions, body, plan, before)?;
                return Ok(Decision::new(Justification::One, step));
            }
            Node::Modal(Modality::Box, actions, body) => {
                let (why, successors) = self.all_steps(key.state, actions, body, plan, before)?;
                let asked =
                    (why != Justification::Throughout).then(|| formula.actions(actions).clone());
                return Ok(Decision { why, successors, asked });
            }
            _ if definition != key.node => (Justification::Unfolding, vec![definition]),
            _ => (Justification::Itself, Vec::new()),
        };
        let state = self.states[key.state as usize].clone();
        let here = here.into_iter().map(|node| self.position(state.clone(), node, plan, before));
        Ok(Decision::here(why, here.collect::<Vec<_>>()))
    }

    fn show(&self, state: u32) -> ShownState {
        self.field.words.show(self.field.structure, &self.states[state as usize])
    }
}

/// `x=3,y=TRUE`
pub(super) fn assignments(values: &[(String, String)]) -> Option<String> {
    let texts: Vec<String> = values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    (!texts.is_empty()).then(|| texts.join(","))
}

/// By subformula, the modalities above the nearest literal; a fixpoint counts as two. Operands come before their
/// formulas.
fn costs(formula: &Formula) -> IdVec<NodeId, u32> {
    let mut costs: IdVec<NodeId, u32> = IdVec::new();
    for (_, node) in formula.nodes() {
        let cost = match node {
            Node::Const(_) | Node::Lit(..) => 0,
            Node::And(a, b) => costs[a].saturating_add(costs[b]),
            Node::Or(a, b) => costs[a].min(costs[b]),
            Node::Modal(_, _, body) => costs[body].saturating_add(1),
            Node::Fix(_) | Node::Var(_) => 2,
        };
        costs.push(cost);
    }
    costs
}
