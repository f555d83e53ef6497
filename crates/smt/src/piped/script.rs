//! Formulas in SMT-LIB 2.

use super::reply::Reply;
use crate::{Comparison, LinearAtom, LinearFormula, Term, Variable};
use std::fmt::Write;

/// Commands at the start of a solver. All of them are standard.
pub const PREAMBLE: &str = "(set-option :print-success false)\n\
    (set-option :produce-models true)\n\
    (set-option :produce-unsat-assumptions true)\n\
    (set-logic QF_LIA)\n";

/// Commands at the start of a solver that is asked for interpolants: cvc5 gives none together with unsatisfiable
/// assumptions.
pub const PREAMBLE_FOR_INTERPOLANTS: &str = "(set-option :print-success false)\n\
    (set-option :produce-interpolants true)\n\
    (set-logic QF_LIA)\n";

pub fn declaration(variable: Variable) -> String {
    format!("(declare-fun v{} () Int)\n", variable.0)
}

/// The variable that a solver calls by this name.
pub fn variable_called(name: &str) -> Option<Variable> {
    name.strip_prefix('v')?.parse().ok().map(Variable)
}

/// The assumption that stands for a part.
pub fn assumption(part: usize) -> String {
    format!("p{part}")
}

pub fn part_called(name: &str) -> Option<usize> {
    name.strip_prefix('p')?.parse().ok()
}

pub fn formula(formula: &LinearFormula) -> String {
    let mut text = String::new();
    write_formula(&mut text, formula);
    text
}

// Writing to a string does not fail, so the results of `write!` are of no interest below.

fn write_formula(text: &mut String, formula: &LinearFormula) {
    match formula {
        LinearFormula::Constant(value) => {
            let _ = write!(text, "{value}");
        }
        LinearFormula::Atom(atom) => write_atom(text, atom),
        LinearFormula::Not(inner) => {
            text.push_str("(not ");
            write_formula(text, inner);
            text.push(')');
        }
        LinearFormula::And(parts) => write_all(text, "and", "true", parts),
        LinearFormula::Or(parts) => write_all(text, "or", "false", parts),
    }
}

/// An operator without operands gets its neutral element.
fn write_all(text: &mut String, operator: &str, neutral: &str, parts: &[LinearFormula]) {
    let _ = write!(text, "({operator} {neutral}");
    for part in parts {
        text.push(' ');
        write_formula(text, part);
    }
    text.push(')');
}

fn write_atom(text: &mut String, atom: &LinearAtom) {
    let (open, close) = match atom {
        LinearAtom::AtMost(_) => ("(<= ", " 0)".to_owned()),
        LinearAtom::Zero(_) | LinearAtom::Divides(0, _) => ("(= ", " 0)".to_owned()),
        LinearAtom::Divides(divisor, _) => ("(= (mod ", format!(" {divisor}) 0)")),
    };
    text.push_str(open);
    write_term(text, atom.term());
    text.push_str(&close);
}

fn write_term(text: &mut String, term: &Term) {
    text.push_str("(+ 0 ");
    write_number(text, term.offset());
    for &(variable, factor) in term.coefficients() {
        text.push_str(" (* ");
        write_number(text, factor);
        let _ = write!(text, " v{})", variable.0);
    }
    text.push(')');
}

/// Numbers have no sign in SMT-LIB.
fn write_number(text: &mut String, number: i64) {
    let _ = match number < 0 {
        true => write!(text, "(- {})", number.unsigned_abs()),
        false => write!(text, "{number}"),
    };
}

/// Reads a formula of linear arithmetic from a reply.
pub fn formula_in(reply: &Reply) -> Option<LinearFormula> {
    let Reply::List(items) = reply else {
        return reply.word()?.parse().ok().map(LinearFormula::Constant);
    };
    let (operator, operands) = items.split_first()?;
    let formulas = || operands.iter().map(formula_in).collect::<Option<Vec<LinearFormula>>>();
    match operator.word()? {
        "and" => Some(LinearFormula::and(formulas()?)),
        "or" => Some(LinearFormula::or(formulas()?)),
        "not" => match &formulas()?[..] {
            [inner] => Some(inner.negated()),
            _ => None,
        },
        "=>" => match &formulas()?[..] {
            [a, b] => Some(a.clone().implies(b.clone())),
            _ => None,
        },
        "=" => compared(operands, Comparison::Equal),
        "distinct" => compared(operands, Comparison::Different),
        "<=" => compared(operands, Comparison::AtMost),
        "<" => compared(operands, Comparison::Less),
        ">=" => compared(operands, Comparison::AtLeast),
        ">" => compared(operands, Comparison::Greater),
        _ => None,
    }
}

fn compared(operands: &[Reply], relation: Comparison) -> Option<LinearFormula> {
    let [a, b] = operands else { return None };
    relation.between(&term_in(a)?, &term_in(b)?).ok()
}

fn term_in(reply: &Reply) -> Option<Term> {
    if let Some(number) = reply.number() {
        return Term::constant(number.try_into().ok()?).ok();
    }
    let Reply::List(items) = reply else {
        return variable_called(reply.word()?).map(Term::variable);
    };
    let (operator, operands) = items.split_first()?;
    let terms = operands.iter().map(term_in).collect::<Option<Vec<Term>>>()?;
    let (first, others) = terms.split_first()?;
    let fold = |with: fn(&Term, &Term) -> Option<Term>| {
        others.iter().try_fold(first.clone(), |sum, other| with(&sum, other))
    };
    match operator.word()? {
        "+" => fold(|a, b| a.plus(b).ok()),
        "-" if others.is_empty() => Some(first.negated()),
        "-" => fold(|a, b| a.minus(b).ok()),
        "*" => fold(|a, b| match (a.as_constant(), b.as_constant()) {
            (Some(factor), _) => b.times(factor).ok(),
            (_, Some(factor)) => a.times(factor).ok(),
            _ => None,
        }),
        _ => None,
    }
}
