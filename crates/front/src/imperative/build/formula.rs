//! Properties: formulas whose propositions are expressions of the language, `at_l` and `error`.

use super::expr::Sort;
use super::{Builder, PropertyText};
use crate::document::Specification;
use crate::imperative::ast::{Expr as Ast, ExprId as AstId, Exprs, Infix, operands};
use crate::imperative::complaints;
use crate::imperative::kind::ProgramKind;
use crate::imperative::lexer::folded;
use crate::lexer::unescape;
use crate::sink::{Parsed, Reported};
use crate::temporal::{Atoms, translate};
use logic::Expr;
use rustc_hash::FxHashMap;
use support::{Diagnostic, Span};
use transition::cfg::{CommandKind, CtlAtom, LabelId, ProgramCommand};

/// Whether an atom can go wrong is tried out for so many values of what it reads.
const MOST_COMBINATIONS: u128 = 1 << 16;

/// The propositions of all formulas, in the order in which they are found.
#[derive(Default)]
pub(in crate::imperative) struct Proposals {
    pub list: Vec<(String, CtlAtom)>,
    known: FxHashMap<String, CtlAtom>,
}

impl Proposals {
    fn propose(&mut self, name: String, atom: CtlAtom) -> Expr {
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
    asked: &PropertyText<'f, 'a>,
) -> Parsed<Specification> {
    let PropertyText { property, text, name } = asked;
    let span = builder.span(property.expr);
    if property.logic.has_linear_operators()
        && builder.over_integers()
        && builder.program.has_holes()
    {
        return Err(builder.sink.error(|| complaints::linear_time_of_hole(span)));
    }
    let exprs = builder.exprs;
    let mut propositions = Propositions { builder, text };
    let surface = translate(exprs, property.expr, (property.logic, text), &mut propositions)?;
    let own = property.name.map(|name| match name.text.starts_with('"') {
        true => unescape(name.text),
        false => name.text.to_owned(),
    });
    let folded = folded(text, span.range());
    let named = Specification::new(None, property.name.map_or(span, |name| name.span), surface);
    Ok(Specification {
        name: own.or_else(|| name.clone()),
        statement: format!("specification {folded} "),
        text: folded,
        span,
        ..named
    })
}

struct Propositions<'b, 'f, 'a> {
    builder: &'b mut Builder<'f, 'a>,
    text: &'b str,
}

impl Atoms for Propositions<'_, '_, '_> {
    fn is_atom(&self, _: &Exprs, id: AstId) -> bool {
        self.builder.is_atom(id)
    }

    fn atom(&mut self, id: AstId) -> Parsed<Expr> {
        let exprs = self.builder.exprs;
        match exprs.get(id) {
            Ast::At(label) => self.builder.at(label, exprs.span(id)),
            Ast::Error => Ok(self.builder.propositions.propose("error".to_owned(), CtlAtom::Error)),
            Ast::End => self.builder.end(exprs.span(id)),
            _ => {
                let name = folded(self.text, exprs.inner_span(id).range());
                self.builder.condition(id, name)
            }
        }
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
    /// Whether this is one proposition and not a formula of several. Over integers what joins comparisons and truth
    /// values belongs to the formula, so that the search for predicates finds them apart.
    fn is_atom(&self, id: AstId) -> bool {
        let is_joined = match self.exprs.get(id) {
            Ast::Not(_) | Ast::Implies(..) => true,
            Ast::Chain(_, rest) => matches!(rest[0].0, Infix::And | Infix::Or | Infix::Iff),
            _ => false,
        };
        self.exprs.is_pure(id) && !(self.over_integers() && is_joined && !self.has_index(id))
    }

    /// Whether an element of an array is read: another part may say that the index is one of the array.
    fn has_index(&self, id: AstId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expr = self.exprs.get(id);
            if matches!(expr, Ast::Index(..)) {
                return true;
            }
            operands(expr, |operand| open.push(operand));
        }
        false
    }

    fn condition(&mut self, id: AstId, name: String) -> Parsed<Expr> {
        let node = self.atom(id)?;
        Ok(match self.program.data.exprs.as_constant(node) {
            Some(value) => Expr::Const(value != 0),
            None => self.propositions.propose(name, CtlAtom::Holds(node)),
        })
    }

    fn at(&mut self, label: &str, span: Span) -> Parsed<Expr> {
        let labels = &self.program.labels;
        match labels.get(label) {
            Some(id) if self.is_at_open_hole(id) => {
                Err(self.sink.error(|| complaints::label_of_hole(label, span)))
            }
            Some(id) => Ok(self.propositions.propose(format!("at_{label}"), CtlAtom::At(id))),
            None => Err(self.sink.error(|| complaints::no_label(label, span, labels.names()))),
        }
    }

    /// Whether it is not known in a hole that control is there, and abstractions have no place for that.
    fn is_at_open_hole(&self, label: LabelId) -> bool {
        let is_it = |command: &ProgramCommand| {
            matches!(command.kind, CommandKind::Hole { .. }) && command.labels.contains(&label)
        };
        self.over_integers() && self.program.commands.values().any(is_it)
    }

    fn end(&mut self, span: Span) -> Parsed<Expr> {
        if self.kind != ProgramKind::Sequential {
            return Ok(self.propositions.propose("end".to_owned(), CtlAtom::End));
        }
        Err(self.sink.error(|| {
            let message =
                "`end` belongs to programs with `process`, `assume` or `int`, and to holes";
            Diagnostic::error(message, span, "not known here")
                .with_help("give `fin` a label: at `l: fin` holds `at_l`")
        }))
    }

    /// An expression that is true or false always.
    pub(in crate::imperative) fn atom(&mut self, id: AstId) -> Parsed<transition::NodeId> {
        let total = self.expr_of(Sort::Truth, id)?;
        let span = self.span(id);
        let error_condition = self.program.data.exprs.not(total.defined);
        if self.program.data.is_never_in(error_condition, MOST_COMBINATIONS) {
            return Ok(total.value);
        }
        let help = match self.over_integers() {
            true => "take out what is divided by zero, and give an index a range",
            false => "compute it in the program, or say where it is right: `i <= 3 & a[i] = 0`",
        };
        Err(self.sink.error(|| complaints::choice_can_fail(span, help)))
    }
}
