//! Fixpoints by iteration from below or above (X Fig. 2), place by place: a value is computed again only where
//! one that it depends on has changed. Every iteration has the value that evaluating the full body would have.
//!
//! Values at a place depend on those at its successors only, so the strongly connected components of the places can be
//! taken one after the other, successors first, and fixpoints within each: a program without loops takes one pass.
//!
//! A fixpoint within another begins again where it must (Emerson and Lei): not while only variables of its
//! own kind have moved on, as they go the same way.

use super::minterm_projection::to_open;
use super::plan::{Plan, User};
use super::step::ReductionCounter;
use super::{Mixed, Reduction};
use bdd::{Bdd, Stop};
use fixedbitset::FixedBitSet;
use logic::{Fix, Formula, Node, NodeId, VarId};
use support::{IdVec, components};

/// The order in which fixpoints are iterated. The values are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IterationOrder {
    /// All locations at a time (X Fig. 2).
    Together,
    /// One strongly connected component of locations at a time.
    ByComponents,
}

/// The values of a formula by place, and what it took to find them.
pub struct Evaluated {
    pub(super) values: Vec<Bdd>,
    /// How often the body of the outermost fixpoint was computed, the last time, when nothing changed,
    /// included; of all of them, if the formula has several beside each other.
    pub iterations: u64,
    /// Iterations of all fixpoints.
    pub all_iterations: u64,
    /// Steps of the kernel of BDDs within the reduction.
    pub reduction_steps: u64,
    /// All steps of the kernel.
    pub steps: u64,
}

/// Some places, each once.
struct Marked {
    list: Vec<u32>,
    is_in: FixedBitSet,
}

impl Marked {
    fn none(locations: usize) -> Self {
        Self { list: Vec::new(), is_in: FixedBitSet::with_capacity(locations) }
    }

    fn mark(&mut self, place: u32) {
        if !self.is_in.put(place as usize) {
            self.list.push(place);
        }
    }

    fn take(&mut self) -> Vec<u32> {
        let list = std::mem::take(&mut self.list);
        list.iter().for_each(|&place| self.is_in.set(place as usize, false));
        list
    }
}

/// How far a variable has come.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Progress {
    /// How often it was set back to the beginning.
    beginnings: u64,
    /// How often it has changed.
    changes: u64,
}

struct Variable {
    values: Vec<Bdd>,
    progress: Progress,
    /// When its fixpoint was last computed at these places: where the free variables were.
    computed: Option<Vec<Progress>>,
    iterations: u64,
}

struct Evaluation<'m, 'w> {
    mixed: &'m mut Mixed,
    formula: &'m Formula,
    plan: &'m Plan,
    /// The modalities whose bodies are to be opened.
    to_open: FixedBitSet,
    meter: ReductionCounter<'w>,
    values: Values,
    /// The places that are computed now; at those that they lead to otherwise values are final.
    part: Vec<u32>,
    is_in_part: FixedBitSet,
    /// By node: the places where it has to be computed again.
    stale: IdVec<NodeId, Marked>,
    /// By node, of the bodies of fixpoints: the places where it has changed since the last iteration.
    changed: IdVec<NodeId, Marked>,
}

struct Values {
    /// By node; empty for variables and fixpoints.
    nodes: IdVec<NodeId, Vec<Bdd>>,
    vars: IdVec<VarId, Variable>,
}

impl Values {
    fn of(&self, formula: &Formula, id: NodeId) -> &[Bdd] {
        match formula.node(id) {
            Node::Var(var) | Node::Fix(var) => &self.vars[var].values,
            _ => &self.nodes[id],
        }
    }
}

pub(super) fn evaluate(
    mixed: &mut Mixed,
    formula: &Formula,
    order: IterationOrder,
    watch: &mut dyn FnMut(Reduction),
) -> Result<Evaluated, Stop> {
    let parts = parts(mixed, order);
    let plan = Plan::new(formula);
    let before = mixed.manager.steps();
    let mut evaluation =
        Evaluation::new(mixed, formula, &plan, ReductionCounter { watch, steps: 0 })?;
    for part in parts {
        evaluation.enter(part);
        for &id in &plan.root {
            evaluation.compute(id)?;
        }
    }
    let Evaluation { mixed, meter, values, .. } = evaluation;
    let iterations = |var: VarId| values.vars[var].iterations;
    Ok(Evaluated {
        values: values.of(formula, formula.root()).to_vec(),
        iterations: plan.outermost(formula).map(iterations).sum(),
        all_iterations: formula.vars().map(|(var, _)| iterations(var)).sum(),
        reduction_steps: meter.steps,
        steps: mixed.manager.steps() - before,
    })
}

/// The places, in the order in which they are computed.
fn parts(mixed: &Mixed, order: IterationOrder) -> Vec<Vec<u32>> {
    let all = 0..mixed.locations.len() as u32;
    if order == IterationOrder::Together {
        return vec![all.collect()];
    }
    let targets = |place: u32| mixed.locations[place as usize].steps.iter().map(|step| step.target);
    let numbers = components(mixed.locations.len(), targets);
    let mut parts = vec![Vec::new(); numbers.iter().max().map_or(0, |&last| last as usize + 1)];
    all.zip(numbers).for_each(|(place, number)| parts[number as usize].push(place));
    parts
}

impl<'m, 'w> Evaluation<'m, 'w> {
    fn new(
        mixed: &'m mut Mixed,
        formula: &'m Formula,
        plan: &'m Plan,
        meter: ReductionCounter<'w>,
    ) -> Result<Self, Stop> {
        let locations = mixed.locations.len();
        let mut nodes: IdVec<NodeId, Vec<Bdd>> = IdVec::new();
        for (_, node) in formula.nodes() {
            nodes.push(first_values(mixed, node, locations)?);
        }
        let vars = formula.vars().map(|_| Variable {
            values: vec![mixed.manager.constant(false); locations],
            progress: Progress::default(),
            computed: None,
            iterations: 0,
        });
        let values = Values { nodes, vars: vars.collect() };
        let to_open = to_open(mixed, formula);
        let stale = formula.nodes().map(|_| Marked::none(locations)).collect();
        let changed = formula.nodes().map(|_| Marked::none(locations)).collect();
        let (part, is_in_part) = (Vec::new(), FixedBitSet::with_capacity(locations));
        Ok(Self { mixed, formula, plan, to_open, meter, values, part, is_in_part, stale, changed })
    }

    /// Turns to places of which nothing is computed.
    fn enter(&mut self, part: Vec<u32>) {
        self.part.iter().for_each(|&place| self.is_in_part.set(place as usize, false));
        part.iter().for_each(|&place| self.is_in_part.insert(place as usize));
        for (id, _) in self.formula.nodes() {
            self.changed[id].take();
            part.iter().for_each(|&place| self.stale[id].mark(place));
        }
        for (var, _) in self.formula.vars() {
            self.values.vars[var].computed = None;
        }
        self.part = part;
    }

    /// Brings a node up to date whose operands are.
    fn compute(&mut self, id: NodeId) -> Result<(), Stop> {
        match self.formula.node(id) {
            Node::Const(_) | Node::Lit(..) | Node::Var(_) => Ok(()),
            Node::Fix(var) => self.fixpoint(var),
            Node::And(..) | Node::Or(..) | Node::Modal(..) => {
                for place in self.stale[id].take() {
                    let value = self.at(id, place)?;
                    self.put(id, place, value);
                }
                Ok(())
            }
        }
    }

    fn at(&mut self, id: NodeId, place: u32) -> Result<Bdd, Stop> {
        let Self { mixed, formula, meter, values, to_open, .. } = self;
        let of = |id: NodeId| &values.of(formula, id)[place as usize];
        match formula.node(id) {
            Node::And(a, b) => mixed.manager.and(of(a), of(b)),
            Node::Or(a, b) => mixed.manager.or(of(a), of(b)),
            // Transitions carry no actions.
            Node::Modal(modality, actions, body) if formula.actions(actions).contains("") => {
                let opens = to_open.contains(id.0 as usize);
                mixed.step(modality, place, values.of(formula, body), opens, meter)
            }
            Node::Modal(modality, ..) => {
                let is_box = modality == logic::Modality::Box;
                Ok(if is_box { mixed.universe.clone() } else { mixed.manager.constant(false) })
            }
            Node::Const(_) | Node::Lit(..) | Node::Var(_) | Node::Fix(_) => {
                unreachable!("it is not computed place by place")
            }
        }
    }

    fn put(&mut self, id: NodeId, place: u32, value: Bdd) {
        let old = &mut self.values.nodes[id][place as usize];
        if *old == value {
            return;
        }
        *old = value;
        if self.plan.is_body.contains(id.0 as usize) {
            self.changed[id].mark(place);
        }
        self.mark_users(id, place);
    }

    fn mark_users(&mut self, id: NodeId, place: u32) {
        for &User { node, is_modal } in &self.plan.users[id] {
            let stale = &mut self.stale[node];
            if !is_modal {
                stale.mark(place);
                continue;
            }
            let before = self.mixed.locations[place as usize].before.iter();
            before.filter(|&&p| self.is_in_part.contains(p as usize)).for_each(|&p| stale.mark(p));
        }
    }

    fn set_var(&mut self, var: VarId, place: u32, value: Bdd) {
        self.values.vars[var].values[place as usize] = value;
        for &id in &self.plan.named[var] {
            self.mark_users(id, place);
        }
    }

    fn fixpoint(&mut self, var: VarId) -> Result<(), Stop> {
        let now: Vec<Progress> =
            self.plan.free[var].iter().map(|&free| self.values.vars[free].progress).collect();
        match &self.values.vars[var].computed {
            Some(then) if *then == now => return Ok(()),
            Some(then) if self.may_go_on(var, then, &now) => {}
            _ => self.begin(var),
        }
        self.values.vars[var].computed = Some(now);
        let mut is_first = true;
        loop {
            self.mixed.manager.monitor().step(1).map_err(Stop::Stopped)?;
            self.values.vars[var].iterations += 1;
            for &id in &self.plan.bodies[var] {
                self.compute(id)?;
            }
            if !self.take_over(var, is_first) {
                return Ok(());
            }
            is_first = false;
        }
    }

    /// Whether only free variables of its own kind have moved on, without beginning again.
    fn may_go_on(&self, var: VarId, then: &[Progress], now: &[Progress]) -> bool {
        let kind = self.formula.var(var).kind;
        let free = self.plan.free[var].iter().map(|&free| self.formula.var(free).kind);
        free.zip(then.iter().zip(now)).all(|(of_free, (then, now))| {
            then == now || of_free == kind && then.beginnings == now.beginnings
        })
    }

    fn begin(&mut self, var: VarId) {
        let start = match self.formula.var(var).kind {
            Fix::Mu => self.mixed.manager.constant(false),
            Fix::Nu => self.mixed.universe.clone(),
        };
        self.values.vars[var].progress.beginnings += 1;
        for at in 0..self.part.len() {
            let place = self.part[at];
            if self.values.vars[var].values[place as usize] != start {
                self.set_var(var, place, start.clone());
            }
        }
    }

    /// Whether the variable has changed when it becomes what its body is.
    fn take_over(&mut self, var: VarId, is_first: bool) -> bool {
        let body = self.formula.var(var).body;
        let changed = self.changed[body].take();
        // A variable or a fixpoint keeps no record of its changes.
        let is_recorded = !matches!(self.formula.node(body), Node::Var(_) | Node::Fix(_));
        let locations = match is_recorded && !is_first {
            true => changed,
            false => self.part.clone(),
        };
        let mut has_changed = false;
        for place in locations {
            let new = &self.values.of(self.formula, body)[place as usize];
            if self.values.vars[var].values[place as usize] != *new {
                let new = new.clone();
                self.set_var(var, place, new);
                has_changed = true;
            }
        }
        self.values.vars[var].progress.changes += u64::from(has_changed);
        has_changed
    }
}

/// Value of a node before anything is computed: final for constants and literals.
fn first_values(mixed: &mut Mixed, node: Node, locations: usize) -> Result<Vec<Bdd>, Stop> {
    match node {
        Node::Var(_) | Node::Fix(_) => Ok(Vec::new()),
        Node::Const(true) => Ok(vec![mixed.universe.clone(); locations]),
        Node::Lit(prop, positive) => {
            (0..locations).map(|place| mixed.literal(prop, positive, place)).collect()
        }
        Node::Const(false) | Node::And(..) | Node::Or(..) | Node::Modal(..) => {
            Ok(vec![mixed.manager.constant(false); locations])
        }
    }
}
