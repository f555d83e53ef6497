//! A while-program as it was written.

pub(super) use crate::syntax::{Expr, ExprId, Exprs, Infix, Name, operands};

use logic::Logic;
use support::Span;
use transition::cfg::Jump;

#[derive(Clone, Debug)]
pub(super) enum Type<'a> {
    Bool,
    Range(i64, i64),
    Enum(Vec<Name<'a>>),
    /// Any integer: no bounds.
    Int,
}

/// The right side of an assignment.
#[derive(Clone, Debug)]
pub(super) enum Value {
    One(ExprId),
    /// `{a, b}`, with where it stands.
    Set(Vec<ExprId>),
    Any,
}

/// One variable, however many are declared together.
#[derive(Clone, Debug)]
pub(super) struct Declaration<'a> {
    pub name: Name<'a>,
    /// The bounds of an array, and where they stand.
    pub array: Option<(i64, i64)>,
    pub ty: Type<'a>,
    /// Where the type stands.
    pub ty_span: Span,
    pub init: Option<(Value, Span)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// By value.
    In,
    /// As a result.
    Out,
}

pub(super) struct Procedure<'a> {
    pub name: Name<'a>,
    pub parameters: Vec<(Passing, Declaration<'a>)>,
    pub locals: Vec<Declaration<'a>>,
    pub body: Vec<Command<'a>>,
    pub span: Span,
}

/// One of several that run interleaved.
pub(super) struct Process<'a> {
    pub name: Name<'a>,
    pub locals: Vec<Declaration<'a>>,
    pub body: Vec<Command<'a>>,
}

pub(super) struct Target<'a> {
    pub name: Name<'a>,
    pub index: Option<ExprId>,
}

pub(super) enum Statement<'a> {
    Skip,
    Fin,
    Assign(Target<'a>, Value, Span),
    If {
        condition: ExprId,
        then: Vec<Command<'a>>,
        otherwise: Option<Vec<Command<'a>>>,
        fi: Span,
    },
    While {
        condition: ExprId,
        body: Vec<Command<'a>>,
    },
    Call(Name<'a>, Vec<ExprId>),
    Hole(Name<'a>, Vec<Name<'a>>),
    /// A step that is there only where the condition holds.
    Assume(ExprId),
    /// A run-time error where the condition does not hold.
    Assert(ExprId),
    /// `break`, `continue` or `return`.
    Jump(Jump),
}

pub(super) struct Command<'a> {
    pub labels: Vec<Name<'a>>,
    pub statement: Statement<'a>,
    /// Without the labels.
    pub span: Span,
}

pub(super) struct Property<'a> {
    /// With the quotes, if it has them.
    pub name: Option<Name<'a>>,
    pub logic: Logic,
    pub expr: ExprId,
}

#[derive(Default)]
pub(super) struct File<'a> {
    pub vars: Vec<Declaration<'a>>,
    pub procedures: Vec<Procedure<'a>>,
    pub body: Vec<Command<'a>>,
    /// In the place of the commands, if there are some.
    pub processes: Vec<Process<'a>>,
    /// Predicates given for the abstraction of integers.
    pub predicates: Vec<ExprId>,
    pub properties: Vec<Property<'a>>,
    pub exprs: Exprs<'a>,
}
