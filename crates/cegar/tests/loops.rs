//! Loops that no enumeration finishes.

use cegar::{CegarLimits, CegarQuestion, CegarRound, Proposition, run};
use logic::{Family, Logic, Signature, Truth};
use smt::{Comparison, Embedded, IntegerValue, LinearFormula, Term, Variable};
use std::sync::Arc;
use support::{FileId, Monitor, Stopped};
use transition::integers::{IntegerProgram, IntegerStep};

const X: u32 = 0;
const Y: u32 = 1;

fn x() -> IntegerValue {
    Term::variable(Variable(X)).into()
}

fn y() -> IntegerValue {
    Term::variable(Variable(Y)).into()
}

fn number(value: i64) -> IntegerValue {
    Term::constant(value).expect("a small number").into()
}

fn plus(a: &IntegerValue, b: &IntegerValue) -> IntegerValue {
    a.plus(b).expect("small numbers")
}

fn minus(a: &IntegerValue, b: &IntegerValue) -> IntegerValue {
    a.minus(b).expect("small numbers")
}

fn compare(a: IntegerValue, relation: Comparison, b: IntegerValue) -> LinearFormula {
    a.compared(relation, &b).expect("small numbers")
}

/// `while guard do body od; end`, where the body is one step each.
fn repeated(guard: &LinearFormula, body: &[&[(u32, Option<IntegerValue>)]]) -> IntegerProgram {
    let end = body.len() as u32 + 1;
    let mut steps = vec![
        IntegerStep::test(0, guard.clone(), 1),
        IntegerStep::test(0, guard.clone().negated(), end),
        IntegerStep::test(end, LinearFormula::Constant(true), end),
    ];
    for (place, changes) in (1..).zip(body) {
        let changes = changes.iter().map(|(variable, value)| (Variable(*variable), value.clone()));
        let target = if place + 1 == end { 0 } else { place + 1 };
        steps.push(IntegerStep::new((place, target), LinearFormula::Constant(true), changes, 2));
    }
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    let places = (0..=end).map(|place| format!("l{place}")).collect();
    IntegerProgram { variables: names(&["x", "y"]), locations: places, steps }
}

fn verdict(program: &IntegerProgram, start: &LinearFormula, text: &str) -> Truth {
    ask(program, start, text, &Monitor::new()).expect("nothing stops it")
}

fn ask(
    program: &IntegerProgram,
    start: &LinearFormula,
    text: &str,
    monitor: &Monitor,
) -> Result<Truth, Stopped> {
    let end = program.locations.len() as u32 - 1;
    let conditions = [
        ("end", Proposition::At(vec![end])),
        ("head", Proposition::At(vec![0])),
        ("xpos", Proposition::Holds(compare(x(), Comparison::Greater, number(0)))),
        ("x0", Proposition::Holds(compare(x(), Comparison::Equal, number(0)))),
    ];
    let propositions: Vec<(String, Proposition)> = conditions
        .into_iter()
        .filter(|(name, _)| text.contains(name))
        .map(|(n, p)| (n.to_owned(), p))
        .collect();
    let props = propositions.iter().map(|(name, _)| name.as_str()).collect();
    let text: Arc<str> = text.into();
    let surface =
        front::parse_formula(Logic::Ctl, FileId(0), &text, 0..text.len()).expect("a formula");
    let signature = Signature { family: Family::Props, props: &props, actions: &[] };
    let formula =
        logic::compile(&surface, &signature, &mut Vec::new()).expect("its names are there");
    let watch = |round: &CegarRound| {
        println!(
            "{}: {} states, {:?}, {:?} {:?} {}",
            round.number,
            round.states,
            round.verdict,
            round.new_predicates,
            round.ranking_functions,
            round.queries
        );
    };
    let question = CegarQuestion {
        program,
        start: (0, start),
        invariant: &ANYTHING,
        propositions: &propositions,
        formula: &formula,
        initial_predicates: &[],
        components: None,
        partition: None,
        limits: CegarLimits::default(),
        evidence: true,
        watch: &watch,
        monitor,
    };
    let answer = run(&question, &mut Embedded::new())?;
    println!("{text}: {:?} {:?} {:?}", answer.verdict, answer.reason, answer.counters);
    Ok(answer.verdict)
}

const ANYTHING: LinearFormula = LinearFormula::Constant(true);

#[test]
fn counting_down_ends() {
    let positive = compare(x(), Comparison::Greater, number(0));
    let program = repeated(&positive, &[&[(X, Some(minus(&x(), &number(1))))]]);
    assert_eq!(verdict(&program, &ANYTHING, "AF end"), Truth::True);
    assert_eq!(verdict(&program, &ANYTHING, "EG !end"), Truth::False);
    assert_eq!(verdict(&program, &ANYTHING, "EF end"), Truth::True);
    assert_eq!(verdict(&program, &ANYTHING, "AG EF end"), Truth::True);
    assert_eq!(verdict(&program, &positive, "AG (end -> x0)"), Truth::True);
    assert_eq!(verdict(&program, &ANYTHING, "AG (end -> x0)"), Truth::False);
}

#[test]
fn counting_up_does_not() {
    let positive = compare(x(), Comparison::Greater, number(0));
    let program = repeated(&positive, &[&[(X, Some(plus(&x(), &number(1))))]]);
    assert_eq!(verdict(&program, &positive, "EG !end"), Truth::True);
    assert_eq!(verdict(&program, &positive, "AF end"), Truth::False);
    assert_eq!(verdict(&program, &positive, "AG xpos"), Truth::True);
}

#[test]
fn two_loops_in_one() {
    // while x > 0 do x := x - 1; y := any … as long as y > 0: y := y - 1: here flattened, lexicographic.
    let go = compare(x(), Comparison::Greater, number(0));
    let program = repeated(&go, &[&[(Y, None)], &[(X, Some(minus(&x(), &number(1))))]]);
    assert_eq!(verdict(&program, &ANYTHING, "AF end"), Truth::True);
    let towards = compare(x(), Comparison::Less, y());
    let program = repeated(&towards, &[&[(X, Some(plus(&x(), &number(1))))]]);
    assert_eq!(verdict(&program, &ANYTHING, "AF end"), Truth::True);
}

#[test]
fn what_gets_smaller_is_another_sum_in_each_state() {
    // Two numbers change locations, and one of them loses something: x + y, and in between not.
    let positive = compare(x(), Comparison::Greater, number(0));
    let all_at_once = [(X, Some(y())), (Y, Some(minus(&x(), &number(1))))];
    let program = repeated(&positive, &[&all_at_once]);
    assert_eq!(verdict(&program, &ANYTHING, "AF end"), Truth::True);
    // 1 - x of a positive number is not, and -x - 1 of the other: the size goes down.
    let there = compare(x(), Comparison::Different, number(0));
    let mut program = repeated(&there, &[&[(X, Some(minus(&number(1), &x())))]]);
    program.steps[3].guard = positive.clone();
    let back = (Variable(X), Some(minus(&number(-1), &x())));
    program.steps.push(IntegerStep::new((1, 0), positive.negated(), [back], 2));
    assert_eq!(verdict(&program, &ANYTHING, "AF end"), Truth::True);
    assert_eq!(verdict(&program, &ANYTHING, "AG EF end"), Truth::True);
}

#[test]
fn without_a_ranking_function_nothing_ends() {
    // Without the loss the two go on for ever, if both are positive.
    let positive = compare(x(), Comparison::Greater, number(0));
    let program = repeated(&positive, &[&[(X, Some(y())), (Y, Some(x()))]]);
    assert_eq!(verdict(&program, &ANYTHING, "AF end"), Truth::False);
    let both = LinearFormula::and([positive.clone(), compare(y(), Comparison::Greater, number(0))]);
    assert_eq!(verdict(&program, &both, "EG !end"), Truth::True);
}

#[test]
fn refining_keeps_to_its_limits() {
    // What the loop keeps is no linear condition.
    let positive = compare(y(), Comparison::Greater, number(0));
    let body: [&[(u32, Option<IntegerValue>)]; 3] =
        [&[(X, Some(plus(&x(), &y())))], &[(Y, Some(plus(&y(), &x())))], &[(Y, None)]];
    let program = repeated(&positive, &body);
    testkit::keeps_its_limits(256, |monitor| -> Result<(), Stopped> {
        loop {
            ask(&program, &ANYTHING, "AG (end -> AF xpos)", monitor)?;
        }
    });
}
