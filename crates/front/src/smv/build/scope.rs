//! Scopes and symbols.

use super::unsupported::UnsupportedConstruct;
use crate::smv::ast::ExprId;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;
use support::{Span, define_id};
use transition::{ChoiceId, InstanceId, NodeId, VarId};

define_id!(
    /// A definition, or an argument of a module instance.
    DefId,
    "def"
);
define_id!(ArrayId, "array");

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    Var(VarId),
    Array(ArrayId),
    Def(DefId),
    Instance(InstanceId),
    /// A variable whose type is not known yet.
    Undeclared,
    /// A variable that depends on a construct that is not supported.
    Unsupported(UnsupportedConstruct),
    /// Whether the process of this instance takes the step.
    Running(InstanceId),
}

/// An array of variables.
#[derive(Clone, Debug)]
pub(super) struct ArrayVar {
    pub low: i64,
    pub items: Vec<Symbol>,
}

/// The names of one instance.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope<'f> {
    pub symbols: FxHashMap<Cow<'f, str>, (Symbol, Span)>,
    /// The process that the instance belongs to: itself, or one that it lies within.
    pub process: Option<InstanceId>,
}

#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// Where its expression is to be understood.
    pub scope: InstanceId,
    pub expr: ExprId,
    pub name: String,
    pub span: Span,
    pub is_argument: bool,
    pub state: State,
}

#[derive(Clone, Debug)]
pub(super) enum State {
    Untouched,
    /// Something that it needs is being looked at.
    Open,
    Done(Value),
    Unsupported(UnsupportedConstruct),
    Failed,
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Node(NodeId),
    /// A set that is not one value always.
    Set(ChoiceId),
    Array(Rc<ArrayValue>),
    Instance(InstanceId),
    /// An element of an array that has no value here.
    Unsupported(UnsupportedConstruct),
}

#[derive(Clone, Debug)]
pub(super) struct ArrayValue {
    pub low: i64,
    pub items: Vec<Value>,
}
