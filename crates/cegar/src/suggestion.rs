//! Predicates that a user could try where the refinement has found none that decides.
//!
//! First linear equations that hold at a location, which relate the effects of loops. Then bounds without which a term
//! is no ranking function, and candidates of the last round that were not added; the combinations that the refinement
//! would have tried next; and sums of variables that no cycle changes. Variables that an invariant bounds are left out:
//! in the text they may be truth values or names.

use crate::affine_invariants::affine_invariants;
use crate::combination::{add_combinations, is_unchanged};
use crate::precision::{Precision, predicates_of};
use crate::reachability::CheckedProgram;
use crate::scc::{Edge, parts};
use smt::{LinearAtom, LinearFormula, Term, Variable};
use support::{Monitor, Stopped};
use transition::integers::IntegerStep;

/// The most suggestions.
const MOST_HINTS: usize = 3;
/// Sums of more variables than these are not tried.
const MOST_VARIABLES: u32 = 12;

/// Predicates that are not known anywhere, the most promising first.
pub(crate) fn suggestions(
    untried: &[LinearFormula],
    precision: &Precision,
    program: &CheckedProgram,
    invariant: &LinearFormula,
    monitor: &Monitor,
) -> Vec<LinearFormula> {
    let known: Vec<&LinearAtom> = precision.by_predicate().map(|(atom, _)| atom).collect();
    let mut found: Vec<LinearFormula> = Vec::new();
    let few = invariant.variables();
    // After a limit only the candidates at hand are suggested.
    let all = more(untried, precision, program, monitor).unwrap_or_else(|_| untried.to_vec());
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
    untried: &[LinearFormula],
    precision: &Precision,
    program: &CheckedProgram,
    monitor: &Monitor,
) -> Result<Vec<LinearFormula>, Stopped> {
    let (steps, locations) = (program.steps, precision.locations() as usize);
    let (first, begins) = &program.start;
    let start = (*first, begins);
    let equal =
        affine_invariants(steps, locations, start, precision.variables() as usize, monitor)?;
    let equal = equal.iter().flatten().filter(|term| term.coefficients().len() > 1);
    let mut wider = precision.clone();
    add_combinations(&mut wider, steps, locations, monitor)?;
    let combined = wider.by_predicate().map(|(atom, _)| LinearFormula::atom(atom.clone()));
    let sums = unchanged(steps, locations, precision.variables(), monitor)?;
    let promising = equal.map(LinearFormula::zero).chain(untried.iter().cloned());
    Ok(promising.chain(combined).chain(sums).collect())
}

/// Whether it is short enough to be read.
fn is_short(formula: &LinearFormula) -> bool {
    let mut is_short = true;
    formula.for_each_atom(&mut |atom| {
        let all = atom.term().coefficients();
        is_short &= all.len() <= 3 && all.iter().all(|(_, factor)| factor.abs() <= 3);
    });
    is_short
}

fn is_new(formula: &LinearFormula, known: &[&LinearAtom]) -> bool {
    predicates_of(formula).iter().any(|atom| !known.contains(&atom))
}

/// That sums of three variables, or of two, are 0: of those that a cycle changes, and restores.
fn unchanged(
    steps: &[IntegerStep],
    locations: usize,
    variables: u32,
    monitor: &Monitor,
) -> Result<Vec<LinearFormula>, Stopped> {
    let edges = (0..).zip(steps).map(|(n, taken)| (taken.source, n, taken.target));
    let parts = parts(locations, &edges.collect::<Vec<Edge>>());
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
        if parts.iter().any(|part| is_unchanged(sum, part, steps)) {
            kept.push(LinearFormula::zero(sum));
        }
    }
    Ok(kept)
}
