//! Programs in terms of the solver.

use arithmetic::{Atom, Excess, Formula, Relation, Rounding, Term, Value, Variable};
use predicates::{Condition, Program};

/// What a proposition of a formula means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Proposition {
    /// Control is at one of these places.
    At(Vec<u32>),
    Holds(Condition),
}

/// A step of a program. Variables that may become anything become variables of their own, behind all others.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub source: u32,
    pub target: u32,
    pub guard: Formula,
    changes: Vec<(Variable, Value)>,
    /// Those that stand for what anything may become.
    pub free: Vec<Variable>,
}

impl Move {
    /// The atom after the step: its weakest precondition.
    pub fn after(&self, atom: &Atom) -> Result<Formula, Excess> {
        let value = self.value(atom.term())?;
        let zero = Value::from(Term::constant(0)?);
        match atom {
            Atom::AtMost(_) => value.compared(Relation::AtMost, &zero),
            Atom::Zero(_) | Atom::Divides(0, _) => value.compared(Relation::Equal, &zero),
            Atom::Divides(divisor, _) => {
                let divisor = i64::try_from(*divisor).map_err(|_| Excess::Number)?;
                value.modulo(divisor, Rounding::Down)?.compared(Relation::Equal, &zero)
            }
        }
    }

    /// The value of a term after the step.
    pub fn value(&self, term: &Term) -> Result<Value, Excess> {
        let mut sum = Value::from(Term::constant(term.offset())?);
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
pub(crate) fn moves(program: &Program) -> Result<Vec<Move>, Excess> {
    let count = program.variables.len() as u32;
    let lower = |step: &predicates::Step| {
        let (mut changes, mut free) = (Vec::new(), Vec::new());
        for change in &step.changes {
            let value = match &change.value {
                predicates::Value::Of(term) => value_of(term)?,
                predicates::Value::Any => {
                    free.push(Variable(count + change.variable));
                    Term::variable(Variable(count + change.variable)).into()
                }
            };
            changes.push((Variable(change.variable), value));
        }
        let guard = condition(&step.guard)?;
        Ok(Move { source: step.source, target: step.target, guard, changes, free })
    };
    program.steps.iter().map(lower).collect()
}

pub(crate) fn condition(condition: &Condition) -> Result<Formula, Excess> {
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

fn relation_of(relation: predicates::Relation) -> Relation {
    match relation {
        predicates::Relation::Equal => Relation::Equal,
        predicates::Relation::Different => Relation::Different,
        predicates::Relation::Less => Relation::Less,
        predicates::Relation::AtMost => Relation::AtMost,
        predicates::Relation::Greater => Relation::Greater,
        predicates::Relation::AtLeast => Relation::AtLeast,
    }
}

fn value_of(term: &predicates::Term) -> Result<Value, Excess> {
    use predicates::Term as Source;
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
