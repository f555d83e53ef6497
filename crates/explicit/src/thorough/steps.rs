//! The steps that refinements of a model can make.

use fixedbitset::FixedBitSet;
use logic::ActionSet;
use model::{ActionId, PartialModel};

/// A transition of a refinement, as far as the model tells it: its action and the abstract state that it leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Target {
    pub action: Option<ActionId>,
    pub state: u32,
}

/// The steps of a model, without the states that nothing refines.
pub(super) struct Steps<'a> {
    model: &'a PartialModel,
    consistent: FixedBitSet,
}

impl<'a> Steps<'a> {
    pub fn new(model: &'a PartialModel) -> Self {
        let mut consistent = FixedBitSet::with_capacity(model.states());
        consistent.insert_range(..);
        let mut steps = Self { model, consistent };
        loop {
            let states = steps.consistent.ones();
            let is_wrong = |&state: &usize| steps.musts(state as u32).iter().any(Vec::is_empty);
            let wrong: Vec<usize> = states.filter(is_wrong).collect();
            if wrong.is_empty() {
                return steps;
            }
            wrong.into_iter().for_each(|state| steps.consistent.remove(state));
        }
    }

    /// Whether something refines a state.
    pub fn is_consistent(&self, state: u32) -> bool {
        self.consistent.contains(state as usize)
    }

    /// The transitions that a refinement of a state may have.
    pub fn mays(&self, state: u32) -> impl Iterator<Item = Target> {
        let may = self.model.edges().out(state).filter(|(_, class)| class.mode.may);
        let targets = may.map(|(state, class)| Target { action: class.action, state });
        targets.filter(|target| self.is_consistent(target.state))
    }

    /// By must transition of a state: the transitions of which a refinement has one. States are disjoint, so that a must
    /// transition leads to where a may transition does (X §3.2).
    pub fn musts(&self, state: u32) -> Vec<Vec<Target>> {
        let mays: Vec<Target> = self.mays(state).collect();
        let among =
            |wanted: &dyn Fn(&Target) -> bool| mays.iter().copied().filter(wanted).collect();
        let must = self.model.edges().out(state).filter(|(_, class)| class.mode.must);
        let single = must.map(|(to, class)| among(&|t| (t.action, t.state) == (class.action, to)));
        let sets = self.model.hyper_from(state).iter();
        single.chain(sets.map(|set| among(&|t| set.targets.contains(&t.state)))).collect()
    }

    /// Whether a modality is about a transition.
    pub fn is_meant(&self, actions: &ActionSet, target: Target) -> bool {
        let of = self.model.actions();
        target.action.is_none_or(|action| actions.contains(of.name(action)))
    }
}
