//! CTL over a program: its text, and its meaning by plain iteration.

use super::ast::{Expr, Program};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ctl {
    /// It cannot go wrong.
    Holds(Expr),
    /// `at_l`.
    At(String),
    Error,
    Not(Box<Ctl>),
    And(Box<Ctl>, Box<Ctl>),
    Or(Box<Ctl>, Box<Ctl>),
    Implies(Box<Ctl>, Box<Ctl>),
    Iff(Box<Ctl>, Box<Ctl>),
    State(Quantifier, StateOperator, Box<Ctl>),
    Path(Quantifier, PathOperator, Box<Ctl>, Box<Ctl>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    All,
    Exists,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateOperator {
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathOperator {
    Until,
    Release,
    WeakUntil,
}

impl Quantifier {
    fn letter(self) -> char {
        match self {
            Quantifier::All => 'A',
            Quantifier::Exists => 'E',
        }
    }
}

impl Ctl {
    pub fn text(&self, program: &Program) -> String {
        let sides = |left: &Ctl, sign: &str, right: &Ctl| {
            format!("{} {sign} {}", left.operand(program), right.operand(program))
        };
        match self {
            Ctl::Holds(expr) => program.expr(expr),
            Ctl::At(label) => format!("at_{label}"),
            Ctl::Error => "error".to_owned(),
            Ctl::Not(operand) => format!("!{}", operand.operand(program)),
            Ctl::And(left, right) => sides(left, "&", right),
            Ctl::Or(left, right) => sides(left, "|", right),
            Ctl::Implies(left, right) => sides(left, "->", right),
            Ctl::Iff(left, right) => sides(left, "<->", right),
            Ctl::State(quantifier, operator, operand) => {
                let letter = match operator {
                    StateOperator::Next => 'X',
                    StateOperator::Finally => 'F',
                    StateOperator::Globally => 'G',
                };
                format!("{}{letter} {}", quantifier.letter(), operand.operand(program))
            }
            Ctl::Path(quantifier, operator, left, right) => {
                let sign = match operator {
                    PathOperator::Until => "U",
                    PathOperator::Release => "R",
                    PathOperator::WeakUntil => "W",
                };
                format!("{}[{}]", quantifier.letter(), sides(left, sign, right))
            }
        }
    }

    /// Replaces the atoms.
    pub fn with_atoms(&self, atom: &mut impl FnMut(&Ctl) -> Ctl) -> Ctl {
        let mut of = |operand: &Ctl| Box::new(operand.with_atoms(atom));
        match self {
            Ctl::Holds(_) | Ctl::At(_) | Ctl::Error => atom(self),
            Ctl::Not(a) => Ctl::Not(of(a)),
            Ctl::And(a, b) => Ctl::And(of(a), of(b)),
            Ctl::Or(a, b) => Ctl::Or(of(a), of(b)),
            Ctl::Implies(a, b) => Ctl::Implies(of(a), of(b)),
            Ctl::Iff(a, b) => Ctl::Iff(of(a), of(b)),
            Ctl::State(quantifier, operator, a) => Ctl::State(*quantifier, *operator, of(a)),
            Ctl::Path(quantifier, operator, a, b) => {
                Ctl::Path(*quantifier, *operator, of(a), of(b))
            }
        }
    }

    fn operand(&self, program: &Program) -> String {
        let text = self.text(program);
        match self {
            Ctl::At(_) | Ctl::Error => text,
            Ctl::Holds(Expr::Bool(_) | Expr::Var(_) | Expr::Element(..)) => text,
            _ => format!("({text})"),
        }
    }
}
