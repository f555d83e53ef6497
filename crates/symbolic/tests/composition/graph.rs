//! States one by one, and the plain meaning of formulas in them.

use crate::table::{Sizes, now};
use logic::{Fix, Formula, Modality, Node, NodeId, Truth};
use machine::VarId;
use std::collections::HashMap;

/// After a choice, where the answers lead; `None` if to no state, or if one breaks what is demanded.
pub type Answers = Vec<Option<usize>>;

/// By what is given, by choice.
pub type Turn = Vec<Vec<Answers>>;

pub struct Graph {
    pub vars: Vec<VarId>,
    /// The numbers of the values.
    pub states: Vec<Vec<usize>>,
    pub init: Vec<bool>,
    /// By state, those that may follow.
    pub may: Vec<Vec<usize>>,
    /// By state, what can be brought about, by turn; the steps themselves if `None`.
    pub must: Option<Vec<Vec<Turn>>>,
    /// By proposition: where it is true and where it is false.
    pub labels: Vec<[Vec<bool>; 2]>,
}

impl Graph {
    /// With nothing but a state.
    pub fn valuation(&self, state: usize, sizes: &Sizes) -> Vec<usize> {
        let mut values = vec![0; sizes.len()];
        for (&var, &value) in self.vars.iter().zip(&self.states[state]) {
            values[now(var)] = value;
        }
        values
    }

    pub fn by_state(&self) -> HashMap<&[usize], usize> {
        self.states.iter().enumerate().map(|(number, state)| (&**state, number)).collect()
    }

    /// From where a step may lead there, or certainly does.
    fn before(&self, to: &[bool], is_must: bool) -> Vec<bool> {
        let is_there = |answer: &Option<usize>| answer.is_some_and(|state| to[state]);
        let leads = |state: usize| match &self.must {
            Some(must) if is_must => must[state].iter().any(|turn| {
                turn.iter().all(|given| given.iter().any(|answers| answers.iter().all(is_there)))
            }),
            _ => self.may[state].iter().any(|&state| to[state]),
        };
        (0..self.states.len()).map(leads).collect()
    }

    /// By subformula, where it is certainly true, or may be; if it has free variables, at the fixpoints.
    pub fn evaluate(&self, formula: &Formula, is_certain: bool) -> Vec<Option<Vec<bool>>> {
        let values = vec![Vec::new(); formula.vars().len()];
        let mut meaning = Meaning { graph: self, formula, is_certain, values };
        let mut found = vec![None; formula.len()];
        meaning.note(formula.root(), &mut found);
        found
    }

    /// Whether all initial states satisfy a formula whose subformulas are true there.
    pub fn verdict(&self, formula: &Formula, truth: &[Option<Vec<bool>>]) -> Truth {
        let root = truth[formula.root().0 as usize].as_ref().expect("the root is evaluated");
        let mut init = (0..self.states.len()).filter(|&state| self.init[state]);
        if init.all(|state| root[state]) { Truth::True } else { Truth::False }
    }
}

struct Meaning<'a> {
    graph: &'a Graph,
    formula: &'a Formula,
    is_certain: bool,
    values: Vec<Vec<bool>>,
}

impl Meaning<'_> {
    fn note(&mut self, id: NodeId, found: &mut [Option<Vec<bool>>]) {
        if found[id.0 as usize].is_some() {
            return;
        }
        let value = self.value(id);
        found[id.0 as usize] = Some(value.clone());
        if let Node::Fix(var) = self.formula.node(id) {
            self.values[var.0 as usize] = value;
            self.note(self.formula.var(var).body, found);
            return;
        }
        if !matches!(self.formula.node(id), Node::Var(_)) {
            for son in self.formula.sons(id).collect::<Vec<_>>() {
                self.note(son, found);
            }
        }
    }

    fn value(&mut self, id: NodeId) -> Vec<bool> {
        let states = self.graph.states.len();
        let both = |a: Vec<bool>, b: Vec<bool>, op: fn(bool, bool) -> bool| {
            a.into_iter().zip(b).map(|(a, b)| op(a, b)).collect()
        };
        match self.formula.node(id) {
            Node::Const(value) => vec![value; states],
            Node::Lit(prop, is_positive) => {
                let label = &self.graph.labels[prop.0 as usize];
                match self.is_certain {
                    true => label[usize::from(!is_positive)].clone(),
                    false => not(&label[usize::from(is_positive)]),
                }
            }
            Node::And(a, b) => both(self.value(a), self.value(b), |a, b| a && b),
            Node::Or(a, b) => both(self.value(a), self.value(b), |a, b| a || b),
            Node::Modal(Modality::Dia, _, body) => {
                let value = self.value(body);
                self.graph.before(&value, self.is_certain)
            }
            Node::Modal(Modality::Box, _, body) => {
                let value = not(&self.value(body));
                not(&self.graph.before(&value, !self.is_certain))
            }
            Node::Var(var) => self.values[var.0 as usize].clone(),
            Node::Fix(var) => {
                let definition = self.formula.var(var);
                let mut value = vec![definition.kind == Fix::Nu; states];
                loop {
                    self.values[var.0 as usize] = value.clone();
                    let new = self.value(definition.body);
                    if new == value {
                        return value;
                    }
                    value = new;
                }
            }
        }
    }
}

pub fn not(set: &[bool]) -> Vec<bool> {
    set.iter().map(|is_in| !is_in).collect()
}
