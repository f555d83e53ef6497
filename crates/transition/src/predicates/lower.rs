//! Programs in terms of a solver: what steps and conditions mean in linear arithmetic, exactly.
//!
//! The n-th variable of a program is the n-th of the formulas. What is made of a step speaks of the values before it.

use crate::predicates::expression::{self, Condition};
use crate::predicates::program::{self, Program};
use smt::{Atom, Excess, Formula, IntegerValue, Relation, Rounding, Term, Variable};

/// A step of a program.
#[derive(Clone, Debug)]
pub struct Move {
    pub source: u32,
    pub target: u32,
    /// Where it can be taken.
    pub guard: Formula,
    changes: Vec<(Variable, IntegerValue)>,
    /// Variables of their own, behind those of the program, for what may become anything.
    pub free: Vec<Variable>,
}

impl Move {
    /// The variables that it can change.
    pub fn changed(&self) -> impl Iterator<Item = Variable> {
        self.changes.iter().map(|&(variable, _)| variable)
    }

    /// The atom after the step: its weakest precondition.
    pub fn after(&self, atom: &Atom) -> Result<Formula, Excess> {
        let value = self.value(atom.term())?;
        let zero = IntegerValue::from(Term::constant(0)?);
        match atom {
            Atom::AtMost(_) => value.compared(Relation::AtMost, &zero),
            Atom::Zero(_) | Atom::Divides(0, _) => value.compared(Relation::Equal, &zero),
            Atom::Divides(divisor, _) => {
                let divisor = i64::try_from(*divisor).map_err(|_| Excess::Number)?;
                value.modulo(divisor, Rounding::Down)?.compared(Relation::Equal, &zero)
            }
        }
    }

    /// A formula after the step.
    pub fn after_formula(&self, formula: &Formula) -> Result<Formula, Excess> {
        formula.map_atoms(&mut |atom| self.after(atom))
    }

    /// The value of a term after the step.
    pub fn value(&self, term: &Term) -> Result<IntegerValue, Excess> {
        let mut sum = IntegerValue::from(Term::constant(term.offset())?);
        for &(variable, factor) in term.coefficients() {
            let new = self.changes.iter().find(|(changed, _)| *changed == variable);
            let new = match new {
                Some((_, value)) => value.clone(),
                None => Term::variable(variable).into(),
            };
            sum = sum.plus(&new.times(factor)?)?;
        }
        Ok(sum)
    }
}

/// All steps of a program.
pub fn moves(program: &Program) -> Result<Vec<Move>, Excess> {
    let count = program.variables.len() as u32;
    program.steps.iter().map(|step| lowered(step, count)).collect()
}

/// A step of a program with so many variables.
pub fn lowered(step: &program::Step, variables: u32) -> Result<Move, Excess> {
    let (mut changes, mut free) = (Vec::new(), Vec::new());
    for change in &step.changes {
        let value = match &change.value {
            program::Value::Of(term) => value_of(term)?,
            program::Value::Any => {
                free.push(Variable(variables + change.variable));
                Term::variable(Variable(variables + change.variable)).into()
            }
        };
        changes.push((Variable(change.variable), value));
    }
    let guard = condition(&step.guard)?;
    Ok(Move { source: step.source, target: step.target, guard, changes, free })
}

/// A condition as a formula.
pub fn condition(condition: &Condition) -> Result<Formula, Excess> {
    Ok(match condition {
        Condition::Constant(value) => Formula::Constant(*value),
        Condition::Compare(a, relation, b) => {
            value_of(a)?.compared(relation_of(*relation), &value_of(b)?)?
        }
        Condition::Not(inner) => self::condition(inner)?.negated(),
        Condition::And(a, b) => Formula::and([self::condition(a)?, self::condition(b)?]),
        Condition::Or(a, b) => Formula::or([self::condition(a)?, self::condition(b)?]),
    })
}

fn relation_of(relation: expression::Relation) -> Relation {
    match relation {
        expression::Relation::Equal => Relation::Equal,
        expression::Relation::Different => Relation::Different,
        expression::Relation::Less => Relation::Less,
        expression::Relation::AtMost => Relation::AtMost,
        expression::Relation::Greater => Relation::Greater,
        expression::Relation::AtLeast => Relation::AtLeast,
    }
}

fn value_of(term: &expression::Term) -> Result<IntegerValue, Excess> {
    use expression::Term as Source;
    let towards = Rounding::TowardsZero;
    Ok(match term {
        Source::Constant(value) => Term::constant(*value)?.into(),
        Source::Variable(variable) => Term::variable(Variable(*variable)).into(),
        Source::Add(a, b) => value_of(a)?.plus(&value_of(b)?)?,
        Source::Sub(a, b) => value_of(a)?.minus(&value_of(b)?)?,
        Source::Times(factor, a) => value_of(a)?.times(*factor)?,
        Source::Div(a, by) => value_of(a)?.divided(*by, towards)?,
        Source::Mod(a, by) => value_of(a)?.modulo(*by, towards)?,
    })
}
