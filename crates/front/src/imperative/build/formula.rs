//! Properties: formulas whose propositions are expressions of the language, `at_l` and `error`.

use super::expr::Sort;
use super::{Asked, Builder};
use crate::imperative::WhileProperty;
use crate::imperative::ast::{Expr as Ast, ExprId as AstId, Exprs, Infix};
use crate::imperative::complaints;
use crate::imperative::lexer::folded;
use crate::lexer::unescape;
use crate::sink::{Parsed, Reported, Sink};
use logic::{ActionSet, BinderId, Expr, ExprId, Regular, SurfaceBuilder};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use support::{Diagnostic, Span};
use transition::cfg::Atom;

/// Whether an atom can go wrong is tried out for so many values of what it reads.
const MOST_WAYS: u128 = 1 << 16;

/// Who knows what a formula is about.
pub(in crate::imperative) trait Atoms<'f, 'a> {
    fn exprs(&self) -> &'f Exprs<'a>;
    fn sink(&mut self) -> &mut Sink;
    /// Whether this is one proposition and not a formula of several.
    fn is_atom(&self, id: AstId) -> bool;
    /// What is true or false of the values of the variables, as it is called.
    fn condition(&mut self, id: AstId, name: String) -> Parsed<Expr>;
    fn at(&mut self, label: &str, span: Span) -> Parsed<Expr>;
    fn error(&mut self) -> Expr;
    fn end(&mut self, span: Span) -> Parsed<Expr>;
}

/// The propositions of all formulas, in the order in which they are found.
pub(in crate::imperative) struct Proposals<T> {
    pub list: Vec<(String, T)>,
    known: FxHashMap<String, T>,
}

impl<T> Default for Proposals<T> {
    fn default() -> Self {
        Self { list: Vec::new(), known: FxHashMap::default() }
    }
}

impl<T: Clone + PartialEq> Proposals<T> {
    pub fn propose(&mut self, name: String, atom: T) -> Expr {
        let mut unique = name;
        // The same text means the same everywhere, except perhaps in different files.
        while self.known.get(&unique).is_some_and(|known| *known != atom) {
            unique.push('\'');
        }
        if self.known.insert(unique.clone(), atom.clone()).is_none() {
            self.list.push((unique.clone(), atom));
        }
        Expr::Prop(unique)
    }
}

pub(in crate::imperative) fn property<'f, 'a: 'f>(
    atoms: &mut impl Atoms<'f, 'a>,
    asked: &Asked<'f, 'a>,
) -> Parsed<WhileProperty> {
    let Asked { property, text, name } = asked;
    let span = atoms.exprs().span(property.expr);
    let mut translation = Translation {
        exprs: atoms.exprs(),
        atoms,
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

struct Translation<'b, 'f, 'a, T> {
    exprs: &'f Exprs<'a>,
    atoms: &'b mut T,
    text: Arc<str>,
    surface: SurfaceBuilder,
    /// The fixpoint variables around, innermost last.
    bound: Vec<(&'a str, BinderId)>,
}

impl<'f, 'a: 'f, T: Atoms<'f, 'a>> Translation<'_, 'f, 'a, T> {
    fn formula(&mut self, id: AstId) -> Parsed<ExprId> {
        let exprs = self.exprs;
        let span = exprs.span(id);
        if self.atoms.is_atom(id) {
            let name = folded(&self.text, exprs.inner_span(id).range());
            let made = self.atoms.condition(id, name)?;
            return Ok(self.surface.expr(made, span));
        }
        let made = match exprs.get(id) {
            Ast::At(label) => self.atoms.at(label, span)?,
            Ast::Error => self.atoms.error(),
            Ast::End => self.atoms.end(span)?,
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
        self.atoms.sink().error(|| {
            let message = "a formula where a value is expected";
            Diagnostic::error(message, span, "this operator takes values")
                .with_help("formulas are joined by `!`, `&`, `|`, `->` and `<->`")
        })
    }
}

impl<'f, 'a> Atoms<'f, 'a> for Builder<'f, 'a> {
    fn exprs(&self) -> &'f Exprs<'a> {
        self.exprs
    }

    fn sink(&mut self) -> &mut Sink {
        &mut self.sink
    }

    fn is_atom(&self, id: AstId) -> bool {
        self.exprs.is_pure(id)
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

    fn error(&mut self) -> Expr {
        self.propositions.propose("error".to_owned(), Atom::Error)
    }

    fn end(&mut self, span: Span) -> Parsed<Expr> {
        Err(self.sink.error(|| {
            let message = "`end` belongs to programs over integers, and to holes";
            Diagnostic::error(message, span, "not known here")
                .with_help("give `fin` a label: at `l: fin` holds `at_l`")
        }))
    }
}

impl Builder<'_, '_> {
    /// An expression that is true or false always.
    pub(in crate::imperative) fn atom(&mut self, id: AstId) -> Parsed<transition::NodeId> {
        let total = self.expr_of(Sort::Truth, id)?;
        let span = self.span(id);
        let goes_wrong = self.program.data.exprs.not(total.defined);
        if self.program.data.is_never_in(goes_wrong, MOST_WAYS) {
            return Ok(total.value);
        }
        let help = "compute it in the program, or say where it is right: `i <= 3 & a[i] = 0`";
        Err(self.sink.error(|| complaints::can_go_wrong(span, help)))
    }
}
