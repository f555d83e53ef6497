//! A transition system as its conjuncts say it: states, labels, and from where a step leads somewhere. No cleverness
//! beyond quantifying a variable when nothing that is left depends on it.

use super::SymbolicSubject;
use super::known::SymbolicSystem;
use crate::error::AuditError;
use bdd::{Bdd, BddVar, Cube, Manager, Renaming, Stop};
use encode::{EncodedExpr, Encoder, Layout};
use logic::{ActionSet, Formula, Node, PropId};
use rustc_hash::{FxHashMap, FxHashSet};
use transition::{
    Conjunct, Domain, Machine, NodeId, Role, Section, Slice, StateProperty, VarId, VarKind,
};

/// The steps that one process makes, or all steps if there are no processes.
struct Disjunct {
    /// Conditions on this state, the inputs and the next state, each with the variables that no later one
    /// depends on.
    conjuncts: Vec<(Bdd, Cube)>,
    /// The variables that none of them depends on.
    first: Cube,
    to_next: Renaming,
    /// The steps in which a condition holds, by name.
    conditions: FxHashMap<String, Bdd>,
    /// Where conjuncts fail.
    wrong: Vec<Bdd>,
}

/// A part of a machine in BDDs.
pub(crate) struct Steps {
    pub manager: Manager,
    /// Valuations that are states.
    states: Bdd,
    pub init: Bdd,
    /// States in which something fails.
    wrong: Bdd,
    disjuncts: Vec<Disjunct>,
    /// Those that the formula speaks of.
    labels: FxHashMap<PropId, Bdd>,
}

impl Steps {
    /// Encodes what the formula speaks of.
    pub fn new(
        subject: &SymbolicSubject,
        slice: &Slice,
        layout: &Layout,
        manager: Manager,
        formula: &Formula,
    ) -> Result<Self, AuditError> {
        let machine = subject.machine.clone();
        let mut builder = Builder { machine, slice, layout, manager, known: FxHashMap::default() };
        let (labels, wrong_labels) = builder.labels(subject.labels, formula)?;
        let conditions = builder.conditions(subject.conditions, formula)?;
        let (mut states, wrong) = builder.all(Section::Invar)?;
        for var in builder.machine.state_vars().filter(|&var| slice.contains(var)) {
            let valid = layout.valid(&builder.machine, var, &mut builder.manager)?;
            states = builder.manager.and(&states, &valid)?;
        }
        let (start, wrong_start) = builder.all(Section::Init)?;
        let init = builder.manager.and(&start, &states)?;
        let wrong_start = builder.manager.and(&init, &wrong_start)?;
        let wrong = builder.manager.or(&wrong, &wrong_start)?;
        let wrong = builder.manager.or(&wrong, &wrong_labels)?;
        let disjuncts = builder.disjuncts(&conditions)?;
        let manager = builder.manager;
        Ok(Self { manager, states, init, wrong, disjuncts, labels })
    }

    /// From where a step leads there, of those in which the condition holds if there is one.
    fn before_by(&mut self, there: &Bdd, condition: Option<&str>) -> Result<Bdd, Stop> {
        let there = self.manager.and(there, &self.states)?;
        let mut all = self.manager.constant(false);
        for disjunct in &self.disjuncts {
            let only = condition.and_then(|name| disjunct.conditions.get(name));
            let some = disjunct.before(&there, only, &mut self.manager)?;
            all = self.manager.or(&all, &some)?;
        }
        Ok(all)
    }

    /// Whether anything can fail in this part of the machine.
    pub fn choice_can_fail(&self) -> bool {
        !self.wrong.is_empty() || self.disjuncts.iter().any(|disjunct| !disjunct.wrong.is_empty())
    }
}

impl SymbolicSystem for Steps {
    fn manager(&mut self) -> &mut Manager {
        &mut self.manager
    }

    fn states(&self) -> Bdd {
        self.states.clone()
    }

    fn label(&self, prop: PropId, value: bool) -> Bdd {
        let label = &self.labels[&prop];
        if value { label.clone() } else { label.not() }
    }

    /// All steps that are possible are certain.
    fn before(&mut self, there: &Bdd, by: &ActionSet, _: bool) -> Result<Bdd, AuditError> {
        Ok(self.before_by(there, condition(by)?)?)
    }

    fn leak(&mut self, set: &Bdd) -> Result<Option<&'static str>, Stop> {
        if !self.manager.is_subset(&self.init, set)? {
            return Ok(Some("an initial state is not among those that are kept to"));
        }
        let outside = self.manager.minus(&self.states, set)?;
        let leaving = self.before_by(&outside, None)?;
        if !self.manager.and(&leaving, set)?.is_empty() {
            return Ok(Some("a step leaves the states that are kept to"));
        }
        if !self.manager.and(&self.wrong, set)?.is_empty() {
            return Ok(Some("in a state that is kept to an expression has no value"));
        }
        for disjunct in &self.disjuncts {
            for wrong in &disjunct.wrong {
                let from = disjunct.before(&self.states, Some(wrong), &mut self.manager)?;
                if !self.manager.and(&from, set)?.is_empty() {
                    return Ok(Some("in a step that is kept to an expression has no value"));
                }
            }
        }
        Ok(None)
    }
}

impl Disjunct {
    fn before(&self, there: &Bdd, only: Option<&Bdd>, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut product = manager.rename(there, self.to_next)?;
        if let Some(only) = only {
            product = manager.and(&product, only)?;
        }
        product = manager.exists(&product, &self.first)?;
        for (conjunct, cube) in &self.conjuncts {
            product = manager.and_exists(&product, conjunct, cube)?;
        }
        Ok(product)
    }
}

struct Builder<'a> {
    machine: Machine,
    slice: &'a Slice,
    layout: &'a Layout,
    manager: Manager,
    known: FxHashMap<NodeId, EncodedExpr>,
}

impl Builder<'_> {
    fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: &self.machine,
            layout: self.layout,
            manager: &mut self.manager,
            known: &mut self.known,
        }
    }

    /// The propositions of the formula, and where one of them has no value.
    fn labels(
        &mut self,
        all: &[StateProperty],
        formula: &Formula,
    ) -> Result<(FxHashMap<PropId, Bdd>, Bdd), AuditError> {
        let (mut labels, mut wrong) = (FxHashMap::default(), self.manager.constant(false));
        for (_, node) in formula.nodes() {
            let Node::Lit(prop, _) = node else { continue };
            let label = all.get(prop.0 as usize);
            let label = label.ok_or_else(|| missing("a proposition of the formula"))?;
            self.has_all_of(label)?;
            let set = self.encoder().truth(label.node)?;
            labels.insert(prop, set);
            if let Some(missing) = self.encoder().encode(label.node)?.missing {
                wrong = self.manager.or(&wrong, &missing)?;
            }
        }
        Ok((labels, wrong))
    }

    /// The conditions on steps that the formula speaks of.
    fn conditions(
        &self,
        all: &[StateProperty],
        formula: &Formula,
    ) -> Result<Vec<StateProperty>, AuditError> {
        let mut found = Vec::new();
        for name in formula.action_sets().values().filter_map(|set| condition(set).transpose()) {
            let name = name?;
            let known = all.iter().find(|property| property.name == name);
            let known = known.ok_or_else(|| missing("a condition on steps"))?;
            self.has_all_of(known)?;
            found.push(known.clone());
        }
        Ok(found)
    }

    /// Whether the part of the machine has all variables that an expression reads.
    fn has_all_of(&self, property: &StateProperty) -> Result<(), AuditError> {
        let access = self.machine.access([property.node]);
        let has_all = access.now.iter().chain(&access.next).all(|&var| self.slice.contains(var));
        if has_all { Ok(()) } else { Err(missing("a variable of the formula")) }
    }

    /// That everything holds that has to at a moment, and where something fails.
    fn all(&mut self, section: Section) -> Result<(Bdd, Bdd), Stop> {
        let (mut all, mut wrong) = (self.manager.constant(true), self.manager.constant(false));
        for conjunct in self.slice.conjuncts.iter().filter(|c| c.section == section) {
            let (holds, error_condition) = self.conjunct(conjunct)?;
            all = self.manager.and(&all, &holds)?;
            wrong = self.manager.or(&wrong, &error_condition)?;
        }
        wrong = self.manager.and(&all, &wrong)?;
        Ok((all, wrong))
    }

    /// Where a conjunct holds or fails, and where it fails.
    fn conjunct(&mut self, conjunct: &Conjunct) -> Result<(Bdd, Bdd), Stop> {
        let none = self.manager.constant(false);
        let (set, wrong) = match conjunct.role {
            Role::Constraint(node) => {
                let wrong = self.encoder().encode(node)?.missing.unwrap_or(none);
                (self.encoder().truth(node)?, wrong)
            }
            Role::Assignment(var, choice) => {
                let is_next = conjunct.section == Section::Trans;
                let assigned = self.encoder().assign(var, is_next, choice)?;
                (assigned.relation, assigned.wrong)
            }
            Role::Frame(var) => (self.layout.same(var, &mut self.manager)?, none),
        };
        Ok((self.manager.or(&set, &wrong)?, wrong))
    }

    fn disjuncts(&mut self, conditions: &[StateProperty]) -> Result<Vec<Disjunct>, Stop> {
        let selector = self.machine.selector.filter(|&var| self.slice.contains(var));
        let values = match selector.map(|var| (var, &self.machine.vars[var].domain)) {
            Some((var, Domain::Values(values))) => {
                values.iter().map(|&value| Some((var, value))).collect()
            }
            _ => vec![None],
        };
        values.into_iter().map(|selected| self.disjunct(selected, conditions)).collect()
    }

    fn disjunct(
        &mut self,
        selected: Option<(VarId, i64)>,
        conditions: &[StateProperty],
    ) -> Result<Disjunct, Stop> {
        let conjuncts = self.conjuncts(selected);
        // What is kept, and spoken of by nothing else, need not be renamed.
        let mut kept: FxHashSet<VarId> = FxHashSet::default();
        let mut sets = Vec::new();
        let mut wrong = Vec::new();
        for conjunct in &conjuncts {
            if let Role::Frame(var) = conjunct.role
                && conjuncts.iter().filter(|c| c.access.next.contains(&var)).count() == 1
            {
                kept.insert(var);
                continue;
            }
            let (set, error_condition) = self.conjunct(conjunct)?;
            sets.push(set);
            wrong.push(error_condition);
        }
        let mut by_name = FxHashMap::default();
        for property in conditions {
            let node = match selected {
                Some((var, value)) => self.machine.with_value(property.node, var, value),
                None => property.node,
            };
            by_name.insert(property.name.clone(), self.encoder().truth(node)?);
            wrong.extend(self.encoder().encode(node)?.missing);
        }
        wrong.retain(|set| !set.is_empty());
        self.scheduled(selected, &kept, sets, by_name, wrong)
    }

    /// The conditions on steps in which a process has its turn.
    fn conjuncts(&mut self, selected: Option<(VarId, i64)>) -> Vec<Conjunct> {
        let all: Vec<Conjunct> = self.slice.conjuncts.clone();
        let steps = all.into_iter().filter(|conjunct| conjunct.section == Section::Trans);
        steps
            .map(|mut conjunct| {
                if let Some((selector, value)) = selected {
                    conjunct.role = match conjunct.role {
                        Role::Constraint(node) => {
                            Role::Constraint(self.machine.with_value(node, selector, value))
                        }
                        Role::Assignment(var, choice) => Role::Assignment(
                            var,
                            self.machine.choice_with_value(choice, selector, value),
                        ),
                        Role::Frame(var) => Role::Frame(var),
                    };
                }
                if let Role::Assignment(var, choice) = conjunct.role
                    && let Some(node) = self.machine.choices.as_one(choice)
                    && self.machine.exprs.node(node) == transition::ExprNode::Now(var)
                {
                    conjunct.role = Role::Frame(var);
                }
                conjunct
            })
            .collect()
    }

    /// When which variable can be quantified.
    fn scheduled(
        &mut self,
        selected: Option<(VarId, i64)>,
        kept: &FxHashSet<VarId>,
        mut sets: Vec<Bdd>,
        conditions: FxHashMap<String, Bdd>,
        wrong: Vec<Bdd>,
    ) -> Result<Disjunct, Stop> {
        let mut quantified: Vec<BddVar> = Vec::new();
        let mut pairs: Vec<(BddVar, BddVar)> = Vec::new();
        let vars: Vec<VarId> = self.machine.vars.ids().collect();
        for var in vars.into_iter().filter(|var| self.slice.contains(*var) && !kept.contains(var)) {
            if selected.is_some_and(|(selector, _)| selector == var) {
                continue;
            }
            for bit in self.layout.bits(var) {
                quantified.push(bit.next.unwrap_or(bit.now));
                pairs.extend(bit.next.map(|next| (bit.now, next)));
            }
            if self.machine.vars[var].kind == VarKind::Input {
                sets.push(self.layout.valid(&self.machine, var, &mut self.manager)?);
            }
        }
        let mut left: FxHashSet<BddVar> = quantified.into_iter().collect();
        let mut conjuncts = Vec::new();
        for set in sets.into_iter().rev() {
            let support = self.manager.support(&set);
            let last: Vec<BddVar> = support.into_iter().filter(|var| left.remove(var)).collect();
            conjuncts.push((set, self.manager.cube(last)?));
        }
        conjuncts.reverse();
        let mut unused: Vec<BddVar> = left.into_iter().collect();
        unused.sort_unstable();
        let first = self.manager.cube(unused)?;
        let to_next = self.manager.renaming(&pairs);
        Ok(Disjunct { conjuncts, first, to_next, conditions, wrong })
    }
}

/// The condition on steps that a set of actions is; `None` if it is any step.
pub(crate) fn condition(set: &ActionSet) -> Result<Option<&str>, AuditError> {
    match (set.is_any(), set.is_complement(), set.names()) {
        (true, ..) => Ok(None),
        (_, false, [name]) => Ok(Some(name)),
        _ => Err(missing("the condition of a modality on transitions")),
    }
}

fn missing(what: &str) -> AuditError {
    AuditError::Invalid(format!("{what} is not in the component that the certificate names"))
}
