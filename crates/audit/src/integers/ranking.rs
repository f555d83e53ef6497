//! Condition 5: whether every loop that a class says cannot go on for ever indeed cannot.

use super::asker::Asker;
use super::data::{Abstraction, Arrow, Target, literals};
use super::steps::Steps;
use crate::fault::Fault;
use arithmetic::{Formula, Relation, Term, Value};

/// A step from a state to another.
type Edge<'a> = (u32, &'a Arrow, Target);

pub(crate) fn check(shown: &Abstraction, steps: &Steps, asker: &mut Asker) -> Result<(), Fault> {
    for level in 0..shown.ranking.levels.len() as u32 {
        let is_left = |edge: &Edge| edge.2.level.is_none_or(|own| own >= level);
        let edges: Vec<Edge> = shown.edges().filter(is_left).collect();
        let of = components(shown.states.len(), &edges);
        let is_inside = |edge: &&Edge| of[edge.0 as usize] == of[edge.2.state as usize];
        let mut is_ranked = vec![false; shown.states.len()];
        for edge in edges.iter().filter(is_inside).filter(|edge| edge.2.level == Some(level)) {
            is_ranked[of[edge.0 as usize] as usize] = true;
        }
        for edge in edges.iter().filter(is_inside) {
            if is_ranked[of[edge.0 as usize] as usize] {
                check_edge(shown, steps, level, *edge, asker)?;
            }
        }
    }
    Ok(())
}

/// Whether a step does to the measures of a level what it is to do.
fn check_edge(
    shown: &Abstraction,
    steps: &Steps,
    level: u32,
    (source, arrow, target): Edge,
    asker: &mut Asker,
) -> Result<(), Fault> {
    let before = Value::from(measure(shown, level, source)?.clone());
    let taken = &steps.moves[arrow.step as usize];
    let after = taken.value(measure(shown, level, target.state)?)?;
    let is_lowered = target.level == Some(level);
    let wanted = if is_lowered {
        let zero = Value::from(Term::default());
        let smaller = after.compared(Relation::Less, &before)?;
        Formula::and([smaller, before.compared(Relation::AtLeast, &zero)?])
    } else {
        after.compared(Relation::AtMost, &before)?
    };
    let there = literals(steps.after(arrow.step), shown.bits(target.state));
    let mut given = steps.given(shown, source, arrow.step);
    given.extend(there);
    if asker.implies(&given, &wanted)? {
        return Ok(());
    }
    let does = if is_lowered { "need not make" } else { "may make" };
    let how = if is_lowered { "smaller" } else { "larger" };
    Err(Fault::Invalid(format!(
        "step {} from state {source} to state {} {does} the measure of level {level} {how}",
        arrow.step, target.state
    )))
}

fn measure(shown: &Abstraction, level: u32, state: u32) -> Result<&Term, Fault> {
    let number = shown.ranking.levels[level as usize][state as usize];
    let measure = number.map(|number| &shown.ranking.measures[number as usize]);
    let problem = || format!("state {state} is on a loop and has no measure of level {level}");
    measure.ok_or_else(|| Fault::Invalid(problem()))
}

/// The strongly connected component of each state (Kosaraju): who is left last goes first, against the edges.
fn components(states: usize, edges: &[Edge]) -> Vec<u32> {
    let (mut onward, mut back) = (vec![Vec::new(); states], vec![Vec::new(); states]);
    for (source, _, target) in edges {
        onward[*source as usize].push(target.state);
        back[target.state as usize].push(*source);
    }
    let mut last_left = Vec::new();
    let mut seen = vec![false; states];
    for start in 0..states as u32 {
        visit(start, &onward, &mut seen, &mut |state| last_left.push(state));
    }
    let mut of = vec![0; states];
    let mut seen = vec![false; states];
    for &start in last_left.iter().rev() {
        visit(start, &back, &mut seen, &mut |state| of[state as usize] = start);
    }
    of
}

/// Depth first from a state through those that were not seen; tells each when it is left.
fn visit(start: u32, next: &[Vec<u32>], seen: &mut [bool], leave: &mut dyn FnMut(u32)) {
    let mut path = Vec::new();
    if !std::mem::replace(&mut seen[start as usize], true) {
        path.push((start, 0));
    }
    while let Some((state, at)) = path.last_mut() {
        let Some(&other) = next[*state as usize].get(*at) else {
            leave(*state);
            path.pop();
            continue;
        };
        *at += 1;
        if !std::mem::replace(&mut seen[other as usize], true) {
            path.push((other, 0));
        }
    }
}
