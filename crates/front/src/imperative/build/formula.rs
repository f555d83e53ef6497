//! Properties: formulas whose propositions are expressions of the language, `at_l` and `error`.

use super::expr::Sort;
use super::{Asked, Builder};
use crate::imperative::WhileProperty;
use crate::imperative::ast::{Expr as Ast, ExprId as AstId, Infix};
use crate::imperative::lexer::folded;
use crate::lexer::unescape;
use crate::sink::{Parsed, Reported};
use base::{Diagnostic, Span};
use flow::Atom;
use logic::{ActionSet, BinderId, Expr, ExprId, Regular, SurfaceBuilder};
use std::sync::Arc;

/// Whether an atom can go wrong is tried out for so many values of what it reads.
const MOST_WAYS: u128 = 1 << 16;

impl<'f, 'a> Builder<'f, 'a> {
    pub(super) fn property(&mut self, asked: &Asked<'f, 'a>) -> Parsed<WhileProperty> {
        let Asked { property, text, name } = asked;
        let span = self.exprs.span(property.expr);
        let mut translation = Translation {
            builder: self,
            text: text.clone(),
            surface: SurfaceBuilder::default(),
            bound: Vec::new(),
        };
        let root = translation.formula(property.expr)?;
        let surface = translation.surface.finish(property.logic, text.clone(), root);
        let own = property.name.map(|name| match name.text.starts_with('"') {
            true => unescape(name.text),
            false => name.text.to_owned(),
        });
        Ok(WhileProperty {
            name: own.or_else(|| name.clone()),
            logic: property.logic,
            text: folded(text, span.range()),
            span,
            surface,
        })
    }

    fn propose(&mut self, name: String, atom: Atom) -> Expr {
        let mut unique = name.clone();
        // The same text means the same everywhere, except perhaps in different files.
        while let Some(known) = self.proposed.get(&unique)
            && *known != atom
        {
            unique.push('\'');
        }
        if self.proposed.insert(unique.clone(), atom).is_none() {
            self.propositions.push((unique.clone(), atom));
        }
        Expr::Prop(unique)
    }
}

struct Translation<'b, 'f, 'a> {
    builder: &'b mut Builder<'f, 'a>,
    text: Arc<str>,
    surface: SurfaceBuilder,
    /// The fixpoint variables around, innermost last.
    bound: Vec<(&'a str, BinderId)>,
}

impl<'a> Translation<'_, '_, 'a> {
    fn formula(&mut self, id: AstId) -> Parsed<ExprId> {
        let exprs = self.builder.exprs;
        let span = exprs.span(id);
        if exprs.is_pure(id) {
            return self.proposition(id);
        }
        let made = match exprs.get(id) {
            Ast::At(label) => self.at(label, span)?,
            Ast::Error => self.builder.propose("error".to_owned(), Atom::Error),
            Ast::Bound(name) => {
                let bound = self.bound.iter().rev().find(|(bound, _)| bound == name);
                Expr::Var(bound.ok_or(Reported)?.1)
            }
            Ast::Not(a) => Expr::Not(self.formula(*a)?),
            Ast::Implies(a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::Implies(a?, b?)
            }
            Ast::Chain(first, rest) => return self.chain(*first, rest, span),
            Ast::State(quantifier, op, a) => Expr::State(*quantifier, *op, self.formula(*a)?),
            Ast::Path(quantifier, op, a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::Path(*quantifier, *op, a?, b?)
            }
            Ast::Modal(modality, a) => {
                let body = self.formula(*a)?;
                let any = self.surface.reg(Regular::Action(ActionSet::any()), span);
                Expr::Modal(*modality, any, body)
            }
            Ast::Fix(kind, name, body) => {
                let binder = self.surface.binder(*kind, name.text, name.span);
                self.bound.push((name.text, binder));
                let body = self.formula(*body);
                self.bound.pop();
                Expr::Fix(binder, body?)
            }
            _ => return Err(self.misplaced(span)),
        };
        Ok(self.surface.expr(made, span))
    }

    fn at(&mut self, label: &str, span: Span) -> Parsed<Expr> {
        let program = &self.builder.program;
        if let Some(id) = program.labels.get(label) {
            return Ok(self.builder.propose(format!("at_{label}"), Atom::At(id)));
        }
        Err(self.builder.sink.error(|| {
            let message = format!("there is no label `{label}`");
            Diagnostic::error(message, span, "no such place")
                .with_nearest(label, program.labels.names())
        }))
    }

    fn chain(&mut self, first: AstId, rest: &[(Infix, AstId)], span: Span) -> Parsed<ExprId> {
        let infix = rest[0].0;
        if !matches!(infix, Infix::And | Infix::Or | Infix::Iff) {
            return Err(self.misplaced(span));
        }
        let all = std::iter::once(first).chain(rest.iter().map(|(_, operand)| *operand));
        let parts: Vec<Parsed<ExprId>> = all.map(|operand| self.formula(operand)).collect();
        let parts: Vec<ExprId> = parts.into_iter().collect::<Parsed<_>>()?;
        let joined = match infix {
            Infix::And => Expr::And(parts),
            Infix::Or => Expr::Or(parts),
            _ => {
                let mut left = parts[0];
                for (index, &right) in parts.iter().enumerate().skip(1) {
                    // The last pair is the whole, with the parentheses around it.
                    let is_whole = index + 1 == parts.len();
                    let pair = self.surface.span(left).to(self.surface.span(right));
                    let place = if is_whole { span } else { pair };
                    left = self.surface.expr(Expr::Iff(left, right), place);
                }
                return Ok(left);
            }
        };
        Ok(self.surface.expr(joined, span))
    }

    fn misplaced(&mut self, span: Span) -> Reported {
        self.builder.sink.error(|| {
            let message = "a formula where a value is expected";
            Diagnostic::error(message, span, "this operator takes values")
                .with_help("formulas are joined by `!`, `&`, `|`, `->` and `<->`")
        })
    }

    /// A part that is true or false of the values of the variables.
    fn proposition(&mut self, id: AstId) -> Parsed<ExprId> {
        let span = self.builder.exprs.span(id);
        let node = self.builder.atom(id)?;
        let made = match self.builder.program.data.exprs.as_constant(node) {
            Some(value) => Expr::Const(value != 0),
            None => {
                let inner = self.builder.exprs.inner_span(id);
                let name = folded(&self.text, inner.range());
                self.builder.propose(name, Atom::Holds(node))
            }
        };
        Ok(self.surface.expr(made, span))
    }
}

impl Builder<'_, '_> {
    /// An expression that is true or false always.
    pub(in crate::imperative) fn atom(&mut self, id: AstId) -> Parsed<machine::NodeId> {
        let total = self.expr_of(Sort::Truth, id)?;
        let span = self.span(id);
        let goes_wrong = self.program.data.exprs.not(total.defined);
        if self.program.data.is_never_in(goes_wrong, MOST_WAYS) {
            return Ok(total.value);
        }
        Err(self.sink.error(|| {
            let message = "what a formula says of a state must have a value in every state";
            Diagnostic::error(message, span, "this can go wrong").with_help(
                "compute it in the program, or say where it is right: `i <= 3 & a[i] = 0`",
            )
        }))
    }
}
