//! The concretisation of a transition system for the refinement loop.

use crate::component::{EncodedComponent, parts};
use crate::constraint::Writer;
use crate::grouping::{Group, Grouping};
use crate::joint::{Values, by_values};
use crate::names::ValueNames;
use crate::sets::{Sets, SharedSets};
use crate::{order, profiles, start};
use bdd::{Bdd, Manager, Policy, Stop};
use encode::Layout;
use explicit::{
    ConcreteSystem, Concretisation, Inseparable, MAX_INITIAL, Outcome, Refinement, Request, Round,
};
use logic::{Formula, PropId, Truth};
use model::{Component, Interface, System};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use support::{Interner, Monitor};
use transition::{Division, InstanceId, Machine, Section, Slice, StateProperty, VarId, VarKind};

/// Transition system to be checked.
#[derive(Clone, Copy)]
pub struct RefinedMachine<'m> {
    pub machine: &'m Machine,
    /// The propositions of formulas.
    pub labels: &'m [StateProperty],
    pub division: &'m Division,
    /// The missing instances.
    pub missing: &'m [InstanceId],
    /// Whether components need not agree on wide variables that one of them owns and others only read. Then
    /// words that are handed on and do not matter cost nothing; if they do matter the answer is unknown, and
    /// has to be looked for once more without.
    pub leaves_open: bool,
}

/// Why there are no concretisations of a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConcretisationError {
    Stop(Stop),
    Inseparable(Inseparable),
}

impl From<Inseparable> for ConcretisationError {
    fn from(why: Inseparable) -> Self {
        ConcretisationError::Inseparable(why)
    }
}

impl From<Stop> for ConcretisationError {
    fn from(stop: Stop) -> Self {
        ConcretisationError::Stop(stop)
    }
}

/// Property to be checked.
pub struct RefinementQuestion<'a> {
    /// Over [`ConcreteComponents::props`].
    pub formula: &'a Formula,
    pub refinement: Refinement,
    /// Called after each round.
    pub watch: &'a (dyn Fn(&Round) + Sync),
    pub monitor: &'a Monitor,
}

/// The components of a machine in BDDs, each as its coarsest abstraction.
pub struct ConcreteComponents<'m> {
    manager: RefCell<Manager>,
    parts: Vec<EncodedComponent>,
    init: Bdd,
    words: ValueNames<'m>,
    /// By component: its joint labels, and the states that have them.
    blocks: Vec<Vec<(Values, Bdd)>>,
    initial: Vec<Vec<u32>>,
    /// Names the components and their propositions, and shows their interface.
    system: System,
    interface: Interface,
}

impl<'m> ConcreteComponents<'m> {
    pub fn new(
        subject: RefinedMachine<'m>,
        policy: Policy,
        monitor: &Monitor,
    ) -> Result<Self, ConcretisationError> {
        let RefinedMachine { machine, labels, .. } = subject;
        if !labels.iter().all(|label| is_of_states(machine, label)) {
            return Err(Inseparable::Inputs.into());
        }
        monitor.phase("encoding", 0);
        let slice = machine.cone(labels.iter().map(|label| label.node));
        let mut manager = Manager::new(monitor, policy);
        let layout = order::layout(machine, &slice, &mut manager);
        let (parts, init) = encode(&subject, &slice, &layout, &mut manager)?;
        let mut blocks = Vec::new();
        let mut components = Vec::new();
        for part in &parts {
            let labelled = by_values(&part.reached, &part.joint, &mut manager)?;
            let model = profiles::model(part, &labelled, labels, &mut manager)?;
            components.push(Component { model, is_unknown: part.is_missing });
            blocks.push(labelled);
        }
        let initial = start::tuples(&init, &parts, &blocks, MAX_INITIAL, &mut manager)?;
        let initial = initial.ok_or(Inseparable::InitialValues(MAX_INITIAL))?;
        let system = System { components, sync: model::Sync::default() };
        let interface = Interface::new(&system);
        let (manager, words) = (RefCell::new(manager), ValueNames { machine, layout });
        Ok(Self { manager, parts, init, words, blocks, initial, system, interface })
    }

    /// Names of propositions, as formulas refer to them.
    pub fn props(&self) -> Interner<PropId> {
        self.system.props()
    }

    /// The names of the components.
    pub fn components(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map(|part| part.name.as_str())
    }

    pub fn has_no_start(&self) -> bool {
        self.init.is_empty()
    }

    /// Whether it is known that no reachable state is a deadlock state.
    pub fn never_ends(&self) -> bool {
        self.interface.general_blocker(&vec![false; self.parts.len()]).is_none()
    }

    /// Whether a wide variable is left open.
    pub fn leaves_open(&self) -> bool {
        self.parts.iter().any(|part| part.open.is_some())
    }

    /// Nodes of the BDDs, at most so far.
    pub fn peak_nodes(&self) -> usize {
        self.manager.borrow().peak()
    }

    /// Answers a question. A limit is an answer too.
    pub fn refine(&self, question: &RefinementQuestion) -> Outcome {
        if self.initial.is_empty() {
            return Outcome::new(Truth::True);
        }
        let monitor = question.monitor.child(true);
        let blocks = self.blocks.iter();
        let sets = blocks.map(|blocks| blocks.iter().map(|(_, set)| set.clone()).collect());
        let ground = SharedSets {
            manager: &self.manager,
            parts: &self.parts,
            words: &self.words,
            init: &self.init,
            blocks: RefCell::new(sets.collect()),
            failure: Cell::new(None),
            monitor: monitor.clone(),
        };
        let outcome = self.play(question, &ground, &monitor);
        let peak = self.peak_nodes() as u64;
        let mut outcome = match ground.failure.get() {
            Some(stop) => Outcome::stopped(stop.into()),
            None => outcome,
        };
        outcome.stats.bdd_nodes = Some(peak);
        outcome
    }

    fn play(
        &self,
        question: &RefinementQuestion,
        ground: &SharedSets,
        monitor: &Monitor,
    ) -> Outcome {
        let can_start = |tuple: &[u32]| ground.can_start(tuple);
        let request = Request {
            refinement: question.refinement.clone(),
            watch: question.watch,
            ..Request::new(&self.system, question.formula, monitor)
        };
        let concrete = |component: usize| -> Box<dyn Concretisation + '_> {
            Box::new(Sets::new(ground, component, self.labels(component)))
        };
        let stage = ConcreteSystem {
            concretisations: (0..self.parts.len()).map(concrete).collect(),
            initial: self.initial.clone(),
            can_start: &can_start,
            interface: &self.interface,
        };
        explicit::refine(&request, stage)
    }

    /// The joint labels of a component, by its own bits and by those of all.
    fn labels(&self, component: usize) -> Vec<(Values, Vec<u64>)> {
        let joint = &self.interface.joint;
        let half = joint.words() / 2;
        let place = |name: &String| joint.names().iter().position(|joint| joint == name);
        let places: Vec<Option<usize>> =
            self.parts[component].joint.iter().map(|bit| place(&bit.name)).collect();
        let words = |values: &Values| {
            let mut words = vec![0u64; 2 * half];
            for (place, &value) in places.iter().zip(values) {
                if let Some(place) = place {
                    words[place / 64 + if value { 0 } else { half }] |= 1 << (place % 64);
                }
            }
            words
        };
        let labels = self.blocks[component].iter();
        labels.map(|(values, _)| (values.clone(), words(values))).collect()
    }
}

/// The components of a part of a machine, and the initial states of the composition.
fn encode(
    subject: &RefinedMachine,
    slice: &Slice,
    layout: &Layout,
    manager: &mut Manager,
) -> Result<(Vec<EncodedComponent>, Bdd), ConcretisationError> {
    let RefinedMachine { machine, labels, division, missing, leaves_open } = *subject;
    let mut writer = Writer { machine, layout, manager, known: FxHashMap::default() };
    let components = machine.components(slice, division, missing).into_iter();
    let groups = components.map(|component| Group::new(component, &mut writer));
    let mut groups: Vec<Group> = groups.collect::<Result<_, _>>()?;
    if groups.is_empty() {
        groups.push(Group::empty());
    }
    let of_start = slice.conjuncts.iter().filter(|c| c.section == Section::Init);
    let starts = of_start.filter(|conjunct| !machine.is_unwritten(conjunct, missing));
    let starts = starts.map(|conjunct| writer.conjunct(conjunct)).collect::<Result<_, _>>()?;
    let labels = labels.iter().map(|label| writer.label(label)).collect::<Result<_, _>>()?;
    let mut grouping = Grouping { machine, groups, starts, labels, is_open: leaves_open };
    if !grouping.settle() {
        return Err(Inseparable::SharedVariables.into());
    }
    parts(&grouping, slice, &mut writer)
}

/// Whether an expression speaks of states.
fn is_of_states(machine: &Machine, label: &StateProperty) -> bool {
    let access = machine.access([label.node]);
    let is_input = |&var: &VarId| machine.vars[var].kind == VarKind::Input;
    access.next.is_empty() && !access.now.iter().any(is_input)
}
