//! Monolithic symbolic model checking (McMillan 1993): one encoding of a transition system, any number of formulas.
//!
//! The transition relation is disjunctively and conjunctively partitioned (Burch, Clarke and Long 1991) and
//! restricted to the reachable states, which are computed once. Where we differ: every formula is evaluated in three
//! values by two fixpoint computations (`fixpoints`), and run-time errors are sets of states (`runtime_errors`).

use crate::build::{Built, Source, build};
use crate::known::SolvedFixpoints;
use crate::runtime_errors::describe;
use crate::structure::{Label, Structure};
use crate::verdict::verdict;
use bdd::{Bdd, BddVar, Manager, Policy, Stop};
use encode::Layout;
use logic::{Formula, PropId, Truth};
use support::Monitor;
use transition::{Machine, RuntimeError, Slice, StateProperty};

/// The largest BDD that is searched speculatively.
const SMALL: usize = 5_000;

/// Transition system to be checked.
#[derive(Clone, Copy)]
pub struct LabelledMachine<'a> {
    pub machine: &'a Machine,
    pub slice: &'a Slice,
    /// The propositions of formulas, by number.
    pub labels: &'a [StateProperty],
    /// The conditions on steps in modalities, by name.
    pub conditions: &'a [StateProperty],
}

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum SymbolicError {
    Stop(Stop),
    /// The machine is wrong, and a state that can be reached shows it.
    Fault(Box<RuntimeError>),
}

impl From<Stop> for SymbolicError {
    fn from(stop: Stop) -> Self {
        SymbolicError::Stop(stop)
    }
}

/// Statistics of the engine so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct SymbolicStats {
    /// States that can be reached.
    pub states: f64,
    pub bits: usize,
    pub clusters: usize,
    pub relation_nodes: usize,
    pub peak_nodes: usize,
    /// Of operations on BDDs.
    pub steps: u64,
    pub reorderings: usize,
}

/// A machine in BDDs.
pub struct SymbolicChecker {
    pub(crate) structure: Structure,
    pub(crate) layout: Layout,
    pub(crate) reached: Bdd,
    /// The layers in which they were found, if they were kept.
    pub(crate) layers: Vec<Bdd>,
    /// Of the last formula, if it was refuted.
    pub(crate) solved: SolvedFixpoints,
    /// Whether something can fail elsewhere than in the states that can be reached.
    pub(crate) choice_can_fail: bool,
}

impl SymbolicChecker {
    pub fn new(
        subject: LabelledMachine,
        most_nodes: usize,
        monitor: &Monitor,
    ) -> Result<Self, SymbolicError> {
        let policy = Policy { most_nodes, ..Policy::default() };
        Self::with_policy(subject, policy, monitor)
    }

    /// Has another monitor watch it from now on.
    pub fn watch(&mut self, monitor: &Monitor) {
        self.structure.manager.watch(monitor);
    }

    pub fn with_policy(
        subject: LabelledMachine,
        policy: Policy,
        monitor: &Monitor,
    ) -> Result<Self, SymbolicError> {
        let LabelledMachine { machine, slice, labels, conditions } = subject;
        let source = Source { machine, slice, labels, conditions };
        monitor.phase("encoding", 0);
        let Built { mut structure, layout, errors } =
            build(&source, Manager::new(monitor, policy))?;
        monitor.phase("computing the reachable states", 0);
        let (reached, layers) = structure.reachable_in_layers()?;
        if let Some(errors) = &errors {
            errors.check(&mut structure, &reached, &layout, &source)?;
        }
        let (solved, choice_can_fail) = (SolvedFixpoints::default(), errors.is_some());
        Ok(Self { structure, layout, reached, layers, solved, choice_can_fail })
    }

    /// A new proposition, true where the formula is, which is found out when it is needed. It gets the number
    /// after the last.
    pub fn define(&mut self, formula: Formula) -> PropId {
        let none = self.structure.manager.constant(false);
        let prop = self.structure.labels.push(Label { tt: none.clone(), ff: none });
        self.structure.defined.insert(prop, formula);
        prop
    }

    /// Whether there is no initial state.
    pub fn has_no_start(&self) -> bool {
        self.structure.init.is_empty()
    }

    /// Whether another pass over all states is cheap.
    pub fn is_small(&self) -> bool {
        self.structure.manager.size([&self.reached]) < SMALL
    }

    /// Returns a reachable deadlock state as text. `machine` and `slice` are those of the encoding.
    pub fn deadlock_state(
        &mut self,
        machine: &Machine,
        slice: &Slice,
    ) -> Result<Option<String>, Stop> {
        let ends = self.structure.ends(&self.reached, false)?;
        let picked = self.structure.manager.pick(&ends);
        let words = |picked: Vec<(BddVar, bool)>| {
            describe(machine, slice, &self.layout, |var| picked.contains(&(var, true)))
        };
        Ok(picked.map(words))
    }

    /// Whether all initial states satisfy the formula, or some certainly does not.
    pub fn check(&mut self, formula: &Formula) -> Result<Truth, Stop> {
        self.structure.manager.monitor().phase("computing fixpoints", 0);
        self.solved = SolvedFixpoints::default();
        verdict(&mut self.structure, formula, &self.reached, &mut self.solved)
    }

    /// Checks a formula between the check of another one and its evidence.
    pub fn check_aside(&mut self, formula: &Formula) -> Result<Truth, Stop> {
        let mut unused = SolvedFixpoints::default();
        verdict(&mut self.structure, formula, &self.reached, &mut unused)
    }

    pub fn stats(&self) -> SymbolicStats {
        self.structure.stats(&self.reached)
    }
}

impl Structure {
    pub(crate) fn stats(&self, reached: &Bdd) -> SymbolicStats {
        SymbolicStats {
            states: self.count(reached),
            bits: self.bits,
            clusters: self.may.clusters(),
            relation_nodes: self.may.size(&self.manager),
            peak_nodes: self.manager.peak(),
            steps: self.manager.steps(),
            reorderings: self.manager.reorderings(),
        }
    }
}
