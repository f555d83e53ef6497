//! Data in the modal formulas of mCRL2: sorts, terms, values, and formulas over actions with arguments.
//!
//! Formulas with data are instantiated before anything else looks at them ([`instantiate`]): quantifiers become
//! conjunctions and disjunctions over the values that matter, parameters of fixpoints one fixpoint for each value.

mod domains;
mod evaluate;
mod functions;
mod instantiate;
mod label;
mod sets;

pub(crate) use instantiate::instantiate;

use crate::actions::ActionSet;
use crate::surface::Quantifier;
use support::{Span, define_id};

define_id!(
    /// A variable for data: of a quantifier, or a parameter of a fixpoint.
    DataVarId,
    "d"
);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Bool,
    Pos,
    Nat,
    Int,
    /// A sort of a specification.
    Named(String),
    /// `Real`, `List(D)`, `Set(D)`, a sort of functions, …: as it is written, and whether it has infinitely many values
    /// for certain.
    Other(String, bool),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataVariable {
    pub name: String,
    pub sort: Sort,
    /// Where it is declared.
    pub span: Span,
}

/// `sort D = struct c(first: Nat)?is_c | d;`, or `sort D = E;`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SortDeclaration {
    pub name: String,
    pub definition: SortDefinition,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SortDefinition {
    Constructors(Vec<Constructor>),
    Alias(Sort),
}

/// A constructor of a structured sort, with its projections and its recogniser.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constructor {
    pub name: String,
    pub fields: Vec<(Option<String>, Sort)>,
    pub recogniser: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataTerm {
    pub kind: DataTermKind,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DataTermKind {
    Variable(DataVarId),
    Bool(bool),
    Number(i64),
    /// A constant, or a function or constructor with arguments.
    Apply(String, Vec<DataTerm>),
    List(Vec<DataTerm>),
    Set(Vec<DataTerm>),
    Unary(UnaryOp, Box<DataTerm>),
    Binary(BinaryOp, Box<[DataTerm; 2]>),
    ForValues(Quantifier, Vec<DataVarId>, Box<DataTerm>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    Not,
    Minus,
    /// `#l`
    Size,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOp {
    Implies,
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    AtLeast,
    Greater,
    In,
    /// `d |> l`
    Cons,
    /// `l <| d`
    Snoc,
    Concat,
    Add,
    Subtract,
    Div,
    Mod,
    Multiply,
    /// `l . n`
    At,
}

/// A formula over actions with data, in a modality.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ActionFormula {
    Set(ActionSet),
    /// `a(1, n) | b`: a multi-action.
    Multi(Vec<ActionPattern>, Span),
    Val(DataTerm),
    Not(Box<ActionFormula>),
    And(Vec<ActionFormula>),
    Or(Vec<ActionFormula>),
    ForValues(Quantifier, Vec<DataVarId>, Box<ActionFormula>, Span),
}

/// An action with its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionPattern {
    pub name: String,
    pub arguments: Vec<DataTerm>,
}

/// An integer. One that stands for all that lie beyond the numbers of a formula and a system is generic: only what all
/// of them have in common can be asked of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub value: i64,
    pub is_generic: bool,
}

impl Number {
    fn known(value: i64) -> Self {
        Self { value, is_generic: false }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value.cmp(&other.value)
    }
}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Value {
    Bool(bool),
    Number(Number),
    /// A constructor with its arguments.
    Term(String, Vec<Value>),
    List(Vec<Value>),
    /// Sorted, without duplicates.
    Set(Vec<Value>),
    /// A value that occurs in no action; those with different numbers are different.
    Other(u32),
}

impl Value {
    fn number(value: i64) -> Self {
        Value::Number(Number::known(value))
    }

    /// Whether a generic number is part of it.
    fn is_generic(&self) -> bool {
        match self {
            Value::Number(number) => number.is_generic,
            Value::Term(_, parts) | Value::List(parts) | Value::Set(parts) => {
                parts.iter().any(Value::is_generic)
            }
            Value::Bool(_) | Value::Other(_) => false,
        }
    }

    /// Whether a value that occurs in no action is part of it, which stands for all such values of its sort.
    fn has_other(&self) -> bool {
        match self {
            Value::Other(_) => true,
            Value::Term(_, parts) | Value::List(parts) | Value::Set(parts) => {
                parts.iter().any(Value::has_other)
            }
            Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Whether it stands for other values, too: only what treats them alike may be asked of it.
    fn is_representative(&self) -> bool {
        self.is_generic() || self.has_other()
    }
}

impl DataTerm {
    /// Visits the term and its subterms.
    fn visit<'t>(&'t self, visit: &mut impl FnMut(&'t DataTerm)) {
        visit(self);
        match &self.kind {
            DataTermKind::Variable(_) | DataTermKind::Bool(_) | DataTermKind::Number(_) => {}
            DataTermKind::Apply(_, terms)
            | DataTermKind::List(terms)
            | DataTermKind::Set(terms) => {
                terms.iter().for_each(|term| term.visit(visit));
            }
            DataTermKind::Unary(_, term) | DataTermKind::ForValues(_, _, term) => term.visit(visit),
            DataTermKind::Binary(_, sides) => sides.iter().for_each(|term| term.visit(visit)),
        }
    }
}

impl ActionFormula {
    /// The formula with another name for an action without arguments.
    pub(crate) fn renamed(&self, from: &str, to: &str) -> Self {
        let all = |parts: &[Self]| parts.iter().map(|part| part.renamed(from, to)).collect();
        match self {
            ActionFormula::Set(set) => ActionFormula::Set(set.renamed(from, to)),
            ActionFormula::Multi(..) | ActionFormula::Val(_) => self.clone(),
            ActionFormula::Not(inner) => ActionFormula::Not(Box::new(inner.renamed(from, to))),
            ActionFormula::And(parts) => ActionFormula::And(all(parts)),
            ActionFormula::Or(parts) => ActionFormula::Or(all(parts)),
            ActionFormula::ForValues(quantifier, variables, inner, span) => {
                let inner = Box::new(inner.renamed(from, to));
                ActionFormula::ForValues(*quantifier, variables.clone(), inner, *span)
            }
        }
    }

    /// Visits the terms and the multi-actions in it.
    fn visit<'t>(
        &'t self,
        term: &mut impl FnMut(&'t DataTerm),
        multi: &mut impl FnMut(&'t [ActionPattern]),
    ) {
        match self {
            ActionFormula::Set(_) => {}
            ActionFormula::Multi(patterns, _) => {
                multi(patterns);
                patterns.iter().flat_map(|pattern| &pattern.arguments).for_each(&mut *term);
            }
            ActionFormula::Val(own) => term(own),
            ActionFormula::Not(inner) | ActionFormula::ForValues(_, _, inner, _) => {
                inner.visit(term, multi);
            }
            ActionFormula::And(parts) | ActionFormula::Or(parts) => {
                parts.iter().for_each(|part| part.visit(term, multi));
            }
        }
    }
}
