//! Must steps of a part of a transition system.
//!
//! Those of a partial model are steps. A group of components of a transition system has more: it chooses its own next
//! values, and the others answer. It has a must hyper-transition to a set if after some choice every answer leads
//! into the set. These are not stored: a pre-image computes them by two quantifications (∃ choice ∀ answer).

use crate::relation::{Conditions, Relation, Stages, Steps};
use bdd::{Bdd, Manager, Renaming, Stop};

pub(crate) enum Must {
    Steps(Relation),
    Choices(Vec<Choice>),
}

/// Steps of a group in which the other components answer.
pub(crate) struct Choice {
    /// Given values that are no part of the state.
    pub given: Stages,
    /// Its own choices: over the inputs and its own next values.
    pub chosen: Stages,
    /// Answers of the others: over the other next values.
    pub answered: Stages,
    /// Constraint that an answer must not violate.
    pub demanded: Bdd,
    pub to_next: Renaming,
    /// By condition that a modality can name: the steps in which it certainly holds.
    pub conditions: Conditions,
}

impl Choice {
    /// The states with a choice after which every answer is a step into the set.
    fn pre_image(&self, to: &Bdd, steps: Steps, manager: &mut Manager) -> Result<Bdd, Stop> {
        let there = manager.rename(to, self.to_next)?;
        let mut good = manager.and(&there, &self.demanded)?;
        if let Steps::Where(index) = steps {
            good = manager.and(&good, &self.conditions[index])?;
        }
        let bad = self.answered.run(&good.not(), manager)?;
        let chosen = self.chosen.run(&bad.not(), manager)?;
        Ok(self.given.run(&chosen.not(), manager)?.not())
    }
}

impl Must {
    pub fn pre_image(
        &self,
        to: &Bdd,
        steps: Steps,
        among: &Bdd,
        manager: &mut Manager,
    ) -> Result<Bdd, Stop> {
        let choices = match self {
            Must::Steps(relation) => return relation.pre_image(to, steps, among, manager),
            Must::Choices(choices) => choices,
        };
        let mut all = manager.constant(false);
        if to.is_empty() {
            return Ok(all);
        }
        for choice in choices {
            let some = choice.pre_image(to, steps, manager)?;
            let some = manager.and(&some, among)?;
            all = manager.or(&all, &some)?;
        }
        Ok(all)
    }

    /// Whether there is no must step.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Must::Choices(choices) if choices.is_empty())
    }

    /// Whether the pre-image of a union is the union of the pre-images; not so for hyper-transitions.
    pub fn distributes_over_union(&self) -> bool {
        matches!(self, Must::Steps(_))
    }
}
