//! The standard and the reduced semantics of mixed transition systems by BDDs (X §5, Fig. 2).
//!
//! Start at [`Mixed`]. A value ⟨U, O⟩ is one BDD by place: with `sel` true it is U, with `sel` false O. So
//! conjunction and disjunction are those of BDDs, and a step is one relational product: a diamond leads
//! over must where `sel` is true and over may where it is not, a box the other way round. Both semantics go
//! the same way; under the reduced one, states are minterms and the target's value is reduced first.

mod answers;
mod atoms;
mod evaluate;
mod minterm_projection;
mod plan;
mod program;
mod step;

pub use answers::MixedValues;
pub use evaluate::{Evaluated, IterationOrder};

use crate::kmts::StateBits;
use bdd::{Bdd, BddVar, Manager, Policy, Stop};
use fixedbitset::FixedBitSet;
use logic::{Formula, PropId};
use minterm_projection::MintermProjection;
use model::PartialModel;
use program::Predicate;
use step::{Choice, Step};
use support::{IdVec, Monitor, Stopped};
use transition::abstracted::Abstracted;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MixedSemantics {
    /// SIS (X Def. 2), over places and monomials.
    Standard,
    /// RIS (X Def. 6), over places and minterms (X Thm 8).
    Reduced,
}

/// Event of an evaluation for an observer: engines have no clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reduction {
    Begins,
    Ends,
}

/// A mixed transition system in BDDs.
pub struct Mixed {
    manager: Manager,
    /// True for U, false for O.
    sel: BddVar,
    /// The states that there are at each place.
    universe: Bdd,
    locations: Vec<ControlLocation>,
    labels: IdVec<PropId, Label>,
    encoding: Encoding,
    /// Under the standard semantics of programs.
    minterm_projection: Option<MintermProjection>,
}

/// Where control can be, with the steps from there.
#[derive(Default)]
struct ControlLocation {
    steps: Vec<Step>,
    choice: Option<Choice>,
    /// The places from where steps lead here, each once.
    before: Vec<u32>,
}

/// The value of a proposition and of its negation.
enum Label {
    /// True at these places and false at the others.
    At(FixedBitSet),
    /// A proposition with one pair of sets at all locations.
    Everywhere { positive: Bdd, negative: Bdd },
}

/// Meaning of the BDD variables.
enum Encoding {
    Program {
        predicates: Vec<Predicate>,
        /// Their numbers, as their variables rise.
        order: Vec<u32>,
    },
    /// Atoms by their numbers, at one place.
    Atoms(StateBits),
}

impl Mixed {
    /// Abstraction of a program by predicates. Formulas refer to its propositions by number.
    pub fn of_program(
        program: &Abstracted,
        semantics: MixedSemantics,
        policy: Policy,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        monitor.phase("encoding", 0);
        Ok(program::encode(program, semantics, Manager::new(monitor, policy))?)
    }

    /// A model over propositions whose `covers` do not count: all its states are atoms. The reduced semantics
    /// of other models is that of what [`PartialModel::reduced`] makes of them.
    pub fn of_model(
        model: &PartialModel,
        policy: Policy,
        monitor: &Monitor,
    ) -> Result<Self, Stopped> {
        monitor.phase("encoding", 0);
        Ok(atoms::encode(model, Manager::new(monitor, policy))?)
    }

    /// The values of a formula in all states. It may be asked any number of formulas.
    pub fn evaluate(
        &mut self,
        formula: &Formula,
        order: IterationOrder,
        watch: &mut dyn FnMut(Reduction),
    ) -> Result<Evaluated, Stopped> {
        self.manager.monitor().phase("computing fixpoints", 0);
        Ok(evaluate::evaluate(self, formula, order, watch)?)
    }

    /// Nodes of the relations together: the size of the model.
    pub fn relation_nodes(&self) -> usize {
        let steps = self.locations.iter().flat_map(|place| &place.steps);
        self.manager.size(steps.flat_map(Step::relations))
    }

    /// Variables of the BDDs.
    pub fn variables(&self) -> usize {
        self.manager.order().len()
    }

    /// Most nodes at a time since the beginning, garbage included.
    pub fn peak_nodes(&self) -> usize {
        self.manager.peak()
    }

    /// The value of a literal at a place. An unlabelled proposition is unknown.
    fn literal(&mut self, prop: PropId, positive: bool, place: usize) -> Result<Bdd, Stop> {
        match self.labels.get(prop) {
            Some(Label::At(locations)) if locations.contains(place) == positive => {
                Ok(self.universe.clone())
            }
            Some(Label::At(_)) => Ok(self.manager.constant(false)),
            Some(Label::Everywhere { positive: value, .. }) if positive => Ok(value.clone()),
            Some(Label::Everywhere { negative, .. }) => Ok(negative.clone()),
            None => {
                let sel = self.manager.var(self.sel)?;
                self.manager.minus(&self.universe, &sel)
            }
        }
    }
}

/// ABSV (X Fig. 2): the value with this U and this O.
fn value(manager: &mut Manager, sel: BddVar, under: &Bdd, over: &Bdd) -> Result<Bdd, Stop> {
    manager.choose(sel, under, over)
}
