//! Which propositions are true and which are false in which states; the rest is unknown.

use crate::partial::PartialModel;
use fixedbitset::FixedBitSet;
use logic::{PropId, Truth};
use support::Interner;

/// Two sets of states for each proposition.
#[derive(Clone, Debug, Default)]
pub struct Labelling {
    pub(crate) props: Interner<PropId>,
    true_in: Vec<FixedBitSet>,
    false_in: Vec<FixedBitSet>,
}

impl Labelling {
    /// Every proposition is true in these states and false in the others.
    pub fn complete(props: Interner<PropId>, true_in: Vec<FixedBitSet>, states: usize) -> Self {
        let mut labelling = Self { props, true_in, false_in: Vec::new() };
        labelling.resize(states);
        labelling.close();
        labelling
    }

    /// Makes room for so many states of all propositions; what is new is unknown.
    pub(crate) fn resize(&mut self, states: usize) {
        for column in [&mut self.true_in, &mut self.false_in] {
            column.resize(self.props.len(), FixedBitSet::new());
            column.iter_mut().for_each(|set| set.grow(states));
        }
    }

    /// Says more of a proposition in a state.
    pub(crate) fn set(&mut self, state: u32, prop: PropId, value: Truth) {
        let column = match value {
            Truth::True => &mut self.true_in,
            Truth::False => &mut self.false_in,
            Truth::Unknown => return,
        };
        column[prop.0 as usize].insert(state as usize);
    }

    /// The labels of a model over more propositions than its own; the rest is unknown.
    pub(crate) fn extended(model: &PartialModel, props: Interner<PropId>) -> Self {
        let mut labelling = Self { props, ..Self::default() };
        labelling.resize(0);
        for (local, name) in model.props().iter() {
            if let Some(prop) = labelling.props.get(name) {
                labelling.true_in[prop.0 as usize] = model.true_in(local).clone();
                labelling.false_in[prop.0 as usize] = model.false_in(local).clone();
            }
        }
        labelling
    }

    /// Takes everything for false that is not true.
    pub(crate) fn close(&mut self) {
        for (yes, no) in self.true_in.iter().zip(&mut self.false_in) {
            no.clone_from(yes);
            no.toggle_range(..);
        }
    }

    pub fn props(&self) -> &Interner<PropId> {
        &self.props
    }

    pub fn get(&self, state: u32, prop: PropId) -> Truth {
        let (index, state) = (prop.0 as usize, state as usize);
        match (self.true_in[index].contains(state), self.false_in[index].contains(state)) {
            (true, _) => Truth::True,
            (_, true) => Truth::False,
            _ => Truth::Unknown,
        }
    }

    pub fn true_in(&self, prop: PropId) -> &FixedBitSet {
        &self.true_in[prop.0 as usize]
    }

    pub fn false_in(&self, prop: PropId) -> &FixedBitSet {
        &self.false_in[prop.0 as usize]
    }

    /// Whether nothing is unknown.
    pub fn is_complete(&self, states: usize) -> bool {
        let known = |(yes, no): (&FixedBitSet, &FixedBitSet)| {
            yes.count_ones(..) + no.count_ones(..) == states
        };
        self.true_in.iter().zip(&self.false_in).all(known)
    }
}
