//! Compositional symbolic model checking of a transition system (C §6.2, Fig. 10; C §7).
//!
//! Groups of components are checked one after the other ([`order`]), each as a 3-valued abstraction of the composition
//! ([`group`], [`lift`]). The states in which a group decides a subformula are decided in the composition ([`bounds`]);
//! the next group is restricted to the relevant undetermined states ([`relevant`]). The last group is the composition,
//! unless a module is missing. The cost is that of BDD fixpoints over the variables of the deciding group.
//!
//! Where we differ: the paper has two components and the alternation-free µ-calculus; here any number of components,
//! and alternation.

mod begin;
mod bounds;
mod certificate;
mod everywhere;
mod group;
mod inspect;
mod lift;
mod order;
mod receptive;
mod relevant;

#[doc(hidden)]
pub use inspect::{Lifted, Relevance};

use crate::build::Builder;
use crate::checker::{LabelledMachine, SymbolicStats};
use crate::fixpoints::{Evaluation, Side};
use crate::relation::Relation;
use crate::structure::Structure;
use bdd::{Bdd, Manager, Policy, Stop};
use bounds::Bounds;
use encode::{EncodedExpr, Layout};
use logic::{Formula, Node, PropId, Truth};
use relevant::{Found, compute_relevant};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::{IdVec, Monitor};
use transition::{
    Conjunct, InstanceId, Machine, MachineComponent, NodeId, Section, Slice, StateProperty, VarId,
    VarKind,
};

/// A machine in parts.
pub struct Composition {
    /// Of the present group.
    structure: Structure,
    /// With the expressions that taking it apart has made.
    machine: Machine,
    known: FxHashMap<NodeId, EncodedExpr>,
    layout: Layout,
    slice: Arc<Slice>,
    labels: Vec<StateProperty>,
    conditions: Vec<StateProperty>,
    /// Those that are not missing.
    components: Vec<MachineComponent>,
    /// Instances of which only the variables are there.
    missing: Vec<InstanceId>,
    /// By variable: the component that owns it; `None` for inputs and for what is missing.
    owner: Vec<Option<usize>>,
    /// By variable: the components without variables of their own that say something of it.
    readers: FxHashMap<VarId, Vec<usize>>,
    /// By component: whether it always goes on, whatever the others do.
    is_receptive: Vec<bool>,
    /// Constraints on initial states.
    start: Vec<Bdd>,
    most_nodes: usize,
    /// Whether something can fail elsewhere than in the states that can be reached.
    choice_can_fail: bool,
    /// The group that has decided the last question, and the variables that it was about.
    decided: (Vec<usize>, Vec<VarId>),
    /// Variables of others with more bits, not in the property, are hidden from a group.
    pub seen_bits: usize,
}

/// BDD operations for a group before the question is left to the monolithic check.
const STEPS_OF_PART: u64 = 10_000_000;

/// So many bits of others cost little.
const SEEN_BITS: usize = 24;

/// Why a transition system cannot be checked by components.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecompositionError {
    /// A component may have a run-time error; whether it has one depends on the composition.
    RuntimeErrors,
    /// There is no initial state.
    NoInitialState,
}

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchLimit {
    Unlimited,
    /// At most so many nodes, and steps of operations.
    AtMost {
        nodes: usize,
        steps: u64,
    },
}

/// Result of a group of components.
#[derive(Clone, Debug)]
pub struct Trial {
    pub components: Vec<String>,
    /// Whether these are all components.
    pub is_complete: bool,
    /// Unknown if the limit of nodes was reached as well.
    pub verdict: Truth,
    pub is_full: bool,
    /// Truth variables of a state.
    pub bits: usize,
    /// The number of states that were relevant for some subformula.
    pub relevant: f64,
    pub nodes: usize,
}

/// A formula, and the variables that it is about, which no group overlooks.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    pub formula: &'q Formula,
    pub asked: &'q [VarId],
}

impl Composition {
    pub fn new(
        subject: LabelledMachine,
        components: Vec<MachineComponent>,
        policy: Policy,
        effort: SearchLimit,
        monitor: &Monitor,
    ) -> Result<Result<Self, DecompositionError>, Stop> {
        monitor.phase("encoding", 0);
        let LabelledMachine { machine, slice, labels, conditions } = subject;
        let mut manager = Manager::new(monitor, policy);
        let layout = Layout::new(machine, slice, &mut manager);
        let none = manager.constant(false);
        let structure = Structure {
            manager,
            states: none.clone(),
            init: none,
            may: Relation { parts: Vec::new() },
            must: None,
            labels: IdVec::new(),
            defined: FxHashMap::default(),
            conditions: conditions.iter().map(|c| c.name.clone()).collect(),
            bits: 0,
            known: None,
        };
        let (missing, components): (Vec<MachineComponent>, Vec<MachineComponent>) =
            components.into_iter().partition(|component| component.is_missing);
        let missing: Vec<InstanceId> =
            missing.into_iter().flat_map(|component| component.instances).collect();
        let mut composition = Self {
            structure,
            machine: machine.clone(),
            known: FxHashMap::default(),
            layout,
            labels: labels.to_vec(),
            conditions: conditions.to_vec(),
            owner: owners(machine, &components),
            readers: order::readers(&components),
            is_receptive: vec![false; components.len()],
            start: Vec::new(),
            slice: Arc::new(specified_part(machine, slice, &components, &missing)),
            missing,
            components,
            most_nodes: policy.most_nodes,
            choice_can_fail: false,
            decided: Default::default(),
            seen_bits: SEEN_BITS,
        };
        if let SearchLimit::AtMost { nodes, steps } = effort {
            composition.structure.manager.allow(nodes, steps);
        }
        Ok(match composition.begin()? {
            Some(error) => Err(error),
            None => Ok(composition),
        })
    }

    /// Whether a variable belongs to what is missing.
    fn is_missing(&self, var: VarId) -> bool {
        self.owner[var.0 as usize].is_none() && self.machine.vars[var].kind != VarKind::Input
    }

    /// The variables of what is missing on which it depends where the others start.
    fn missing_at_start(&self) -> impl Iterator<Item = VarId> {
        let conjuncts = self.slice.conjuncts.iter().filter(|c| c.section != Section::Trans);
        let mentioned = conjuncts.flat_map(|conjunct| conjunct.access.now.iter().copied());
        mentioned.filter(|&var| self.is_missing(var))
    }

    fn is_all(&self, members: &[usize]) -> bool {
        members.len() == self.components.len()
    }

    /// How many components there are that are not missing.
    pub fn len(&self) -> usize {
        self.components.len()
    }

    pub fn is_empty(&self) -> bool {
        self.components.is_empty()
    }

    fn builder<'a>(&'a mut self, slice: &'a Slice) -> Builder<'a> {
        Builder {
            slice,
            machine: &mut self.machine,
            layout: &self.layout,
            manager: &mut self.structure.manager,
            known: &mut self.known,
            disjuncts: Vec::new(),
        }
    }

    /// Whether all initial states satisfy the formula, or some certainly does not.
    ///
    /// Components are looked at in the order in which they have to do with `about`: the same formula, or
    /// what is left of it if all paths are fair.
    pub fn check(
        &mut self,
        formula: &Formula,
        about: &Formula,
        effort: SearchLimit,
        watch: &mut dyn FnMut(&Trial),
    ) -> Result<Truth, Stop> {
        let asked = self.asked(about);
        let groups = self.groups(&asked);
        self.check_by(&groups, Question { formula, asked: &asked }, effort, watch)
    }

    /// Checks with these groups of components, by index, one after the other.
    pub fn check_by(
        &mut self,
        groups: &[Vec<usize>],
        question: Question,
        effort: SearchLimit,
        watch: &mut dyn FnMut(&Trial),
    ) -> Result<Truth, Stop> {
        let mut bounds = Bounds::new(question.formula, &self.structure.manager);
        let mut was_full = false;
        if let SearchLimit::AtMost { nodes, steps } = effort {
            self.structure.manager.allow(nodes.min(self.most_nodes), steps);
        }
        for members in groups {
            if was_full && !self.is_all(members) {
                continue;
            }
            let trial = self.attempt(members, question, &mut bounds, effort)?;
            watch(&trial);
            if trial.verdict.is_definite() {
                self.decided = (members.clone(), question.asked.to_vec());
                return Ok(trial.verdict);
            }
            was_full = trial.is_full;
        }
        Ok(Truth::Unknown)
    }

    /// The variables of a formula.
    fn asked(&self, formula: &Formula) -> Vec<VarId> {
        let is_used = |prop: PropId| {
            formula.nodes().any(|(_, node)| matches!(node, Node::Lit(of, _) if of == prop))
        };
        let labels = self.labels.iter().zip(0..);
        let used = labels.filter(|&(_, prop)| is_used(PropId(prop))).map(|(label, _)| label.node);
        self.machine.access(used).now
    }

    /// Checks a group. A group that is too large is no failure, unless it is the composition.
    fn attempt(
        &mut self,
        members: &[usize],
        question: Question,
        bounds: &mut Bounds,
        effort: SearchLimit,
    ) -> Result<Trial, Stop> {
        let is_complete = self.is_all(members);
        if effort == SearchLimit::Unlimited && !is_complete {
            self.structure.manager.allow(self.most_nodes / 4, STEPS_OF_PART);
        }
        let phase = if is_complete { "combining all components" } else { "checking components" };
        self.structure.manager.monitor().phase(phase, 0);
        let tried = self.decide(members, question, bounds);
        if effort == SearchLimit::Unlimited {
            self.structure.manager.allow(self.most_nodes, u64::MAX);
        }
        let can_be_full = effort != SearchLimit::Unlimited || !is_complete;
        let is_full = matches!(tried, Err(Stop::Full | Stop::Crowded)) && can_be_full;
        let (verdict, relevant) = match tried {
            Err(_) if is_full => (Truth::Unknown, 0.0),
            other => other?,
        };
        let name = |&member: &usize| self.components[member].name.clone();
        Ok(Trial {
            components: members.iter().map(name).collect(),
            is_complete,
            verdict,
            is_full,
            bits: self.structure.bits,
            relevant,
            nodes: self.structure.manager.peak(),
        })
    }

    /// The verdict of a group, and the number of its relevant states.
    fn decide(
        &mut self,
        members: &[usize],
        Question { formula, asked }: Question,
        bounds: &mut Bounds,
    ) -> Result<(Truth, f64), Stop> {
        let group = self.lift(members, asked)?;
        let mut seen = bounds.seen_by(&group, &mut self.structure.manager)?;
        seen.propagate(&mut self.structure, formula)?;
        let (scopes, decides) = match compute_relevant(&mut self.structure, formula, &seen)? {
            Found::Decided(verdict, relevant) => return Ok((verdict, relevant)),
            Found::Scopes(scopes, decides) => (scopes, decides),
        };
        let relevant = scopes.open(&mut self.structure.manager)?;
        let relevant = self.structure.count(&relevant);
        let states = self.structure.states.clone();
        let init = self.structure.init.clone();
        let mut certain = Evaluation::within(
            &mut self.structure,
            formula,
            Side::Pessimist,
            &states,
            scopes.clone(),
        )?;
        if certain.structure.must.is_none() {
            let holds = certain.holds_in_composition(&init, &decides)?;
            return Ok((if holds { Truth::True } else { Truth::False }, relevant));
        }
        let tt = certain.node(formula.root())?;
        if certain.structure.manager.is_subset(&init, &tt)? {
            return Ok((Truth::True, relevant));
        }
        bounds.learn(&mut certain, true)?;
        let mut possible =
            Evaluation::within(&mut self.structure, formula, Side::Optimist, &states, scopes)?;
        let value = possible.node(formula.root())?;
        bounds.learn(&mut possible, false)?;
        let verdict = match self.structure.fails(&value)? {
            true => Truth::False,
            false => Truth::Unknown,
        };
        Ok((verdict, relevant))
    }

    /// Has another monitor watch it from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.structure.manager.watch(monitor);
    }

    pub fn stats(&self) -> SymbolicStats {
        self.structure.stats(&self.structure.init)
    }
}

/// By variable: the component that owns it.
fn owners(machine: &Machine, components: &[MachineComponent]) -> Vec<Option<usize>> {
    let mut owners = vec![None; machine.vars.len()];
    for (index, component) in components.iter().enumerate() {
        component.own.iter().for_each(|var| owners[var.0 as usize] = Some(index));
    }
    owners
}

/// Slice without the constraints of missing components. Their initial states are not known either.
fn specified_part(
    machine: &Machine,
    slice: &Slice,
    components: &[MachineComponent],
    missing: &[InstanceId],
) -> Slice {
    let start = slice.conjuncts.iter().filter(|c| c.section == Section::Init);
    let start = start.filter(|conjunct| !machine.is_unwritten(conjunct, missing)).cloned();
    let said = components.iter().flat_map(|component| component.conjuncts.iter().cloned());
    let conjuncts: Vec<Conjunct> = start.chain(said).collect();
    Slice { vars: slice.vars.clone(), conjuncts }
}
