//! Properties: formulas whose propositions are expressions of the language, `at_l` and `error`.

use super::expr::Sort;
use super::{Asked, Builder};
use crate::imperative::WhileProperty;
use crate::imperative::ast::{Expr as Ast, ExprId as AstId, Exprs, Infix};
use crate::imperative::complaints;
use crate::imperative::lexer::folded;
use crate::lexer::unescape;
use crate::sink::{Parsed, Reported};
use logic::{ActionSet, BinderId, Expr, ExprId, Regular, SurfaceBuilder};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::{Diagnostic, Span};
use transition::cfg::Atom;

/// Whether an atom can go wrong is tried out for so many values of what it reads.
const MOST_WAYS: u128 = 1 << 16;

/// The propositions of all formulas, in the order in which they are found.
#[derive(Default)]
pub(in crate::imperative) struct Proposals {
    pub list: Vec<(String, Atom)>,
    known: FxHashMap<String, Atom>,
}

impl Proposals {
    fn propose(&mut self, name: String, atom: Atom) -> Expr {
        let mut unique = name;
        // The same text means the same everywhere, except perhaps in different files.
        while self.known.get(&unique).is_some_and(|known| *known != atom) {
            unique.push('\'');
        }
        if self.known.insert(unique.clone(), atom).is_none() {
            self.list.push((unique.clone(), atom));
        }
        Expr::Prop(unique)
    }
}

pub(super) fn property<'f, 'a>(
    builder: &mut Builder<'f, 'a>,
    asked: &Asked<'f, 'a>,
) -> Parsed<WhileProperty> {
    let Asked { property, text, name } = asked;
    let span = builder.span(property.expr);
    let mut translation = Translation {
        exprs: builder.exprs,
        builder,
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

struct Translation<'b, 'f, 'a> {
    exprs: &'f Exprs<'a>,
    builder: &'b mut Builder<'f, 'a>,
    text: Arc<str>,
    surface: SurfaceBuilder,
    /// The fixpoint variables around, innermost last.
    bound: Vec<(&'a str, BinderId)>,
}

impl Translation<'_, '_, '_> {
    fn formula(&mut self, id: AstId) -> Parsed<ExprId> {
        let exprs = self.exprs;
        let span = exprs.span(id);
        if self.builder.is_atom(id) {
            let name = folded(&self.text, exprs.inner_span(id).range());
            let made = self.builder.condition(id, name)?;
            return Ok(self.surface.expr(made, span));
        }
        let made = match exprs.get(id) {
            Ast::At(label) => self.builder.at(label, span)?,
            Ast::Error => self.builder.propositions.propose("error".to_owned(), Atom::Error),
            Ast::End => self.builder.end(span)?,
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
}

impl Builder<'_, '_> {
    /// Whether this is one proposition and not a formula of several. Over integers what joins comparisons and truth values
    /// belongs to the formula, so that whoever looks for predicates finds them apart.
    fn is_atom(&self, id: AstId) -> bool {
        let is_joined = match self.exprs.get(id) {
            Ast::Not(_) | Ast::Implies(..) => true,
            Ast::Chain(_, rest) => matches!(rest[0].0, Infix::And | Infix::Or | Infix::Iff),
            _ => false,
        };
        self.exprs.is_pure(id) && !(self.over_integers && is_joined)
    }

    fn condition(&mut self, id: AstId, name: String) -> Parsed<Expr> {
        let node = self.atom(id)?;
        Ok(match self.program.data.exprs.as_constant(node) {
            Some(value) => Expr::Const(value != 0),
            None => self.propositions.propose(name, Atom::Holds(node)),
        })
    }

    fn at(&mut self, label: &str, span: Span) -> Parsed<Expr> {
        let labels = &self.program.labels;
        match labels.get(label) {
            Some(id) => Ok(self.propositions.propose(format!("at_{label}"), Atom::At(id))),
            None => Err(self.sink.error(|| complaints::no_label(label, span, labels.names()))),
        }
    }

    fn end(&mut self, span: Span) -> Parsed<Expr> {
        if self.over_integers {
            return Ok(self.propositions.propose("end".to_owned(), Atom::End));
        }
        Err(self.sink.error(|| {
            let message = "`end` belongs to programs over integers, and to holes";
            Diagnostic::error(message, span, "not known here")
                .with_help("give `fin` a label: at `l: fin` holds `at_l`")
        }))
    }

    /// An expression that is true or false always.
    pub(in crate::imperative) fn atom(&mut self, id: AstId) -> Parsed<transition::NodeId> {
        let total = self.expr_of(Sort::Truth, id)?;
        let span = self.span(id);
        let goes_wrong = self.program.data.exprs.not(total.defined);
        let is_total = match self.over_integers {
            true => self.program.data.exprs.as_constant(goes_wrong) == Some(0),
            false => self.program.data.is_never_in(goes_wrong, MOST_WAYS),
        };
        if is_total {
            return Ok(total.value);
        }
        let help = match self.over_integers {
            true => "take out what is divided by zero",
            false => "compute it in the program, or say where it is right: `i <= 3 & a[i] = 0`",
        };
        Err(self.sink.error(|| complaints::can_go_wrong(span, help)))
    }
}
