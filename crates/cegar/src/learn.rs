//! What to look at next: the place where knowledge is missing, and what would tell it there.

use crate::doubts::Cause;
use crate::region::{Arrow, Meaning, Region, Subject};
use crate::views::Views;
use smt::{Atom, Formula, literal};
use transition::integers::IntegerStep;

/// A place, and formulas whose atoms it is worth knowing there.
pub(crate) struct Wanted {
    pub place: u32,
    pub formulas: Vec<Formula>,
    pub why: PredicateOrigin,
}

/// PredicateOrigin atoms are worth knowing at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PredicateOrigin {
    /// It is not certain where a step leads: what may and may not hold after it.
    Step { step: u32, after: Vec<Atom> },
    /// The question speaks of them.
    Question,
    /// They say that something is not negative that gets smaller on circles.
    Measure,
    /// They combine what was known before.
    Combination,
    /// A way that leads here is none of the program, because of these steps; it goes on by the next.
    NoWay { steps: Vec<u32>, next: Option<u32> },
}

/// What would tell what is missing.
pub(crate) fn wanted(
    subject: &Subject,
    views: &Views,
    region: &Region,
    cause: Cause,
) -> Option<Wanted> {
    match cause {
        Cause::Label { state, prop } => {
            let (_, meaning) = subject.propositions.get(prop.0 as usize)?;
            let Meaning::Holds(formula) = meaning else { return None };
            let place = region.states[state as usize].place;
            Some(Wanted { place, formulas: vec![formula.clone()], why: PredicateOrigin::Question })
        }
        Cause::Step { from, to } => {
            let own = &region.arrows[from as usize];
            let arrows = own.iter().filter(|arrow| arrow.targets.contains(&to));
            let arrows: Vec<&Arrow> = arrows.collect();
            let differ = |arrow: &&Arrow| differences(subject, views, region, arrow, to);
            let why = |arrow: &&Arrow| PredicateOrigin::Step {
                step: arrow.step,
                after: in_doubt_after(subject, views, region, arrow, to).cloned().collect(),
            };
            Some(Wanted {
                place: region.states[from as usize].place,
                why: arrows.first().map(why)?,
                formulas: arrows.iter().flat_map(differ).collect(),
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
    let taken: &IntegerStep = &subject.moves[arrow.step as usize];
    let mut before = vec![taken.guard.clone()];
    if taken.free.is_empty() {
        let telling = in_doubt_after(subject, views, region, arrow, target);
        before.extend(telling.filter_map(|atom| taken.after(atom).ok()));
    } else {
        before.extend(can_be_chosen(views, taken, region.states[target as usize].bits));
    }
    before
}

/// The atoms after a step in which this target differs from another one.
fn in_doubt_after<'v>(
    subject: &Subject,
    views: &'v Views,
    region: &Region,
    arrow: &Arrow,
    target: u32,
) -> impl Iterator<Item = &'v Atom> + use<'v> {
    let bits = |state: u32| region.states[state as usize].bits;
    let others = arrow.targets.iter().map(|&other| bits(other) ^ bits(target));
    let differ = others.fold(0, |differ, other| differ | other);
    let after = views.at(subject.moves[arrow.step as usize].target).enumerate();
    after.filter(move |(index, _)| differ >> index & 1 == 1).map(|(_, atom)| atom)
}

/// Where a step that chooses can lead to a target.
fn can_be_chosen(views: &Views, taken: &IntegerStep, target: u64) -> Option<Formula> {
    let mut all = Vec::new();
    for (index, atom) in views.at(taken.target).enumerate() {
        let after = taken.after(atom).ok()?;
        all.push(literal(&after, target >> index & 1 == 1));
    }
    let some = |wanted: Formula, &free| wanted.exists(free).ok();
    taken.free.iter().try_fold(Formula::and(all), some)
}

/// All that would tell where steps lead from states in doubt, in the order of the states: for when following one doubt tells
/// nothing new.
pub(crate) fn everything_open<'r>(
    subject: &'r Subject,
    views: &'r Views,
    region: &'r Region,
) -> impl Iterator<Item = Wanted> + 'r {
    let arrows = region.arrows.iter().enumerate();
    let arrows = arrows.flat_map(|(from, own)| own.iter().map(move |arrow| (from, arrow)));
    let is_open = |(_, arrow): &(usize, &Arrow)| {
        !arrow.targets.iter().all(|&target| arrow.musts.contains(&vec![target]))
    };
    arrows.filter(is_open).flat_map(move |(from, arrow)| {
        arrow.targets.iter().map(move |&target| Wanted {
            place: region.states[from].place,
            formulas: differences(subject, views, region, arrow, target),
            why: PredicateOrigin::Step {
                step: arrow.step,
                after: in_doubt_after(subject, views, region, arrow, target).cloned().collect(),
            },
        })
    })
}
