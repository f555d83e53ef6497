//! A node of the search: what is supposed there, sorted by what it takes to deal with it.

use super::origin::Origin;
use super::row::{Column, Row};
use super::stop::{Budget, Stop, fits};
use super::system::System;
use crate::{LinearAtom, LinearFormula, Term, Variable};

/// A formula that is to be true or to be false.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    pub formula: LinearFormula,
    pub is_so: bool,
}

/// Something that the equations and inequalities do not say.
#[derive(Clone, Debug)]
pub(crate) enum Pending {
    /// The row is not 0.
    Distinct(Row),
    /// The number, at least 3, does not divide the row.
    Indivisible(u64, Row),
    /// At least one of several claims.
    Choice(Claim, Origin),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    /// The variable of each of the first columns; other columns are not the question's.
    names: Vec<(Variable, Column)>,
    pub system: System,
    pub open: Vec<Pending>,
}

impl Node {
    /// Supposes that a formula is true, or that it is false.
    pub fn assert(
        &mut self,
        formula: &LinearFormula,
        is_so: bool,
        origin: Origin,
    ) -> Result<(), Stop> {
        match formula {
            LinearFormula::Constant(value) if *value == is_so => Ok(()),
            LinearFormula::Constant(_) => Err(Stop::Conflict(origin)),
            LinearFormula::Not(inner) => self.assert(inner, !is_so, origin),
            LinearFormula::Atom(atom) => self.assert_atom(atom, is_so, origin),
            LinearFormula::And(parts) if is_so => self.assert_all(parts, true, origin),
            LinearFormula::Or(parts) if !is_so => self.assert_all(parts, false, origin),
            LinearFormula::And(parts) | LinearFormula::Or(parts) if parts.len() == 1 => {
                self.assert_all(parts, is_so, origin)
            }
            LinearFormula::And(_) | LinearFormula::Or(_) => {
                let claim = Claim { formula: formula.clone(), is_so };
                self.open.push(Pending::Choice(claim, origin));
                Ok(())
            }
        }
    }

    fn assert_all(
        &mut self,
        all: &[LinearFormula],
        is_so: bool,
        origin: Origin,
    ) -> Result<(), Stop> {
        all.iter().try_for_each(|part| self.assert(part, is_so, origin))
    }

    fn assert_atom(&mut self, atom: &LinearAtom, is_so: bool, origin: Origin) -> Result<(), Stop> {
        let row = self.row(atom.term(), origin);
        match (atom, is_so) {
            (LinearAtom::AtMost(_), true) => self.system.add_at_most(row),
            (LinearAtom::AtMost(_), false) => self.system.add_at_most(fits(row.above())?),
            (LinearAtom::Zero(_) | LinearAtom::Divides(0, _), true) => self.system.add_zero(row),
            (LinearAtom::Zero(_) | LinearAtom::Divides(0, _), false) => {
                self.open.push(Pending::Distinct(row))
            }
            (LinearAtom::Divides(divisor, _), true) => self.assert_divisible(*divisor, row),
            (LinearAtom::Divides(1, _), false) => return Err(Stop::Conflict(origin)),
            (LinearAtom::Divides(2, _), false) => self.assert_divisible(2, fits(row.plus(1))?),
            (LinearAtom::Divides(divisor, _), false) => {
                self.open.push(Pending::Indivisible(*divisor, row))
            }
        }
        Ok(())
    }

    /// The row is a multiple of the divisor, of a column that is new.
    pub fn assert_divisible(&mut self, divisor: u64, mut row: Row) {
        if divisor > 1 {
            row.coefficients.push((self.system.new_column(), -i128::from(divisor)));
            self.system.add_zero(row);
        }
    }

    /// The row leaves a remainder, which is a column that is new.
    pub fn assert_remainder(&mut self, divisor: u64, mut row: Row) {
        let remainder = self.system.new_column();
        let bound = |factor: i128, constant: i128| Row {
            coefficients: vec![(remainder, factor)],
            constant,
            origin: row.origin,
        };
        self.system.add_at_most(bound(-1, 1));
        self.system.add_at_most(bound(1, 1 - i128::from(divisor)));
        row.coefficients.push((remainder, -1));
        self.assert_divisible(divisor, row);
    }

    fn row(&mut self, term: &Term, origin: Origin) -> Row {
        let products = term.coefficients().iter();
        let mut coefficients: Vec<(Column, i128)> =
            products.map(|&(variable, factor)| (self.column(variable), factor.into())).collect();
        coefficients.sort_unstable_by_key(|c| c.0);
        Row { coefficients, constant: term.offset().into(), origin }
    }

    fn column(&mut self, variable: Variable) -> Column {
        match self.names.iter().find(|name| name.0 == variable) {
            Some(&(_, column)) => column,
            None => {
                let column = self.system.new_column();
                self.names.push((variable, column));
                column
            }
        }
    }

    pub fn settle(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        self.system.settle(budget)
    }

    /// The values of the question's own variables.
    pub fn model<'a>(&'a self, values: &'a [i128]) -> impl Iterator<Item = (Variable, i128)> + 'a {
        self.names.iter().map(|&(variable, column)| (variable, values[column as usize]))
    }

    /// The value of a variable; 0 is as good as any for one that nothing is known of.
    pub fn value(&self, variable: Variable, values: &[i128]) -> i128 {
        let name = self.names.iter().find(|name| name.0 == variable);
        name.map_or(0, |&(_, column)| values[column as usize])
    }
}
