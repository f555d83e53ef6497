//! Vocabulary of formulas about a program: propositions of states, conditions on steps, fairness.

use logic::{ActionSet, FairTerm, PropId};
use testkit::SmvDocument;
use transition::StateProperty;

pub struct Vocabulary {
    pub labels: Vec<StateProperty>,
    pub conditions: Vec<StateProperty>,
    pub terms: Vec<FairTerm>,
}

impl Vocabulary {
    pub fn of(document: &SmvDocument) -> Self {
        let machine = &document.machine;
        let [mut labels, mut conditions] = [document.propositions.clone(), Vec::new()];
        let mut terms = Vec::new();
        for (index, fairness) in machine.fairness.iter().enumerate() {
            let property = StateProperty { name: format!("fair {index}"), node: fairness.node };
            if machine.exprs.reads_input(fairness.node) {
                terms.push(FairTerm::Step(ActionSet::one(property.name.clone())));
                conditions.push(property);
            } else {
                terms.push(FairTerm::State(PropId(labels.len() as u32), String::new()));
                labels.push(property);
            }
        }
        Self { labels, conditions, terms }
    }
}
