//! Must steps of a part of a transition system.
//!
//! The must steps of a partial model are steps. What a part of a machine can bring about is more than that: it
//! chooses its own next values, and the others answer. It must come to a set if it has a choice after which
//! every answer leads there. This is a must hyper-transition, never written down.

use crate::relation::{Conditions, Relation, Stages, Steps};
use bdd::{Bdd, Manager, Renaming, Stop};

pub(crate) enum Must {
    Steps(Relation),
    Choices(Vec<Choice>),
}

/// One kind of steps of a part of a machine, in which the others answer.
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
    /// Of what a modality can speak: in which steps each condition certainly holds.
    pub conditions: Conditions,
}

impl Choice {
    /// From where it can be brought about that a step leads there, of those that are spoken of.
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

    /// Whether nothing can be brought about.
    pub fn is_nothing(&self) -> bool {
        matches!(self, Must::Choices(choices) if choices.is_empty())
    }

    /// Whether what leads to two sets together is what leads to one of them or to the other.
    pub fn is_of_steps(&self) -> bool {
        matches!(self, Must::Steps(_))
    }
}
