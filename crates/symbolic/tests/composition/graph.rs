//! States one by one, and the plain meaning of formulas in them.

use crate::table::{Sizes, now};
use logic::{Fix, Formula, Modality, Node, NodeId, Truth};
use std::collections::{HashMap, HashSet};
use transition::VarId;

/// Where a step leads, and whether the condition on steps holds of it.
pub type Step = (usize, bool);

/// After a choice, the steps that answers make of it; `None` if to no state, or if one breaks what is demanded.
pub type Answers = Vec<Option<Step>>;

/// By what is given, by choice.
pub type Disjunct = Vec<Vec<Answers>>;

pub struct Graph {
    pub vars: Vec<VarId>,
    /// The numbers of the values.
    pub states: Vec<Vec<usize>>,
    pub init: Vec<bool>,
    /// By state, the steps that may be made.
    pub may: Vec<Vec<Step>>,
    /// By state, what can be brought about, by disjunct; the steps themselves if `None`.
    pub must: Option<Vec<Vec<Disjunct>>>,
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

    /// From where a step may lead there, or certainly does: any, or one of which the condition holds.
    fn before(&self, to: &[bool], is_must: bool, is_any: bool) -> Vec<bool> {
        let leads_there = |&(state, is_so): &Step| to[state] && (is_any || is_so);
        let is_there = |answer: &Option<Step>| answer.as_ref().is_some_and(leads_there);
        let leads = |state: usize| match &self.must {
            Some(must) if is_must => must[state].iter().any(|disjunct| {
                disjunct
                    .iter()
                    .all(|given| given.iter().any(|answers| answers.iter().all(is_there)))
            }),
            _ => self.may[state].iter().any(leads_there),
        };
        (0..self.states.len()).map(leads).collect()
    }

    /// By subformula, where it is certainly true, or may be; if it has free variables, at the fixpoints.
    pub fn evaluate(&self, formula: &Formula, is_certain: bool) -> Vec<Option<Vec<bool>>> {
        let values = vec![Vec::new(); formula.vars().len()];
        let open = with_free_variables(formula);
        let known = vec![None; formula.len()];
        let mut meaning = Meaning { graph: self, formula, is_certain, values, open, known };
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
    /// By subformula: whether variables occur freely in it.
    open: Vec<bool>,
    /// By subformula without free variables, its value if it was asked for.
    known: Vec<Option<Vec<bool>>>,
}

/// By subformula, whether variables occur freely in it.
fn with_free_variables(formula: &Formula) -> Vec<bool> {
    let mut free: Vec<HashSet<u32>> = Vec::new();
    for (id, node) in formula.nodes() {
        let mut vars = match node {
            Node::Var(var) => HashSet::from([var.0]),
            Node::Fix(var) => free[formula.var(var).body.0 as usize].clone(),
            _ => formula
                .successors(id)
                .flat_map(|successor| free[successor.0 as usize].clone())
                .collect(),
        };
        if let Node::Fix(var) = node {
            vars.remove(&var.0);
        }
        free.push(vars);
    }
    free.iter().map(|vars| !vars.is_empty()).collect()
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
            for successor in self.formula.successors(id).collect::<Vec<_>>() {
                self.note(successor, found);
            }
        }
    }

    fn value(&mut self, id: NodeId) -> Vec<bool> {
        let node = id.0 as usize;
        if let Some(known) = &self.known[node] {
            return known.clone();
        }
        let value = self.new_value(id);
        if !self.open[node] {
            self.known[node] = Some(value.clone());
        }
        value
    }

    fn new_value(&mut self, id: NodeId) -> Vec<bool> {
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
            Node::Modal(modality, actions, body) => {
                let is_any = self.formula.actions(actions).is_any();
                let value = self.value(body);
                match modality {
                    Modality::Dia => self.graph.before(&value, self.is_certain, is_any),
                    Modality::Box => {
                        not(&self.graph.before(&not(&value), !self.is_certain, is_any))
                    }
                }
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
