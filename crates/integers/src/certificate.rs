//! What shows a verdict, written down. [`audit`] owns the form and re-checks it.

use crate::refine::{Answer, Question, Shown};
use crate::region::Region;
use crate::views::Views;
use audit::integers::{Abstraction, Arrow, Must, Ranking, State, Target, Writer};
use audit::{Claim, Deadlock};
use check::certificate::Evidence;
use logic::Truth;

/// Adds a claim about a property, which was asked like this, to a certificate about its program. False if
/// there is nothing that shows the answer.
pub fn write(writer: &mut Writer, property: &str, question: &Question, answer: &Answer) -> bool {
    let Some(Shown { formula, evidence: Evidence::Direct(steps), .. }) = &answer.shown else {
        return false;
    };
    let Some(abstraction) = abstraction(answer) else { return false };
    let claim = Claim::new(property, formula, Deadlock::Ends, answer.verdict == Truth::True);
    let names: Vec<&str> = question.propositions.iter().map(|(name, _)| &**name).collect();
    writer.claim(&claim, &names, &abstraction, steps.bytes());
    true
}

/// The abstraction that an answer was found in, if it is shown.
pub fn abstraction(answer: &Answer) -> Option<Abstraction> {
    let Shown { region, ranking, drawing, ranked, .. } = answer.shown.as_ref()?;
    let state = |state: &crate::State| State { place: state.place, bits: state.bits };
    let positions = drawing.positions.iter().map(|&(state, class)| (state, class.into()));
    Some(Abstraction {
        atoms: atoms(&answer.views),
        states: region.states.iter().map(state).collect(),
        initial: (0..region.initial).collect(),
        arrows: arrows(region, ranking),
        ranking: Ranking {
            kind: *ranked,
            measures: ranking.measures.clone(),
            levels: ranking.levels.clone(),
        },
        positions: positions.collect(),
    })
}

fn atoms(views: &Views) -> Vec<Vec<arithmetic::Atom>> {
    (0..views.places()).map(|place| views.at(place).cloned().collect()).collect()
}

fn arrows(region: &Region, ranking: &crate::Ranking) -> Vec<Vec<Arrow>> {
    let arrow = |state: u32, number: u32, arrow: &crate::Arrow| {
        let target = |&to: &u32| {
            // Odd classes are those of the levels.
            let class = u32::from(ranking.class(state, number, to));
            Target { state: to, level: (class % 2 == 1).then_some(class / 2) }
        };
        let must = |states: &Vec<u32>| Must { states: states.clone(), naming: Vec::new() };
        Arrow {
            step: arrow.step,
            targets: arrow.targets.iter().map(target).collect(),
            musts: arrow.musts.iter().map(must).collect(),
        }
    };
    let own = |(state, own): (u32, &Vec<crate::Arrow>)| {
        (0..).zip(own).map(|(number, taken)| arrow(state, number, taken)).collect()
    };
    (0..).zip(&region.arrows).map(own).collect()
}
