//! A while-program as it was written.

use logic::{Fix, Logic, Modality, PathOp, Quantifier, StateOp};
use support::{IdVec, Span, define_id};

define_id!(ExprId, "e");

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// Infix operators that are read from the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Infix {
    Iff,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
}

impl Infix {
    pub fn text(self) -> &'static str {
        match self {
            Infix::Iff => "<->",
            Infix::Or => "|",
            Infix::And => "&",
            Infix::Equal => "=",
            Infix::NotEqual => "!=",
            Infix::Less => "<",
            Infix::LessEqual => "<=",
            Infix::Greater => ">",
            Infix::GreaterEqual => ">=",
            Infix::Plus => "+",
            Infix::Minus => "-",
            Infix::Times => "*",
            Infix::Divide => "/",
            Infix::Mod => "mod",
        }
    }
}

/// Expressions, and formulas, whose atoms they are.
#[derive(Clone, Debug)]
pub(super) enum Expr<'a> {
    Bool(bool),
    Int(i64),
    /// A variable or a constant; in formulas also a variable of a procedure: `p.x`.
    Name(&'a str),
    Index(Name<'a>, ExprId),
    Not(ExprId),
    Neg(ExprId),
    /// Operators of one level, from the left.
    Chain(ExprId, Vec<(Infix, ExprId)>),
    /// From the right.
    Implies(ExprId, ExprId),
    /// `at_l`, by the name of the label.
    At(&'a str),
    Error,
    /// The end of a hole in what is assumed of it, and of a program over integers.
    End,
    State(Quantifier, StateOp, ExprId),
    Path(Quantifier, PathOp, ExprId, ExprId),
    Fix(Fix, Name<'a>, ExprId),
    /// A variable of a fixpoint.
    Bound(&'a str),
    Modal(Modality, ExprId),
}

pub(super) fn operands(expr: &Expr, mut visit: impl FnMut(ExprId)) {
    match expr {
        Expr::Bool(_)
        | Expr::Int(_)
        | Expr::Name(_)
        | Expr::At(_)
        | Expr::Error
        | Expr::End
        | Expr::Bound(_) => {}
        Expr::Index(_, a)
        | Expr::Not(a)
        | Expr::Neg(a)
        | Expr::State(_, _, a)
        | Expr::Fix(_, _, a)
        | Expr::Modal(_, a) => visit(*a),
        Expr::Implies(a, b) | Expr::Path(_, _, a, b) => [a, b].into_iter().for_each(|e| visit(*e)),
        Expr::Chain(first, rest) => {
            visit(*first);
            rest.iter().for_each(|(_, e)| visit(*e));
        }
    }
}

#[derive(Clone, Debug)]
struct Item<'a> {
    expr: Expr<'a>,
    /// With the parentheses around it.
    span: Span,
    /// Without them.
    inner: Span,
    depth: u32,
    is_pure: bool,
}

/// All expressions of a text, operands first.
#[derive(Default)]
pub(super) struct Exprs<'a>(IdVec<ExprId, Item<'a>>);

impl<'a> Exprs<'a> {
    pub fn push(&mut self, expr: Expr<'a>, span: Span) -> ExprId {
        let mut depth = 0;
        let mut is_pure = !matches!(
            expr,
            Expr::At(_)
                | Expr::Error
                | Expr::End
                | Expr::State(..)
                | Expr::Path(..)
                | Expr::Fix(..)
                | Expr::Bound(_)
                | Expr::Modal(..)
        );
        operands(&expr, |operand| {
            depth = depth.max(self.0[operand].depth + 1);
            is_pure &= self.0[operand].is_pure;
        });
        self.0.push(Item { expr, span, inner: span, depth, is_pure })
    }

    pub fn get(&self, id: ExprId) -> &Expr<'a> {
        &self.0[id].expr
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.0[id].span
    }

    /// Without the parentheses around it.
    pub fn inner_span(&self, id: ExprId) -> Span {
        self.0[id].inner
    }

    /// Takes the parentheses around an expression for a part of it.
    pub fn set_span(&mut self, id: ExprId, span: Span) {
        self.0[id].span = span;
    }

    pub fn depth(&self, id: ExprId) -> u32 {
        self.0[id].depth
    }

    /// Whether it is an expression of the language, and so one proposition of a formula.
    pub fn is_pure(&self, id: ExprId) -> bool {
        self.0[id].is_pure
    }
}

#[derive(Clone, Debug)]
pub(super) enum Type<'a> {
    Bool,
    Range(i64, i64),
    Enum(Vec<Name<'a>>),
    /// Any integer: no bounds.
    Int,
}

/// What is assigned.
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
    /// What is worth knowing of integers.
    pub predicates: Vec<ExprId>,
    pub properties: Vec<Property<'a>>,
    pub exprs: Exprs<'a>,
}
