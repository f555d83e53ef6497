//! Interpolants of a sequence of formulas that contradict each other.
//!
//! A refutation is looked for in cases. Where rows cannot hold for fractions, the sum of those of the first parts, each
//! times its share in the contradiction, is what these parts say of it ([`crate::simplex`]). Where equations cannot
//! hold for whole numbers, it is what their sum leaves over ([`remainders`]). A disjunction of a part is refuted case
//! by case: what is known after that part is one of what is known in the cases, before it all of them (McMillan 2003).
//! That a variable is at most a number or above it is a disjunction too, of any part that speaks of it, and lets
//! fractions be excluded.
//!
//! Numbers that are new stand for quotients in one part. They cancel out in the sum that the part contributes, so
//! they do not occur in other parts.

mod remainders;

use super::stop::Budget;
use crate::atom::beyond;
use crate::ratio::{Ratio, common_denominator};
use crate::simplex::{self, Rational};
use crate::term::kept;
use crate::{LinearAtom, LinearFormula, Term, Variable};
use std::collections::BTreeMap;

/// Deeper splits are not tried.
const DEPTH: u32 = 40;

/// A term that is at most 0, or is 0, because of a part of the question and of some splits.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub part: usize,
    pub term: Term,
    pub is_equation: bool,
    splits: u64,
}

/// One of some formulas holds because of a part.
#[derive(Clone, Debug)]
struct Choice {
    part: usize,
    cases: Vec<LinearFormula>,
    splits: u64,
}

#[derive(Clone, Debug)]
struct Node {
    rows: Vec<Row>,
    choices: Vec<Choice>,
    /// The next fresh variable.
    next: u32,
}

/// The interpolants, and the splits without which they are none.
struct Refuted {
    between: Vec<LinearFormula>,
    splits: u64,
}

/// Interpolants between the parts of a sequence, one less than there are parts; nothing if the parts can hold together
/// or no refutation is found.
pub fn interpolate(sequence: &[LinearFormula], budget: &mut Budget) -> Option<Vec<LinearFormula>> {
    let variables = sequence.iter().flat_map(LinearFormula::variables);
    let next = variables.map(|variable| variable.0).max().map_or(0, |last| last.saturating_add(1));
    let mut node = Node { rows: Vec::new(), choices: Vec::new(), next };
    for (part, formula) in sequence.iter().enumerate() {
        node.assert(&formula.normal(), true, (part, 0))?;
    }
    Some(refute(&node, sequence.len(), 0, budget)?.between)
}

fn refute(node: &Node, parts: usize, depth: u32, budget: &mut Budget) -> Option<Refuted> {
    let values = match simplex::solve(&node.plain_rows(), budget)? {
        Rational::Contradiction(shares) => return sums(&node.rows, &shares, parts),
        Rational::Values(values) => values,
    };
    if let Some(shares) = remainders::contradiction(&node.rows, budget) {
        return left_over(&node.rows, &shares, parts);
    }
    if depth >= DEPTH {
        return None;
    }
    if let Some(place) = node.unsettled(&values)? {
        let mut node = node.clone();
        let choice = node.choices.swap_remove(place);
        return split(&node, &choice, (parts, depth), budget);
    }
    let (variable, value) = values.iter().find(|(_, value)| !value.is_integer())?;
    let speaks = |row: &&Row| row.term.coefficient(*variable) != 0;
    let part = node.rows.iter().find(speaks)?.part;
    let bound =
        Term::variable(*variable).plus_constant(kept(value.floor().checked_neg()?).ok()?).ok()?;
    let below = LinearFormula::atom(LinearAtom::AtMost(bound));
    let choice = Choice { part, cases: vec![below.clone(), below.negated()], splits: 0 };
    split(node, &choice, (parts, depth), budget)
}

/// Refutes all cases of a choice, or one that is refuted without being supposed.
fn split(
    node: &Node,
    choice: &Choice,
    (parts, depth): (usize, u32),
    budget: &mut Budget,
) -> Option<Refuted> {
    let own = 1 << depth;
    let mut all = Refuted { between: Vec::new(), splits: choice.splits };
    for case in &choice.cases {
        let mut node = node.clone();
        node.assert(&case.normal(), true, (choice.part, own))?;
        let refuted = refute(&node, parts, depth + 1, budget)?;
        if refuted.splits & own == 0 {
            return Some(refuted);
        }
        all.splits |= refuted.splits & !own;
        let known = std::mem::take(&mut all.between);
        all.between = match known.is_empty() {
            true => refuted.between,
            false => known.into_iter().zip(refuted.between).zip(1..).map(joined(choice)).collect(),
        };
    }
    Some(all)
}

/// Joins the interpolants of two cases, in front of a part.
fn joined(choice: &Choice) -> impl Fn(((LinearFormula, LinearFormula), usize)) -> LinearFormula {
    |((a, b), part)| match choice.part < part {
        true => LinearFormula::or([a, b]),
        false => LinearFormula::and([a, b]),
    }
}

impl Node {
    /// Supposes that a formula is true, or that it is false; nothing if a number does not fit.
    fn assert(
        &mut self,
        formula: &LinearFormula,
        is_so: bool,
        because: (usize, u64),
    ) -> Option<()> {
        match formula {
            LinearFormula::Constant(value) => match *value == is_so {
                true => Some(()),
                false => self.add(Term::constant(1).ok()?, false, because),
            },
            LinearFormula::Not(inner) => self.assert(inner, !is_so, because),
            LinearFormula::Atom(atom) => self.assert_atom(atom, is_so, because),
            LinearFormula::And(parts) | LinearFormula::Or(parts) => {
                match matches!(formula, LinearFormula::And(_)) == is_so {
                    true => parts.iter().try_for_each(|part| self.assert(part, is_so, because)),
                    false => {
                        let case = |part: &LinearFormula| crate::literal(part, is_so);
                        self.choose(parts.iter().map(case).collect(), because);
                        Some(())
                    }
                }
            }
        }
    }

    fn assert_atom(&mut self, atom: &LinearAtom, is_so: bool, because: (usize, u64)) -> Option<()> {
        let term = atom.term();
        match (atom, is_so) {
            (LinearAtom::AtMost(_), true) => self.add(term.clone(), false, because),
            (LinearAtom::AtMost(_), false) => self.add(beyond(term)?, false, because),
            (LinearAtom::Zero(_) | LinearAtom::Divides(0, _), true) => {
                self.add(term.clone(), true, because)
            }
            (LinearAtom::Zero(_) | LinearAtom::Divides(0, _), false) => {
                let sides = [beyond(term)?, beyond(&term.negated())?];
                self.choose(
                    sides.map(|side| LinearFormula::atom(LinearAtom::AtMost(side))).into(),
                    because,
                );
                Some(())
            }
            (LinearAtom::Divides(divisor, _), _) => {
                let divisor = i64::try_from(*divisor).ok()?;
                let mut multiple = term.plus_times(-divisor, &self.unknown()?).ok()?;
                if !is_so {
                    let rest = self.unknown()?;
                    self.add(beyond(&rest)?, false, because)?;
                    self.add(rest.plus_constant(1 - divisor).ok()?, false, because)?;
                    multiple = multiple.minus(&rest).ok()?;
                }
                self.add(multiple, true, because)
            }
        }
    }

    fn plain_rows(&self) -> Vec<simplex::Row<'_>> {
        let rows = self.rows.iter();
        rows.map(|Row { term, is_equation, .. }| simplex::Row { term, is_equation: *is_equation })
            .collect()
    }

    fn add(&mut self, term: Term, is_equation: bool, (part, splits): (usize, u64)) -> Option<()> {
        self.rows.push(Row { part, term, is_equation, splits });
        Some(())
    }

    fn choose(&mut self, cases: Vec<LinearFormula>, (part, splits): (usize, u64)) {
        self.choices.push(Choice { part, cases, splits });
    }

    /// A variable of its own.
    fn unknown(&mut self) -> Option<Term> {
        let variable = Variable(self.next);
        self.next = self.next.checked_add(1)?;
        Some(Term::variable(variable))
    }

    /// A choice that is not made yet where the variables have these values, the one with the fewest cases.
    fn unsettled(&self, values: &BTreeMap<Variable, Ratio>) -> Option<Option<usize>> {
        let mut open: Option<(usize, usize)> = None;
        for (place, choice) in self.choices.iter().enumerate() {
            let mut is_settled = false;
            for case in &choice.cases {
                is_settled |= holds(case, values)?;
            }
            if !is_settled && open.is_none_or(|(fewest, _)| choice.cases.len() < fewest) {
                open = Some((choice.cases.len(), place));
            }
        }
        Some(open.map(|(_, place)| place))
    }
}

/// Whether a formula is true where variables have these values; nothing if a number does not fit.
fn holds(formula: &LinearFormula, values: &BTreeMap<Variable, Ratio>) -> Option<bool> {
    Some(match formula {
        LinearFormula::Constant(value) => *value,
        LinearFormula::Not(inner) => !holds(inner, values)?,
        LinearFormula::And(parts) => {
            parts.iter().try_fold(true, |all, part| Some(holds(part, values)? && all))?
        }
        LinearFormula::Or(parts) => {
            parts.iter().try_fold(false, |any, part| Some(holds(part, values)? || any))?
        }
        LinearFormula::Atom(atom) => {
            let value = value(atom.term(), values)?;
            match &**atom {
                LinearAtom::AtMost(_) => value.signum() <= 0,
                LinearAtom::Zero(_) | LinearAtom::Divides(0, _) => value.is_zero(),
                LinearAtom::Divides(divisor, _) => {
                    value.over(Ratio::integer((*divisor).into()))?.is_integer()
                }
            }
        }
    })
}

fn value(term: &Term, values: &BTreeMap<Variable, Ratio>) -> Option<Ratio> {
    let offset = Ratio::integer(term.offset().into());
    term.coefficients().iter().try_fold(offset, |sum, &(variable, factor)| {
        let value = values.get(&variable).copied().unwrap_or(Ratio::ZERO);
        sum.plus(value.times(Ratio::integer(factor.into()))?)
    })
}

/// The splits that rows come from.
fn splits(rows: &[Row], shares: &[(usize, Ratio)]) -> u64 {
    let used = shares.iter().filter(|(_, share)| !share.is_zero());
    used.fold(0, |splits, &(row, _)| splits | rows[row].splits)
}

/// Interpolants from rows that add up to a positive number: the sum of the rows of the first parts is at most 0, or 0
/// for equations.
fn sums(rows: &[Row], shares: &[(usize, Ratio)], parts: usize) -> Option<Refuted> {
    let common = common_denominator(shares.iter().map(|&(_, share)| share))?;
    let mut between = Vec::new();
    for part in 1..parts {
        let (mut sum, mut is_equation) = (Term::default(), true);
        for &(row, share) in shares.iter().filter(|&&(row, _)| rows[row].part < part) {
            sum = sum.plus_times(kept(share.scaled(common)?).ok()?, &rows[row].term).ok()?;
            is_equation &= rows[row].is_equation;
        }
        between.push(if is_equation {
            LinearFormula::zero(&sum)
        } else {
            LinearFormula::at_most(&sum)
        });
    }
    Some(Refuted { between, splits: splits(rows, shares) })
}

/// Interpolants from equations that add up to whole multiples of variables and a constant that is not whole: the sum of
/// those of the first parts is a whole number. Variables of the first parts alone have whole factors in it, so they do
/// not count.
fn left_over(rows: &[Row], shares: &[(usize, Ratio)], parts: usize) -> Option<Refuted> {
    let mut between = Vec::new();
    for part in 1..parts {
        let (mut sum, mut constant) = (BTreeMap::new(), Ratio::ZERO);
        for &(row, share) in shares.iter().filter(|&&(row, _)| rows[row].part < part) {
            let term = &rows[row].term;
            constant = constant.plus(share.times(Ratio::integer(term.offset().into()))?)?;
            for &(variable, factor) in term.coefficients() {
                let known = sum.get(&variable).copied().unwrap_or(Ratio::ZERO);
                sum.insert(variable, known.plus(share.times(Ratio::integer(factor.into()))?)?);
            }
        }
        between.push(is_integer(&sum, constant)?);
    }
    Some(Refuted { between, splits: splits(rows, shares) })
}

/// That a sum is a whole number.
fn is_integer(sum: &BTreeMap<Variable, Ratio>, constant: Ratio) -> Option<LinearFormula> {
    let broken = || sum.iter().filter(|(_, share)| !share.is_integer());
    let divisor = common_denominator(broken().map(|(_, &share)| share).chain([constant]))?;
    let integer = |ratio: Ratio| kept(ratio.scaled(divisor)?).ok();
    let products = broken().map(|(&variable, &share)| Some((variable, integer(share)?)));
    let products: Vec<(Variable, i64)> = products.collect::<Option<_>>()?;
    let term = Term::sum(products, integer(constant)?).ok()?;
    Some(LinearFormula::divides(u64::try_from(divisor).ok()?, &term))
}
