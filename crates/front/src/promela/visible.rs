//! Formulas of linear time about the states that one can see.
//!
//! Within `atomic` and `d_step` no state is visible: as in Spin, a claim makes no step there; a run is the sequence of
//! its other states. Our machine has the states in between, too. A formula is rewritten so that it passes over states
//! in which `h`, "hidden", is true: each operator looks for the next state that is not, as in `f U g`, which becomes
//! `(h | f) U (!h & g)`. By induction on the formula the new one is true at a visible position of a run iff the old one
//! is true at that position of what one sees of the run. The first state of a run is visible. A run that is hidden for
//! ever from some position on is none of Spin's, and satisfies everything.

use super::program::{Action, LocationId, PromelaModel, PromelaProcess};
use logic::{Expr, ExprId, LinearOp, LinearPairOp, Surface, SurfaceBuilder};
use support::{IdVec, Span, components};

/// The formula about visible states; `hidden` is the proposition of the others.
pub(super) fn of_visible_states(surface: &Surface, hidden: &str, lasts: bool) -> Surface {
    let mut rewriting =
        Rewriting { builder: SurfaceBuilder::default(), hidden, span: surface.span };
    let mut new: IdVec<ExprId, ExprId> = IdVec::new();
    for (expr, span) in surface.exprs.values() {
        rewriting.span = *span;
        new.push(rewriting.rewrite(expr, &new));
    }
    let mut root = new[surface.root];
    rewriting.span = surface.span;
    if lasts {
        let visible = rewriting.visible();
        let later = rewriting.push(Expr::Linear(LinearOp::Finally, visible));
        let again = rewriting.push(Expr::Linear(LinearOp::Globally, later));
        root = rewriting.push(Expr::Implies(again, root));
    }
    rewriting.builder.finish(surface.logic, surface.text.clone(), root)
}

struct Rewriting<'h> {
    builder: SurfaceBuilder,
    hidden: &'h str,
    /// The place of the subformula that is rewritten.
    span: Span,
}

impl Rewriting<'_> {
    fn push(&mut self, expr: Expr) -> ExprId {
        self.builder.expr(expr, self.span)
    }

    fn hidden(&mut self) -> ExprId {
        self.push(Expr::Prop(self.hidden.to_owned()))
    }

    fn visible(&mut self) -> ExprId {
        let hidden = self.hidden();
        self.push(Expr::Not(hidden))
    }

    /// The operand, where it has to be true in a visible state.
    fn seen(&mut self, e: ExprId) -> ExprId {
        let visible = self.visible();
        self.push(Expr::And(vec![visible, e]))
    }

    /// The operand, where it has to be true in visible states only.
    fn unless_hidden(&mut self, e: ExprId) -> ExprId {
        let hidden = self.hidden();
        self.push(Expr::Or(vec![hidden, e]))
    }

    fn rewrite(&mut self, expr: &Expr, new: &IdVec<ExprId, ExprId>) -> ExprId {
        let all = |es: &[ExprId]| es.iter().map(|&e| new[e]).collect();
        let made = match expr {
            Expr::Not(e) => Expr::Not(new[*e]),
            Expr::And(es) => Expr::And(all(es)),
            Expr::Or(es) => Expr::Or(all(es)),
            Expr::Implies(a, b) => Expr::Implies(new[*a], new[*b]),
            Expr::Iff(a, b) => Expr::Iff(new[*a], new[*b]),
            Expr::Linear(op, e) => self.linear(*op, new[*e]),
            Expr::LinearPair(op, a, b) => self.pair(*op, new[*a], new[*b]),
            // Propositions and constants; a formula of one path has nothing else.
            other => other.clone(),
        };
        self.push(made)
    }

    fn linear(&mut self, op: LinearOp, e: ExprId) -> Expr {
        let pair = match op {
            LinearOp::Next => LinearPairOp::Until,
            LinearOp::Yesterday | LinearOp::WeakYesterday => LinearPairOp::Since,
            LinearOp::Finally | LinearOp::Once => return Expr::Linear(op, self.seen(e)),
            LinearOp::Globally | LinearOp::Historically => {
                return Expr::Linear(op, self.unless_hidden(e));
            }
        };
        let (hidden, seen) = (self.hidden(), self.seen(e));
        let found = self.push(Expr::LinearPair(pair, hidden, seen));
        Expr::Linear(op, found)
    }

    fn pair(&mut self, op: LinearPairOp, a: ExprId, b: ExprId) -> Expr {
        let (a, b) = match op {
            LinearPairOp::Until | LinearPairOp::WeakUntil | LinearPairOp::Since => {
                (self.unless_hidden(a), self.seen(b))
            }
            LinearPairOp::Release | LinearPairOp::Triggered => {
                (self.seen(a), self.unless_hidden(b))
            }
        };
        Expr::LinearPair(op, a, b)
    }
}

/// Whether exclusive control may last for ever: a process goes round without giving it up, or hands it over.
pub(super) fn may_stay_hidden(program: &PromelaModel) -> bool {
    program.processes.values().any(|process| {
        let hands_over = process.edges.iter().any(|edge| {
            edge.keeps_control
                && matches!(&edge.action, Action::Receive { channel, .. }
                    if program.channels[*channel].is_rendezvous())
        });
        hands_over || has_cycle(process)
    })
}

fn has_cycle(process: &PromelaProcess) -> bool {
    let exclusive = |location: u32| {
        let edges = process.edges_from(LocationId(location)).filter(|edge| edge.keeps_control);
        edges.map(|edge| edge.target.0).collect::<Vec<_>>().into_iter()
    };
    let of = components(process.locations.len(), exclusive);
    let mut edges = process.edges.iter().filter(|edge| edge.keeps_control);
    edges.any(|edge| of[edge.source.0 as usize] == of[edge.target.0 as usize])
}
