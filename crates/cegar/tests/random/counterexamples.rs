//! Runs that show verdicts, against the programs: every step is one, and what is said at the end is so.

use crate::concrete::holds;
use crate::programs::Subject;
use crate::{FEW, question};
use cegar::{
    CegarAnswer, CegarLimits, CegarQuestion, ConcreteRun, ConcreteState, RunEnd, concretise, run,
};
use logic::{Family, Formula, Node, Signature, Truth};
use smt::{Embedded, Variable};
use std::cell::Cell;
use support::Monitor;
use testkit::for_seeds;
use transition::integers::IntegerProgram;

fn answer_and_run(subject: &Subject, formula: &Formula) -> (CegarAnswer, Option<ConcreteRun>) {
    let question = CegarQuestion { limits: FEW, evidence: true, ..subject.question(formula) };
    let answer = run(&question, &mut Embedded::new()).expect("nothing stops it");
    let run = concretise(&question, &answer, &mut Embedded::new(), &|_| true);
    (answer, run)
}

/// Whether a step leads from one state to the next, by its own meaning.
fn is_step(program: &IntegerProgram, from: &ConcreteState, to: &ConcreteState) -> bool {
    let Some(step) = from.step.map(|step| &program.steps[step as usize]) else {
        return false;
    };
    let of = |variable: Variable| from.values[variable.0 as usize].into();
    let is_right = |variable: usize| {
        let change = step.changes.iter().find(|(changed, _)| changed.0 as usize == variable);
        match change {
            None => to.values[variable] == from.values[variable],
            Some((_, value)) if value.variables().iter().any(|v| step.free.contains(v)) => true,
            Some((_, value)) => value.value(&of) == Some(to.values[variable].into()),
        }
    };
    (step.source, step.target) == (from.location, to.location)
        && step.guard.holds(&of) == Some(true)
        && (0..to.values.len()).all(is_right)
}

fn is_run(
    program: &IntegerProgram,
    start: (u32, &smt::LinearFormula),
    run: &ConcreteRun,
) -> Result<(), String> {
    let Some(first) = run.states.first() else {
        return Err("it is empty".to_owned());
    };
    let begins = start.1.holds(&|variable| first.values[variable.0 as usize].into());
    if first.location != start.0 || begins != Some(true) {
        return Err(format!("{first:?} is no beginning"));
    }
    let mut pairs = run.states.windows(2);
    if let Some(pair) = pairs.find(|pair| !is_step(program, &pair[0], &pair[1])) {
        return Err(format!("{pair:?} is no step"));
    }
    let last = run.states.last().expect("there is a first");
    let goes_back = |to: usize| is_step(program, last, &run.states[to]);
    match run.end {
        RunEnd::Loop(to) if !goes_back(to) => Err(format!("{last:?} does not lead to {to}")),
        RunEnd::Recurrence { to, .. } if run.states[to].location != last.location => {
            Err(format!("{last:?} is not where it was in {to}"))
        }
        RunEnd::SolverLimit => Err("the solver does not say how it ends".to_owned()),
        _ => Ok(()),
    }
}

/// Whether propositions that are said to hold or not to hold do so.
fn facts_hold(subject: &Subject, run: &ConcreteRun) -> Result<usize, String> {
    let mut count = 0;
    for state in &run.states {
        for fact in &state.facts {
            let (name, expected) = match fact.subformula.strip_prefix('!') {
                Some(name) => (name, !fact.holds),
                None => (&*fact.subformula, fact.holds),
            };
            let Some((_, meaning)) = subject.propositions.iter().find(|(n, _)| n == name) else {
                continue;
            };
            count += 1;
            let state = (state.location, state.values.clone());
            if holds(meaning, &state) != expected {
                return Err(format!("{fact:?} is wrong in {state:?}"));
            }
        }
    }
    Ok(count)
}

/// Whether a formula has an end that a run comes to, or can be followed for ever.
fn is_temporal(formula: &Formula) -> bool {
    formula.nodes().any(|(_, node)| matches!(node, Node::Modal(..)))
}

#[test]
fn every_counterexample_is_a_run() {
    let [all, steps, rounds, facts] = [const { Cell::new(0) }; 4];
    for_seeds("integers-counterexamples", 0..2500, |rng, case| {
        let is_closed = rng.chance(0.5);
        let (subject, _, formula) = question(rng, case, is_closed);
        let (answer, run) = answer_and_run(&subject, &formula);
        if answer.verdict == Truth::Unknown {
            return Ok(());
        }
        let Some(run) = run else {
            let (start, shown) = (&subject.start.1, answer.evidence.is_some());
            let has_none = answer.evidence.is_some_and(|shown| shown.graph.states.is_empty());
            return match has_none {
                true => Ok(()),
                false => Err(format!("nothing is told, {start:?}, {shown}")),
            };
        };
        is_run(&subject.program, (subject.start.0, &subject.start.1), &run)?;
        facts.set(facts.get() + facts_hold(&subject, &run)?);
        all.set(all.get() + usize::from(is_temporal(&formula)));
        steps.set(steps.get() + run.states.len() - 1);
        rounds.set(rounds.get() + usize::from(matches!(run.end, RunEnd::Recurrence { .. })));
        Ok(())
    });
    println!("{all:?} counterexamples, {steps:?} steps, {rounds:?} repeat, {facts:?} facts");
    assert!(all.get() > 800 && steps.get() > 200 && facts.get() > 500);
}

/// How many counterexamples of the programs of the suite are found, and how many repeat with other values.
#[test]
fn counterexamples_of_the_suite_are_runs() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benches/integers");
    let [mut runs, mut rounds] = [0; 2];
    for file in std::fs::read_dir(folder).expect("the suite is there") {
        let path = file.expect("it can be listed").path();
        let text: std::sync::Arc<str> = std::fs::read_to_string(&path).expect("text").into();
        let document = testkit::read_integers(support::FileId(0), &text).expect("a program");
        for run in counterexamples_of(&document) {
            let start = (document.start.location, &document.start.condition);
            is_run(&document.program, start, &run).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            runs += 1;
            rounds += usize::from(matches!(run.end, RunEnd::Recurrence { .. }));
        }
    }
    println!("{runs} counterexamples of the suite, {rounds} repeat");
    assert!(runs > 60 && rounds > 3, "{runs}, {rounds}");
}

/// The runs of the properties that a few rounds decide.
fn counterexamples_of(document: &testkit::IntegerDocument) -> Vec<ConcreteRun> {
    let props = document.names();
    let signature = Signature { family: Family::Props, props: &props, actions: &[] };
    let propositions = document.propositions.clone();
    let run_of = |property: &front::Specification| {
        let formula =
            logic::compile(property.surface().unwrap(), &signature, &mut Vec::new()).ok()?;
        let question = CegarQuestion {
            program: &document.program,
            start: (document.start.location, &document.start.condition),
            invariant: &document.invariant,
            propositions: &propositions,
            formula: &formula,
            initial_predicates: &[],
            components: None,
            partition: None,
            limits: CegarLimits { rounds: 6, ..CegarLimits::default() },
            evidence: true,
            watch: &|_| {},
            monitor: &Monitor::new(),
        };
        let answer = run(&question, &mut Embedded::new()).ok()?;
        concretise(&question, &answer, &mut Embedded::new(), &|_| true)
    };
    document.properties.iter().filter_map(run_of).collect()
}
