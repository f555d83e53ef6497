//! Predicates by their meaning: which are one and the same, and which contradict each other.

use crate::abstraction::solve::Cores;
use rustc_hash::FxHashMap;
use smt::{LinearFormula, SatAnswer, Solver, Variable, cases};
use support::{Monitor, Stopped};
use transition::abstracted::Literals;
use transition::integers::Predicate;

/// Collects predicates. Equivalent ones are one, and so are a predicate and its negation: otherwise a guard and its
/// opposite would have minterms of their own that no state satisfies, and must transitions to none of them.
pub struct PredicateCollector<'s> {
    solver: &'s mut dyn Solver,
    invariant: LinearFormula,
    predicates: Vec<Predicate>,
    /// All conditions that were met.
    literals: FxHashMap<LinearFormula, (u32, bool)>,
    /// By their values at some points, up to negation.
    alike: FxHashMap<u64, Vec<u32>>,
}

/// Conditions are compared by a solver only if they have the same values at so many points.
const POINTS: u32 = 64;

impl<'s> PredicateCollector<'s> {
    /// The solver has the invariant in its context.
    pub fn new(solver: &'s mut dyn Solver, invariant: &LinearFormula) -> Self {
        Self {
            solver,
            invariant: invariant.clone(),
            predicates: Vec::new(),
            literals: FxHashMap::default(),
            alike: FxHashMap::default(),
        }
    }

    /// The predicate that a condition is, or is the negation of; a new one of this name if there is none.
    pub fn literal(&mut self, name: &str, condition: &LinearFormula) -> (u32, bool) {
        let negated = |&(number, value): &(u32, bool)| (number, !value);
        let known = self.literals.get(condition).copied();
        let known = known.or_else(|| self.literals.get(&condition.negated()).map(negated));
        let literal = known.unwrap_or_else(|| self.compared(name, condition));
        self.literals.insert(condition.clone(), literal);
        literal
    }

    pub fn finish(self) -> Vec<Predicate> {
        self.predicates
    }

    fn compared(&mut self, name: &str, condition: &LinearFormula) -> (u32, bool) {
        let values = self.values(condition);
        let alike = self.alike.get(&values).cloned().unwrap_or_default();
        for number in alike {
            let known = self.predicates[number as usize].condition.clone();
            for value in [true, false] {
                let wanted = smt::literal(&known, value);
                if self.implies(condition, &wanted) && self.implies(&wanted, condition) {
                    return (number, value);
                }
            }
        }
        let number = self.predicates.len() as u32;
        self.predicates.push(Predicate { name: name.to_owned(), condition: condition.clone() });
        self.alike.entry(values).or_default().push(number);
        (number, true)
    }

    fn implies(&mut self, one: &LinearFormula, other: &LinearFormula) -> bool {
        matches!(self.solver.check(&[one.clone(), other.negated()]), SatAnswer::Unsat(_))
    }

    /// Whether a condition holds at some points that satisfy the invariant; a condition and its negation give the same.
    fn values(&self, condition: &LinearFormula) -> u64 {
        let mut bits = 0;
        let mut first = None;
        for point in 0..POINTS {
            let at = |variable: Variable| coordinate(point, variable);
            if self.invariant.holds(&at) == Some(true) {
                let value = condition.holds(&at) == Some(true);
                let is_as_first = value == *first.get_or_insert(value);
                bits |= u64::from(is_as_first) << point;
            }
        }
        bits
    }
}

/// The value of a variable at a point: small ones, where most conditions differ.
fn coordinate(point: u32, variable: Variable) -> i128 {
    let mixed = ((u64::from(point) << 32) | (u64::from(variable.0) + 1))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    i128::from(mixed >> 40) % (i128::from(point) + 3) - i128::from(point) / 2
}

/// Conjunctions of predicates that no state satisfies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contradictions {
    pub all: Vec<Literals>,
    /// Every minterm that contains none of them has a state.
    pub are_complete: bool,
}

/// A group with more predicates is checked in parts.
const MOST_TOGETHER: usize = 64;
/// More minterms of a group are not told apart.
const MOST_MINTERMS: usize = 1 << 10;

/// The contradictions among predicates in the states that satisfy a condition.
///
/// Predicates that share no variable, directly or through others or the condition's conjuncts, cannot contradict each
/// other: they are checked group by group.
pub fn contradictions(
    solver: &mut dyn Solver,
    given: &LinearFormula,
    predicates: &[Predicate],
    monitor: &Monitor,
) -> Result<Contradictions, Stopped> {
    let mut found = Contradictions { all: Vec::new(), are_complete: true };
    for group in groups(given, predicates) {
        monitor.step(1)?;
        found.are_complete &= group.predicates.len() <= MOST_TOGETHER;
        let parts: Vec<&[u32]> = group.predicates.chunks(MOST_TOGETHER).collect();
        // A group without predicates is a condition that has to be satisfiable.
        for part in if parts.is_empty() { vec![&[][..]] } else { parts } {
            let formulas: Vec<LinearFormula> =
                part.iter().map(|&number| predicates[number as usize].condition.clone()).collect();
            let (mut cores, mut examples) = (Cores::default(), Vec::new());
            let minterms =
                cases(solver, &group.given, &formulas, &mut cores, &mut examples, MOST_MINTERMS);
            let are_found = |all: Vec<u64>| all.iter().all(|minterm| examples.contains(minterm));
            found.are_complete &= minterms.is_ok_and(are_found);
            let literals = |(known, values): (u64, u64)| -> Literals {
                let within = (0..).zip(part).filter(|(bit, _)| known >> bit & 1 == 1);
                within.map(|(bit, &number)| (number, values >> bit & 1 == 1)).collect()
            };
            found.all.extend(cores.after().map(literals));
        }
    }
    Ok(found)
}

/// Predicates and conjuncts that share variables.
#[derive(Default)]
struct Group {
    given: Vec<LinearFormula>,
    predicates: Vec<u32>,
}

fn groups(given: &LinearFormula, predicates: &[Predicate]) -> Vec<Group> {
    let conjuncts = match given {
        LinearFormula::Constant(true) => Vec::new(),
        LinearFormula::And(parts) => parts.to_vec(),
        other => vec![other.clone()],
    };
    let conditions = predicates.iter().map(|predicate| &predicate.condition);
    let formulas: Vec<&LinearFormula> = conditions.chain(&conjuncts).collect();
    let mut shared = Representatives::default();
    let firsts: Vec<Option<Variable>> = formulas
        .iter()
        .map(|formula| {
            let variables = formula.variables();
            variables.windows(2).for_each(|pair| shared.join(pair[0], pair[1]));
            variables.first().copied()
        })
        .collect();
    let (mut groups, mut numbers) = (Vec::<Group>::new(), FxHashMap::default());
    for (at, first) in firsts.into_iter().enumerate() {
        let new = groups.len();
        let number = first.map_or(new, |first| *numbers.entry(shared.of(first)).or_insert(new));
        if number == new {
            groups.push(Group::default());
        }
        match at.checked_sub(predicates.len()) {
            None => groups[number].predicates.push(at as u32),
            Some(conjunct) => groups[number].given.push(conjuncts[conjunct].clone()),
        }
    }
    groups
}

/// Union-find.
#[derive(Default)]
struct Representatives(FxHashMap<Variable, Variable>);

impl Representatives {
    fn of(&mut self, variable: Variable) -> Variable {
        let mut root = variable;
        while let Some(&next) = self.0.get(&root) {
            root = next;
        }
        let mut at = variable;
        while at != root {
            at = self.0.insert(at, root).unwrap_or(root);
        }
        root
    }

    fn join(&mut self, one: Variable, other: Variable) {
        let (one, other) = (self.of(one), self.of(other));
        if one != other {
            self.0.insert(other, one);
        }
    }
}
