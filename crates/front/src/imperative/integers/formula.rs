//! Properties and predicates: what they are about.

use super::build::Builder;
use super::linear::truth;
use super::{Proposition, expr::Total};
use crate::imperative::ast::{Expr as Ast, ExprId, Exprs, Infix};
use crate::imperative::build::Atoms;
use crate::imperative::complaints;
use crate::sink::{Parsed, Sink};
use logic::Expr;
use support::Span;
use transition::predicates::Condition;

impl Builder<'_, '_> {
    /// An expression that is true or false always.
    pub(super) fn always_defined(&mut self, id: ExprId) -> Parsed<Condition> {
        let Total { value, defined } = self.truth(id)?;
        if defined == truth(true) {
            return Ok(value);
        }
        let span = self.exprs.span(id);
        let help = "take out what is divided by zero";
        Err(self.sink.error(|| complaints::can_go_wrong(span, help)))
    }
}

impl<'f, 'a> Atoms<'f, 'a> for Builder<'f, 'a> {
    fn exprs(&self) -> &'f Exprs<'a> {
        self.exprs
    }

    fn sink(&mut self) -> &mut Sink {
        &mut self.sink
    }

    /// Comparisons and truth values: what joins them belongs to the formula, so that whoever looks for predicates
    /// finds them apart.
    fn is_atom(&self, id: ExprId) -> bool {
        let is_joined = match self.exprs.get(id) {
            Ast::Not(_) | Ast::Implies(..) => true,
            Ast::Chain(_, rest) => matches!(rest[0].0, Infix::And | Infix::Or | Infix::Iff),
            _ => false,
        };
        self.exprs.is_pure(id) && !is_joined
    }

    fn condition(&mut self, id: ExprId, name: String) -> Parsed<Expr> {
        Ok(match self.always_defined(id)? {
            Condition::Constant(value) => Expr::Const(value),
            condition => self.propositions.propose(name, Proposition::Holds(condition)),
        })
    }

    fn at(&mut self, label: &str, span: Span) -> Parsed<Expr> {
        match self.labels.get(label) {
            Some(&(number, _)) => {
                let places = self.product.at_label(number);
                Ok(self.propositions.propose(format!("at_{label}"), Proposition::At(places)))
            }
            None => {
                let mut known: Vec<&str> = self.labels.keys().copied().collect();
                known.sort_unstable();
                let known = known.into_iter();
                Err(self.sink.error(|| complaints::no_label(label, span, known)))
            }
        }
    }

    fn error(&mut self) -> Expr {
        let places = vec![self.product.error];
        self.propositions.propose("error".to_owned(), Proposition::At(places))
    }

    fn end(&mut self, _: Span) -> Parsed<Expr> {
        let places = self.product.end.into_iter().collect();
        Ok(self.propositions.propose("end".to_owned(), Proposition::At(places)))
    }
}
