//! A transition system as its conjuncts say it: states, labels, and from where a step leads somewhere. No cleverness
//! beyond quantifying a variable when nothing that is left depends on it.

use super::SymbolicSubject;
use crate::error::AuditError;
use bdd::{Cube, Diagrams, Renaming, Set, Stop, Var};
use encode::{Coded, Encoder, Layout};
use logic::{ActionSet, Formula, Node, PropId};
use rustc_hash::{FxHashMap, FxHashSet};
use transition::{Conjunct, Domain, Kind, Machine, Moment, NodeId, Property, Role, Slice, VarId};

/// The steps that one process makes, or all steps if there are no processes.
struct Turn {
    /// Conditions on this state, the inputs and the next state, each with the variables that no later one
    /// depends on.
    conjuncts: Vec<(Set, Cube)>,
    /// The variables that none of them depends on.
    first: Cube,
    to_next: Renaming,
    /// The steps in which a condition holds, by name.
    conditions: FxHashMap<String, Set>,
    /// Where conjuncts go wrong.
    wrong: Vec<Set>,
}

/// A part of a machine in diagrams.
pub(crate) struct Steps {
    pub diagrams: Diagrams,
    /// Valuations that are states.
    pub states: Set,
    pub init: Set,
    /// States in which something goes wrong.
    wrong: Set,
    turns: Vec<Turn>,
    /// Those that the formula speaks of.
    pub labels: FxHashMap<PropId, Set>,
}

impl Steps {
    /// Encodes what the formula speaks of.
    pub fn new(
        subject: &SymbolicSubject,
        slice: &Slice,
        layout: &Layout,
        diagrams: Diagrams,
        formula: &Formula,
    ) -> Result<Self, AuditError> {
        let machine = subject.machine.clone();
        let mut builder = Builder { machine, slice, layout, diagrams, known: FxHashMap::default() };
        let (labels, wrong_labels) = builder.labels(subject.labels, formula)?;
        let conditions = builder.conditions(subject.conditions, formula)?;
        let (mut states, wrong) = builder.all(Moment::State)?;
        for var in builder.machine.state_vars().filter(|&var| slice.contains(var)) {
            let valid = layout.valid(&builder.machine, var, &mut builder.diagrams)?;
            states = builder.diagrams.and(&states, &valid)?;
        }
        let (start, wrong_start) = builder.all(Moment::Start)?;
        let init = builder.diagrams.and(&start, &states)?;
        let wrong_start = builder.diagrams.and(&init, &wrong_start)?;
        let wrong = builder.diagrams.or(&wrong, &wrong_start)?;
        let wrong = builder.diagrams.or(&wrong, &wrong_labels)?;
        let turns = builder.turns(&conditions)?;
        let diagrams = builder.diagrams;
        Ok(Self { diagrams, states, init, wrong, turns, labels })
    }

    /// From where a step leads there, of those in which the condition holds if there is one.
    pub fn before(&mut self, there: &Set, condition: Option<&str>) -> Result<Set, Stop> {
        let there = self.diagrams.and(there, &self.states)?;
        let mut all = self.diagrams.constant(false);
        for turn in &self.turns {
            let only = condition.and_then(|name| turn.conditions.get(name));
            let some = turn.before(&there, only, &mut self.diagrams)?;
            all = self.diagrams.or(&all, &some)?;
        }
        Ok(all)
    }

    /// Whether anything can go wrong in this part of the machine.
    pub fn can_go_wrong(&self) -> bool {
        !self.wrong.is_empty() || self.turns.iter().any(|turn| !turn.wrong.is_empty())
    }

    /// Whether all that begins in these states stays in them, initial states are among them, and nothing
    /// goes wrong there.
    pub fn is_kept(&mut self, set: &Set) -> Result<Result<(), &'static str>, Stop> {
        if !self.diagrams.is_subset(&self.init, set)? {
            return Ok(Err("an initial state is not among those that are kept to"));
        }
        let outside = self.diagrams.minus(&self.states, set)?;
        let leaving = self.before(&outside, None)?;
        if !self.diagrams.and(&leaving, set)?.is_empty() {
            return Ok(Err("a step leaves the states that are kept to"));
        }
        if !self.diagrams.and(&self.wrong, set)?.is_empty() {
            return Ok(Err("in a state that is kept to an expression has no value"));
        }
        for turn in &self.turns {
            for wrong in &turn.wrong {
                let from = turn.before(&self.states, Some(wrong), &mut self.diagrams)?;
                if !self.diagrams.and(&from, set)?.is_empty() {
                    return Ok(Err("in a step that is kept to an expression has no value"));
                }
            }
        }
        Ok(Ok(()))
    }
}

impl Turn {
    fn before(
        &self,
        there: &Set,
        only: Option<&Set>,
        diagrams: &mut Diagrams,
    ) -> Result<Set, Stop> {
        let mut product = diagrams.rename(there, self.to_next)?;
        if let Some(only) = only {
            product = diagrams.and(&product, only)?;
        }
        product = diagrams.exists(&product, &self.first)?;
        for (conjunct, cube) in &self.conjuncts {
            product = diagrams.and_exists(&product, conjunct, cube)?;
        }
        Ok(product)
    }
}

struct Builder<'a> {
    machine: Machine,
    slice: &'a Slice,
    layout: &'a Layout,
    diagrams: Diagrams,
    known: FxHashMap<NodeId, Coded>,
}

impl Builder<'_> {
    fn encoder(&mut self) -> Encoder<'_> {
        Encoder {
            machine: &self.machine,
            layout: self.layout,
            diagrams: &mut self.diagrams,
            known: &mut self.known,
        }
    }

    /// The propositions of the formula, and where one of them has no value.
    fn labels(
        &mut self,
        all: &[Property],
        formula: &Formula,
    ) -> Result<(FxHashMap<PropId, Set>, Set), AuditError> {
        let (mut labels, mut wrong) = (FxHashMap::default(), self.diagrams.constant(false));
        for (_, node) in formula.nodes() {
            let Node::Lit(prop, _) = node else { continue };
            let label = all.get(prop.0 as usize);
            let label = label.ok_or_else(|| missing("a proposition of the formula"))?;
            self.has_all_of(label)?;
            let set = self.encoder().truth(label.node)?;
            labels.insert(prop, set);
            if let Some(missing) = self.encoder().encode(label.node)?.missing {
                wrong = self.diagrams.or(&wrong, &missing)?;
            }
        }
        Ok((labels, wrong))
    }

    /// The conditions on steps that the formula speaks of.
    fn conditions(&self, all: &[Property], formula: &Formula) -> Result<Vec<Property>, AuditError> {
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
    fn has_all_of(&self, property: &Property) -> Result<(), AuditError> {
        let access = self.machine.access([property.node]);
        let has_all = access.now.iter().chain(&access.next).all(|&var| self.slice.contains(var));
        if has_all { Ok(()) } else { Err(missing("a variable of the formula")) }
    }

    /// That everything holds that has to at a moment, and where something goes wrong.
    fn all(&mut self, moment: Moment) -> Result<(Set, Set), Stop> {
        let (mut all, mut wrong) = (self.diagrams.constant(true), self.diagrams.constant(false));
        for conjunct in self.slice.conjuncts.iter().filter(|c| c.moment == moment) {
            let (holds, goes_wrong) = self.conjunct(conjunct)?;
            all = self.diagrams.and(&all, &holds)?;
            wrong = self.diagrams.or(&wrong, &goes_wrong)?;
        }
        wrong = self.diagrams.and(&all, &wrong)?;
        Ok((all, wrong))
    }

    /// Where a conjunct holds or goes wrong, and where it goes wrong.
    fn conjunct(&mut self, conjunct: &Conjunct) -> Result<(Set, Set), Stop> {
        let none = self.diagrams.constant(false);
        let (set, wrong) = match conjunct.role {
            Role::Holds(node) => {
                let wrong = self.encoder().encode(node)?.missing.unwrap_or(none);
                (self.encoder().truth(node)?, wrong)
            }
            Role::Drives(var, choice) => {
                let is_next = conjunct.moment == Moment::Step;
                let assigned = self.encoder().assign(var, is_next, choice)?;
                (assigned.relation, assigned.wrong)
            }
            Role::Keeps(var) => (self.layout.same(var, &mut self.diagrams)?, none),
        };
        Ok((self.diagrams.or(&set, &wrong)?, wrong))
    }

    fn turns(&mut self, conditions: &[Property]) -> Result<Vec<Turn>, Stop> {
        let selector = self.machine.selector.filter(|&var| self.slice.contains(var));
        let values = match selector.map(|var| (var, &self.machine.vars[var].domain)) {
            Some((var, Domain::Values(values))) => {
                values.iter().map(|&value| Some((var, value))).collect()
            }
            _ => vec![None],
        };
        values.into_iter().map(|selected| self.turn(selected, conditions)).collect()
    }

    fn turn(
        &mut self,
        selected: Option<(VarId, i64)>,
        conditions: &[Property],
    ) -> Result<Turn, Stop> {
        let conjuncts = self.conjuncts(selected);
        // What is kept, and spoken of by nothing else, need not be renamed.
        let mut kept: FxHashSet<VarId> = FxHashSet::default();
        let mut sets = Vec::new();
        let mut wrong = Vec::new();
        for conjunct in &conjuncts {
            if let Role::Keeps(var) = conjunct.role
                && conjuncts.iter().filter(|c| c.access.next.contains(&var)).count() == 1
            {
                kept.insert(var);
                continue;
            }
            let (set, goes_wrong) = self.conjunct(conjunct)?;
            sets.push(set);
            wrong.push(goes_wrong);
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
        let steps = all.into_iter().filter(|conjunct| conjunct.moment == Moment::Step);
        steps
            .map(|mut conjunct| {
                if let Some((selector, value)) = selected {
                    conjunct.role = match conjunct.role {
                        Role::Holds(node) => {
                            Role::Holds(self.machine.with_value(node, selector, value))
                        }
                        Role::Drives(var, choice) => Role::Drives(
                            var,
                            self.machine.choice_with_value(choice, selector, value),
                        ),
                        Role::Keeps(var) => Role::Keeps(var),
                    };
                }
                if let Role::Drives(var, choice) = conjunct.role
                    && let Some(node) = self.machine.choices.as_one(choice)
                    && self.machine.exprs.node(node) == transition::Node::Now(var)
                {
                    conjunct.role = Role::Keeps(var);
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
        mut sets: Vec<Set>,
        conditions: FxHashMap<String, Set>,
        wrong: Vec<Set>,
    ) -> Result<Turn, Stop> {
        let mut quantified: Vec<Var> = Vec::new();
        let mut pairs: Vec<(Var, Var)> = Vec::new();
        let vars: Vec<VarId> = self.machine.vars.ids().collect();
        for var in vars.into_iter().filter(|var| self.slice.contains(*var) && !kept.contains(var)) {
            if selected.is_some_and(|(selector, _)| selector == var) {
                continue;
            }
            for bit in self.layout.bits(var) {
                quantified.push(bit.next.unwrap_or(bit.now));
                pairs.extend(bit.next.map(|next| (bit.now, next)));
            }
            if self.machine.vars[var].kind == Kind::Input {
                sets.push(self.layout.valid(&self.machine, var, &mut self.diagrams)?);
            }
        }
        let mut left: FxHashSet<Var> = quantified.into_iter().collect();
        let mut conjuncts = Vec::new();
        for set in sets.into_iter().rev() {
            let support = self.diagrams.support(&set);
            let last: Vec<Var> = support.into_iter().filter(|var| left.remove(var)).collect();
            conjuncts.push((set, self.diagrams.cube(last)?));
        }
        conjuncts.reverse();
        let mut unused: Vec<Var> = left.into_iter().collect();
        unused.sort_unstable();
        let first = self.diagrams.cube(unused)?;
        let to_next = self.diagrams.renaming(&pairs);
        Ok(Turn { conjuncts, first, to_next, conditions, wrong })
    }
}

/// The condition on steps that a set of actions is; `None` if it is any step.
pub(crate) fn condition(set: &ActionSet) -> Result<Option<&str>, AuditError> {
    match (set.is_any(), set.is_complement(), set.names()) {
        (true, ..) => Ok(None),
        (_, false, [name]) => Ok(Some(name)),
        _ => Err(missing("what a modality asks of steps")),
    }
}

fn missing(what: &str) -> AuditError {
    AuditError::Invalid(format!(
        "{what} is not in the part of the machine that the certificate names"
    ))
}
