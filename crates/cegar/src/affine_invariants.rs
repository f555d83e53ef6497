//! Linear equations that hold at the locations of a program on all paths that lead there (Karr 1976), computed without
//! a solver: conditions count if they are equations, and values if they are linear.

use smt::{Affine, LinearAtom, LinearFormula, Term, Variable};
use support::{Monitor, Stopped};
use transition::integers::IntegerStep;

/// Terms that are 0 at each location.
pub(crate) fn affine_invariants(
    steps: &[IntegerStep],
    locations: usize,
    (first, begins): (u32, &LinearFormula),
    variables: usize,
    monitor: &Monitor,
) -> Result<Vec<Vec<Term>>, Stopped> {
    let mut known: Vec<Option<Affine>> = vec![None; locations];
    known[first as usize] = Some(intersection(Affine::everything(variables), begins));
    // Each time round a set gets larger somewhere, and one over n variables does so n times at most.
    let mut is_done = false;
    while !is_done {
        is_done = true;
        for taken in steps {
            monitor.check()?;
            let Some(before) = &known[taken.source as usize] else {
                continue;
            };
            let after = step(before, taken).unwrap_or_else(|| Affine::everything(variables));
            let target = &mut known[taken.target as usize];
            let joined = match &*target {
                Some(known) => known.join(&after).unwrap_or_else(|| Affine::everything(variables)),
                None => after,
            };
            if target.as_ref() != Some(&joined) {
                *target = Some(joined);
                is_done = false;
            }
        }
    }
    let equations = |set: Option<Affine>| set.map(|set| set.equations()).unwrap_or_default();
    Ok(known.into_iter().map(equations).collect())
}

fn step(before: &Affine, taken: &IntegerStep) -> Option<Affine> {
    let before = intersection(before.clone(), &taken.guard);
    let is_chosen = |&(variable, _): &(Variable, i64)| taken.free.contains(&variable);
    let value = |variable| {
        let value = taken.value(&Term::variable(variable)).ok()?;
        let term = value.as_term()?;
        (!term.coefficients().iter().any(is_chosen)).then(|| term.clone())
    };
    let changes = taken.changed().map(|variable| (variable, value(variable)));
    before.after(&changes.collect::<Vec<_>>())
}

/// The points that satisfy the equations among the conjuncts of a formula.
fn intersection(set: Affine, formula: &LinearFormula) -> Affine {
    match formula {
        LinearFormula::And(parts) => parts.iter().fold(set, intersection),
        LinearFormula::Atom(atom) => match &**atom {
            LinearAtom::Zero(term) => set.with_zero(term),
            _ => set,
        },
        _ => set,
    }
}
