//! Predicate discovery by weakest preconditions, at the cause of an unknown.

use crate::cause::Cause;
use crate::precision::Precision;
use crate::reachability::{AbstractTransition, CheckedProgram, Meaning, ReachabilityGraph};
use smt::{LinearAtom, LinearFormula, literal};
use transition::integers::IntegerStep;

/// A location, and formulas whose predicates are candidates for its precision.
pub(crate) struct PredicateCandidate {
    pub location: u32,
    pub formulas: Vec<LinearFormula>,
    pub why: PredicateOrigin,
}

/// Why predicates are added at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PredicateOrigin {
    /// It is not certain where a step leads: what may and may not hold after it.
    Step { step: u32, after: Vec<LinearAtom> },
    /// The property contains them.
    Property,
    /// They bound a ranking function from below on cycles.
    RankingFunction,
    /// They combine what was known before.
    Combination,
    /// A path that leads here is spurious because of these steps; it goes on by the next.
    SpuriousPath { steps: Vec<u32>, next: Option<u32> },
}

/// Predicates that determine a cause: the proposition itself, or weakest preconditions of what differs after a step.
pub(crate) fn weakest_preconditions(
    program: &CheckedProgram,
    precision: &Precision,
    graph: &ReachabilityGraph,
    cause: Cause,
) -> Option<PredicateCandidate> {
    match cause {
        Cause::Label { state, prop } => {
            let (_, meaning) = program.propositions.get(prop.0 as usize)?;
            let Meaning::Holds(formula) = meaning else {
                return None;
            };
            let location = graph.states[state as usize].location;
            Some(PredicateCandidate {
                location,
                formulas: vec![formula.clone()],
                why: PredicateOrigin::Property,
            })
        }
        Cause::Step { from, to } => {
            let own = &graph.transitions[from as usize];
            let transitions = own.iter().filter(|transition| transition.targets.contains(&to));
            let transitions: Vec<&AbstractTransition> = transitions.collect();
            let differ = |transition: &&AbstractTransition| {
                differences(program, precision, graph, transition, to)
            };
            let why = |transition: &&AbstractTransition| PredicateOrigin::Step {
                step: transition.step,
                after: differing_predicates(program, precision, graph, transition, to)
                    .cloned()
                    .collect(),
            };
            Some(PredicateCandidate {
                location: graph.states[from as usize].location,
                why: transitions.first().map(why)?,
                formulas: transitions.iter().flat_map(differ).collect(),
            })
        }
    }
}

/// Predicates that tell, before a step, whether it leads to this target or to another one: its guard, and the
/// weakest preconditions of the predicates in which the targets differ.
fn differences(
    program: &CheckedProgram,
    precision: &Precision,
    graph: &ReachabilityGraph,
    transition: &AbstractTransition,
    target: u32,
) -> Vec<LinearFormula> {
    let taken: &IntegerStep = &program.steps[transition.step as usize];
    let mut before = vec![taken.guard.clone()];
    if taken.free.is_empty() {
        let telling = differing_predicates(program, precision, graph, transition, target);
        before.extend(telling.filter_map(|atom| taken.after(atom).ok()));
    } else {
        before.extend(choice_precondition(precision, taken, graph.states[target as usize].bits));
    }
    before
}

/// The predicates after a step in which this target differs from another one.
fn differing_predicates<'v>(
    program: &CheckedProgram,
    precision: &'v Precision,
    graph: &ReachabilityGraph,
    transition: &AbstractTransition,
    target: u32,
) -> impl Iterator<Item = &'v LinearAtom> + use<'v> {
    let bits = |state: u32| graph.states[state as usize].bits;
    let others = transition.targets.iter().map(|&other| bits(other) ^ bits(target));
    let differ = others.fold(0, |differ, other| differ | other);
    let after = precision.at(program.steps[transition.step as usize].target).enumerate();
    after.filter(move |(index, _)| differ >> index & 1 == 1).map(|(_, atom)| atom)
}

/// Where a step that chooses can lead to a target.
fn choice_precondition(
    precision: &Precision,
    taken: &IntegerStep,
    target: u64,
) -> Option<LinearFormula> {
    let mut all = Vec::new();
    for (index, atom) in precision.at(taken.target).enumerate() {
        let after = taken.after(atom).ok()?;
        all.push(literal(&after, target >> index & 1 == 1));
    }
    let some = |wanted: LinearFormula, &free| wanted.exists(free).ok();
    taken.free.iter().try_fold(LinearFormula::and(all), some)
}

/// The predicates that determine the steps from all unknown states, in the order of the states: for when following one
/// cause gives no new predicate.
pub(crate) fn all_undetermined<'r>(
    program: &'r CheckedProgram,
    precision: &'r Precision,
    graph: &'r ReachabilityGraph,
) -> impl Iterator<Item = PredicateCandidate> + 'r {
    let transitions = graph.transitions.iter().enumerate();
    let transitions =
        transitions.flat_map(|(from, own)| own.iter().map(move |transition| (from, transition)));
    let is_undetermined = |(_, transition): &(usize, &AbstractTransition)| {
        !transition.targets.iter().all(|&target| transition.musts.contains(&vec![target]))
    };
    transitions.filter(is_undetermined).flat_map(move |(from, transition)| {
        transition.targets.iter().map(move |&target| PredicateCandidate {
            location: graph.states[from].location,
            formulas: differences(program, precision, graph, transition, target),
            why: PredicateOrigin::Step {
                step: transition.step,
                after: differing_predicates(program, precision, graph, transition, target)
                    .cloned()
                    .collect(),
            },
        })
    })
}
