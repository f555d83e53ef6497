//! Properties: formulas whose propositions are expressions of the language, `at_l` and `error`.

use super::expr::Sort;
use super::{Asked, Builder};
use crate::imperative::WhileProperty;
use crate::imperative::ast::{Expr as Ast, ExprId as AstId, Exprs};
use crate::imperative::complaints;
use crate::imperative::lexer::folded;
use crate::lexer::unescape;
use crate::sink::{Parsed, Reported, Sink};
use crate::temporal::{self, translate};
use logic::Expr;
use rustc_hash::FxHashMap;
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
    let exprs = atoms.exprs();
    let mut propositions = Propositions { exprs, atoms, text };
    let surface = translate(exprs, property.expr, (property.logic, text), &mut propositions)?;
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

struct Propositions<'b, 'f, 'a, T> {
    exprs: &'f Exprs<'a>,
    atoms: &'b mut T,
    text: &'b str,
}

impl<'f, 'a: 'f, T: Atoms<'f, 'a>> temporal::Atoms for Propositions<'_, 'f, 'a, T> {
    fn is_atom(&self, _: &Exprs, id: AstId) -> bool {
        self.atoms.is_atom(id)
    }

    fn atom(&mut self, id: AstId) -> Parsed<Expr> {
        let span = self.exprs.span(id);
        match self.exprs.get(id) {
            Ast::At(label) => self.atoms.at(label, span),
            Ast::Error => Ok(self.atoms.error()),
            Ast::End => self.atoms.end(span),
            _ => {
                let name = folded(self.text, self.exprs.inner_span(id).range());
                self.atoms.condition(id, name)
            }
        }
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
