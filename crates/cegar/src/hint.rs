//! Which predicates a user could try where none was found that decides.
//!
//! First linear equations that hold at a place: they say what loops do together. Then what would measure circles if it were known
//! not to be negative, and what was wanted and not taken; the combinations that the search itself would have come to; and sums of
//! variables that no circle changes. Variables that an invariant
//! bounds are left out: in the text they may be truth values or names.

use crate::equations::equations;
use crate::parts::{Edge, parts};
use crate::region::Subject;
use crate::views::{Views, atoms_to_know};
use crate::widen::{is_unchanged, widen};
use smt::{Atom, Formula, Term, Variable};
use support::{Monitor, Stopped};
use transition::integers::IntegerStep;

/// No more are told.
const MOST_HINTS: usize = 3;
/// Sums of more variables than these are not tried.
const MOST_VARIABLES: u32 = 12;

/// Predicates that are not known anywhere, the most promising first.
pub(crate) fn hints(
    untried: &[Formula],
    views: &Views,
    subject: &Subject,
    invariant: &Formula,
    monitor: &Monitor,
) -> Vec<Formula> {
    let known: Vec<&Atom> = views.by_atom().map(|(atom, _)| atom).collect();
    let mut found: Vec<Formula> = Vec::new();
    let few = invariant.variables();
    // Who was stopped has no time for more than what is there.
    let all = more(untried, views, subject, monitor).unwrap_or_else(|_| untried.to_vec());
    for formula in all {
        let is_writable = !formula.variables().iter().any(|variable| few.contains(variable));
        let is_fit = is_writable && is_short(&formula) && is_new(&formula, &known);
        if found.len() < MOST_HINTS && is_fit && !found.contains(&formula) {
            found.push(formula);
        }
    }
    found
}

/// All that could be tried, the most promising first.
fn more(
    untried: &[Formula],
    views: &Views,
    subject: &Subject,
    monitor: &Monitor,
) -> Result<Vec<Formula>, Stopped> {
    let (moves, places) = (subject.moves, views.places() as usize);
    let (first, begins) = &subject.start;
    let start = (*first, begins);
    let equal = equations(moves, places, start, views.variables() as usize, monitor)?;
    let equal = equal.iter().flatten().filter(|term| term.coefficients().len() > 1);
    let mut wider = views.clone();
    widen(&mut wider, moves, places, monitor)?;
    let combined = wider.by_atom().map(|(atom, _)| Formula::atom(atom.clone()));
    let sums = unchanged(moves, places, views.variables(), monitor)?;
    let promising = equal.map(Formula::zero).chain(untried.iter().cloned());
    Ok(promising.chain(combined).chain(sums).collect())
}

/// Whether a reader can make sense of it.
fn is_short(formula: &Formula) -> bool {
    let mut is_short = true;
    formula.for_each_atom(&mut |atom| {
        let all = atom.term().coefficients();
        is_short &= all.len() <= 3 && all.iter().all(|(_, factor)| factor.abs() <= 3);
    });
    is_short
}

fn is_new(formula: &Formula, known: &[&Atom]) -> bool {
    atoms_to_know(formula).iter().any(|atom| !known.contains(&atom))
}

/// That sums of three variables, or of two, are 0: of those that a circle changes, and restores.
fn unchanged(
    moves: &[IntegerStep],
    places: usize,
    variables: u32,
    monitor: &Monitor,
) -> Result<Vec<Formula>, Stopped> {
    let edges = (0..).zip(moves).map(|(n, taken)| (taken.source, n, taken.target));
    let parts = parts(places, &edges.collect::<Vec<Edge>>());
    let count = variables.min(MOST_VARIABLES);
    let own = |v: u32| Term::variable(Variable(v));
    let mut sums = Vec::new();
    for (a, b) in (0..count).flat_map(|b| (0..b).map(move |a| (a, b))) {
        sums.extend([own(a).plus(&own(b)), own(a).minus(&own(b))].into_iter().flatten());
    }
    let triples = sums.iter().flat_map(|pair| {
        let last = pair.coefficients().last().map_or(0, |(variable, _)| variable.0 + 1);
        (last..count).flat_map(|c| [pair.minus(&own(c)), pair.plus(&own(c))]).flatten()
    });
    let triples: Vec<Term> = triples.collect();
    let mut kept = Vec::new();
    for sum in triples.iter().chain(&sums) {
        monitor.check()?;
        if parts.iter().any(|part| is_unchanged(sum, part, moves)) {
            kept.push(Formula::zero(sum));
        }
    }
    Ok(kept)
}
