//! The search through cases: solve what is an equation or an inequality, look which of the rest the solution
//! does not satisfy, and split on that.
//!
//! A contradiction knows which splits it comes from. A case that fails without its own split makes all its
//! siblings fail (backjumping); otherwise its negation holds in the siblings, for the same reasons.

use super::node::{Claim, Node, Pending};
use super::omega::solve;
use super::origin::Origin;
use super::row::Row;
use super::stop::{Budget, Stop, fits};
use crate::LinearFormula;

/// Divisors up to here are split by remainder, greater ones get a column for it.
const SPLIT_BY_REMAINDER: u64 = 8;

/// A node where everything holds, with values for its columns.
pub(crate) type Found = (Node, Vec<i128>);

pub fn search(mut node: Node, depth: usize, budget: &mut Budget) -> Result<Found, Stop> {
    loop {
        budget.spend(1)?;
        node.settle(budget)?;
        let values = solve(node.system.clone(), budget)?;
        let Some(place) = most_urgent(&node, &values)? else { return Ok((node, values)) };
        match node.open.swap_remove(place) {
            Pending::Indivisible(divisor, row) if divisor > SPLIT_BY_REMAINDER => {
                node.assert_remainder(divisor, row);
            }
            open => return split(&node, open, depth, budget),
        }
    }
}

/// The open thing that does not hold here and makes the fewest cases.
fn most_urgent(node: &Node, values: &[i128]) -> Result<Option<usize>, Stop> {
    let mut best = None;
    for (place, open) in node.open.iter().enumerate() {
        if !holds(node, open, values)? {
            let cases = number_of_cases(open);
            if best.is_none_or(|(fewest, _)| cases < fewest) {
                best = Some((cases, place));
            }
        }
    }
    Ok(best.map(|(_, place)| place))
}

fn holds(node: &Node, open: &Pending, values: &[i128]) -> Result<bool, Stop> {
    Ok(match open {
        Pending::Distinct(row) => fits(row.value(values))? != 0,
        Pending::Indivisible(divisor, row) => fits(row.value(values))? % i128::from(*divisor) != 0,
        Pending::Choice(Claim { formula, is_so }, _) => {
            let value = formula.holds(&|variable| node.value(variable, values));
            fits(value)? == *is_so
        }
    })
}

fn number_of_cases(open: &Pending) -> usize {
    match open {
        Pending::Distinct(_) => 2,
        Pending::Indivisible(divisor, _) if *divisor > SPLIT_BY_REMAINDER => 1,
        Pending::Indivisible(divisor, _) => *divisor as usize - 1,
        Pending::Choice(claim, _) => parts(&claim.formula).len(),
    }
}

fn parts(formula: &LinearFormula) -> &[LinearFormula] {
    match formula {
        LinearFormula::And(parts) | LinearFormula::Or(parts) => parts,
        _ => &[],
    }
}

/// One of the cases of a split.
enum Case {
    AtMost(Row),
    Divides(u64, Row),
    Claim(Claim),
}

fn split(node: &Node, open: Pending, depth: usize, budget: &mut Budget) -> Result<Found, Stop> {
    let (cases, mut origin) = cases_of(open)?;
    // What has failed, and why: in the cases to come its negation holds.
    let mut failed: Vec<(Claim, Origin)> = Vec::new();
    let mut unknown = None;
    for case in cases {
        match attempt(node, &case, &failed, depth, budget) {
            Err(Stop::Conflict(found)) if !found.meets(Origin::split(depth)) => {
                return Err(Stop::Conflict(found));
            }
            Err(Stop::Conflict(found)) => {
                let found = found.without_split(depth);
                origin = origin | found;
                if let Case::Claim(claim) = case {
                    failed.push((claim, found));
                }
            }
            Err(stop) => unknown = Some(stop),
            Ok(found) => return Ok(found),
        }
    }
    Err(unknown.unwrap_or(Stop::Conflict(origin)))
}

fn attempt(
    node: &Node,
    case: &Case,
    failed: &[(Claim, Origin)],
    depth: usize,
    budget: &mut Budget,
) -> Result<Found, Stop> {
    let mut node = node.clone();
    let tag = Origin::split(depth);
    for (claim, origin) in failed {
        if is_literal(&claim.formula) {
            node.assert(&claim.formula, !claim.is_so, *origin)?;
        }
    }
    match case {
        Case::AtMost(row) => node.system.add_at_most(Row { origin: tag, ..row.clone() }),
        Case::Divides(divisor, row) => {
            node.assert_divisible(*divisor, Row { origin: tag, ..row.clone() });
        }
        Case::Claim(claim) => node.assert(&claim.formula, claim.is_so, tag)?,
    }
    search(node, depth + 1, budget)
}

/// The cases, and where it comes from that one of them holds.
fn cases_of(open: Pending) -> Result<(Vec<Case>, Origin), Stop> {
    Ok(match open {
        Pending::Distinct(row) => {
            let below = fits(row.clone().plus(1))?;
            let origin = row.origin;
            (vec![Case::AtMost(below), Case::AtMost(fits(row.above())?)], origin)
        }
        Pending::Indivisible(divisor, row) => {
            let leaves = |remainder: u64| {
                let row = fits(row.clone().plus(-i128::from(remainder)))?;
                Ok(Case::Divides(divisor, row))
            };
            ((1..divisor).map(leaves).collect::<Result<_, Stop>>()?, row.origin)
        }
        Pending::Choice(Claim { formula, is_so }, origin) => {
            let mut claims: Vec<Claim> =
                parts(&formula).iter().map(|part| Claim { formula: part.clone(), is_so }).collect();
            claims.sort_by_key(|claim| weakness(&claim.formula, claim.is_so));
            (claims.into_iter().map(Case::Claim).collect(), origin)
        }
    })
}

fn is_literal(formula: &LinearFormula) -> bool {
    match formula {
        LinearFormula::Atom(_) => true,
        LinearFormula::Not(inner) => is_literal(inner),
        _ => false,
    }
}

/// Claims whose negations say the most come first: once they have failed, the others have more to go on.
fn weakness(formula: &LinearFormula, is_so: bool) -> u8 {
    match formula {
        LinearFormula::Not(inner) => weakness(inner, !is_so),
        LinearFormula::Atom(atom) => match (&**atom, is_so) {
            (crate::LinearAtom::AtMost(_), _) => 1,
            (_, false) => 0,
            (_, true) => 2,
        },
        _ => 3,
    }
}
