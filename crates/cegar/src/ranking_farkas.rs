//! Ranking functions with a term of their own for each state, found by linear programming.
//!
//! Let f(s) be a term with unknown coefficients for each state s of a part, and take the inequalities that hold where a
//! step leads from s to t. That f(t) after the step is at most f(s) before follows from them exactly if the difference
//! is a sum of them, each times a number that is not negative, and of such a number (Farkas). These are linear
//! conditions on all unknowns, and fractions that satisfy them are found or do not exist. One step is to make the term
//! smaller, from one that is not negative.

use crate::ranking::is_multiple_of;
use crate::ranking_template::{RankedComponent, RankingSynthesis};
use crate::reachability::AbstractState;
use crate::scc::Edge;
use rustc_hash::FxHashMap;
use smt::{
    Comparison, IntegerValue, LinearAtom, LinearFormula, Term, Variable, in_proportion, literal,
};
use transition::integers::IntegerStep;

/// Larger parts are not tried.
const MOST_EDGES: usize = 40;
/// So many steps are tried one by one as the one that makes the term smaller.
const MOST_TRIES: usize = 6;
/// How long one linear program may take.
const STEPS: u64 = 1 << 17;
/// How long all of them may take that begin in a round; what is left can be used later.
pub(crate) const STEPS_IN_A_ROUND: u64 = 1 << 18;

impl RankingSynthesis<'_, '_, '_> {
    /// A term of a component that no step increases.
    pub fn synthesise(&mut self, part: &[Edge]) -> Option<RankedComponent> {
        if part.len() > MOST_EDGES {
            return None;
        }
        let around: Vec<RankedStep> = part.iter().map(|&edge| self.around(edge)).collect();
        let mut tried: Vec<usize> = (0..part.len()).collect();
        // What is left by a condition is known there not to be negative.
        tried.sort_by_key(|&edge| {
            matches!(self.taken(part[edge]).guard, LinearFormula::Constant(_))
        });
        let found = tried.into_iter().take(MOST_TRIES).find_map(|edge| {
            let given = self.successors.effort.min(STEPS);
            let mut left = given;
            let found = solve(&around, edge, &mut left);
            self.successors.effort -= given - left;
            found
        });
        self.confirmed(part, &found?)
    }

    /// The inequalities that hold where a step is taken, and what it does.
    fn around(&self, edge: Edge) -> RankedStep {
        let [from, to] = [edge.0, edge.2].map(|state| self.graph.states[state as usize]);
        let taken = self.taken(edge);
        let mut known = Known::default();
        self.precision
            .literals(from.location, from.bits)
            .iter()
            .for_each(|literal| known.add(literal));
        known.add(&taken.guard);
        for (index, atom) in self.precision.at(to.location).enumerate() {
            if let Ok(after) = taken.after(atom) {
                known.add(&literal(&after, to.bits >> index & 1 == 1));
            }
        }
        let variables = self.precision.variables();
        let next = 2 * variables;
        RankedStep { edge, known, values: values(taken, variables, next), variables }
    }

    /// The ranking function, if the solver confirms it, with the steps that decrease it.
    fn confirmed(
        &mut self,
        part: &[Edge],
        terms: &FxHashMap<u32, Term>,
    ) -> Option<RankedComponent> {
        let mut lowered = Vec::new();
        for &edge in part {
            let (before, after) = (&terms[&edge.0], &terms[&edge.2]);
            let AbstractState { location, bits } = self.graph.states[edge.0 as usize];
            let bound = LinearFormula::at_most(&before.negated());
            if self.falls(edge, (before, after), 1)?
                && self.successors.holds(self.precision, location, bits, &bound) == Some(true)
            {
                lowered.push(edge);
            } else if !self.falls(edge, (before, after), 0)? {
                return None;
            }
        }
        let mut terms: Vec<(u32, Term)> = terms.iter().map(|(&s, t)| (s, t.clone())).collect();
        terms.sort_unstable();
        let mut bases: Vec<Term> = Vec::new();
        for (_, term) in &terms {
            let is_redundant = bases.iter().any(|basis| is_multiple_of(term, basis));
            if !term.coefficients().is_empty() && !is_redundant {
                bases.push(term.clone());
            }
        }
        (!lowered.is_empty()).then_some(RankedComponent {
            bases,
            terms,
            lowered,
            raised: Vec::new(),
        })
    }

    /// Whether a step surely leads to a term that is less by so much.
    fn falls(&mut self, edge: Edge, (before, after): (&Term, &Term), by: i64) -> Option<bool> {
        let bound = IntegerValue::from(before.plus_constant(-by).ok()?);
        let conclusion =
            self.taken(edge).value(after).ok()?.compared(Comparison::AtMost, &bound).ok()?;
        let step = self.graph.transitions[edge.0 as usize][edge.1 as usize].step;
        let states = [edge.0, edge.2].map(|state| self.graph.states[state as usize].bits);
        self.successors.certainly(self.precision, step, states, &conclusion).ok()
    }
}

/// Terms that are at most 0 and terms that are 0.
#[derive(Default)]
struct Known {
    at_most: Vec<Term>,
    zero: Vec<Term>,
}

impl Known {
    /// As far as a formula asks for such.
    fn add(&mut self, formula: &LinearFormula) {
        match formula {
            LinearFormula::And(parts) => parts.iter().for_each(|part| self.add(part)),
            LinearFormula::Atom(atom) => match &**atom {
                LinearAtom::AtMost(term) => self.add_bound(term),
                LinearAtom::Zero(term) if !self.zero.contains(term) => self.zero.push(term.clone()),
                _ => {}
            },
            _ => {}
        }
    }

    /// Of two bounds in a direction only the narrower one counts.
    fn add_bound(&mut self, term: &Term) {
        let is_along = |other: &&mut Term| other.coefficients() == term.coefficients();
        match self.at_most.iter_mut().find(is_along) {
            Some(known) if known.offset() < term.offset() => *known = term.clone(),
            Some(_) => {}
            None => self.at_most.push(term.clone()),
        }
    }
}

/// A step between two states.
struct RankedStep {
    edge: Edge,
    known: Known,
    /// Next values of the variables. Fresh variables stand for non-linear ones.
    values: Vec<Term>,
    variables: u32,
}

fn values(taken: &IntegerStep, variables: u32, next: u32) -> Vec<Term> {
    let value = |variable: u32| {
        let value = taken.value(&Term::variable(Variable(variable))).ok();
        let term = value.and_then(|value| value.as_term().cloned());
        term.unwrap_or_else(|| Term::variable(Variable(next + variable)))
    };
    (0..variables).map(value).collect()
}

/// Terms for the states such that no step makes them larger and one makes them smaller.
fn solve(around: &[RankedStep], smaller: usize, steps: &mut u64) -> Option<FxHashMap<u32, Term>> {
    let mut program = Program::default();
    for (number, step) in around.iter().enumerate() {
        program.add_step(step, i64::from(number == smaller))?;
    }
    program.add_bound(&around[smaller])?;
    let found = in_proportion(&program.at_most, &program.zero, steps)?;
    let value = |unknown: &Variable| found.get(unknown).copied().unwrap_or(0);
    let term = |(&state, unknowns): (&u32, &Vec<Variable>)| {
        let (constant, own) = unknowns.split_first()?;
        let products = (0..).map(Variable).zip(own.iter().map(value));
        Some((state, Term::sum(products, value(constant)).ok()?))
    };
    program.states.iter().map(term).collect()
}

/// Conditions on unknown numbers.
#[derive(Default)]
struct Program {
    at_most: Vec<Term>,
    zero: Vec<Term>,
    /// For each state a constant and a coefficient for each variable.
    states: FxHashMap<u32, Vec<Variable>>,
    next: u32,
}

/// A sum over the variables of a program whose coefficients are terms over unknown numbers; the constant comes first.
type Sum = FxHashMap<Option<Variable>, Term>;

impl Program {
    fn unknown(&mut self) -> Variable {
        self.next += 1;
        Variable(self.next - 1)
    }

    fn of(&mut self, state: u32, variables: u32) -> Vec<Variable> {
        if !self.states.contains_key(&state) {
            let own = (0..=variables).map(|_| self.unknown()).collect();
            self.states.insert(state, own);
        }
        self.states[&state].clone()
    }

    /// The term of the source is at least so much more than that of the target after a step.
    fn add_step(&mut self, step: &RankedStep, by: i64) -> Option<()> {
        let before = self.of(step.edge.0, step.variables);
        let after = self.of(step.edge.2, step.variables);
        let mut sum = Sum::default();
        let own = (0..step.variables).map(|v| Term::variable(Variable(v)));
        add_product(&mut sum, &before, own, 1)?;
        add_product(&mut sum, &after, step.values.iter().cloned(), -1)?;
        add(&mut sum, None, -by, &Term::constant(1).ok()?)?;
        self.follows(sum, &step.known)
    }

    /// The term of the source is not negative before a step.
    fn add_bound(&mut self, step: &RankedStep) -> Option<()> {
        let before = self.of(step.edge.0, step.variables);
        let mut sum = Sum::default();
        let own = (0..step.variables).map(|v| Term::variable(Variable(v)));
        add_product(&mut sum, &before, own, 1)?;
        self.follows(sum, &step.known)
    }

    /// That a sum is not negative follows from what is known.
    fn follows(&mut self, mut sum: Sum, known: &Known) -> Option<()> {
        let all = known.at_most.iter().map(|term| (term, true));
        for (term, is_bound) in all.chain(known.zero.iter().map(|term| (term, false))) {
            let factor = Term::variable(self.unknown());
            if is_bound {
                self.at_most.push(factor.negated());
            }
            add(&mut sum, None, term.offset(), &factor)?;
            for &(variable, coefficient) in term.coefficients() {
                add(&mut sum, Some(variable), coefficient, &factor)?;
            }
        }
        for (variable, coefficient) in sum {
            match variable {
                Some(_) => self.zero.push(coefficient),
                None => self.at_most.push(coefficient.negated()),
            }
        }
        Some(())
    }
}

/// Adds a term with unknown coefficients over these values.
fn add_product(
    sum: &mut Sum,
    unknowns: &[Variable],
    values: impl Iterator<Item = Term>,
    sign: i64,
) -> Option<()> {
    let (constant, own) = unknowns.split_first()?;
    add(sum, None, sign, &Term::variable(*constant))?;
    for (unknown, value) in own.iter().zip(values) {
        let unknown = Term::variable(*unknown);
        add(sum, None, sign.checked_mul(value.offset())?, &unknown)?;
        for &(variable, factor) in value.coefficients() {
            add(sum, Some(variable), sign.checked_mul(factor)?, &unknown)?;
        }
    }
    Some(())
}

fn add(sum: &mut Sum, of: Option<Variable>, factor: i64, term: &Term) -> Option<()> {
    let known = sum.entry(of).or_default();
    *known = known.plus_times(factor, term).ok()?;
    Some(())
}
