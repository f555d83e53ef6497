//! Expressions and formulas as they are written, in the languages whose formulas have expressions as atoms.

use logic::{Fix, LinearOp, LinearPairOp, Modality, PathOp, Quantifier, StateOp};
use support::{IdVec, Span, define_id};

define_id!(ExprId, "e");

/// A name and where it was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name<'a> {
    pub text: &'a str,
    pub span: Span,
}

/// Infix operators. How strongly they bind is for the languages to say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Infix {
    Implies,
    Iff,
    /// The `?` of `c ? a : b`.
    Cond,
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
            Infix::Cond => "?",
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

/// Functions of SMV.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Function {
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
    /// With how many operands each takes; `None` for any number.
    pub const ALL: [(&'static str, Function, Option<usize>); 15] = [
        ("next", Function::Next, Some(1)),
        ("word1", Function::Word1, Some(1)),
        ("bool", Function::Bool, Some(1)),
        ("toint", Function::ToInt, Some(1)),
        ("signed", Function::Signed, Some(1)),
        ("unsigned", Function::Unsigned, Some(1)),
        ("extend", Function::Extend, Some(2)),
        ("resize", Function::Resize, Some(2)),
        ("sizeof", Function::SizeOf, Some(1)),
        ("uwconst", Function::UnsignedConstant, Some(2)),
        ("swconst", Function::SignedConstant, Some(2)),
        ("count", Function::Count, None),
        ("abs", Function::Abs, Some(1)),
        ("max", Function::Max, Some(2)),
        ("min", Function::Min, Some(2)),
    ];

    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, function, _)| *function == self).map_or("", |(text, ..)| text)
    }
}

/// The states of a path that an operator with bounds is about, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Steps {
    pub from: u32,
    pub to: u32,
}

/// Expressions, and formulas, whose atoms they are. No language has all of them.
#[derive(Clone, Debug)]
pub(crate) enum Expr<'a> {
    Bool(bool),
    Int(i64),
    Word {
        signed: bool,
        width: u8,
        value: i64,
    },
    /// A variable or a constant; in formulas about programs also a variable of a procedure: `p.x`.
    Name(&'a str),
    Dot(ExprId, Name<'a>),
    /// An element of an array that has a name.
    Index(Name<'a>, ExprId),
    /// An element of what an expression stands for.
    Element(ExprId, ExprId),
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
    /// An expression that is kept elsewhere, by its number.
    Atom(u32),
    /// `at_l`, by the name of the label.
    At(&'a str),
    /// A construct that is not supported, with its text.
    Unsupported {
        construct: &'static str,
        text: &'a str,
    },
    Error,
    /// The end of a hole in what is assumed of it, and of a program over integers.
    End,
    /// `AG f`, …
    State(Quantifier, StateOp, ExprId),
    /// `A[f U g]`, …
    Path(Quantifier, PathOp, ExprId, ExprId),
    /// `EBF 1..3 f`, `ABG 1..3 f`, …
    StateWithin(Quantifier, StateOp, Steps, ExprId),
    /// `A[f BU 1..3 g]`, …
    UntilWithin(Quantifier, Steps, ExprId, ExprId),
    /// `X f`, …
    Linear(LinearOp, ExprId),
    /// `f U g`, …
    LinearPair(LinearPairOp, ExprId, ExprId),
    /// `A f` and `E f` for formulas of one path.
    Quantified(Quantifier, ExprId),
    /// `mu Z. f`
    Fix(Fix, Name<'a>, ExprId),
    /// A variable of a fixpoint.
    Bound(&'a str),
    /// `[] f` and `<> f`
    Modal(Modality, ExprId),
}

pub(crate) fn operands(expr: &Expr, mut visit: impl FnMut(ExprId)) {
    match expr {
        Expr::Bool(_)
        | Expr::Int(_)
        | Expr::Word { .. }
        | Expr::Name(_)
        | Expr::Atom(_)
        | Expr::At(_)
        | Expr::Unsupported { .. }
        | Expr::Error
        | Expr::End
        | Expr::Bound(_) => {}
        Expr::Dot(a, _)
        | Expr::Index(_, a)
        | Expr::Not(a)
        | Expr::Neg(a)
        | Expr::State(_, _, a)
        | Expr::StateWithin(_, _, _, a)
        | Expr::Linear(_, a)
        | Expr::Quantified(_, a)
        | Expr::Fix(_, _, a)
        | Expr::Modal(_, a) => visit(*a),
        Expr::Element(a, b)
        | Expr::Implies(a, b)
        | Expr::Range(a, b)
        | Expr::Path(_, _, a, b)
        | Expr::UntilWithin(_, _, a, b)
        | Expr::LinearPair(_, a, b) => [a, b].into_iter().for_each(|e| visit(*e)),
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
pub(crate) struct Exprs<'a>(IdVec<ExprId, Item<'a>>);

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
                | Expr::StateWithin(..)
                | Expr::UntilWithin(..)
                | Expr::Linear(..)
                | Expr::LinearPair(..)
                | Expr::Quantified(..)
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

    /// Calls for the expression and all below it.
    pub fn visit(&self, root: ExprId, mut visit: impl FnMut(ExprId, &Expr<'a>)) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            visit(id, self.get(id));
            operands(self.get(id), |operand| open.push(operand));
        }
    }
}
