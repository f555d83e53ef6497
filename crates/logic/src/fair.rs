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
use crate::builder::FormulaBuilder;
use crate::compile::{Signature, Translation, compile};
use crate::formula::{Fix, Formula, Modality, Node, NodeId, Origin, PropId};
use crate::surface::{Expr, ExprId, Logic, PathOp, Quantifier, StateOp, Surface};
use support::{Diagnostic, IdVec};

/// A justice condition: it is met infinitely often on fair paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FairTerm {
    /// States in which this is true, and what it is called.
    State(PropId, String),
    /// Steps by one of these actions.
    Step(ActionSet),
}

/// Fairness of steps, as in TLA+: a path is fair if the steps are taken infinitely often, or not possible infinitely
/// often (weak) or from some position on (strong).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FairSteps {
    pub actions: ActionSet,
    pub is_strong: bool,
}

/// Which paths count.
#[derive(Clone, Default, Debug)]
pub struct Fairness {
    pub terms: Vec<FairTerm>,
    /// Used only where formulas are translated by way of automata.
    pub steps: Vec<FairSteps>,
    /// Whether it is known that a fair path begins in every state, which makes formulas smaller. Without
    /// terms: that every state has a successor.
    pub everywhere: bool,
    /// A proposition that is true in exactly the states in which a fair path begins, if they are computed already.
    pub label: Option<PropId>,
    /// Whether `EG p` also says that a step leads on within the same states. That follows, and makes no path
    /// to show; but who computes with sets of states gets rid of those without such a step first, which takes
    /// fewer rounds.
    pub trims: bool,
}

impl Fairness {
    /// All paths count.
    pub fn is_trivial(&self) -> bool {
        self.everywhere && self.terms.is_empty() && self.steps.is_empty()
    }

    /// The formula of the states in which a fair path begins.
    pub fn states(&self) -> Formula {
        let mut builder = FormulaBuilder::default();
        let root = FairPaths::new(self).fair(&mut Side::plain(&mut builder));
        builder.finish(root, Logic::Mu, "fair".to_owned(), "".into())
    }

    /// That a fair path begins in every state that can be reached.
    pub fn always(&self) -> Formula {
        let mut builder = FormulaBuilder::default();
        let mut side = Side::plain(&mut builder);
        let fair = FairPaths::new(self).fair(&mut side);
        let root = side.fix(Fix::Nu, Origin::Structure, |side, again| {
            let any = ActionSet::any();
            let on = side.builder.modal(Modality::Box, &any, again, Origin::Structure);
            side.and(fair, on)
        });
        builder.finish(root, Logic::Mu, "always fair".to_owned(), "".into())
    }
}

/// Translates like [`compile`], for fair paths only. A formula of CTL is true of a system if the initial
/// states satisfy it in which a fair path begins. Other logics do not speak of paths: for them fairness
/// means nothing.
pub fn compile_fair(
    surface: &Surface,
    signature: &Signature,
    fairness: &Fairness,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Formula, Vec<Diagnostic>> {
    if !surface.logic.has_path_quantifiers() || fairness.is_trivial() {
        return compile(surface, signature, warnings);
    }
    let errors = crate::checks::run(surface, signature, warnings);
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(Translation::new(surface, signature, Some(FairPaths::new(fairness))).run())
}

/// Makes formulas as they are written here ([`Modality::Dia`]) or everything replaced by its dual
/// ([`Modality::Box`]).
struct Side<'b> {
    builder: &'b mut FormulaBuilder,
    modality: Modality,
}

impl<'b> Side<'b> {
    fn plain(builder: &'b mut FormulaBuilder) -> Self {
        Self { builder, modality: Modality::Dia }
    }

    fn is_dual(&self) -> bool {
        self.modality == Modality::Box
    }

    /// Whether `e` says that no fair path begins here, among other things.
    fn excludes(&self, e: NodeId, fair: PropId) -> bool {
        let mut open = vec![e];
        while let Some(id) = open.pop() {
            match (self.builder.node(id), self.modality) {
                (Node::Lit(prop, value), _) if prop == fair && value == self.is_dual() => {
                    return true;
                }
                (Node::And(a, b), Modality::Dia) | (Node::Or(a, b), Modality::Box) => {
                    open.extend([a, b]);
                }
                _ => {}
            }
        }
        false
    }

    fn top(&mut self) -> NodeId {
        self.builder.constant(!self.is_dual(), Origin::Structure)
    }

    fn and(&mut self, a: NodeId, b: NodeId) -> NodeId {
        match self.modality {
            Modality::Dia => self.builder.and(a, b, Origin::Structure),
            Modality::Box => self.builder.or(a, b, Origin::Structure),
        }
    }

    fn or(&mut self, a: NodeId, b: NodeId, origin: Origin) -> NodeId {
        match self.modality {
            Modality::Dia => self.builder.or(a, b, origin),
            Modality::Box => self.builder.and(a, b, origin),
        }
    }

    /// A step by one of these actions within the states that satisfy `e`.
    fn step(&mut self, e: NodeId, actions: &ActionSet, to: NodeId) -> NodeId {
        let on = self.builder.modal(self.modality, actions, to, Origin::Structure);
        self.and(e, on)
    }

    fn any_step(&mut self, e: NodeId, to: NodeId) -> NodeId {
        self.step(e, &ActionSet::any(), to)
    }

    fn fix(
        &mut self,
        kind: Fix,
        origin: Origin,
        body: impl FnOnce(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let kind = if self.is_dual() { kind.dual() } else { kind };
        let var = self.builder.fresh_var(kind, "");
        let again = self.builder.var(var, origin);
        let body = body(self, again);
        self.builder.fix(var, body, origin)
    }
}

/// The operators on fair paths. Each is there for `E` and as its dual, whose operands are those of the
/// formula that is not negated: `AG p` is the dual of `E[true U p]`.
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
    fn fair(&mut self, side: &mut Side) -> NodeId {
        let negated = side.is_dual();
        if let Some(known) = self.fair[usize::from(negated)] {
            return known;
        }
        let top = side.top();
        let origin = Origin::Fair { negated };
        let made = match self.fairness {
            Fairness { everywhere: true, .. } => top,
            Fairness { label: Some(prop), .. } => side.builder.lit(*prop, !negated, origin),
            _ => self.globally(side, top, origin),
        };
        self.fair[usize::from(negated)] = Some(made);
        made
    }

    fn next(&mut self, side: &mut Side, e: NodeId, origin: Origin) -> NodeId {
        let fair = self.fair(side);
        if self.fairness.label.is_some() && e == side.top() {
            // On a fair path there is a next state, in which one begins.
            return fair;
        }
        let there = side.and(e, fair);
        side.builder.modal(side.modality, &ActionSet::any(), there, origin)
    }

    fn until(&mut self, side: &mut Side, [a, b]: [NodeId; 2], origin: Origin) -> NodeId {
        let fair = self.fair(side);
        if let Some(prop) = self.fairness.label
            && side.excludes(b, prop)
        {
            return side.builder.constant(side.is_dual(), origin);
        }
        let goal = side.and(b, fair);
        side.fix(Fix::Mu, origin, |side, again| {
            let on = side.any_step(a, again);
            side.or(goal, on, Origin::Structure)
        })
    }

    fn globally(&self, side: &mut Side, e: NodeId, origin: Origin) -> NodeId {
        side.fix(Fix::Nu, origin, |side, again| {
            let round = self.round(side, e, again, origin);
            if !self.fairness.trims || self.fairness.terms.is_empty() {
                return round;
            }
            side.fix(Fix::Nu, Origin::Structure, |side, within| {
                let on = side.any_step(e, within);
                side.and(round, on)
            })
        })
    }

    /// A way within `e` that meets the conditions one after the other, and then leads to `again`.
    fn round(&self, side: &mut Side, e: NodeId, again: NodeId, origin: Origin) -> NodeId {
        let terms = &self.fairness.terms;
        // A step that meets the last condition begins the next round.
        let mut rest = match terms.last() {
            Some(FairTerm::Step(_)) => again,
            _ => side.any_step(e, again),
        };
        for (number, term) in terms.iter().enumerate().rev() {
            let met = match term {
                FairTerm::State(prop, _) => {
                    let negated = side.is_dual();
                    let origin = Origin::Condition { number: number as u32, negated };
                    let here = side.builder.lit(*prop, !negated, origin);
                    side.and(here, rest)
                }
                FairTerm::Step(actions) => side.step(e, actions, rest),
            };
            rest = side.fix(Fix::Mu, origin, |side, wait| {
                let wait = side.any_step(e, wait);
                side.or(met, wait, Origin::Structure)
            });
        }
        rest
    }

    /// `E[b U (a & b)] | EG b`.
    fn release(&mut self, side: &mut Side, [a, b]: [NodeId; 2], origin: Origin) -> NodeId {
        let end = side.and(a, b);
        self.weak_until(side, [b, end], origin)
    }

    /// `E[a U b] | EG a`.
    fn weak_until(&mut self, side: &mut Side, [a, b]: [NodeId; 2], origin: Origin) -> NodeId {
        let until = self.until(side, [a, b], Origin::Structure);
        let always = self.globally(side, a, Origin::Structure);
        side.or(until, always, origin)
    }

    pub fn state_op(
        &mut self,
        builder: &mut FormulaBuilder,
        modality: Modality,
        (quantifier, op): (Quantifier, StateOp),
        e: NodeId,
        origin: Origin,
    ) -> NodeId {
        let side = &mut Side { builder, modality };
        match (quantifier, op) {
            (_, StateOp::Next) => self.next(side, e, origin),
            (Quantifier::Exists, StateOp::Finally) | (Quantifier::All, StateOp::Globally) => {
                let top = side.top();
                self.until(side, [top, e], origin)
            }
            (Quantifier::Exists, StateOp::Globally) | (Quantifier::All, StateOp::Finally) => {
                self.globally(side, e, origin)
            }
        }
    }

    pub fn path_op(
        &mut self,
        builder: &mut FormulaBuilder,
        modality: Modality,
        (quantifier, op): (Quantifier, PathOp),
        [a, b]: [NodeId; 2],
        origin: Origin,
    ) -> NodeId {
        let side = &mut Side { builder, modality };
        match (quantifier, op) {
            (Quantifier::Exists, PathOp::Until) | (Quantifier::All, PathOp::Release) => {
                self.until(side, [a, b], origin)
            }
            (Quantifier::Exists, PathOp::Release) | (Quantifier::All, PathOp::Until) => {
                self.release(side, [a, b], origin)
            }
            (Quantifier::Exists, PathOp::WeakUntil) => self.weak_until(side, [a, b], origin),
            // A[a W b] is not E[!b U (!a & !b)].
            (Quantifier::All, PathOp::WeakUntil) => {
                let end = side.and(a, b);
                self.until(side, [b, end], origin)
            }
        }
    }

    /// A formula of the initial states, for those in which a fair path begins.
    pub fn of_fair_states(
        &mut self,
        builder: &mut FormulaBuilder,
        surface: &Surface,
        root: NodeId,
    ) -> NodeId {
        if is_true_without_fair_paths(surface) {
            return root;
        }
        let unfair = self.fair(&mut Side { builder, modality: Modality::Box });
        builder.or(unfair, root, Origin::Source { span: surface.span, negated: false })
    }

    /// The names of the conditions.
    pub fn names(&self) -> Vec<String> {
        let name = |term: &FairTerm| match term {
            FairTerm::State(_, name) => name.clone(),
            FairTerm::Step(_) => String::new(),
        };
        self.fairness.terms.iter().map(name).collect()
    }
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
