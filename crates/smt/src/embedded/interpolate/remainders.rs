//! Whether equations can hold together for whole numbers, and why not.
//!
//! Changes of variables that keep whole numbers whole (Euclid's algorithm on the coefficients) bring equations into
//! steps: each determines one more new variable. An equation whose new variable would be no whole number is, with
//! multiples of those before it, a sum of equations times fractions in which all coefficients are whole and the
//! constant is not.

use super::{Budget, Row};
use crate::number::product;
use crate::ratio::Ratio;
use crate::{Term, Variable};

/// Equations, by number, and what to multiply them with.
type Multiples = Vec<(usize, Ratio)>;

struct Equations {
    /// The coefficients of each equation, by new variable.
    matrix: Vec<Vec<i128>>,
    /// New variables before this one are determined.
    determined: Vec<Determined>,
}

/// A new variable: equations that add up to it and a constant.
struct Determined {
    of: Multiples,
    constant: Ratio,
}

/// Equations that contradict each other over whole numbers; nothing also if a number does not fit.
pub fn contradiction(rows: &[Row], budget: &mut Budget) -> Option<Multiples> {
    let numbers: Vec<usize> = (0..rows.len()).filter(|&row| rows[row].is_equation).collect();
    let terms: Vec<&Term> = numbers.iter().map(|&row| &rows[row].term).collect();
    let mut variables: Vec<Variable> =
        terms.iter().flat_map(|term| term.coefficients()).map(|product| product.0).collect();
    variables.sort_unstable();
    variables.dedup();
    let row = |term: &&Term| variables.iter().map(|&v| term.coefficient(v).into()).collect();
    let mut equations =
        Equations { matrix: terms.iter().map(row).collect(), determined: Vec::new() };
    for (index, term) in terms.iter().enumerate() {
        budget.spend(1 + terms.len()).ok()?;
        let own = (numbers[index], Ratio::integer(term.offset().into()));
        if let Some(found) = equations.take(index, own)? {
            return Some(found);
        }
    }
    None
}

impl Equations {
    /// Determines one more variable, or none; the outer `None` if a number does not fit.
    fn take(
        &mut self,
        index: usize,
        (number, constant): (usize, Ratio),
    ) -> Option<Option<Multiples>> {
        self.reduce(index)?;
        let (mut of, mut constant) = (vec![(number, Ratio::ONE)], constant);
        for (column, known) in self.determined.iter().enumerate() {
            let factor = Ratio::integer(self.matrix[index][column]).negated()?;
            if !factor.is_zero() {
                constant = constant.plus(factor.times(known.constant)?)?;
                add_times(&mut of, factor, &known.of)?;
            }
        }
        let next = self.determined.len();
        let Some(&factor) = self.matrix[index].get(next).filter(|&&factor| factor != 0) else {
            // Nothing new: what contradicts itself like this does so for fractions, too.
            return Some(None);
        };
        let factor = Ratio::integer(factor);
        for (_, share) in &mut of {
            *share = share.over(factor)?;
        }
        let constant = constant.over(factor)?;
        if !constant.is_integer() {
            return Some(Some(of));
        }
        self.determined.push(Determined { of, constant });
        Some(None)
    }

    /// Changes variables so that only the first one that is not determined occurs in an equation.
    fn reduce(&mut self, index: usize) -> Option<()> {
        let first = self.determined.len();
        loop {
            let row = &self.matrix[index];
            let open = (first..row.len()).filter(|&column| row[column] != 0);
            let Some(least) = open.clone().min_by_key(|&c| row[c].unsigned_abs()) else {
                return Some(());
            };
            let Some(other) = open.into_iter().find(|&column| column != least) else {
                self.matrix.iter_mut().for_each(|row| row.swap(first, least));
                return Some(());
            };
            let times = row[other].checked_div(row[least])?;
            for row in &mut self.matrix {
                row[other] = row[other].checked_sub(product(times, row[least])?)?;
            }
        }
    }
}

fn add_times(of: &mut Multiples, factor: Ratio, other: &Multiples) -> Option<()> {
    for &(number, share) in other {
        let share = factor.times(share)?;
        match of.iter_mut().find(|known| known.0 == number) {
            Some(known) => known.1 = known.1.plus(share)?,
            None => of.push((number, share)),
        }
    }
    Some(())
}
