//! Formulas as the user wrote them.
//!
//! Expressions live in one arena and stand after their operands, so that a pass from first to last
//! is bottom-up and one from last to first is top-down: no recursion, however deep the formula.

use crate::actions::ActionSet;
use crate::data::{ActionFormula, DataTerm, DataVarId, DataVariable, SortDeclaration};
use crate::formula::{Fix, Modality};
use std::sync::Arc;
use support::{IdVec, Span, define_id};

define_id!(ExprId, "e");
define_id!(RegId, "r");
define_id!(
    /// An occurrence of `mu Z.` or `nu Z.`.
    BinderId,
    "b"
);

/// The logics. Parsers and printers ask for the constructs of a logic and name none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Logic {
    Mu,
    Ctl,
    Mcf,
    Ltl,
    CtlStar,
}

impl Logic {
    pub const ALL: [Logic; 5] = [Logic::Mu, Logic::Ctl, Logic::Mcf, Logic::Ltl, Logic::CtlStar];

    /// Finds the logic of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|logic| logic.name() == name)
    }

    /// Whether it has `mu Z. f` and `nu Z. f`.
    pub fn has_fixpoints(self) -> bool {
        matches!(self, Logic::Mu | Logic::Mcf)
    }

    /// Whether it has `X f`, `f U g`, `O f` and the like, which speak of one path. Such a logic is translated by way of
    /// automata.
    pub fn has_linear_operators(self) -> bool {
        matches!(self, Logic::Ltl | Logic::CtlStar)
    }

    /// Whether it has `A f` and `E f` for formulas `f` of one path.
    pub fn quantifies_over_path_formulas(self) -> bool {
        self == Logic::CtlStar
    }

    /// Whether fairness leaves out some of the paths that it speaks of.
    pub fn is_about_paths(self) -> bool {
        self.has_path_quantifiers() || self.has_linear_operators()
    }

    /// Whether it has `AX f`, `E[f U g]` and the like.
    pub fn has_path_quantifiers(self) -> bool {
        self == Logic::Ctl
    }

    /// Whether it is written as in mCRL2: regular formulas over actions in modalities. Such a logic is not about
    /// states, so that it cannot be asked of symbolic models.
    pub fn has_regular_formulas(self) -> bool {
        self == Logic::Mcf
    }

    pub fn name(self) -> &'static str {
        match self {
            Logic::Mu => "mu",
            Logic::Ctl => "ctl",
            Logic::Mcf => "mcf",
            Logic::Ltl => "ltl",
            Logic::CtlStar => "ctlstar",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    All,
    Exists,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StateOp {
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathOp {
    Until,
    Release,
    WeakUntil,
}

/// The operators of linear time with one operand, future and past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinearOp {
    Next,
    Finally,
    Globally,
    /// `Y`: there is a previous state, and the operand holds in it.
    Yesterday,
    /// `Z`: the same, and true in the first state.
    WeakYesterday,
    Once,
    Historically,
}

/// The operators of linear time with two operands, future and past.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LinearPairOp {
    Until,
    Release,
    WeakUntil,
    Since,
    Triggered,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    Const(bool),
    Prop(String),
    Var(BinderId),
    Not(ExprId),
    And(Vec<ExprId>),
    Or(Vec<ExprId>),
    Implies(ExprId, ExprId),
    Iff(ExprId, ExprId),
    Modal(Modality, RegId, ExprId),
    Fix(BinderId, ExprId),
    /// `AX f`, `EF f`, …
    State(Quantifier, StateOp, ExprId),
    /// `A[f U g]`, `E[f R g]`, …
    Path(Quantifier, PathOp, ExprId, ExprId),
    /// `X f`, `O f`, …
    Linear(LinearOp, ExprId),
    /// `f U g`, `f S g`, …
    LinearPair(LinearPairOp, ExprId, ExprId),
    /// `A f`, `E f` for a formula of one path.
    Quantified(Quantifier, ExprId),
    /// `forall d: D. f`, `exists d: D. f`
    ForValues(Quantifier, Vec<DataVarId>, ExprId),
    /// `val(b)`
    Val(DataTerm),
    /// `X(e)`: a variable with values for its parameters.
    Call(BinderId, Vec<DataTerm>),
}

impl Expr {
    /// Visits the operands.
    pub fn operands(&self, mut visit: impl FnMut(ExprId)) {
        match self {
            Expr::Const(_) | Expr::Prop(_) | Expr::Var(_) | Expr::Val(_) | Expr::Call(..) => {}
            Expr::Not(e)
            | Expr::Modal(_, _, e)
            | Expr::Fix(_, e)
            | Expr::State(_, _, e)
            | Expr::Linear(_, e)
            | Expr::Quantified(_, e)
            | Expr::ForValues(_, _, e) => visit(*e),
            Expr::And(es) | Expr::Or(es) => es.iter().copied().for_each(visit),
            Expr::Implies(a, b)
            | Expr::Iff(a, b)
            | Expr::Path(_, _, a, b)
            | Expr::LinearPair(_, a, b) => {
                visit(*a);
                visit(*b);
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Binder {
    pub kind: Fix,
    pub name: String,
    /// Where the variable is named.
    pub span: Span,
    /// With their initial values.
    pub parameters: Vec<(DataVarId, DataTerm)>,
}

/// A regular formula over actions, in a modality. Outside mcf this is always one `Action`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Regular {
    /// One step by an action of the set.
    Action(ActionSet),
    /// One step by an action with data.
    Matching(ActionFormula),
    Seq(RegId, RegId),
    Alt(RegId, RegId),
    Star(RegId),
    Plus(RegId),
}

/// A parsed formula, its names not yet looked up except for fixpoint variables.
#[derive(Clone, Debug)]
pub struct Surface {
    pub logic: Logic,
    /// The text that all spans of this formula point into, and where the formula stands in it.
    pub text: Arc<str>,
    pub span: Span,
    pub exprs: IdVec<ExprId, (Expr, Span)>,
    pub regs: IdVec<RegId, (Regular, Span)>,
    pub binders: IdVec<BinderId, Binder>,
    /// Every action that is named without arguments, where it is named.
    pub actions: Vec<(String, Span)>,
    pub variables: IdVec<DataVarId, DataVariable>,
    pub sorts: Vec<SortDeclaration>,
    pub root: ExprId,
}

/// Collects the arenas while a parser runs.
#[derive(Default)]
pub struct SurfaceBuilder {
    pub exprs: IdVec<ExprId, (Expr, Span)>,
    pub regs: IdVec<RegId, (Regular, Span)>,
    pub binders: IdVec<BinderId, Binder>,
    pub actions: Vec<(String, Span)>,
    pub variables: IdVec<DataVarId, DataVariable>,
    pub sorts: Vec<SortDeclaration>,
}

impl SurfaceBuilder {
    pub fn expr(&mut self, expr: Expr, span: Span) -> ExprId {
        self.exprs.push((expr, span))
    }

    pub fn reg(&mut self, reg: Regular, span: Span) -> RegId {
        self.regs.push((reg, span))
    }

    pub fn binder(&mut self, kind: Fix, name: &str, span: Span) -> BinderId {
        self.binders.push(Binder { kind, name: name.to_owned(), span, parameters: Vec::new() })
    }

    pub fn span(&self, id: ExprId) -> Span {
        self.exprs[id].1
    }

    /// The formula that `body` is true in every reachable state, on whatever paths.
    pub fn finish_invariant(mut self, text: Arc<str>, body: ExprId) -> Surface {
        let span = self.span(body);
        let root = self.expr(Expr::State(Quantifier::All, StateOp::Globally, body), span);
        self.finish(Logic::Mu, text, root)
    }

    pub fn finish(self, logic: Logic, text: Arc<str>, root: ExprId) -> Surface {
        let span = self.exprs[root].1;
        let Self { exprs, regs, binders, actions, variables, sorts } = self;
        Surface { logic, text, span, exprs, regs, binders, actions, variables, sorts, root }
    }
}

impl Surface {
    /// A formula of CTL as one of CTL*.
    #[must_use]
    pub fn with_path_formulas(&self) -> Surface {
        let mut exprs: IdVec<ExprId, (Expr, Span)> = IdVec::new();
        let mut made: IdVec<ExprId, ExprId> = IdVec::new();
        for (_, (expr, span)) in self.exprs.iter() {
            let all = |es: &[ExprId]| es.iter().map(|&e| made[e]).collect();
            let (quantifier, path) = match expr {
                Expr::State(quantifier, op, e) => {
                    let op = match op {
                        StateOp::Next => LinearOp::Next,
                        StateOp::Finally => LinearOp::Finally,
                        StateOp::Globally => LinearOp::Globally,
                    };
                    (Some(*quantifier), Expr::Linear(op, made[*e]))
                }
                Expr::Path(quantifier, op, a, b) => {
                    let op = match op {
                        PathOp::Until => LinearPairOp::Until,
                        PathOp::Release => LinearPairOp::Release,
                        PathOp::WeakUntil => LinearPairOp::WeakUntil,
                    };
                    (Some(*quantifier), Expr::LinearPair(op, made[*a], made[*b]))
                }
                Expr::Not(e) => (None, Expr::Not(made[*e])),
                Expr::And(es) => (None, Expr::And(all(es))),
                Expr::Or(es) => (None, Expr::Or(all(es))),
                Expr::Implies(a, b) => (None, Expr::Implies(made[*a], made[*b])),
                Expr::Iff(a, b) => (None, Expr::Iff(made[*a], made[*b])),
                other => (None, other.clone()),
            };
            let path = exprs.push((path, *span));
            made.push(match quantifier {
                Some(quantifier) => exprs.push((Expr::Quantified(quantifier, path), *span)),
                None => path,
            });
        }
        let root = made[self.root];
        Surface { logic: Logic::CtlStar, exprs, root, ..self.clone() }
    }

    /// Whether the formula speaks of data: it means something for the actions of a system only.
    pub fn has_data(&self) -> bool {
        !self.variables.is_empty()
            || self.exprs.values().any(|(expr, _)| matches!(expr, Expr::Val(_)))
            || self.regs.values().any(|(regular, _)| matches!(regular, Regular::Matching(_)))
    }

    pub fn snippet(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// The whole formula as the user wrote it, white space folded, without the comments that end with a line.
    pub fn source(&self) -> String {
        let text = self.snippet(self.span);
        let is_mcf = self.logic.has_regular_formulas();
        let lines = text.lines().map(|line| if is_mcf { before_comment(line) } else { line });
        fold_white_space(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// A line of mcf up to `%`, unless that stands in a string.
fn before_comment(line: &str) -> &str {
    let mut in_string = false;
    let is_comment = |(_, c): &(usize, char)| {
        in_string ^= *c == '"';
        *c == '%' && !in_string
    };
    let end = line.char_indices().find(is_comment).map_or(line.len(), |(at, _)| at);
    &line[..end]
}

pub(crate) fn fold_white_space(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
