//! Condition 5: that cycles on which a ranking function decreases are left indeed.

use super::data::{ClaimedAbstraction, ClaimedRanking, ClaimedTransition, literals};
use super::prover::Prover;
use super::steps::Steps;
use crate::error::{AuditError, ensure};
use smt::{Comparison, IntegerValue, LinearFormula, Term};

/// Source, transition, target and class.
type Edge<'a> = (u32, &'a ClaimedTransition, u32, u32);

pub(crate) fn check(
    abstraction: &ClaimedAbstraction,
    ranking: &ClaimedRanking,
    steps: &Steps,
    prover: &mut Prover,
) -> Result<(), AuditError> {
    for level in 0..ranking.levels.len() as u32 {
        let own = 2 * level + 1;
        let edges = abstraction.edges().zip(&ranking.classes);
        let edges =
            edges.map(|((source, transition, target), &class)| (source, transition, target, class));
        let edges: Vec<Edge> = edges.filter(|edge| edge.3 >= own).collect();
        let of = components(abstraction.states.len(), &edges);
        let is_inside = |edge: &&Edge| of[edge.0 as usize] == of[edge.2 as usize];
        let mut is_ranked = vec![false; abstraction.states.len()];
        for edge in edges.iter().filter(is_inside).filter(|edge| edge.3 == own) {
            is_ranked[of[edge.0 as usize] as usize] = true;
        }
        let auditor = Level { abstraction, ranking, steps, level };
        for edge in edges.iter().filter(is_inside) {
            if is_ranked[of[edge.0 as usize] as usize] {
                auditor.check(*edge, prover)?;
            }
        }
    }
    Ok(())
}

struct Level<'a> {
    abstraction: &'a ClaimedAbstraction,
    ranking: &'a ClaimedRanking,
    steps: &'a Steps<'a>,
    level: u32,
}

impl Level<'_> {
    /// Whether a step changes the ranking functions as its class says.
    fn check(
        &self,
        (source, transition, to, class): Edge,
        prover: &mut Prover,
    ) -> Result<(), AuditError> {
        let Self { abstraction, steps, level, .. } = *self;
        let before = IntegerValue::from(self.ranking_function(source)?.clone());
        let after = steps.moves[transition.step as usize].value(self.ranking_function(to)?)?;
        let is_lowered = class == 2 * level + 1;
        let wanted = if is_lowered {
            let zero = IntegerValue::from(Term::default());
            let smaller = after.compared(Comparison::Less, &before)?;
            LinearFormula::and([smaller, before.compared(Comparison::AtLeast, &zero)?])
        } else {
            after.compared(Comparison::AtMost, &before)?
        };
        let mut given = steps.given(abstraction, source, transition.step);
        given.extend(literals(steps.after(transition.step), abstraction.bits(to)));
        let does = if is_lowered { "need not lower" } else { "may raise" };
        let problem = format_args!(
            "step {} from state {source} to state {to} {does} the ranking function of level {level}",
            transition.step
        );
        ensure(prover.implies(&given, &wanted)?, problem)
    }

    fn ranking_function(&self, state: u32) -> Result<&Term, AuditError> {
        let number = self.ranking.levels[self.level as usize][state as usize];
        let ranking_function =
            number.map(|number| &self.ranking.ranking_functions[number as usize]);
        let level = self.level;
        let problem =
            || format!("state {state} is on a cycle and has no ranking function of level {level}");
        ranking_function.ok_or_else(|| AuditError::Invalid(problem()))
    }
}

/// The strongly connected component of each state (Kosaraju): who is left last goes first, against the edges.
fn components(states: usize, edges: &[Edge]) -> Vec<u32> {
    let (mut onward, mut back) = (vec![Vec::new(); states], vec![Vec::new(); states]);
    for &(source, _, target, _) in edges {
        onward[source as usize].push(target);
        back[target as usize].push(source);
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

/// Depth first from a state through those that were not seen; calls back for each when it is left.
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
