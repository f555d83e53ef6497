//! Expressions as NuSMV prints them, a `case` on one line.

use super::ast::{Expr, ExprId, Exprs, Function, Infix, Steps};
use logic::{Fix, LinearOp, LinearPairOp, Modality, PathOp, Quantifier, StateOp};

/// An expression as it was written, in NuSMV's manner, with the space that it puts behind some.
pub(super) fn show(exprs: &Exprs, expr: ExprId) -> String {
    Printer { exprs, prefix: "", belongs: &|_| false }.text(expr).0
}

/// Shows an expression with names qualified by the instance that they belong to.
pub(super) fn show_within(
    exprs: &Exprs,
    expr: ExprId,
    prefix: &str,
    belongs: &dyn Fn(&str) -> bool,
) -> String {
    let printer = Printer { exprs, prefix, belongs };
    printer.text(expr).0.trim().to_owned()
}

struct Printer<'p, 'a> {
    exprs: &'p Exprs<'a>,
    prefix: &'p str,
    /// Whether a name is one of the instance's, and no constant.
    belongs: &'p dyn Fn(&str) -> bool,
}

/// How strongly what is printed holds together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// `AG f`
    Temporal,
    Relation,
    In,
    Union,
    Shift,
    Sum,
    Mod,
    Product,
    Concat,
    Sign,
    Closed,
}

fn strength(infix: Infix) -> Strength {
    match infix {
        Infix::Implies
        | Infix::Iff
        | Infix::Or
        | Infix::Xor
        | Infix::Xnor
        | Infix::And
        | Infix::Cond => Strength::Closed,
        Infix::In => Strength::In,
        Infix::Union => Strength::Union,
        Infix::ShiftLeft | Infix::ShiftRight => Strength::Shift,
        Infix::Plus | Infix::Minus => Strength::Sum,
        Infix::Mod => Strength::Mod,
        Infix::Times | Infix::Divide => Strength::Product,
        Infix::Concat => Strength::Concat,
        _ => Strength::Relation,
    }
}

impl Printer<'_, '_> {
    fn text(&self, expr: ExprId) -> (String, Strength) {
        match self.exprs.get(expr) {
            Expr::Bool(value) => {
                (if *value { "TRUE" } else { "FALSE" }.to_owned(), Strength::Closed)
            }
            Expr::Int(value) => (value.to_string(), Strength::Closed),
            Expr::Word { signed, width, value } => {
                let domain = transition::Domain::Word { signed: *signed, width: *width };
                (domain.text(*value, &support::Interner::new()), Strength::Closed)
            }
            Expr::Name("self") => (self.prefix.to_owned(), Strength::Closed),
            Expr::Name(name) | Expr::Bound(name) => (self.name(name), Strength::Closed),
            Expr::Dot(base, name) => self.dot(*base, name.text),
            Expr::Element(a, b) => (
                format!("{}[{}]", self.at(*a, Strength::Closed), self.text(*b).0),
                Strength::Closed,
            ),
            Expr::Bits(a, b, c) => {
                let (a, b, c) = (self.at(*a, Strength::Closed), self.text(*b).0, self.text(*c).0);
                (format!("{a}[{b} : {c}]"), Strength::Closed)
            }
            Expr::Not(a) => (format!("!{}", self.at(*a, Strength::Closed)), Strength::Sign),
            Expr::Neg(a) => {
                let text = self.at(*a, Strength::Closed);
                // A word can be negative by itself.
                let space = if text.starts_with('-') { " " } else { "" };
                (format!("-{space}{text}"), Strength::Sign)
            }
            Expr::Chain(first, rest) => self.chain(*first, rest),
            Expr::Implies(a, b) => self.infix(self.text(*a), Infix::Implies, self.text(*b)),
            Expr::Cond(c, a, b) => {
                let (c, a, b) = (self.text(*c).0, self.text(*a).0, self.text(*b).0);
                (format!(" ({c} ? {a} : {b}) "), Strength::Closed)
            }
            Expr::Call(function, es) => {
                let comma = match function {
                    Function::Extend => " , ",
                    _ => ", ",
                };
                let operands = self.list(es, comma);
                (format!("{}({operands})", function.text()), Strength::Closed)
            }
            Expr::Set(es) => {
                let texts = es.iter().map(|&e| self.text(e));
                let union = |left, right| self.infix(left, Infix::Union, right);
                texts.reduce(union).unwrap_or((String::new(), Strength::Closed))
            }
            Expr::Array(es) => (format!("[{}]", self.list(es, ", ")), Strength::Closed),
            Expr::Range(a, b) => {
                (format!("({} .. {})", self.text(*a).0, self.text(*b).0), Strength::Closed)
            }
            Expr::Case(branches) => self.case(branches),
            Expr::State(quantifier, op, a) => {
                let prefix = format!("{}{}", letter(*quantifier), state_letter(*op));
                (format!("{prefix} {}", self.at(*a, Strength::Relation)), Strength::Temporal)
            }
            Expr::Path(quantifier, op, a, b) => {
                let [a, b] = [a, b].map(|side| self.at(*side, Strength::Relation));
                let text = format!("{} [ {a} {} {b} ] ", letter(*quantifier), path_letter(*op));
                (text, Strength::Closed)
            }
            Expr::StateWithin(quantifier, op, Steps { from, to }, a) => {
                let prefix = format!("{}B{}", letter(*quantifier), state_letter(*op));
                let text = format!("{prefix} {from}..{to} {}", self.at(*a, Strength::Relation));
                (text, Strength::Temporal)
            }
            Expr::UntilWithin(quantifier, Steps { from, to }, a, b) => {
                let [a, b] = [a, b].map(|side| self.at(*side, Strength::Relation));
                let text = format!("{} [ {a} BU {from}..{to} {b} ] ", letter(*quantifier));
                (text, Strength::Closed)
            }
            Expr::Linear(op, a) => {
                let text = format!(" {} {}", linear_letter(*op), self.at(*a, Strength::Relation));
                (text, Strength::Temporal)
            }
            Expr::LinearPair(op, a, b) => {
                let [a, b] = [a, b].map(|side| self.at(*side, Strength::Relation));
                (format!("({a} {} {b})", linear_pair_letter(*op)), Strength::Closed)
            }
            Expr::Quantified(quantifier, a) => {
                let text = format!("{} {}", letter(*quantifier), self.at(*a, Strength::Relation));
                (text, Strength::Temporal)
            }
            Expr::Fix(kind, name, body) => {
                let kind = if *kind == Fix::Mu { "mu" } else { "nu" };
                (format!("({kind} {}. {})", name.text, self.text(*body).0), Strength::Closed)
            }
            Expr::Modal(modality, a) => {
                let prefix = if *modality == Modality::Box { "[]" } else { "<>" };
                (format!("{prefix} {}", self.at(*a, Strength::Relation)), Strength::Temporal)
            }
            Expr::Unsupported { text, .. } => ((*text).to_owned(), Strength::Closed),
            // Of other languages.
            Expr::Index(..) | Expr::Atom(_) | Expr::At(_) | Expr::Error | Expr::End => {
                (String::new(), Strength::Closed)
            }
        }
    }

    fn name(&self, name: &str) -> String {
        if self.prefix.is_empty() || !(self.belongs)(name) {
            name.to_owned()
        } else {
            format!("{}.{name}", self.prefix)
        }
    }

    fn dot(&self, base: ExprId, name: &str) -> (String, Strength) {
        let base = self.at(base, Strength::Closed);
        let text = if base.is_empty() { name.to_owned() } else { format!("{base}.{name}") };
        (text, Strength::Closed)
    }

    /// In parentheses, if it holds together less than that.
    fn at(&self, expr: ExprId, least: Strength) -> String {
        let (text, strength) = self.text(expr);
        if strength < least { format!("({text})") } else { text }
    }

    fn chain(&self, first: ExprId, rest: &[(Infix, ExprId)]) -> (String, Strength) {
        let mut left = self.text(first);
        for (infix, operand) in rest {
            left = self.infix(left, *infix, self.text(*operand));
        }
        left
    }

    fn infix(
        &self,
        left: (String, Strength),
        infix: Infix,
        right: (String, Strength),
    ) -> (String, Strength) {
        let own = strength(infix);
        let op = infix.text();
        if own == Strength::Closed {
            return (format!("({} {op} {})", left.0, right.0), own);
        }
        let side = |(text, strength): (String, Strength)| {
            if strength <= own { format!("({text})") } else { text }
        };
        (format!("{} {op} {}", side(left), side(right)), own)
    }

    fn list(&self, es: &[ExprId], comma: &str) -> String {
        es.iter().map(|&e| self.text(e).0).collect::<Vec<_>>().join(comma)
    }

    fn case(&self, branches: &[(ExprId, ExprId)]) -> (String, Strength) {
        let lines: String = branches
            .iter()
            .map(|(condition, value)| {
                format!("{} : {}; ", self.text(*condition).0, self.text(*value).0)
            })
            .collect();
        (format!("case {lines}esac"), Strength::Closed)
    }
}

fn letter(quantifier: Quantifier) -> &'static str {
    if quantifier == Quantifier::All { "A" } else { "E" }
}

fn state_letter(op: StateOp) -> &'static str {
    match op {
        StateOp::Next => "X",
        StateOp::Finally => "F",
        StateOp::Globally => "G",
    }
}

fn path_letter(op: PathOp) -> &'static str {
    match op {
        PathOp::Until => "U",
        PathOp::Release => "R",
        PathOp::WeakUntil => "W",
    }
}

pub(super) fn linear_letter(op: LinearOp) -> char {
    match op {
        LinearOp::Next => 'X',
        LinearOp::Finally => 'F',
        LinearOp::Globally => 'G',
        LinearOp::Yesterday => 'Y',
        LinearOp::WeakYesterday => 'Z',
        LinearOp::Once => 'O',
        LinearOp::Historically => 'H',
    }
}

pub(super) fn linear_pair_letter(op: LinearPairOp) -> char {
    match op {
        LinearPairOp::Until => 'U',
        LinearPairOp::Release => 'V',
        LinearPairOp::WeakUntil => 'W',
        LinearPairOp::Since => 'S',
        LinearPairOp::Triggered => 'T',
    }
}
