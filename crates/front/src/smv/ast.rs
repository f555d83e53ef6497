//! A file as it was written.

use crate::cursor::Name;
use logic::{Fix, Modality, PathOp, Quantifier, StateOp};
use std::sync::Arc;
use support::{IdVec, Span, define_id};

define_id!(ExprId, "e");

/// Infix operators, those of one level together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Infix {
    Implies,
    Iff,
    Or,
    Xor,
    Xnor,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    Union,
    ShiftLeft,
    ShiftRight,
    Plus,
    Minus,
    Times,
    Divide,
    Mod,
    Concat,
}

impl Infix {
    pub fn text(self) -> &'static str {
        match self {
            Infix::Implies => "->",
            Infix::Iff => "<->",
            Infix::Or => "|",
            Infix::Xor => "xor",
            Infix::Xnor => "xnor",
            Infix::And => "&",
            Infix::Equal => "=",
            Infix::NotEqual => "!=",
            Infix::Less => "<",
            Infix::LessEqual => "<=",
            Infix::Greater => ">",
            Infix::GreaterEqual => ">=",
            Infix::In => "in",
            Infix::Union => "union",
            Infix::ShiftLeft => "<<",
            Infix::ShiftRight => ">>",
            Infix::Plus => "+",
            Infix::Minus => "-",
            Infix::Times => "*",
            Infix::Divide => "/",
            Infix::Mod => "mod",
            Infix::Concat => "::",
        }
    }
}

/// What is written like a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Next,
    Word1,
    Bool,
    ToInt,
    Signed,
    Unsigned,
    Extend,
    Resize,
    SizeOf,
    UnsignedConstant,
    SignedConstant,
    Count,
    Abs,
    Max,
    Min,
}

impl Function {
    pub const ALL: [(&'static str, Function); 15] = [
        ("next", Function::Next),
        ("word1", Function::Word1),
        ("bool", Function::Bool),
        ("toint", Function::ToInt),
        ("signed", Function::Signed),
        ("unsigned", Function::Unsigned),
        ("extend", Function::Extend),
        ("resize", Function::Resize),
        ("sizeof", Function::SizeOf),
        ("uwconst", Function::UnsignedConstant),
        ("swconst", Function::SignedConstant),
        ("count", Function::Count),
        ("abs", Function::Abs),
        ("max", Function::Max),
        ("min", Function::Min),
    ];

    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, function)| *function == self).map_or("", |(text, _)| text)
    }

    /// How many operands it takes; `None` for any number.
    pub fn arity(self) -> Option<usize> {
        match self {
            Function::Count => None,
            Function::Extend
            | Function::Resize
            | Function::UnsignedConstant
            | Function::SignedConstant
            | Function::Max
            | Function::Min => Some(2),
            _ => Some(1),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum Expr<'a> {
    Bool(bool),
    Int(i64),
    Word {
        signed: bool,
        width: u8,
        value: i64,
    },
    Name(&'a str),
    Dot(ExprId, Name<'a>),
    Index(ExprId, ExprId),
    Bits(ExprId, ExprId, ExprId),
    Not(ExprId),
    Neg(ExprId),
    /// Operators of one level, from the left.
    Chain(ExprId, Vec<(Infix, ExprId)>),
    /// From the right.
    Implies(ExprId, ExprId),
    Cond(ExprId, ExprId, ExprId),
    Call(Function, Vec<ExprId>),
    Set(Vec<ExprId>),
    Range(ExprId, ExprId),
    Array(Vec<ExprId>),
    Case(Vec<(ExprId, ExprId)>),
    /// `AG f`, …
    State(Quantifier, StateOp, ExprId),
    /// `A[f U g]`, …
    Path(Quantifier, PathOp, ExprId, ExprId),
    /// `mu Z. f`
    Fix(Fix, Name<'a>, ExprId),
    /// `[] f` and `<> f`
    Modal(Modality, ExprId),
}

/// All expressions of a file, operands first.
#[derive(Default)]
pub(super) struct Exprs<'a> {
    items: IdVec<ExprId, (Expr<'a>, Span)>,
    depths: IdVec<ExprId, u32>,
}

impl<'a> Exprs<'a> {
    pub fn push(&mut self, expr: Expr<'a>, span: Span) -> ExprId {
        let mut depth = 0;
        operands(&expr, |operand| depth = depth.max(self.depths[operand] + 1));
        self.depths.push(depth);
        self.items.push((expr, span))
    }

    pub fn get(&self, id: ExprId) -> &Expr<'a> {
        &self.items[id].0
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.items[id].1
    }

    /// Takes the parentheses around an expression for a part of it.
    pub fn set_span(&mut self, id: ExprId, span: Span) {
        self.items[id].1 = span;
    }

    pub fn depth(&self, id: ExprId) -> u32 {
        self.depths[id]
    }

    /// Calls for the expression and all below it.
    pub fn visit(&self, root: ExprId, mut visit: impl FnMut(ExprId, &Expr<'a>)) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            visit(id, self.get(id));
            operands(self.get(id), |operand| open.push(operand));
        }
    }
}

pub(super) fn operands(expr: &Expr, mut visit: impl FnMut(ExprId)) {
    match expr {
        Expr::Bool(_) | Expr::Int(_) | Expr::Word { .. } | Expr::Name(_) => {}
        Expr::Dot(a, _)
        | Expr::Not(a)
        | Expr::Neg(a)
        | Expr::State(_, _, a)
        | Expr::Fix(_, _, a)
        | Expr::Modal(_, a) => visit(*a),
        Expr::Index(a, b) | Expr::Implies(a, b) | Expr::Range(a, b) | Expr::Path(_, _, a, b) => {
            [a, b].into_iter().for_each(|e| visit(*e))
        }
        Expr::Bits(a, b, c) | Expr::Cond(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(*e)),
        Expr::Chain(first, rest) => {
            visit(*first);
            rest.iter().for_each(|(_, e)| visit(*e));
        }
        Expr::Call(_, es) | Expr::Set(es) | Expr::Array(es) => es.iter().for_each(|e| visit(*e)),
        Expr::Case(branches) => {
            for (condition, value) in branches {
                visit(*condition);
                visit(*value);
            }
        }
    }
}

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
    Ctl,
    Invar,
    Mu,
}

pub(super) struct Spec<'a> {
    pub kind: SpecKind,
    pub name: Option<Name<'a>>,
    pub expr: ExprId,
}

/// A specification that can only be named.
pub(super) struct Foreign<'a> {
    pub logic: &'static str,
    pub name: Option<Name<'a>>,
    /// All of it, without the keyword.
    pub span: Span,
}

pub(super) enum Item<'a> {
    Var(transition::Kind, Declaration<'a>),
    Define { name: ExprId, value: ExprId },
    Constant(Name<'a>),
    Assign { when: transition::When, target: ExprId, value: ExprId, span: Span },
    Constraint { moment: transition::Moment, expr: ExprId },
    Fairness { expr: ExprId },
    Spec(Spec<'a>),
    Foreign(Foreign<'a>),
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
    /// What is asked instead of the specifications in the modules, each with its text.
    pub asked: Vec<(Spec<'a>, Arc<str>)>,
}
