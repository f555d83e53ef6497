//! What to look at next: the place where knowledge is missing, and what would tell it there.

use crate::drawing::Drawing;
use crate::region::{Arrow, Meaning, Region, Subject};
use crate::views::Views;
use arithmetic::{Atom, Formula};
use check::{Cause, Doubt};
use predicates::lower::Move;

/// A place, and formulas whose atoms it is worth knowing there.
pub(crate) struct Wanted {
    pub place: u32,
    pub formulas: Vec<Formula>,
    /// The step whose end is not certain, if it is one.
    pub step: Option<u32>,
}

/// Follows a doubt to the step or the label that it comes from.
pub(crate) fn wanted(
    subject: &Subject,
    views: &Views,
    region: &Region,
    drawing: &Drawing,
    doubt: &Doubt,
) -> Option<Wanted> {
    match &doubt.cause {
        Cause::Label { prop, .. } => {
            let state = drawing.state(&doubt.state)?;
            let named = subject.propositions.iter().find(|(name, _)| name == prop)?;
            let Meaning::Holds(formula) = &named.1 else { return None };
            let place = region.states[state as usize].place;
            Some(Wanted { place, formulas: vec![formula.clone()], step: None })
        }
        Cause::Transition { steps, .. } => {
            let step = steps.first()?;
            let [from, to] = [drawing.state(&step.from)?, drawing.state(&step.to)?];
            let own = &region.arrows[from as usize];
            let arrows = own.iter().filter(|arrow| arrow.targets.contains(&to));
            let arrows: Vec<&Arrow> = arrows.collect();
            let differ = |arrow: &&Arrow| differences(subject, views, region, arrow, to);
            Some(Wanted {
                place: region.states[from as usize].place,
                formulas: arrows.iter().flat_map(differ).collect(),
                step: arrows.first().map(|arrow| arrow.step),
            })
        }
    }
}

/// What would tell, before a step, whether it leads to this target or to another one: its guard, and the weakest
/// preconditions of the atoms in which the targets differ.
fn differences(
    subject: &Subject,
    views: &Views,
    region: &Region,
    arrow: &Arrow,
    target: u32,
) -> Vec<Formula> {
    let taken: &Move = &subject.moves[arrow.step as usize];
    let bits = |state: u32| region.states[state as usize].bits;
    let others = arrow.targets.iter().map(|&other| bits(other) ^ bits(target));
    let differ = others.fold(0, |differ, other| differ | other);
    let telling = views.at(taken.target).enumerate().filter(|(index, _)| differ >> index & 1 == 1);
    let before = telling.filter_map(|(_, atom): (_, &Atom)| taken.after(atom).ok());
    std::iter::once(taken.guard.clone()).chain(before).collect()
}
