//! The disjunctive partitioning of a transition relation, by the variables that a step changes.
//!
//! Where processes take disjuncts, each has its own kind of steps; where a condition on steps is an
//! alternative, as in `TRANS a | b | …`, each of its cases has, if it says that most variables keep their
//! values. Steps that keep the same variables are of one kind.

use rustc_hash::FxHashMap;
use transition::{
    Binary, ChoiceId, Conjunct, Domain, ExprNode, Machine, NodeId, Role, Section, Slice, Type,
    VarId,
};

/// Steps that keep the same variables.
pub(crate) struct Disjunct {
    /// The selector and its value, if processes take disjuncts.
    pub selected: Option<(VarId, i64)>,
    /// In order.
    pub kept: Vec<VarId>,
    pub conjuncts: Vec<Conjunct>,
    /// All conditions of one of these hold too; none are needed if there are none.
    pub cases: Vec<Vec<NodeId>>,
}

/// All kinds of steps of a part of a machine.
pub(crate) fn disjuncts(machine: &mut Machine, slice: &Slice) -> Vec<Disjunct> {
    let steps: Vec<Conjunct> =
        slice.conjuncts.iter().filter(|c| c.section == Section::Trans).cloned().collect();
    let selector = machine.selector.filter(|&var| slice.contains(var));
    let values = match selector.map(|var| (var, &machine.vars[var].domain)) {
        Some((var, Domain::Values(values))) => values.iter().map(|&v| Some((var, v))).collect(),
        _ => vec![None],
    };
    let mut all = Vec::new();
    for selected in values {
        let conjuncts = steps.iter().map(|c| applied(machine, selected, c.clone())).collect();
        all.extend(divided(machine, slice, one(machine, selected, conjuncts)));
    }
    all
}

fn one(machine: &Machine, selected: Option<(VarId, i64)>, all: Vec<Conjunct>) -> Disjunct {
    let mut kept = Vec::new();
    let mut conjuncts = Vec::new();
    for conjunct in all {
        match conjunct.role {
            Role::Frame(var) => kept.push(var),
            Role::Constraint(node) => match keeps(machine, node) {
                Some(var) => kept.push(var),
                None => conjuncts.push(conjunct),
            },
            Role::Assignment(..) => conjuncts.push(conjunct),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    Disjunct { selected, kept, conjuncts, cases: Vec::new() }
}

/// The conjunct as part of a component's disjunct. An assignment of a variable to itself keeps it.
pub(crate) fn applied(
    machine: &mut Machine,
    selected: Option<(VarId, i64)>,
    conjunct: Conjunct,
) -> Conjunct {
    let mut role = conjunct.role;
    if let Some((selector, value)) = selected {
        role = match role {
            Role::Constraint(node) => Role::Constraint(machine.with_value(node, selector, value)),
            Role::Assignment(var, choice) => {
                Role::Assignment(var, machine.choice_with_value(choice, selector, value))
            }
            Role::Frame(var) => Role::Frame(var),
        };
    }
    if let Role::Assignment(var, choice) = role
        && is_itself(machine, var, choice)
    {
        role = Role::Frame(var);
    }
    Conjunct { role, ..conjunct }
}

fn is_itself(machine: &Machine, var: VarId, choice: ChoiceId) -> bool {
    let node = machine.choices.as_one(choice);
    node.is_some_and(|node| machine.exprs.node(node) == ExprNode::Now(var))
}

/// The variable that a condition keeps, if that is what it says: `next(x) = x`.
fn keeps(machine: &Machine, node: NodeId) -> Option<VarId> {
    let ExprNode::Binary(Binary::Eq, a, b) = machine.exprs.node(node) else { return None };
    match (machine.exprs.node(a), machine.exprs.node(b)) {
        (ExprNode::Now(x), ExprNode::Next(y)) | (ExprNode::Next(x), ExprNode::Now(y)) if x == y => {
            Some(x)
        }
        _ => None,
    }
}

/// Takes the largest alternative apart if its cases keep most of the variables.
fn divided(machine: &Machine, slice: &Slice, disjunct: Disjunct) -> Vec<Disjunct> {
    let mut disjunctions: Vec<(usize, Vec<NodeId>)> = Vec::new();
    for (index, conjunct) in disjunct.conjuncts.iter().enumerate() {
        if let Role::Constraint(node) = conjunct.role
            && !machine.exprs.can_fault(node)
        {
            disjunctions.push((index, alternatives(machine, node)));
        }
    }
    let largest = disjunctions.into_iter().max_by_key(|(_, cases)| cases.len());
    let Some((index, cases)) = largest.filter(|(_, cases)| cases.len() > 1) else {
        return vec![disjunct];
    };
    let states = machine.state_vars().filter(|&var| slice.contains(var)).count();
    let mut groups: FxHashMap<Vec<VarId>, Vec<Vec<NodeId>>> = FxHashMap::default();
    for case in cases {
        let (kept, rest) = kept_by(machine, case);
        if (disjunct.kept.len() + kept.len()) * 2 < states {
            return vec![disjunct];
        }
        groups.entry(kept).or_default().push(rest);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort();
    groups.into_iter().map(|(kept, cases)| disjunct.case(index, kept, cases)).collect()
}

impl Disjunct {
    /// Disjunct with cases in the place of a conjunct.
    fn case(&self, without: usize, kept: Vec<VarId>, cases: Vec<Vec<NodeId>>) -> Disjunct {
        let mut conjuncts = self.conjuncts.clone();
        conjuncts.remove(without);
        let mut all = self.kept.clone();
        all.extend(kept);
        all.sort_unstable();
        all.dedup();
        Disjunct { selected: self.selected, kept: all, conjuncts, cases }
    }
}

/// The variables that a case keeps, in order, and what else it says.
fn kept_by(machine: &Machine, case: NodeId) -> (Vec<VarId>, Vec<NodeId>) {
    let mut kept = Vec::new();
    let mut rest = Vec::new();
    for node in machine.exprs.conjuncts(case) {
        match keeps(machine, node) {
            Some(var) => kept.push(var),
            None => rest.push(node),
        }
    }
    kept.sort_unstable();
    kept.dedup();
    (kept, rest)
}

/// The operands of a disjunction, however nested.
fn alternatives(machine: &Machine, root: NodeId) -> Vec<NodeId> {
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        match machine.exprs.node(id) {
            ExprNode::Binary(Binary::Or, a, b) if machine.exprs.ty(id) == Type::Bool => {
                open.extend([b, a]);
            }
            _ => found.push(id),
        }
    }
    found
}
