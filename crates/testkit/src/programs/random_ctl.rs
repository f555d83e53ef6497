//! Random CTL over a program.

use super::ast::{Domain, Expr, Operator, Program, Scope, VarIndex};
use super::ctl::{Ctl, PathOperator, Quantifier, StateOperator};
use crate::rng::Rng;

/// A formula with so many operators, roughly, over the variables of the program, its labels and `error`.
pub fn random_ctl(rng: &mut Rng, program: &Program, size: usize) -> Ctl {
    if size <= 1 {
        return atom(rng, program);
    }
    let operand = |rng: &mut Rng, size| Box::new(random_ctl(rng, program, size));
    let quantifier = *rng.pick(&[Quantifier::All, Quantifier::Exists]);
    match rng.below(20) {
        0..2 => Ctl::Not(operand(rng, size - 1)),
        2..6 => {
            let (left, right) = (operand(rng, size / 2), operand(rng, size / 2));
            match rng.below(6) {
                0..2 => Ctl::And(left, right),
                2..4 => Ctl::Or(left, right),
                4 => Ctl::Implies(left, right),
                _ => Ctl::Iff(left, right),
            }
        }
        6..13 => {
            let operators = [StateOperator::Next, StateOperator::Finally, StateOperator::Globally];
            Ctl::State(quantifier, *rng.pick(&operators), operand(rng, size - 1))
        }
        _ => {
            let operators = [PathOperator::Until, PathOperator::Release, PathOperator::WeakUntil];
            let operator = *rng.pick(&operators);
            Ctl::Path(quantifier, operator, operand(rng, size / 2), operand(rng, size / 2))
        }
    }
}

fn atom(rng: &mut Rng, program: &Program) -> Ctl {
    let labels = program.labels();
    match rng.below(10) {
        0 => Ctl::Error,
        1 | 2 if !labels.is_empty() => Ctl::At(rng.pick(&labels).clone()),
        3 if rng.chance(0.3) => Ctl::Holds(Expr::Bool(rng.chance(0.5))),
        _ => Ctl::Holds(expression(rng, program)),
    }
}

/// A truth value that cannot go wrong.
fn expression(rng: &mut Rng, program: &Program) -> Expr {
    let own: Vec<VarIndex> =
        (0..program.vars.len()).filter(|&v| program.vars[v].scope == Scope::Program).collect();
    let var = *rng.pick(&own);
    let domain = program.vars[var].domain;
    let value = |rng: &mut Rng| rng.between(0, domain.size() - 1) as i64 + domain.low();
    let reading = reading(rng, program, var);
    match domain {
        Domain::Bool => reading,
        Domain::Symbols(_) => {
            let operator = *rng.pick(&[Operator::Eq, Operator::Ne]);
            Expr::binary(operator, reading, Expr::Symbol(value(rng) as usize))
        }
        Domain::Range(..) => {
            let operators = [Operator::Eq, Operator::Ne, Operator::Lt, Operator::Ge];
            let operator = *rng.pick(&operators);
            let others: Vec<VarIndex> = own
                .into_iter()
                .filter(|&other| matches!(program.vars[other].domain, Domain::Range(..)))
                .collect();
            let other = *rng.pick(&others);
            let right = match rng.chance(0.2) {
                true => self::reading(rng, program, other),
                false => Expr::Int(value(rng)),
            };
            Expr::binary(operator, reading, right)
        }
    }
}

fn reading(rng: &mut Rng, program: &Program, var: VarIndex) -> Expr {
    match program.vars[var].elements {
        None => Expr::Var(var),
        Some(count) => Expr::Element(var, Box::new(Expr::Int(rng.below(count as usize) as i64))),
    }
}
