//! CTL where only fair paths count: infinite ones on which every condition is met infinitely often.
//!
//! These are the semantics of NuSMV. With `fair` for the states in which such a path begins:
//!
//! - `EX p` is `<> (p & fair)`, and `E[p U q]` is `mu Y. (q & fair) | (p & <> Y)`.
//! - `EG p` is `nu Z.` a way on which `p` holds, that meets the conditions one after the other and then
//!   leads to `Z` again. They are met in turn rather than each by itself
//!   (`nu Z. & mu Y. p & (f & <> Z | <> Y)` for every f), which comes to the same: a path that meets each
//!   of them infinitely often meets them in turn. In this form the evidence is a path with a loop.
//! - What speaks of all paths is the dual, and `fair` is `EG true`.

use crate::actions::ActionSet;
use crate::builder::Builder;
use crate::compile::{Signature, Translation, compile};
use crate::formula::{Fix, Formula, Modality, NodeId, Origin, PropId};
use crate::surface::{Expr, ExprId, Logic, PathOp, Quantifier, StateOp, Surface};
use base::{Diagnostic, IdVec};

/// What has to be met infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// States in which this is true, and what it is called.
    State(PropId, String),
    /// Steps by one of these actions.
    Step(ActionSet),
}

/// Which paths count.
#[derive(Clone, Default, Debug)]
pub struct Fairness {
    pub terms: Vec<Term>,
    /// Whether it is known that a fair path begins in every state, which makes formulas smaller. Without
    /// terms: that every state has a successor.
    pub everywhere: bool,
}

impl Fairness {
    /// All paths count.
    pub fn is_trivial(&self) -> bool {
        self.everywhere && self.terms.is_empty()
    }

    /// What is true in the states in which a fair path begins.
    pub fn states(&self) -> Formula {
        let mut builder = Builder::default();
        let root = FairPaths::new(self).fair(&mut builder, Modality::Dia);
        builder.finish(root, Logic::Mu, "fair".to_owned(), "".into())
    }

    /// That a fair path begins in every state that can be reached.
    pub fn always(&self) -> Formula {
        let mut builder = Builder::default();
        let fair = FairPaths::new(self).fair(&mut builder, Modality::Dia);
        let var = builder.fresh_var(Fix::Nu, "");
        let again = builder.var(var, Origin::Structure);
        let on = builder.modal(Modality::Box, &ActionSet::any(), again, Origin::Structure);
        let body = builder.and(fair, on, Origin::Structure);
        let root = builder.fix(var, body, Origin::Structure);
        builder.finish(root, Logic::Mu, "always fair".to_owned(), "".into())
    }
}

/// The same as [`compile`] for fair paths only. A formula of CTL is true of a system if the initial
/// states satisfy it in which a fair path begins. Other logics do not speak of paths: for them fairness
/// means nothing.
pub fn compile_fair(
    surface: &Surface,
    signature: &Signature,
    fairness: &Fairness,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Formula, Vec<Diagnostic>> {
    if surface.logic != Logic::Ctl || fairness.is_trivial() {
        return compile(surface, signature, warnings);
    }
    let errors = crate::checks::run(surface, signature, warnings);
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Translation::new(surface, signature, Some(FairPaths::new(fairness))).run())
}

/// A conjunction, or its dual.
fn both(builder: &mut Builder, side: Modality, a: NodeId, b: NodeId) -> NodeId {
    match side {
        Modality::Dia => builder.and(a, b, Origin::Structure),
        Modality::Box => builder.or(a, b, Origin::Structure),
    }
}

fn either(builder: &mut Builder, side: Modality, [a, b]: [NodeId; 2], origin: Origin) -> NodeId {
    match side {
        Modality::Dia => builder.or(a, b, origin),
        Modality::Box => builder.and(a, b, origin),
    }
}

fn top(builder: &mut Builder, side: Modality) -> NodeId {
    builder.constant(side == Modality::Dia, Origin::Structure)
}

fn fix_of(side: Modality, kind: Fix) -> Fix {
    if side == Modality::Dia { kind } else { kind.dual() }
}

/// The operators on fair paths. Each is there for `E` ([`Modality::Dia`]) and as its dual
/// ([`Modality::Box`]), whose operands are those of the formula that is not negated: `AG p` is the dual of
/// `E[true U p]`.
pub(crate) struct FairPaths<'a> {
    fairness: &'a Fairness,
    /// `fair` and its negation, once they are needed.
    fair: [Option<NodeId>; 2],
}

impl<'a> FairPaths<'a> {
    pub fn new(fairness: &'a Fairness) -> Self {
        Self { fairness, fair: [None; 2] }
    }

    /// `fair`, or its negation.
    fn fair(&mut self, builder: &mut Builder, side: Modality) -> NodeId {
        let index = usize::from(side == Modality::Box);
        if let Some(known) = self.fair[index] {
            return known;
        }
        let true_here = top(builder, side);
        let made = match self.fairness.everywhere {
            true => true_here,
            false => self.globally(builder, side, true_here, Origin::Fair { negated: index == 1 }),
        };
        self.fair[index] = Some(made);
        made
    }

    fn next(&mut self, builder: &mut Builder, side: Modality, e: NodeId, origin: Origin) -> NodeId {
        let fair = self.fair(builder, side);
        let there = both(builder, side, e, fair);
        builder.modal(side, &ActionSet::any(), there, origin)
    }

    fn until(
        &mut self,
        builder: &mut Builder,
        side: Modality,
        [a, b]: [NodeId; 2],
        origin: Origin,
    ) -> NodeId {
        let fair = self.fair(builder, side);
        let goal = both(builder, side, b, fair);
        let var = builder.fresh_var(fix_of(side, Fix::Mu), "");
        let again = builder.var(var, origin);
        let on = builder.modal(side, &ActionSet::any(), again, Origin::Structure);
        let on = both(builder, side, a, on);
        let body = either(builder, side, [goal, on], Origin::Structure);
        builder.fix(var, body, origin)
    }

    fn globally(
        &mut self,
        builder: &mut Builder,
        side: Modality,
        e: NodeId,
        origin: Origin,
    ) -> NodeId {
        let var = builder.fresh_var(fix_of(side, Fix::Nu), "");
        let again = builder.var(var, origin);
        let terms = &self.fairness.terms;
        // A step that meets the last condition begins the next round.
        let mut rest = match terms.last() {
            Some(Term::Step(_)) => again,
            _ => step(builder, side, e, &ActionSet::any(), again),
        };
        for (number, term) in terms.iter().enumerate().rev() {
            let waiting = builder.fresh_var(fix_of(side, Fix::Mu), "");
            let wait = builder.var(waiting, origin);
            let wait = step(builder, side, e, &ActionSet::any(), wait);
            let met = match term {
                Term::State(prop, _) => {
                    let negated = side == Modality::Box;
                    let origin = Origin::Condition { number: number as u32, negated };
                    let here = builder.lit(*prop, !negated, origin);
                    both(builder, side, here, rest)
                }
                Term::Step(actions) => step(builder, side, e, actions, rest),
            };
            let body = either(builder, side, [met, wait], Origin::Structure);
            rest = builder.fix(waiting, body, origin);
        }
        builder.fix(var, rest, origin)
    }

    /// `E[b U (a & b)] | EG b`.
    fn release(
        &mut self,
        builder: &mut Builder,
        side: Modality,
        [a, b]: [NodeId; 2],
        origin: Origin,
    ) -> NodeId {
        let end = both(builder, side, a, b);
        let until = self.until(builder, side, [b, end], Origin::Structure);
        let always = self.globally(builder, side, b, Origin::Structure);
        either(builder, side, [until, always], origin)
    }

    /// `E[a U b] | EG a`.
    fn weak_until(
        &mut self,
        builder: &mut Builder,
        side: Modality,
        [a, b]: [NodeId; 2],
        origin: Origin,
    ) -> NodeId {
        let until = self.until(builder, side, [a, b], Origin::Structure);
        let always = self.globally(builder, side, a, Origin::Structure);
        either(builder, side, [until, always], origin)
    }

    pub fn state_op(
        &mut self,
        builder: &mut Builder,
        side: Modality,
        (quantifier, op): (Quantifier, StateOp),
        e: NodeId,
        origin: Origin,
    ) -> NodeId {
        match (quantifier, op) {
            (_, StateOp::Next) => self.next(builder, side, e, origin),
            (Quantifier::Exists, StateOp::Finally) | (Quantifier::All, StateOp::Globally) => {
                let any = top(builder, side);
                self.until(builder, side, [any, e], origin)
            }
            (Quantifier::Exists, StateOp::Globally) | (Quantifier::All, StateOp::Finally) => {
                self.globally(builder, side, e, origin)
            }
        }
    }

    pub fn path_op(
        &mut self,
        builder: &mut Builder,
        side: Modality,
        (quantifier, op): (Quantifier, PathOp),
        [a, b]: [NodeId; 2],
        origin: Origin,
    ) -> NodeId {
        match (quantifier, op) {
            (Quantifier::Exists, PathOp::Until) | (Quantifier::All, PathOp::Release) => {
                self.until(builder, side, [a, b], origin)
            }
            (Quantifier::Exists, PathOp::Release) | (Quantifier::All, PathOp::Until) => {
                self.release(builder, side, [a, b], origin)
            }
            (Quantifier::Exists, PathOp::WeakUntil) => {
                self.weak_until(builder, side, [a, b], origin)
            }
            // A[a W b] is not E[!b U (!a & !b)].
            (Quantifier::All, PathOp::WeakUntil) => {
                let end = both(builder, side, a, b);
                self.until(builder, side, [b, end], origin)
            }
        }
    }

    /// A formula of the initial states, for those in which a fair path begins.
    pub fn of_fair_states(
        &mut self,
        builder: &mut Builder,
        surface: &Surface,
        root: NodeId,
    ) -> NodeId {
        if is_true_without_fair_paths(surface) {
            return root;
        }
        let unfair = self.fair(builder, Modality::Box);
        builder.or(unfair, root, Origin::Source { span: surface.span, negated: false })
    }

    /// What the conditions are called.
    pub fn names(&self) -> Vec<String> {
        let name = |term: &Term| match term {
            Term::State(_, name) => name.clone(),
            Term::Step(_) => String::new(),
        };
        self.fairness.terms.iter().map(name).collect()
    }
}

/// A step within the states that satisfy `e`.
fn step(
    builder: &mut Builder,
    side: Modality,
    e: NodeId,
    actions: &ActionSet,
    to: NodeId,
) -> NodeId {
    let on = builder.modal(side, actions, to, Origin::Structure);
    both(builder, side, e, on)
}

/// Whether a formula is true in all states in which no fair path begins: then nothing needs to be said of
/// them. What speaks of all paths is.
fn is_true_without_fair_paths(surface: &Surface) -> bool {
    // Whether the expression is, and whether its negation is.
    let mut known: IdVec<ExprId, [bool; 2]> = IdVec::new();
    for (_, (expr, _)) in surface.exprs.iter() {
        let all = |es: &[ExprId], side: usize| es.iter().all(|&e| known[e][side]);
        let any = |es: &[ExprId], side: usize| es.iter().any(|&e| known[e][side]);
        let both = match expr {
            Expr::Const(value) => [*value, !*value],
            Expr::Not(e) => [known[*e][1], known[*e][0]],
            Expr::And(es) => [all(es, 0), any(es, 1)],
            Expr::Or(es) => [any(es, 0), all(es, 1)],
            Expr::Implies(a, b) => [known[*a][1] || known[*b][0], known[*a][0] && known[*b][1]],
            Expr::State(quantifier, ..) | Expr::Path(quantifier, ..) => {
                let all = *quantifier == Quantifier::All;
                [all, !all]
            }
            _ => [false, false],
        };
        known.push(both);
    }
    known[surface.root][0]
}
