//! One combination of the choices of a step, under construction.
//!
//! Values after the step become known one by one: those that are assigned in the order in which they need each other,
//! then those that a constraint equals with something, then the rest, which are free. A constraint whose values are all
//! known is a part of the guard.

use super::layout::{Layout, MOST_LISTED, Slot, constant, is_unbounded, values};
use super::rules::{Rules, StepAssignment, StepConstraint, needs};
use super::solve::Oracle;
use rustc_hash::FxHashMap;
use smt::{Comparison, Excess, IntegerValue, LinearFormula, Term, Variable};
use support::{Diagnostic, Span};
use transition::integers::{Cases, Linear, NotLinear, opposite, within};
use transition::{Binary, Domain, ExprNode, Machine, NodeId, Type, Unary, VarId, VarKind};

/// Why the steps cannot be told.
pub(super) enum Halt {
    /// This has to be chosen before the step.
    Choose(Slot),
    /// There are too many combinations, or locations or steps.
    TooMany(Diagnostic),
    Refused(Diagnostic),
}

/// A step from here, or a run-time error, with its guard.
pub(super) struct GuardedOutcome {
    pub guard: LinearFormula,
    pub outcome: Outcome,
}

pub(super) enum Outcome {
    /// To the location of these values, with these changes, if the inputs are these; others do not matter.
    Leads(Vec<i64>, Vec<(Variable, Option<IntegerValue>)>, Inputs),
    /// To a run-time error, of the construct here.
    Fails(Span),
}

/// The values of inputs in a step, in the order of the file.
pub(super) type Inputs = Vec<(VarId, IntegerValue)>;

#[derive(Clone, Default)]
pub(super) struct Branch {
    pub values: FxHashMap<Slot, IntegerValue>,
    /// Numbers that become anything.
    any: Vec<VarId>,
    path: Vec<LinearFormula>,
    assignments: Vec<usize>,
    pub step_constraints: Vec<StepConstraint>,
    /// The construct that fails if the rest is possible.
    wrong: Option<Span>,
}

/// So many combinations are looked at in all.
pub(super) const MOST_BRANCHES: usize = 1 << 17;

pub(super) struct Search<'s, 'o> {
    pub machine: &'s Machine,
    pub layout: &'s Layout,
    pub rules: &'s Rules,
    pub oracle: &'s mut Oracle<'o>,
    /// How many branches there were.
    pub count: &'s mut usize,
    /// The values of the location, by the layout's order; none at the start.
    pub here: &'s [i64],
    /// Facts about the values before the step.
    pub known: Vec<LinearFormula>,
    /// Those of the facts that hold at every location.
    pub invariant: LinearFormula,
    pub found: Vec<GuardedOutcome>,
}

pub(super) type Found<T> = Result<T, Halt>;

impl Search<'_, '_> {
    pub fn run(mut self) -> Found<Vec<GuardedOutcome>> {
        let mut first = Branch {
            assignments: (0..self.rules.assignments.len()).collect(),
            step_constraints: self.rules.step_constraints.clone(),
            ..Branch::default()
        };
        if self.rules.is_start {
            for (&var, &number) in &self.layout.data {
                first.values.insert(Slot::Next(var), Term::variable(number).into());
            }
        }
        let mut open = vec![first];
        while let Some(branch) = open.pop() {
            *self.count += 1;
            if *self.count > MOST_BRANCHES {
                return Err(Halt::TooMany(self.too_many()));
            }
            open.extend(self.advance(branch)?);
        }
        Ok(self.found)
    }

    fn too_many(&self) -> Diagnostic {
        let span = self.rules.assignments.first().map(|assignment| assignment.span);
        let span = span.or(self.rules.step_constraints.first().map(|constraint| constraint.span));
        let span = span.or(self.machine.vars.values().next().map(|var| var.span));
        let message = "there are too many combinations of what can be chosen in a step";
        let label = format!("one of those that are multiplied, to more than {MOST_BRANCHES}");
        let span = span.unwrap_or(Span::new(support::FileId(0), 0..0));
        Diagnostic::error(message, span, label).with_help(
            "every branch of a `case`, every value of a set and of a free variable counts: take fewer",
        )
    }

    /// The branches that follow; none at the end of one, which is a combination then.
    fn advance(&mut self, mut branch: Branch) -> Found<Vec<Branch>> {
        let is_known = |branch: &Branch, needs: &[Slot]| {
            needs.iter().all(|slot| branch.values.contains_key(slot))
        };
        let rules = self.rules;
        let ready = branch
            .assignments
            .iter()
            .position(|&assignment| is_known(&branch, &rules.assignments[assignment].needs));
        if let Some(index) = ready {
            let assignment = &rules.assignments[branch.assignments.remove(index)];
            return self.assign(branch, assignment);
        }
        let is_ready = |constraint: &StepConstraint| {
            is_known(&branch, &needs(self.machine, [constraint.node]))
        };
        if let Some(index) = branch.step_constraints.iter().position(is_ready) {
            let constraint = branch.step_constraints.remove(index);
            return self.constrain(branch, constraint);
        }
        for index in 0..branch.step_constraints.len() {
            if let Some(parts) = self.split(&branch, index)? {
                return Ok(parts);
            }
        }
        match self.first_free(&branch) {
            Some((slot, is_needed)) => self.free(branch, slot, is_needed),
            None => {
                self.finish(branch);
                Ok(Vec::new())
            }
        }
    }

    pub(super) fn evaluate<T>(
        &self,
        branch: &Branch,
        span: Span,
        ask: impl FnOnce(&mut Linear) -> Result<T, NotLinear>,
    ) -> Found<T> {
        let leaf = |node: ExprNode| match node {
            ExprNode::Now(var) if self.machine.vars[var].kind == VarKind::Input => {
                branch.values.get(&Slot::Input(var)).cloned().unwrap_or_else(|| constant(0))
            }
            ExprNode::Now(var) => self.layout.now(self.here, var),
            ExprNode::Next(var) => {
                branch.values.get(&Slot::Next(var)).cloned().unwrap_or_else(|| constant(0))
            }
            _ => constant(0),
        };
        ask(&mut Linear::new(self.machine, &leaf)).map_err(|why| Halt::Refused(refusal(why, span)))
    }

    /// The branch where a condition holds, too, if there can be one.
    fn under(&mut self, branch: &Branch, condition: LinearFormula) -> Option<Branch> {
        match condition {
            LinearFormula::Constant(false) => None,
            LinearFormula::Constant(true) => Some(branch.clone()),
            condition => {
                let mut under = branch.clone();
                under.path.push(condition.clone());
                if !self.oracle.is_possible(&self.known, &under.path) {
                    return None;
                }
                // What follows from the rest makes guards larger and says nothing. What is known here alone is no part
                // of the rest: that steps keep to the invariant has to be seen from the invariant and their guards.
                let mut without = branch.clone();
                without.path.push(opposite(&condition));
                let invariant = std::slice::from_ref(&self.invariant);
                let is_said = !self.oracle.is_possible(invariant, &without.path);
                Some(if is_said { branch.clone() } else { under })
            }
        }
    }

    /// The branch where something goes wrong, if there can be one. It does so only where everything else is possible,
    /// as far as that can be said.
    fn fails(&mut self, branch: &Branch, condition: LinearFormula, span: Span) -> Option<Branch> {
        let mut wrong = self.under(branch, condition)?;
        wrong.wrong = wrong.wrong.or(Some(span));
        Some(wrong)
    }

    fn assign(&mut self, branch: Branch, assignment: &StepAssignment) -> Found<Vec<Branch>> {
        let cases =
            self.evaluate(&branch, assignment.span, |all| all.alternatives(assignment.choice))?;
        let mut parts = self.set(&branch, assignment.var, cases, (assignment.span, true))?;
        // What is assigned to a state goes wrong in the state, wherever the step would lead; what depends on where it
        // leads does so only if it can lead there.
        let looks_ahead = assignment.needs.iter().any(|slot| matches!(slot, Slot::Next(_)));
        if branch.wrong.is_none() && !looks_ahead {
            let (wrong, fine): (Vec<Branch>, _) =
                parts.into_iter().partition(|part| part.wrong.is_some());
            wrong.into_iter().for_each(|part| self.finish(part));
            parts = fine;
        }
        Ok(parts)
    }

    /// A variable gets one of these values. One that it cannot have goes wrong where it is assigned, if that is said,
    /// and else is no value that there could be.
    fn set(
        &mut self,
        branch: &Branch,
        var: VarId,
        cases: Cases,
        (span, error_condition): (Span, bool),
    ) -> Found<Vec<Branch>> {
        let mut parts = Vec::new();
        let machine = self.machine;
        let domain = &machine.vars[var].domain;
        for (when, value) in cases {
            let Some(under) = self.under(branch, when) else { continue };
            let Some(value) = value else {
                if error_condition {
                    parts.extend(self.fails(&under, LinearFormula::Constant(true), span));
                }
                continue;
            };
            let fits = match value.as_constant() {
                Some(value) => {
                    LinearFormula::Constant(domain.contains(value) || is_unbounded(machine, var))
                }
                None => within(domain, &value).map_err(|excess| too_large(excess, span))?,
            };
            if error_condition {
                parts.extend(self.fails(&under, opposite(&fits), span));
            }
            let Some(under) = self.under(&under, fits) else { continue };
            parts.extend(
                self.with_value(under, var, value).map_err(|excess| too_large(excess, span))?,
            );
        }
        Ok(parts)
    }

    fn with_value(
        &mut self,
        mut branch: Branch,
        var: VarId,
        value: IntegerValue,
    ) -> Result<Vec<Branch>, Excess> {
        if let (true, Some(&number)) = (self.rules.is_start, self.layout.data.get(&var)) {
            let is_it =
                IntegerValue::from(Term::variable(number)).compared(Comparison::Equal, &value)?;
            return Ok(self.under(&branch, is_it).into_iter().collect());
        }
        let is_number = self.layout.data.contains_key(&var);
        if is_number || value.as_constant().is_some() {
            branch.values.insert(Slot::Next(var), value);
            return Ok(vec![branch]);
        }
        let mut parts = Vec::new();
        for own in values(&self.machine.vars[var].domain) {
            let is_it = value.compared(Comparison::Equal, &constant(own))?;
            if let Some(mut under) = self.under(&branch, is_it) {
                under.values.insert(Slot::Next(var), constant(own));
                parts.push(under);
            }
        }
        Ok(parts)
    }

    fn constrain(&mut self, branch: Branch, constraint: StepConstraint) -> Found<Vec<Branch>> {
        let mut found =
            self.evaluate(&branch, constraint.span, |all| all.truth(constraint.node))?;
        if !constraint.positive {
            found = found.negated();
        }
        let mut parts: Vec<Branch> = Vec::new();
        if self.machine.exprs.can_fault(constraint.node) {
            parts.extend(self.fails(&branch, found.undefined(), constraint.span));
        }
        parts.extend(self.under(&branch, found.holds));
        Ok(parts)
    }

    /// Takes a constraint apart whose values are not all known; `None` if that cannot be done.
    fn split(&mut self, branch: &Branch, index: usize) -> Found<Option<Vec<Branch>>> {
        let StepConstraint { node, positive, span } = branch.step_constraints[index];
        let exprs = &self.machine.exprs;
        let is_truth = |node: NodeId| exprs.ty(node) == Type::Bool;
        let instead = |parts: &[(NodeId, bool)]| {
            let mut other = branch.clone();
            other.step_constraints.remove(index);
            let parts =
                parts.iter().map(|&(node, positive)| StepConstraint { node, positive, span });
            other.step_constraints.extend(parts);
            other
        };
        Ok(Some(match (exprs.node(node), positive) {
            (ExprNode::Unary(Unary::Not, a), _) => vec![instead(&[(a, !positive)])],
            (ExprNode::Binary(Binary::And, a, b), true) => vec![instead(&[(a, true), (b, true)])],
            (ExprNode::Binary(Binary::Or, a, b), false) => vec![instead(&[(a, false), (b, false)])],
            // What can go wrong in the second does so only where the first does not decide.
            (ExprNode::Binary(Binary::Or | Binary::And, a, b), _) if exprs.can_fault(b) => {
                vec![instead(&[(a, positive)]), instead(&[(a, !positive), (b, positive)])]
            }
            (ExprNode::Binary(Binary::Or | Binary::And, a, b), _) => {
                vec![instead(&[(a, positive)]), instead(&[(b, positive)])]
            }
            (ExprNode::Binary(Binary::Eq, a, b), _) if is_truth(a) => {
                vec![instead(&[(a, true), (b, positive)]), instead(&[(a, false), (b, !positive)])]
            }
            (ExprNode::Binary(Binary::Xor, a, b), _) if is_truth(a) => {
                vec![instead(&[(a, true), (b, !positive)]), instead(&[(a, false), (b, positive)])]
            }
            (ExprNode::Ite(c, a, b), _) => {
                vec![instead(&[(c, true), (a, positive)]), instead(&[(c, false), (b, positive)])]
            }
            (ExprNode::Next(var), _) if !self.rules.is_assigned(var) => {
                let mut other = instead(&[]);
                other.values.insert(Slot::Next(var), constant(i64::from(positive)));
                vec![other]
            }
            (ExprNode::Binary(Binary::Eq, a, b), true) => {
                return self.equation(branch, index, [(a, b), (b, a)]);
            }
            _ => return Ok(None),
        }))
    }

    /// `next(x) = e` where all is known but x.
    fn equation(
        &mut self,
        branch: &Branch,
        index: usize,
        sides: [(NodeId, NodeId); 2],
    ) -> Found<Option<Vec<Branch>>> {
        for (variable, value) in sides {
            let ExprNode::Next(var) = self.machine.exprs.node(variable) else { continue };
            let is_open = !branch.values.contains_key(&Slot::Next(var));
            let is_known = |slot: &Slot| branch.values.contains_key(slot);
            let needed = needs(self.machine, [value]);
            if self.rules.is_assigned(var) || !is_open || !needed.iter().all(is_known) {
                continue;
            }
            let mut other = branch.clone();
            let span = other.step_constraints.remove(index).span;
            let cases = self.evaluate(&other, span, |all| all.cases(value))?;
            let mut parts = Vec::new();
            if self.machine.exprs.can_fault(value) {
                for (when, _) in cases.iter().filter(|(_, term)| term.is_none()) {
                    parts.extend(self.fails(&other, when.clone(), span));
                }
            }
            parts.extend(self.set(&other, var, cases, (span, false))?);
            return Ok(Some(parts));
        }
        Ok(None)
    }

    /// An undecided variable without an assignment, and whether an expression needs it.
    fn first_free(&self, branch: &Branch) -> Option<(Slot, bool)> {
        let assignments = branch
            .assignments
            .iter()
            .flat_map(|&assignment| self.rules.assignments[assignment].needs.clone());
        let step_constraints = branch
            .step_constraints
            .iter()
            .flat_map(|constraint| needs(self.machine, [constraint.node]));
        let is_open = |slot: &Slot| {
            let is_assigned = matches!(slot, Slot::Next(var) if self.rules.is_assigned(*var));
            !is_assigned && !branch.values.contains_key(slot)
        };
        let needed: Vec<Slot> = assignments.chain(step_constraints).filter(is_open).collect();
        // Few values first: they may decide the rest.
        let is_small = |slot: &&Slot| self.is_listed(**slot);
        let needed = needed.iter().find(is_small).or(needed.first()).map(|&slot| (slot, true));
        needed.or_else(|| {
            let all = self.layout.state(self.machine);
            let all = all.into_iter().filter(|var| !branch.any.contains(var)).map(Slot::Next);
            all.filter(is_open).map(|slot| (slot, false)).next()
        })
    }

    /// Symbols are no numbers, and so never chosen as such.
    fn is_listed(&self, slot: Slot) -> bool {
        let domain = &self.machine.vars[slot.var()].domain;
        let is_place = self.layout.control.contains(&slot.var());
        is_place || !matches!(domain, Domain::Range(..)) || domain.size() <= MOST_LISTED
    }

    fn free(&mut self, mut branch: Branch, slot: Slot, is_needed: bool) -> Found<Vec<Branch>> {
        let domain = &self.machine.vars[slot.var()].domain;
        if self.is_listed(slot) {
            let with = |value: i64| {
                let mut other = branch.clone();
                other.values.insert(slot, constant(value));
                other
            };
            return Ok(values(domain).into_iter().map(with).collect());
        }
        if !is_needed && is_unbounded(self.machine, slot.var()) {
            branch.any.push(slot.var());
            return Ok(vec![branch]);
        }
        let span = self.machine.vars[slot.var()].span;
        let fits =
            |value: &IntegerValue| within(domain, value).map_err(|excess| too_large(excess, span));
        if let Some(all) = self.between(&branch, slot)? {
            let mut parts = Vec::new();
            for value in all {
                if let Some(mut other) = self.under(&branch, fits(&value)?) {
                    other.values.insert(slot, value);
                    parts.push(other);
                }
            }
            return Ok(parts);
        }
        let number = self.layout.chosen(slot).ok_or(Halt::Choose(slot))?;
        let value = IntegerValue::from(Term::variable(number));
        let fits = fits(&value)?;
        branch.values.insert(slot, value);
        Ok(self.under(&branch, fits).into_iter().collect())
    }

    fn finish(&mut self, branch: Branch) {
        if let Some(span) = branch.wrong {
            let guard = LinearFormula::and(branch.path);
            self.found.push(GuardedOutcome { guard, outcome: Outcome::Fails(span) });
            return;
        }
        let of = |var: &VarId| {
            let value = branch.values.get(&Slot::Next(*var));
            value.and_then(IntegerValue::as_constant).unwrap_or(0)
        };
        let location = self.layout.control.iter().map(of).collect();
        let mut changes = Vec::new();
        for (var, &number) in &self.layout.data {
            let value = branch.values.get(&Slot::Next(*var));
            if value.is_none_or(|value| *value != Term::variable(number).into()) {
                changes.push((number, value.cloned()));
            }
        }
        changes.sort_by_key(|&(number, _)| number);
        let input = |(slot, value): (&Slot, &IntegerValue)| match slot {
            Slot::Input(var) => Some((*var, value.clone())),
            Slot::Next(_) => None,
        };
        let mut inputs: Inputs = branch.values.iter().filter_map(input).collect();
        inputs.sort_by_key(|(var, _)| *var);
        let guard = LinearFormula::and(branch.path);
        self.found
            .push(GuardedOutcome { guard, outcome: Outcome::Leads(location, changes, inputs) });
    }
}

fn too_large(excess: Excess, span: Span) -> Halt {
    Halt::Refused(refusal(excess.into(), span))
}

pub(super) fn refusal(why: NotLinear, span: Span) -> Diagnostic {
    let [message, label, help] = match why {
        NotLinear::Product => [
            "this is not linear",
            "multiplies or divides by what is no constant",
            "multiply and divide unbounded integers by constants, or by variables with few values",
        ],
        NotLinear::TooLarge => [
            "the expression is too large",
            "too many operators, definitions written out",
            "keep a part of it in a variable, or let numbers stay below 2^61",
        ],
        NotLinear::TooManyCases => [
            "the expression has too many cases",
            "too many choices",
            "take fewer branches or smaller sets, or spread them over several variables",
        ],
        NotLinear::Word => {
            ["words and unbounded integers in one file", "a word", "write numbers, without widths"]
        }
    };
    Diagnostic::error(message, span, label).with_help(help)
}
