//! Tables by enumeration against their definition, on random steps and predicates.

use crate::predicates::{
    Change, Condition, Decider, Enumeration, Monomial, NotAbstracted, Predicate, Program, Relation,
    Step, Table, Term, Value, View,
};
use support::{Monitor, StopReason, Stopped};
use testkit::{Rng, for_seeds};

pub(super) const VARIABLES: u32 = 2;
pub(super) const LOW: i64 = -4;
pub(super) const HIGH: i64 = 4;

fn term(rng: &mut Rng, depth: usize) -> Term {
    let number = |rng: &mut Rng| rng.between(0, 6) as i64 - 3;
    if depth == 0 || rng.chance(0.3) {
        return match rng.chance(0.3) {
            true => Term::Constant(number(rng)),
            false => Term::variable(rng.below(VARIABLES as usize) as u32),
        };
    }
    let a = term(rng, depth - 1);
    match rng.below(5) {
        0 => a.plus(term(rng, depth - 1)),
        1 => a.minus(term(rng, depth - 1)),
        2 => Term::Times(number(rng), Box::new(a)),
        3 => a.divided_by(rng.between(2, 3) as i64),
        _ => a.modulo(rng.between(2, 3) as i64),
    }
}

pub(super) fn condition(rng: &mut Rng, depth: usize) -> Condition {
    if depth == 0 || rng.chance(0.5) {
        use Relation::{AtLeast, AtMost, Different, Equal, Greater, Less};
        let relation = *rng.pick(&[Equal, Different, Less, AtMost, Greater, AtLeast]);
        return term(rng, 2).compared(relation, term(rng, 1));
    }
    let a = condition(rng, depth - 1);
    match rng.below(3) {
        0 => a.negated(),
        1 => a.and(condition(rng, depth - 1)),
        _ => a.or(condition(rng, depth - 1)),
    }
}

pub(super) fn step(rng: &mut Rng) -> Step {
    let mut changes = Vec::new();
    for variable in 0..VARIABLES {
        match rng.below(4) {
            0 => changes.push(Change { variable, value: Value::Any }),
            1 | 2 => changes.push(Change { variable, value: Value::Of(term(rng, 2)) }),
            _ => {}
        }
    }
    Step { source: 0, target: 0, guard: condition(rng, 1), changes }
}

fn states() -> Vec<[i64; 2]> {
    (LOW..=HIGH).flat_map(|x| (LOW..=HIGH).map(move |y| [x, y])).collect()
}

/// All states after a step, by looking at every value that a variable could have got.
fn successors(step: &Step, state: [i64; 2]) -> Vec<[i64; 2]> {
    let of = |variable: u32| state[variable as usize];
    if step.guard.holds(&of) != Some(true) {
        return Vec::new();
    }
    let mut all = vec![state];
    for change in &step.changes {
        let values: Vec<i64> = match &change.value {
            Value::Any => (LOW..=HIGH).collect(),
            Value::Of(term) => vec![term.value(&of).expect("small numbers")],
        };
        let with = |state: [i64; 2], value| {
            let mut state = state;
            state[change.variable as usize] = value;
            state
        };
        all =
            all.into_iter().flat_map(|s| values.iter().map(move |&value| with(s, value))).collect();
    }
    all
}

fn satisfies(state: [i64; 2], monomial: Monomial, predicates: &[Condition]) -> bool {
    predicates.iter().enumerate().all(|(i, predicate)| {
        let holds = predicate.holds(&|variable| state[variable as usize]).expect("small numbers");
        monomial.known >> i & 1 == 0 || (monomial.values >> i & 1 == 1) == holds
    })
}

/// By definition: for each pair of a minterm and a minterm, is there a step; for each pair of a minterm and a monomial,
/// has every state a step; and of the latter those that no more precise one makes superfluous.
fn by_definition(step: &Step, predicates: &[Condition]) -> Table {
    let width = predicates.len();
    let mut table = Table::default();
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
        let predicates: Vec<Condition> =
            (0..rng.between(0, 3)).map(|_| condition(rng, 1)).collect();
        case.note(format!("{step:?}\n{predicates:?}"));
        let given: Vec<&Condition> = predicates.iter().collect();
        let mut enumeration = Enumeration::new(LOW..=HIGH);
        let mut table =
            enumeration.decide(&step, &given, &Monitor::new()).expect("nobody stops it");
        table.must.sort_unstable();
        let expected = by_definition(&step, &predicates);
        if table == expected { Ok(()) } else { Err(format!("{table:?}\n{expected:?}")) }
    });
}

fn above(bound: i64) -> Condition {
    Term::variable(0).compared(Relation::Greater, Term::Constant(bound))
}

fn decide(step: &Step, predicates: &[&Condition], values: std::ops::RangeInclusive<i64>) -> Table {
    Enumeration::new(values).decide(step, predicates, &Monitor::new()).expect("nobody stops it")
}

/// x > 0 and x > 5: no number is above 5 and not above 0. Nothing leads there and nothing leads on.
#[test]
fn contradictory_predicates_have_no_transitions() {
    let step = Step::assign(0, 0, Term::variable(0).plus(Term::Constant(1)), 0);
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
    let overflow = Step::assign(0, 0, Term::Times(i64::MAX, Box::new(Term::variable(0))), 0);
    let nothing = Table::knowing_nothing(1);
    assert_eq!(nothing.may, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    assert_eq!(decide(&overflow, &[&above(0)], -3..=3), nothing);
    let many = (0..9).fold(Term::Constant(0), |sum, variable| sum.plus(Term::variable(variable)));
    assert_eq!(decide(&Step::assign(0, 0, many, 0), &[&above(0)], -8..=8), nothing);
    let skip = Step::test(0, Condition::Constant(true), 0);
    assert_eq!(decide(&skip, &[&above(0)], i64::MIN..=i64::MAX), nothing);
    let empty = decide(&skip, &[&above(0)], std::ops::RangeInclusive::new(1, 0));
    assert_eq!(empty, Table::default());
}

#[test]
fn a_step_is_looked_at_with_the_predicates_near_it() {
    let [x, y, z] = [0, 1, 2].map(Term::variable);
    let bound = |term: &Term, bound| Predicate {
        name: String::new(),
        condition: term.clone().compared(Relation::Greater, Term::Constant(bound)),
    };
    let program = |step: Step| Program {
        variables: ["x", "y", "z"].map(str::to_owned).to_vec(),
        places: vec!["a".to_owned()],
        steps: vec![step],
    };
    let seen = |step: &Step, predicates: Vec<Predicate>, monitor: &Monitor| {
        let view = View { predicates, ..View::default() };
        program(step.clone()).seen_through(&view, &mut Enumeration::new(-3..=3), monitor)
    };
    let step = Step::assign(0, 1, x.clone().plus(y.clone()), 0);
    let few = [bound(&z, 0), bound(&y, 0), bound(&z, 1), bound(&x, 0)].to_vec();
    let touches = |seen: Result<crate::predicates::Abstracted, NotAbstracted>| {
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
