//! The proof of a verdict, written as a certificate. [`audit`] owns the format and checks it.

use crate::refine::{AbstractEvidence, Answer};
use crate::region::Region;
use crate::views::Views;
use audit::integers::{
    ClaimedAbstraction, ClaimedArrow, ClaimedPosition, ClaimedRanking, ClaimedState, IntegerWriter,
    Must,
};
use audit::{AfterDeadlock, Claim};
use explicit::certificate::Evidence;
use logic::Truth;
use transition::integers::Proposition;

/// Adds a claim about a property to a certificate about its program; the formula speaks of these propositions. False
/// if there is nothing that shows the answer.
pub fn write(
    writer: &mut IntegerWriter,
    property: &str,
    propositions: &[(String, Proposition)],
    answer: &Answer,
) -> bool {
    let Some(AbstractEvidence { formula, evidence: Evidence::Direct(steps), .. }) = &answer.shown
    else {
        return false;
    };
    let Some(abstraction) = abstraction(answer) else { return false };
    let claim = Claim::new(property, formula, AfterDeadlock::Ends, answer.verdict == Truth::True);
    let names: Vec<&str> = propositions.iter().map(|(name, _)| &**name).collect();
    writer.claim(&claim, &names, abstraction, steps.bytes());
    true
}

/// The abstraction that an answer was found in, if it is shown.
pub fn abstraction(answer: &Answer) -> Option<ClaimedAbstraction> {
    let AbstractEvidence { region, rankings, drawing, .. } = answer.shown.as_ref()?;
    let state = |state: &crate::State| ClaimedState { place: state.place, bits: state.bits };
    let position = |(state, classes): &(u32, Box<[u8]>)| ClaimedPosition {
        state: *state,
        classes: classes.iter().map(|&class| class.into()).collect(),
    };
    Some(ClaimedAbstraction {
        atoms: atoms(&answer.views),
        states: region.states.iter().map(state).collect(),
        initial: (0..region.initial.len() as u32).collect(),
        arrows: region.arrows.iter().map(|own| own.iter().map(arrow).collect()).collect(),
        rankings: rankings.iter().map(|own| ranking(region, own)).collect(),
        positions: drawing.positions.iter().map(position).collect(),
    })
}

fn atoms(views: &Views) -> Vec<Vec<smt::Atom>> {
    (0..views.places()).map(|place| views.at(place).cloned().collect()).collect()
}

fn arrow(arrow: &crate::Arrow) -> ClaimedArrow {
    let must = |states: &Vec<u32>| Must { states: states.clone(), naming: Vec::new() };
    ClaimedArrow {
        step: arrow.step,
        targets: arrow.targets.clone(),
        musts: arrow.musts.iter().map(must).collect(),
    }
}

fn ranking(region: &Region, ranking: &crate::Ranking) -> ClaimedRanking {
    let mut classes = Vec::new();
    for (state, own) in (0..).zip(&region.arrows) {
        for (number, arrow) in (0..).zip(own) {
            let class = |&to: &u32| u32::from(ranking.class(state, number, to));
            classes.extend(arrow.targets.iter().map(class));
        }
    }
    let (measures, levels) = (ranking.measures.clone(), ranking.levels.clone());
    ClaimedRanking { var: ranking.var.0, measures, levels, classes }
}
