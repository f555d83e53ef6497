//! The proof of a verdict, written as a certificate. [`audit`] owns the format and checks it.

use crate::cegar_loop::{AbstractEvidence, CegarAnswer};
use crate::precision::Precision;
use crate::reachability::ReachabilityGraph;
use audit::integers::{
    ClaimedAbstraction, ClaimedPosition, ClaimedRanking, ClaimedState, ClaimedTransition,
    IntegerClaim, IntegerWriter, Must,
};
use audit::{AfterDeadlock, Claim};
use explicit::certificate::Evidence;
use logic::{Formula, PropId, Truth};
use support::Interner;
use transition::integers::Proposition;

/// Adds a claim about a property to a certificate about its program; the formula speaks of these propositions, and was
/// a translation over these atoms if it is of linear time. False if the answer has no evidence.
pub fn write(
    writer: &mut IntegerWriter,
    property: &str,
    propositions: &[(String, Proposition)],
    translation: Option<(&Formula, &Interner<PropId>)>,
    answer: &CegarAnswer,
) -> bool {
    let Some(AbstractEvidence { formula, evidence: Evidence::Direct(steps), .. }) =
        &answer.evidence
    else {
        return false;
    };
    let Some(abstraction) = abstraction(answer) else {
        return false;
    };
    let claim = Claim::new(property, formula, AfterDeadlock::Ends, answer.verdict == Truth::True);
    let names = propositions.iter().map(|(name, _)| name.clone()).collect();
    writer.claim(&IntegerClaim::new(claim, names, translation), abstraction, steps.bytes());
    true
}

/// The abstraction that decided the property, if the answer has evidence.
pub fn abstraction(answer: &CegarAnswer) -> Option<ClaimedAbstraction> {
    let AbstractEvidence { graph, rankings, model, .. } = answer.evidence.as_ref()?;
    let state =
        |state: &crate::AbstractState| ClaimedState { location: state.location, bits: state.bits };
    let position = |(state, classes): &(u32, Box<[u8]>)| ClaimedPosition {
        state: *state,
        classes: classes.iter().map(|&class| class.into()).collect(),
    };
    Some(ClaimedAbstraction {
        atoms: atoms(&answer.precision),
        states: graph.states.iter().map(state).collect(),
        initial: (0..graph.initial.len() as u32).collect(),
        transitions: graph
            .transitions
            .iter()
            .map(|own| own.iter().map(transition).collect())
            .collect(),
        rankings: rankings.iter().map(|own| ranking(graph, own)).collect(),
        positions: model.positions.iter().map(position).collect(),
    })
}

fn atoms(precision: &Precision) -> Vec<Vec<smt::LinearAtom>> {
    (0..precision.locations()).map(|location| precision.at(location).cloned().collect()).collect()
}

fn transition(transition: &crate::AbstractTransition) -> ClaimedTransition {
    let must = |states: &Vec<u32>| Must { states: states.clone(), naming: Vec::new() };
    ClaimedTransition {
        step: transition.step,
        targets: transition.targets.clone(),
        musts: transition.musts.iter().map(must).collect(),
    }
}

fn ranking(graph: &ReachabilityGraph, ranking: &crate::Ranking) -> ClaimedRanking {
    let mut classes = Vec::new();
    for (state, own) in (0..).zip(&graph.transitions) {
        for (number, transition) in (0..).zip(own) {
            let class = |&to: &u32| u32::from(ranking.class(state, number, to));
            classes.extend(transition.targets.iter().map(class));
        }
    }
    let (measures, levels) = (ranking.ranking_functions.clone(), ranking.levels.clone());
    ClaimedRanking { var: ranking.var.0, ranking_functions: measures, levels, classes }
}
