//! Run-time errors of a transition system: expressions without a value, and assignments out of range, in
//! reachable states.
//!
//! An assignment fails for whatever it reads, also where conditions exclude the step. A condition without
//! a value is wrong where all assignments are right and no other condition is false.
//!
//! Where a conjunct fails its set says anything, and states may seem to be reached that are not. But the
//! first such step on the path there begins in a state that is, so there is a fault if one is found. In order
//! to tell it, the states are found once more without such steps.

use crate::build::{Source, assigning_disjuncts};
use crate::checker::SymbolicError;
use crate::relation::{Constituents, Part, Steps};
use crate::structure::Structure;
use bdd::{Bdd, BddVar, Manager, Stop};
use encode::Layout;
use transition::{
    Choice, ChoiceId, ExprNode, Machine, Role, RuntimeError, RuntimeErrorKind, Slice, VarId,
};

/// Run-time error and the valuations of this state, the inputs and the next state in which it occurs.
#[derive(Clone)]
pub(crate) struct ErrorCondition {
    role: Role,
    wrong: Bdd,
    /// The number of the conjunct that it is a error of, if it is of one.
    conjunct: Option<usize>,
}

impl ErrorCondition {
    fn is_of_assignment(&self) -> bool {
        matches!(self.role, Role::Assignment(..))
    }

    /// Of something that is no conjunct.
    pub fn new(role: Role, wrong: Option<Bdd>) -> Option<Self> {
        let wrong = wrong.filter(|wrong| !wrong.is_empty())?;
        Some(Self { role, wrong, conjunct: None })
    }
}

/// Conjuncts, and what can fail in them.
#[derive(Clone, Default)]
pub(crate) struct FallibleConjunction {
    pub conjuncts: Vec<Bdd>,
    pub errors: Vec<ErrorCondition>,
    /// Which conjuncts are conditions.
    conditions: Vec<usize>,
    /// Of steps in which something can fail: what their relation is made of.
    pub constituents: Option<Constituents>,
}

impl FallibleConjunction {
    pub fn add(&mut self, set: Bdd, role: Role, wrong: Option<Bdd>) {
        let conjunct = Some(self.conjuncts.len());
        let error = ErrorCondition::new(role, wrong);
        self.errors.extend(error.map(|error| ErrorCondition { conjunct, ..error }));
        if let Role::Constraint(_) = role {
            self.conditions.push(self.conjuncts.len());
        }
        self.conjuncts.push(set);
    }

    /// Assignments, without conditions.
    fn assignments(&self, manager: &Manager) -> FallibleConjunction {
        let mut conjunction = self.clone();
        for &index in &self.conditions {
            conjunction.conjuncts[index] = manager.constant(true);
        }
        conjunction.errors.retain(ErrorCondition::is_of_assignment);
        conjunction
    }

    /// Both.
    fn and(&self, other: &FallibleConjunction) -> FallibleConjunction {
        let mut both = self.clone();
        let first = both.conjuncts.len();
        both.conjuncts.extend(other.conjuncts.iter().cloned());
        both.errors.extend(other.errors.iter().cloned().map(|mut error| {
            error.conjunct = error.conjunct.map(|index| first + index);
            error
        }));
        both
    }

    /// All that it speaks of.
    pub fn sets(&self) -> impl Iterator<Item = &Bdd> {
        self.conjuncts.iter().chain(self.errors.iter().map(|error| &error.wrong))
    }

    pub fn conjunction(&self, manager: &mut Manager) -> Result<Bdd, Stop> {
        let mut all = manager.constant(true);
        for conjunct in &self.conjuncts {
            all = manager.and(&all, conjunct)?;
        }
        Ok(all)
    }

    /// The conjuncts, each true where it fails, or each false.
    fn with_errors(&self, value: bool, manager: &mut Manager) -> Result<Vec<Bdd>, Stop> {
        let mut conjuncts = self.conjuncts.clone();
        for ErrorCondition { conjunct, wrong, .. } in &self.errors {
            let Some(index) = *conjunct else { continue };
            conjuncts[index] = match value {
                true => manager.or(&conjuncts[index], wrong)?,
                false => manager.minus(&conjuncts[index], wrong)?,
            };
        }
        Ok(conjuncts)
    }

    /// Of some valuations, those in which everything holds or fails, as a error has it, and one of them.
    fn realised(
        &self,
        among: &Bdd,
        manager: &mut Manager,
    ) -> Result<Vec<(ErrorCondition, Bdd)>, Stop> {
        let mut found = Vec::new();
        if self.errors.is_empty() {
            return Ok(found);
        }
        let loose = self.with_errors(true, manager)?;
        for error in &self.errors {
            let mut set = manager.and(among, &error.wrong)?;
            for conjunct in &loose {
                if set.is_empty() {
                    break;
                }
                set = manager.and(&set, conjunct)?;
            }
            if !set.is_empty() {
                found.push((error.clone(), set));
            }
        }
        Ok(found)
    }
}

/// All that can fail in a machine.
pub(crate) struct ErrorConditions {
    /// With the expressions that taking it apart has made.
    pub machine: Machine,
    pub start: FallibleConjunction,
    /// In every state.
    pub everywhere: FallibleConjunction,
    pub labels: Vec<ErrorCondition>,
    /// By number of the part of the relation.
    pub disjuncts: Vec<(usize, FallibleConjunction)>,
}

/// Something that fails, in which valuation, and from which states the step to it is made.
struct ReachedError {
    error: ErrorCondition,
    /// Which of the error's valuations.
    at: Bdd,
    /// `None` at the start.
    from: Option<Bdd>,
}

impl ErrorConditions {
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
            && self.disjuncts.is_empty()
            && self.start.errors.is_empty()
            && self.everywhere.errors.is_empty()
    }

    /// An error if something fails in states that can be reached.
    pub fn check(
        &self,
        structure: &mut Structure,
        reached: &Bdd,
        layout: &Layout,
        source: &Source,
    ) -> Result<(), SymbolicError> {
        let telling = Telling { machine: &self.machine, layout, slice: source.slice };
        let assigning = match self.may_assign_wrongly(structure, reached)? {
            true => assigning_disjuncts(source, &self.machine, layout, &mut structure.manager)?,
            false => Vec::new(),
        };
        let Some(seeming) = self.find(structure, reached, &assigning)? else { return Ok(()) };
        let Some(seeming) = telling.fault(&seeming, &structure.manager) else { return Ok(()) };
        self.exclude(structure)?;
        let reached = structure.reachable()?;
        let found = self.find(structure, &reached, &assigning)?;
        let fault = found.and_then(|found| telling.fault(&found, &structure.manager));
        Err(SymbolicError::Fault(Box::new(fault.unwrap_or(seeming))))
    }

    /// Whether some assignment fails if that depends on nothing else.
    fn may_assign_wrongly(&self, structure: &mut Structure, reached: &Bdd) -> Result<bool, Stop> {
        let Structure { manager, .. } = structure;
        let all = manager.constant(true);
        let errors = self.disjuncts.iter().flat_map(|(_, conjunction)| &conjunction.errors);
        let in_steps = errors.map(|error| (error, reached));
        let in_states = self.everywhere.errors.iter().map(|error| (error, &all));
        for (error, among) in in_steps.chain(in_states) {
            if error.is_of_assignment() && !manager.and(&error.wrong, among)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn find(
        &self,
        structure: &mut Structure,
        reached: &Bdd,
        assigning: &[(Part, FallibleConjunction)],
    ) -> Result<Option<ReachedError>, Stop> {
        let Structure { manager, may, .. } = structure;
        if let Some(found) = self.at_start(manager)? {
            return Ok(Some(found));
        }
        let always = self.everywhere.assignments(manager);
        for (part, conjunction) in assigning {
            if let Some(found) = in_step(part, conjunction, &always, reached, manager)? {
                return Ok(Some(found));
            }
        }
        for error in &self.labels {
            let at = manager.and(reached, &error.wrong)?;
            if !at.is_empty() {
                let (error, from) = (error.clone(), Some(at.clone()));
                return Ok(Some(ReachedError { error, at, from }));
            }
        }
        let safe = FallibleConjunction::default();
        for (number, part) in may.parts.iter().enumerate() {
            let conjunction = self.disjuncts.iter().find(|(disjunct, _)| *disjunct == number);
            let conjunction = conjunction.map_or(&safe, |(_, conjunction)| conjunction);
            if let Some(found) = in_step(part, conjunction, &self.everywhere, reached, manager)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn at_start(&self, manager: &mut Manager) -> Result<Option<ReachedError>, Stop> {
        let all = manager.constant(true);
        let both = self.start.and(&self.everywhere);
        let assignments =
            self.start.assignments(manager).and(&self.everywhere.assignments(manager));
        for conjunction in [assignments, both] {
            let found = conjunction.realised(&all, manager)?.into_iter().next();
            if let Some((error, at)) = found {
                return Ok(Some(ReachedError { error, at, from: None }));
            }
        }
        Ok(None)
    }

    /// Takes steps and states away in which something fails.
    fn exclude(&self, structure: &mut Structure) -> Result<(), Stop> {
        let Structure { manager, may, states, .. } = structure;
        for error in &self.everywhere.errors {
            *states = manager.minus(states, &error.wrong)?;
        }
        for (number, conjunction) in &self.disjuncts {
            let conjuncts = conjunction.with_errors(false, manager)?;
            if let Some(constituents) = &conjunction.constituents {
                let constituents = Constituents { conjuncts, ..constituents.clone() };
                may.parts[*number] = Part::new(constituents, manager)?;
            }
        }
        Ok(())
    }
}

/// Run-time errors of the steps of a disjunct, or of the states that they lead to.
fn in_step(
    part: &Part,
    conjunction: &FallibleConjunction,
    everywhere: &FallibleConjunction,
    reached: &Bdd,
    manager: &mut Manager,
) -> Result<Option<ReachedError>, Stop> {
    for (error, at) in conjunction.realised(reached, manager)? {
        let mut at = at;
        for conjunct in everywhere.with_errors(true, manager)? {
            let next = manager.rename(&conjunct, part.to_next)?;
            at = manager.and(&at, &next)?;
        }
        if !at.is_empty() {
            return Ok(Some(ReachedError { error, from: Some(at.clone()), at }));
        }
    }
    if everywhere.errors.is_empty() {
        return Ok(None);
    }
    let there = part.image(reached, manager)?;
    let Some((error, at)) = everywhere.realised(&there, manager)?.into_iter().next() else {
        return Ok(None);
    };
    let at = one_of(&at, manager)?;
    let before = part.pre_image(&at, Steps::All, manager)?;
    let from = Some(manager.and(&before, reached)?);
    Ok(Some(ReachedError { error, at, from }))
}

/// A part of a set in which every variable that it depends on has one value.
fn one_of(set: &Bdd, manager: &mut Manager) -> Result<Bdd, Stop> {
    let mut one = manager.constant(true);
    for (var, value) in manager.pick(set).into_iter().flatten() {
        let literal = manager.var(var)?;
        one = manager.and(&one, &if value { literal } else { literal.not() })?;
    }
    Ok(one)
}

/// Finds words for what fails, by the meaning of expressions.
struct Telling<'a> {
    machine: &'a Machine,
    layout: &'a Layout,
    slice: &'a Slice,
}

impl Telling<'_> {
    fn fault(&self, found: &ReachedError, manager: &Manager) -> Option<RuntimeError> {
        let picked = manager.pick(&found.at)?;
        let what = self.what(found.error.role, |var| picked.contains(&(var, true)))?;
        // In a step both are of one valuation, and equal sets are picked from in the same way.
        let state = match &found.from {
            Some(from) => {
                let picked = manager.pick(from)?;
                Some(self.describe(|var| picked.contains(&(var, true))))
            }
            None => None,
        };
        Some(RuntimeError { what, state })
    }

    fn value(&self, var: VarId, is_next: bool, is_true: impl Fn(BddVar) -> bool) -> i64 {
        let bits = self.layout.bits(var).iter().enumerate();
        let number: u64 = bits
            .map(|(index, bit)| {
                let var = if is_next { bit.next } else { Some(bit.now) };
                u64::from(var.is_some_and(&is_true)) << index
            })
            .sum();
        self.machine.vars[var].domain.value(number)
    }

    /// Run-time error of a valuation.
    fn what(&self, role: Role, is_true: impl Fn(BddVar) -> bool) -> Option<RuntimeErrorKind> {
        let leaf = |node: ExprNode| match node {
            ExprNode::Now(var) => self.value(var, false, &is_true),
            ExprNode::Next(var) => self.value(var, true, &is_true),
            _ => 0,
        };
        let evaluate =
            |node| self.machine.exprs.evaluate(node, leaf).map_err(RuntimeErrorKind::FailureSite);
        match role {
            Role::Constraint(node) => evaluate(node).err(),
            Role::Assignment(var, choice) => self.wrong_choice(var, choice, evaluate).err(),
            Role::Frame(_) => None,
        }
    }

    /// An error if something that a variable may be assigned is nothing that it can be.
    fn wrong_choice(
        &self,
        var: VarId,
        root: ChoiceId,
        evaluate: impl Fn(transition::NodeId) -> Result<i64, RuntimeErrorKind>,
    ) -> Result<(), RuntimeErrorKind> {
        let check = |value: i64| match self.machine.vars[var].domain.contains(value) {
            true => Ok(()),
            false => Err(self.out_of_range(var, value)),
        };
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match self.machine.choices.get(id) {
                Choice::One(node) => check(evaluate(*node)?)?,
                Choice::Range(low, high) => (*low..=*high).try_for_each(check)?,
                Choice::Any(parts) => open.extend(parts.iter().rev()),
                Choice::If(condition, then, otherwise) => {
                    open.push(if evaluate(*condition)? != 0 { *then } else { *otherwise });
                }
            }
        }
        Ok(())
    }

    fn out_of_range(&self, var: VarId, value: i64) -> RuntimeErrorKind {
        let mut assigns = self.machine.assigns.iter().rev();
        let span = assigns.find(|assign| assign.var == var).map(|assign| assign.span);
        RuntimeErrorKind::Range { var, value, span: span.unwrap_or(self.machine.vars[var].span) }
    }

    fn describe(&self, is_true: impl Fn(BddVar) -> bool) -> String {
        describe(self.machine, self.slice, self.layout, is_true)
    }
}

/// All variables of a state with their values, as the enumerating stepper gives them.
pub(crate) fn describe(
    machine: &Machine,
    slice: &Slice,
    layout: &Layout,
    is_true: impl Fn(BddVar) -> bool,
) -> String {
    let shown = machine.state_vars().filter(|&var| slice.contains(var));
    let texts = shown.map(|var| {
        let value = layout.value(machine, var, &is_true);
        format!("{}={}", machine.vars[var].name, machine.text(var, value))
    });
    texts.collect::<Vec<_>>().join(",")
}
