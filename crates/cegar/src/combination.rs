//! Predicates from combinations of known ones, for when weakest preconditions unroll a loop round by round.
//!
//! Where `x < n` and `x <= 100` matter, what comes of the loop that lies between depends on whether `n <= 100`: a
//! variable that two predicates have in common is left out. Where `x > 0` and `y = n` matter and the loop takes from x
//! what it gives to y, it depends on `x + y = n`: a sum that no cycle changes. Where `x > 0` matters and `x := x - y`
//! is on a cycle, it depends on whether `y > 0`: the sign of a change. Where `x = 0` matters and `x := x - 3` is on a
//! cycle, it depends on `x mod 3 = 0`.

use crate::precision::Precision;
use crate::ranking_template::{change, changed_by, sorted};
use crate::scc::{Edge, parts, potentials};
use rustc_hash::FxHashMap;
use smt::{LinearAtom, LinearFormula, Term};
use support::{Monitor, Stopped};
use transition::integers::IntegerStep;

/// The largest number of changes that are combined.
const MOST_SIGNS: usize = 4;
/// Longer strides make too many cases.
const STRIDES: std::ops::RangeInclusive<u64> = 2..=8;
/// No more than these are new at a location.
const MOST_NEW: usize = 12;

/// Adds combinations of the predicates at each location on a cycle; whether some are new.
pub(crate) fn add_combinations(
    precision: &mut Precision,
    steps: &[IntegerStep],
    locations: usize,
    monitor: &Monitor,
) -> Result<bool, Stopped> {
    let all: Vec<u32> = (0..locations as u32).collect();
    let edges = (0..).zip(steps).map(|(n, taken)| (taken.source, n, taken.target));
    let edges: Vec<Edge> = edges.collect();
    let mut is_new = false;
    for part in parts(locations, &edges) {
        let inside = sorted(part.iter().map(|edge| edge.0).collect());
        let signs = signs_of_changes(precision, &inside, &part, steps);
        let beyond = overshoots(precision, &inside, &part, steps);
        // What comes after a loop may ask whether strides meet it.
        let strides = strides(precision, &all, &part, steps);
        let mut kept = FxHashMap::default();
        for location in inside {
            monitor.check()?;
            for atom in strides.iter().chain(&beyond) {
                is_new |= !precision.add(location, atom).is_empty();
            }
            let mut is_kept = |sum: &Term| {
                *kept.entry(sum.clone()).or_insert_with(|| is_unchanged(sum, &part, steps))
            };
            let new = combinations(precision, location, &mut is_kept);
            // Both sides of what a sum may be equal to.
            for term in new.iter().chain(&signs).flat_map(|term| [term.clone(), term.negated()]) {
                is_new |= !precision.add(location, &LinearFormula::at_most(&term)).is_empty();
            }
        }
    }
    Ok(is_new)
}

/// Signs of the changes that the steps of a component make to the terms there, where a change is not constant.
fn signs_of_changes(
    precision: &Precision,
    inside: &[u32],
    part: &[Edge],
    steps: &[IntegerStep],
) -> Vec<Term> {
    let mut found = Vec::new();
    let atoms = inside.iter().flat_map(|&location| precision.at(location));
    for term in sorted(atoms.map(LinearAtom::term).collect()) {
        let changes = part.iter().filter_map(|edge| changed_by(term, &steps[edge.1 as usize]));
        for by in changes.filter(|by| by.as_constant().is_none()) {
            if !found.contains(&by) && !found.contains(&by.negated()) && found.len() < MOST_SIGNS {
                found.push(by);
            }
        }
    }
    found
}

/// Whether a term can come to 0 by strides of more than one.
fn strides(
    precision: &Precision,
    inside: &[u32],
    part: &[Edge],
    steps: &[IntegerStep],
) -> Vec<LinearFormula> {
    let mut found = Vec::new();
    let atoms = inside.iter().flat_map(|&location| precision.at(location));
    for term in sorted(atoms.map(LinearAtom::term).collect()) {
        let changes = part.iter().filter_map(|edge| change(term, &steps[edge.1 as usize]));
        for by in changes.map(i64::unsigned_abs).filter(|by| STRIDES.contains(by)) {
            let atom = LinearFormula::divides(by, term);
            if !found.contains(&atom) && found.len() < MOST_SIGNS {
                found.push(atom);
            }
        }
    }
    found
}

/// How far beyond 0 a term can come by strides.
fn overshoots(
    precision: &Precision,
    inside: &[u32],
    part: &[Edge],
    steps: &[IntegerStep],
) -> Vec<LinearFormula> {
    let mut found = Vec::new();
    let atoms = inside.iter().flat_map(|&location| precision.at(location));
    let terms = atoms.filter(|atom| matches!(atom, LinearAtom::AtMost(_))).map(LinearAtom::term);
    for term in sorted(terms.collect()) {
        let changes = part.iter().filter_map(|edge| change(term, &steps[edge.1 as usize]));
        let far = changes
            .filter(|&by| by != 0)
            .filter_map(|by| term.plus_constant(by.checked_neg()?).ok());
        for atom in far.map(|far| LinearFormula::at_most(&far)) {
            if !found.contains(&atom) && found.len() < MOST_SIGNS {
                found.push(atom);
            }
        }
    }
    found
}

/// Sums of terms at a location that leave out a variable, or that cycles leave as they are.
fn combinations(
    precision: &Precision,
    location: u32,
    is_kept: &mut dyn FnMut(&Term) -> bool,
) -> Vec<Term> {
    let terms: Vec<&Term> = precision
        .at(location)
        .filter(|atom| matches!(atom, LinearAtom::AtMost(_)))
        .map(LinearAtom::term)
        .collect();
    let mut found: Vec<Term> = Vec::new();
    for (n, a) in terms.iter().enumerate() {
        for b in &terms[..n] {
            let both = [a.plus(b), a.minus(b)].into_iter().flatten();
            let mut fits = |sum: &Term| {
                !sum.coefficients().is_empty() && (leaves_out(sum, a, b) || is_kept(sum))
            };
            for sum in both.filter(|sum| fits(sum)) {
                let is_known = |known: &Term| *known == sum || *known == sum.negated();
                if !found.iter().any(is_known) && found.len() < MOST_NEW {
                    found.push(sum);
                }
            }
        }
    }
    found
}

/// Whether a variable that two terms have in common is no longer there.
fn leaves_out(sum: &Term, a: &Term, b: &Term) -> bool {
    let is_gone = |variable| b.coefficient(variable) != 0 && sum.coefficient(variable) == 0;
    a.coefficients().iter().any(|&(variable, _)| is_gone(variable))
}

/// Whether every cycle of a part leaves a term as it is.
pub(crate) fn is_unchanged(term: &Term, part: &[Edge], steps: &[IntegerStep]) -> bool {
    let changes =
        part.iter().map(|&(from, n, to)| Some((from, to, change(term, &steps[n as usize])?)));
    let Some(changes) = changes.collect::<Option<Vec<_>>>() else {
        return false;
    };
    let opposite: Vec<_> = changes.iter().map(|&(from, to, by)| (from, to, -by)).collect();
    changes.iter().any(|change| change.2 != 0)
        && potentials(&changes).is_some()
        && potentials(&opposite).is_some()
}
