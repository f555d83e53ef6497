//! Explanations by BDDs, in the words of the model.

use explicit::{Explanation, ShownMember, ShownNode, ShownSon, ShownState, ShownStep, Why};
use logic::{Formula, Modality, Node, NodeId, PropId, Truth};
use symbolic::{Evidence, Position};
use transition::{Machine, Property, VarId};

/// Evidence in words.
pub struct Telling<'a> {
    pub machine: &'a Machine,
    pub labels: &'a [Property],
    pub formula: &'a Formula,
    pub evidence: &'a Evidence,
}

impl Telling<'_> {
    pub fn explanation(&self) -> Explanation {
        let Evidence { verdict, states, labels, positions, roots, cut, .. } = self.evidence;
        Explanation {
            verdict: Truth::from(*verdict),
            components: vec![self.machine.name.clone()],
            states: states.iter().zip(labels).map(|(v, props)| self.state(v, props)).collect(),
            nodes: positions.iter().map(|position| self.node(position)).collect(),
            roots: roots.clone(),
            cut: *cut,
            reason: None,
        }
    }

    /// What is the same in all states, unless that is everything.
    pub fn constants(&self) -> Vec<(String, String)> {
        let Some(values) = self.evidence.states.first() else { return Vec::new() };
        let hidden = values.iter().filter(|(var, _)| self.is_hidden(*var));
        let text = |&(var, value): &(VarId, i64)| {
            (self.machine.vars[var].name.clone(), self.machine.text(var, value))
        };
        hidden.map(text).collect()
    }

    fn is_hidden(&self, var: VarId) -> bool {
        let Evidence { constants, states, .. } = self.evidence;
        let is_everything = states.first().is_some_and(|values| constants.len() == values.len());
        !is_everything && constants.contains(&var)
    }

    fn state(&self, values: &[(VarId, i64)], props: &[PropId]) -> ShownState {
        let shown: Vec<(VarId, i64)> =
            values.iter().copied().filter(|(var, _)| !self.is_hidden(*var)).collect();
        let (name, unknown_props) = (self.assignments(&shown), Vec::new());
        let label = |prop: &PropId| self.labels.get(prop.0 as usize);
        let true_props = props.iter().filter_map(label).map(|label| label.name.clone()).collect();
        let member = ShownMember { name, true_props, unknown_props };
        ShownState { members: vec![Some(member)] }
    }

    fn assignments(&self, values: &[(VarId, i64)]) -> String {
        let text = |&(var, value): &(VarId, i64)| {
            format!("{}={}", self.machine.vars[var].name, self.machine.text(var, value))
        };
        values.iter().map(text).collect::<Vec<_>>().join(",")
    }

    fn node(&self, position: &Position) -> ShownNode {
        let why = match position.why {
            symbolic::Why::Itself => Why::Itself,
            symbolic::Why::One => Why::One,
            symbolic::Why::All => Why::All,
            symbolic::Why::Unfolding => Why::Unfolding,
            symbolic::Why::Throughout => Why::Throughout,
            symbolic::Why::Cut => Why::Cut,
        };
        ShownNode {
            state: position.state,
            subformula: self.formula.written(position.node),
            value: Truth::from(self.evidence.verdict),
            why,
            sons: position.sons.iter().map(|son| self.son(son, why)).collect(),
            asked: self.asked(position.node).filter(|_| matches!(why, Why::All | Why::Itself)),
        }
    }

    /// The steps that a modality asks about, if all of them count.
    fn asked(&self, node: NodeId) -> Option<logic::ActionSet> {
        let Node::Modal(modality, actions, _) = self.formula.node(self.formula.definition(node))
        else {
            return None;
        };
        let is_all = (modality == Modality::Box) == self.evidence.verdict;
        is_all.then(|| self.formula.actions(actions).clone())
    }

    /// Where all steps count, it does not matter which inputs make them.
    fn son(&self, son: &symbolic::Son, why: Why) -> ShownSon {
        let step = son.step.as_ref().map(|inputs| {
            let is_told = why == Why::One && !inputs.is_empty();
            let action = is_told.then(|| self.assignments(inputs));
            ShownStep { action, is_sure: true, is_one_of: false }
        });
        ShownSon { node: son.position, step }
    }
}
