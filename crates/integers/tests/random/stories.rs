//! Runs that show verdicts, against the programs: every step is one, and what is said at the end is so.

use crate::concrete::holds;
use crate::programs::Subject;
use crate::{FEW, question};
use arithmetic::Embedded;
use base::Monitor;
use integers::{Answer, End, Moment, Question, Run, run, tell};
use logic::{Formula, Node, Truth};
use predicates::{Condition, Value};
use std::cell::Cell;
use testkit::for_seeds;

fn told(subject: &Subject, formula: &Formula) -> (Answer, Option<Run>) {
    let question = Question {
        program: &subject.program,
        start: (subject.start.0, &subject.start.1),
        invariant: &Condition::Constant(true),
        propositions: &subject.propositions,
        formula,
        given: &[],
        limits: FEW,
        evidence: true,
        watch: &|_| {},
        monitor: &Monitor::new(),
    };
    let answer = run(&question, &mut Embedded::new()).expect("nothing stops it");
    let run = tell(&question, &answer, &mut Embedded::new());
    (answer, run)
}

/// Whether a step leads from one moment to the next, by its own meaning.
fn is_step(subject: &Subject, from: &Moment, to: &Moment) -> bool {
    let Some(step) = from.step.map(|step| &subject.program.steps[step as usize]) else {
        return false;
    };
    let of = |variable: u32| from.values[variable as usize];
    let is_right = |variable: usize| {
        let change = step.changes.iter().find(|change| change.variable as usize == variable);
        match change.map(|change| &change.value) {
            None => to.values[variable] == from.values[variable],
            Some(Value::Any) => true,
            Some(Value::Of(term)) => term.value(&of) == Some(to.values[variable]),
        }
    };
    (step.source, step.target) == (from.place, to.place)
        && step.guard.holds(&of) == Some(true)
        && (0..to.values.len()).all(is_right)
}

fn is_run(subject: &Subject, run: &Run) -> Result<(), String> {
    let Some(first) = run.moments.first() else { return Err("it is empty".to_owned()) };
    let begins = subject.start.1.holds(&|variable| first.values[variable as usize]);
    if first.place != subject.start.0 || begins != Some(true) {
        return Err(format!("{first:?} is no beginning"));
    }
    let mut pairs = run.moments.windows(2);
    if let Some(pair) = pairs.find(|pair| !is_step(subject, &pair[0], &pair[1])) {
        return Err(format!("{pair:?} is no step"));
    }
    let last = run.moments.last().expect("there is a first");
    let goes_back = |to: usize| is_step(subject, last, &run.moments[to]);
    match run.end {
        End::Again(to) if !goes_back(to) => Err(format!("{last:?} does not lead to {to}")),
        End::Alike { to, .. } if run.moments[to].place != last.place => {
            Err(format!("{last:?} is not where it was in {to}"))
        }
        End::Lost => Err("it is lost".to_owned()),
        _ => Ok(()),
    }
}

/// Whether propositions that are said to hold or not to hold do so.
fn facts_hold(subject: &Subject, run: &Run) -> Result<usize, String> {
    let mut count = 0;
    for moment in &run.moments {
        for fact in &moment.facts {
            let (name, expected) = match fact.subformula.strip_prefix('!') {
                Some(name) => (name, !fact.holds),
                None => (&*fact.subformula, fact.holds),
            };
            let Some((_, meaning)) = subject.propositions.iter().find(|(n, _)| n == name) else {
                continue;
            };
            count += 1;
            let state = (moment.place, moment.values.clone());
            if holds(meaning, &state) != expected {
                return Err(format!("{fact:?} is wrong in {moment:?}"));
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
fn every_story_is_a_run() {
    let [all, steps, rounds, facts] = [const { Cell::new(0) }; 4];
    for_seeds("integers-stories", 0..250, |rng, case| {
        let is_closed = rng.chance(0.5);
        let (subject, _, formula) = question(rng, case, is_closed);
        let (answer, run) = told(&subject, &formula);
        if answer.verdict == Truth::Unknown {
            return Ok(());
        }
        let Some(run) = run else {
            let (start, shown) = (&subject.start.1, answer.shown.is_some());
            let has_none = answer.shown.is_some_and(|shown| shown.region.states.is_empty());
            return match has_none {
                true => Ok(()),
                false => Err(format!("nothing is told, {start:?}, {shown}")),
            };
        };
        is_run(&subject, &run)?;
        facts.set(facts.get() + facts_hold(&subject, &run)?);
        all.set(all.get() + usize::from(is_temporal(&formula)));
        steps.set(steps.get() + run.moments.len() - 1);
        rounds.set(rounds.get() + usize::from(matches!(run.end, End::Alike { .. })));
        Ok(())
    });
    println!("{all:?} stories, {steps:?} steps, {rounds:?} go round, {facts:?} facts");
    assert!(all.get() > 80 && steps.get() > 80 && rounds.get() > 0 && facts.get() > 80);
}
