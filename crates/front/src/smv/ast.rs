//! A file as it was written.

pub(super) use crate::syntax::{Expr, ExprId, Exprs, Function, Infix, Name, Steps};

use logic::{Extreme, Logic};
use std::sync::Arc;
use support::Span;

/// The name of what is not supported.
pub(super) const WIDE_WORD: &str = "a word of more than 64 bits";

#[derive(Clone, Debug)]
pub(super) enum Type<'a> {
    Boolean,
    /// All integers.
    Integer(Span),
    Range(ExprId, ExprId),
    /// Names and integers.
    Enum(Vec<(Constant<'a>, Span)>),
    Word {
        signed: bool,
        width: ExprId,
    },
    Array(ExprId, ExprId, Box<Type<'a>>),
    /// One that is not supported: its name, and the type of its elements if it is an array.
    Unsupported {
        construct: &'static str,
        span: Span,
        element: Option<Box<Type<'a>>>,
    },
    Instance {
        is_process: bool,
        module: Name<'a>,
        arguments: Vec<ExprId>,
    },
}

#[derive(Clone, Debug)]
pub(super) enum Constant<'a> {
    Symbol(&'a str),
    Int(i64),
}

pub(super) struct Declaration<'a> {
    pub name: Name<'a>,
    pub ty: Type<'a>,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SpecKind {
    Formula(Logic),
    Invar,
}

pub(super) struct Spec<'a> {
    pub kind: SpecKind,
    pub name: Option<Name<'a>>,
    pub expr: ExprId,
}

/// `COMPUTE MIN[from, to]` or `COMPUTE MAX[from, to]`
#[derive(Clone, Copy)]
pub(super) struct Compute<'a> {
    pub extreme: Extreme,
    pub name: Option<Name<'a>>,
    pub from: ExprId,
    pub to: ExprId,
    /// From `MIN` or `MAX` on.
    pub span: Span,
}

/// A specification of PSL, which is not read.
pub(super) struct UnsupportedSpec<'a> {
    pub name: Option<Name<'a>>,
    /// All of it, without the keyword.
    pub span: Span,
}

pub(super) enum Item<'a> {
    Var(transition::VarKind, Declaration<'a>),
    Define { name: ExprId, value: ExprId },
    Constant(Name<'a>),
    Assign { when: transition::When, target: ExprId, value: ExprId, span: Span },
    Constraint { section: transition::Section, expr: ExprId },
    Fairness { expr: ExprId },
    Compassion { keyword: Span, often: ExprId, then: ExprId },
    Spec(Spec<'a>),
    Compute(Compute<'a>),
    UnsupportedSpec(UnsupportedSpec<'a>),
    Isa(Name<'a>),
}

pub(super) struct Module<'a> {
    pub name: Name<'a>,
    pub parameters: Vec<Name<'a>>,
    pub items: Vec<Item<'a>>,
}

pub(super) struct File<'a> {
    pub modules: Vec<Module<'a>>,
    pub exprs: Exprs<'a>,
    /// Specifications to check instead of those in the modules, each with its text.
    pub asked: Vec<(Spec<'a>, Arc<str>)>,
}
