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
mod decomposition;
mod everywhere;
mod group;
mod inspect;
mod lift;
mod order;
mod receptive;
mod relevant;
mod system;
mod view;

pub use decomposition::{SearchLimit, Trial};
#[doc(hidden)]
pub use inspect::{Lifted, Relevance};
pub use system::DecomposedSystem;

use crate::build::Builder;
use crate::checker::{LabelledMachine, SymbolicStats};
use crate::structure::Structure;
use bdd::{Bdd, Manager, Policy, Stop};
use decomposition::{Decision, Decomposition};
use encode::{EncodedExpr, Layout};
use logic::{Formula, Node, PropId, Truth};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::Monitor;
use transition::{
    Conjunct, InstanceId, Machine, MachineComponent, NodeId, Section, Slice, StateProperty, VarId,
    VarKind,
};
use view::View;

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
        let structure = Structure {
            conditions: conditions.iter().map(|c| c.name.clone()).collect(),
            ..Structure::empty(manager)
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
        let groups = order::groups(self, self.mentioned(&asked));
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
        let Question { formula, asked } = question;
        let Decision { verdict, group } =
            self.check_groups(groups, formula, asked, effort, watch)?;
        if let Some(group) = group {
            self.decided = (groups[group].clone(), asked.to_vec());
        }
        Ok(verdict)
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

    /// Has another monitor watch it from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.structure.manager.watch(monitor);
    }

    pub fn stats(&self) -> SymbolicStats {
        self.structure.stats(&self.structure.init)
    }
}

impl Decomposition for Composition {
    type Vocabulary = [VarId];

    fn structure(&mut self) -> &mut Structure {
        &mut self.structure
    }

    fn lift(&mut self, members: &[usize], asked: &[VarId]) -> Result<View, Stop> {
        Ok(self.lift_group(members, asked)?.view)
    }

    fn count(&self) -> usize {
        self.components.len()
    }

    fn name(&self, component: usize) -> &str {
        &self.components[component].name
    }

    fn bits(&self, component: usize) -> usize {
        self.components[component].own.iter().map(|&var| self.layout.bits(var).len()).sum()
    }

    fn neighbours(&self, group: &[usize]) -> Vec<usize> {
        self.sharing_bits(group)
    }

    fn most_nodes(&self) -> usize {
        self.most_nodes
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
