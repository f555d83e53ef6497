//! Tables by enumeration against their definition, on random steps and predicates.

use crate::abstraction::{
    Decider, NotAbstracted, PredicateSet, StepTable, ValueDecider, abstracted,
};
use smt::{Comparison, IntegerValue, LinearFormula, Rounding, Term, Variable};
use support::{Monitor, StopReason, Stopped};
use testkit::{Rng, for_seeds};
use transition::abstracted::{Abstracted, Monomial};
use transition::integers::{IntegerProgram, IntegerStep, Predicate};

pub(super) const VARIABLES: u32 = 2;
pub(super) const LOW: i64 = -4;
pub(super) const HIGH: i64 = 4;

fn variable(number: u32) -> IntegerValue {
    Term::variable(Variable(number)).into()
}

fn constant(value: i64) -> IntegerValue {
    Term::constant(value).expect("a small number").into()
}

fn term(rng: &mut Rng, depth: usize) -> IntegerValue {
    let number = |rng: &mut Rng| rng.between(0, 6) as i64 - 3;
    if depth == 0 || rng.chance(0.3) {
        return match rng.chance(0.3) {
            true => constant(number(rng)),
            false => variable(rng.below(VARIABLES as usize) as u32),
        };
    }
    let a = term(rng, depth - 1);
    let made = match rng.below(5) {
        0 => a.plus(&term(rng, depth - 1)),
        1 => a.minus(&term(rng, depth - 1)),
        2 => a.times(number(rng)),
        3 => a.divided(rng.between(2, 3) as i64, Rounding::TowardsZero),
        _ => a.modulo(rng.between(2, 3) as i64, Rounding::TowardsZero),
    };
    made.expect("small numbers")
}

pub(super) fn condition(rng: &mut Rng, depth: usize) -> LinearFormula {
    if depth == 0 || rng.chance(0.5) {
        let relation = *rng.pick(&Comparison::ALL);
        return term(rng, 2).compared(relation, &term(rng, 1)).expect("small numbers");
    }
    let a = condition(rng, depth - 1);
    match rng.below(3) {
        0 => a.negated(),
        1 => LinearFormula::and([a, condition(rng, depth - 1)]),
        _ => LinearFormula::or([a, condition(rng, depth - 1)]),
    }
}

pub(super) fn step(rng: &mut Rng) -> IntegerStep {
    let mut changes = Vec::new();
    for variable in (0..VARIABLES).map(Variable) {
        match rng.below(4) {
            0 => changes.push((variable, None)),
            1 | 2 => changes.push((variable, Some(term(rng, 2)))),
            _ => {}
        }
    }
    IntegerStep::new((0, 0), condition(rng, 1), changes, VARIABLES as usize)
}

fn states() -> Vec<[i64; 2]> {
    (LOW..=HIGH).flat_map(|x| (LOW..=HIGH).map(move |y| [x, y])).collect()
}

/// All states after a step, by looking at every value that a variable could have got.
fn successors(step: &IntegerStep, state: [i64; 2]) -> Vec<[i64; 2]> {
    // What is free is behind the variables of the program.
    let of = |chosen: i64| {
        move |variable: Variable| i128::from(*state.get(variable.0 as usize).unwrap_or(&chosen))
    };
    if step.guard.holds(&of(0)) != Some(true) {
        return Vec::new();
    }
    let mut all = vec![state];
    for (changed, value) in &step.changes {
        let is_free = step.free.contains(&Variable(VARIABLES + changed.0));
        let choices = if is_free { LOW..=HIGH } else { 0..=0 };
        let values = choices.map(|chosen| value.value(&of(chosen)).expect("small numbers") as i64);
        let values: Vec<i64> = values.collect();
        let with = |state: [i64; 2], value| {
            let mut state = state;
            state[changed.0 as usize] = value;
            state
        };
        all =
            all.into_iter().flat_map(|s| values.iter().map(move |&value| with(s, value))).collect();
    }
    all
}

fn satisfies(state: [i64; 2], monomial: Monomial, predicates: &[LinearFormula]) -> bool {
    predicates.iter().enumerate().all(|(i, predicate)| {
        let of = |variable: Variable| state[variable.0 as usize].into();
        let holds = predicate.holds(&of).expect("small numbers");
        monomial.known >> i & 1 == 0 || (monomial.values >> i & 1 == 1) == holds
    })
}

/// By definition: for each pair of a minterm and a minterm, is there a step; for each pair of a minterm and a monomial,
/// has every state a step; and of the latter those that no more precise one makes superfluous.
fn by_definition(step: &IntegerStep, predicates: &[LinearFormula]) -> StepTable {
    let width = predicates.len();
    let mut table = StepTable::default();
    for source in 0..1 << width {
        let own =
            |state: &[i64; 2]| satisfies(*state, Monomial::minterm(source, width), predicates);
        let own: Vec<[i64; 2]> = states().into_iter().filter(own).collect();
        let reaches = |state: &[i64; 2], target| {
            successors(step, *state).into_iter().any(|next| satisfies(next, target, predicates))
        };
        let may = |&to: &u64| own.iter().any(|s| reaches(s, Monomial::minterm(to, width)));
        table.may.extend((0..1 << width).filter(may).map(|to| (source, to)));
        if own.is_empty() {
            continue;
        }
        let must: Vec<Monomial> =
            Monomial::all(width).filter(|&to| own.iter().all(|s| reaches(s, to))).collect();
        let is_most_precise = |a: &&Monomial| !must.iter().any(|b| *b != **a && a.covers(*b));
        table.must.extend(must.iter().filter(is_most_precise).map(|&to| (source, to)));
    }
    table.must.sort_unstable();
    table
}

#[test]
fn tables_are_those_of_the_definition() {
    for_seeds("tables by enumeration", 0..1500, |rng, case| {
        let step = step(rng);
        let predicates: Vec<LinearFormula> =
            (0..rng.between(0, 3)).map(|_| condition(rng, 1)).collect();
        case.note(format!("{step:?}\n{predicates:?}"));
        let given: Vec<&LinearFormula> = predicates.iter().collect();
        let mut enumeration = ValueDecider::new(LOW..=HIGH);
        let mut table =
            enumeration.decide(&step, &given, &Monitor::new()).expect("nobody stops it");
        table.must.sort_unstable();
        let expected = by_definition(&step, &predicates);
        if table == expected { Ok(()) } else { Err(format!("{table:?}\n{expected:?}")) }
    });
}

fn above(bound: i64) -> LinearFormula {
    variable(0).compared(Comparison::Greater, &constant(bound)).expect("small numbers")
}

fn decide(
    step: &IntegerStep,
    predicates: &[&LinearFormula],
    values: std::ops::RangeInclusive<i64>,
) -> StepTable {
    ValueDecider::new(values).decide(step, predicates, &Monitor::new()).expect("nobody stops it")
}

fn assign(changed: u32, value: IntegerValue) -> IntegerStep {
    let changes = [(Variable(changed), Some(value))];
    IntegerStep::new((0, 0), LinearFormula::Constant(true), changes, 9)
}

fn sum(a: &IntegerValue, b: &IntegerValue) -> IntegerValue {
    a.plus(b).expect("small numbers")
}

/// x > 0 and x > 5: no number is above 5 and not above 0. Nothing leads there and nothing leads on.
#[test]
fn contradictory_predicates_have_no_transitions() {
    let step = assign(0, sum(&variable(0), &constant(1)));
    let table = decide(&step, &[&above(0), &above(5)], -20..=20);
    let contradictory = 0b10;
    assert!(table.may.iter().all(|&(from, to)| from != contradictory && to != contradictory));
    assert!(table.must.iter().all(|&(from, _)| from != contradictory));
    assert_eq!(table.may, [(0, 0), (0, 1), (1, 1), (1, 3), (3, 3)]);
    let must = [(0, "uf"), (1, "tu"), (3, "tt")].map(|(from, to)| (from, super::monomial(to)));
    assert_eq!(table.must, must);
}

#[test]
fn what_cannot_be_computed_is_not_known() {
    let overflow = assign(0, variable(0).times(i64::MAX).expect("a number of 64 bits"));
    let nothing = StepTable::knowing_nothing(1);
    assert_eq!(nothing.may, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(decide(&overflow, &[&above(0)], -3..=3), nothing);
    let many = (0..9).fold(constant(0), |all, number| sum(&all, &variable(number)));
    assert_eq!(decide(&assign(0, many), &[&above(0)], -8..=8), nothing);
    let skip = IntegerStep::test(0, LinearFormula::Constant(true), 0);
    assert_eq!(decide(&skip, &[&above(0)], i64::MIN..=i64::MAX), nothing);
    let empty = decide(&skip, &[&above(0)], std::ops::RangeInclusive::new(1, 0));
    assert_eq!(empty, StepTable::default());
}

#[test]
fn a_step_is_looked_at_with_the_predicates_near_it() {
    let [x, y, z] = [0, 1, 2].map(variable);
    let bound = |value: &IntegerValue, bound| {
        let condition = value.compared(Comparison::Greater, &constant(bound));
        Predicate { name: String::new(), condition: condition.expect("small numbers") }
    };
    let program = |step: IntegerStep| IntegerProgram {
        variables: ["x", "y", "z"].map(str::to_owned).to_vec(),
        locations: vec!["a".to_owned()],
        steps: vec![step],
    };
    let seen = |step: &IntegerStep, predicates: Vec<Predicate>, monitor: &Monitor| {
        let precision = PredicateSet { predicates, ..PredicateSet::default() };
        let mut decider = ValueDecider::new(-3..=3);
        abstracted(&program(step.clone()), &precision, &mut decider, monitor)
    };
    let step = assign(1, sum(&x, &y));
    let few = [bound(&z, 0), bound(&y, 0), bound(&z, 1), bound(&x, 0)].to_vec();
    let touches = |seen: Result<Abstracted, NotAbstracted>| {
        seen.expect("few are changed").commands.remove(0).touches
    };
    assert_eq!(touches(seen(&step, few.clone(), &Monitor::new())), [1, 3]);
    // More than there is room for: those that change come first.
    let many: Vec<Predicate> =
        (0..8).map(|i| bound(&x, i)).chain([bound(&y, 0), bound(&y, 1)]).collect();
    assert_eq!(touches(seen(&step, many, &Monitor::new())), [0, 1, 2, 3, 4, 5, 8, 9]);
    let too_many = (0..9).map(|i| bound(&y, i)).collect();
    let trouble = seen(&step, too_many, &Monitor::new()).expect_err("nine are changed");
    assert_eq!(trouble, NotAbstracted::ChangesTooMany { step: 0, predicates: 9, most: 8 });
    let monitor = Monitor::new();
    monitor.stop(StopReason::Timeout);
    let stopped = NotAbstracted::Stopped(Stopped(StopReason::Timeout));
    assert_eq!(seen(&step, few, &monitor), Err(stopped));
}
