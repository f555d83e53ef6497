//! From what the user wrote to negation normal form.
//!
//! Each expression is translated at most twice, once for each polarity in which it is needed, so
//! that even nested equivalences stay linear. CTL and the regular formulas of mcf become fixpoints
//! (C §2, G Def. 1) on the way.

use crate::actions::ActionSet;
use crate::builder::FormulaBuilder;
use crate::checks;
use crate::data;
use crate::fair::FairPaths;
use crate::formula::{Fix, Formula, Modality, NodeId, Origin, PropId, VarId};
use crate::surface::{
    Binder, BinderId, Expr, ExprId, PathOp, Quantifier, RegId, Regular, StateOp, Surface,
};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use support::{Diagnostic, IdVec, Interner, Span};

/// The kind of labels of a system: propositions on states or actions on transitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Propositions on states: Kripke structures and their partial kinds.
    Props,
    /// Actions on transitions: LTSs and MTSs.
    Actions,
}

/// The names that a formula may use.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    pub family: Family,
    pub props: &'a Interner<PropId>,
    /// The actions that the system has, sorted. A formula may name others: they never occur.
    pub actions: &'a [String],
}

/// Looks up the names of a formula and brings it into negation normal form.
///
/// Warnings are pushed to `warnings`; errors are returned, all of them.
pub fn compile(
    surface: &Surface,
    signature: &Signature,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Formula, Vec<Diagnostic>> {
    let surface = &*with_silent_action(surface, signature);
    let errors = checks::run(surface, signature, warnings);
    if !errors.is_empty() {
        return Err(errors);
    }
    if surface.has_data() {
        let instance = data::instantiate(surface, signature)?;
        let errors = checks::check_names(&instance, signature, warnings);
        return match errors.is_empty() {
            true => Ok(Translation::new(&instance, signature, None).run()),
            false => Err(errors),
        };
    }
    Ok(Translation::new(surface, signature, None).run())
}

/// In `.aut` files `i` is another name of `tau`, and so it is in formulas about systems without an action `i`.
fn with_silent_action<'s>(surface: &'s Surface, signature: &Signature) -> Cow<'s, Surface> {
    let speaks_of_it = surface.actions.iter().any(|(name, _)| name == "i");
    if !speaks_of_it || signature.actions.iter().any(|name| name == "i") {
        return Cow::Borrowed(surface);
    }
    let renamed = |(regular, span): &(Regular, Span)| {
        let renamed = match regular {
            Regular::Action(set) => Regular::Action(set.renamed("i", "tau")),
            Regular::Matching(formula) => Regular::Matching(formula.renamed("i", "tau")),
            other => other.clone(),
        };
        (renamed, *span)
    };
    let mut renamed =
        Surface { regs: surface.regs.values().map(renamed).collect(), ..surface.clone() };
    for (name, _) in &mut renamed.actions {
        if name == "i" {
            *name = "tau".to_owned();
        }
    }
    Cow::Owned(renamed)
}

const POSITIVE: usize = 0;
const NEGATIVE: usize = 1;

pub(crate) struct Translation<'a> {
    surface: &'a Surface,
    signature: &'a Signature<'a>,
    /// Set if CTL is to speak of fair paths only.
    fair: Option<FairPaths<'a>>,
    builder: FormulaBuilder,
    /// In which polarities an expression is needed.
    needed: IdVec<ExprId, [bool; 2]>,
    done: IdVec<ExprId, [Option<NodeId>; 2]>,
    vars: FxHashMap<(BinderId, usize), VarId>,
}

impl<'a> Translation<'a> {
    pub fn new(
        surface: &'a Surface,
        signature: &'a Signature<'a>,
        fair: Option<FairPaths<'a>>,
    ) -> Self {
        let needed = needed_polarities(surface);
        let done = surface.exprs.iter().map(|_| [None, None]).collect();
        let (builder, vars) = (FormulaBuilder::default(), FxHashMap::default());
        Self { surface, signature, fair, builder, needed, done, vars }
    }

    pub fn run(mut self) -> Formula {
        for id in self.surface.exprs.ids() {
            for polarity in [POSITIVE, NEGATIVE] {
                if self.needed[id][polarity] {
                    let node = self.translate(id, polarity);
                    self.done[id][polarity] = Some(node);
                }
            }
        }
        let Surface { logic, text, root, .. } = self.surface;
        let mut node = self.node(*root, POSITIVE);
        let mut conditions = Vec::new();
        if let Some(fair) = &mut self.fair {
            node = fair.of_fair_states(&mut self.builder, self.surface, node);
            conditions = fair.names();
        }
        let made = self.builder.finish(node, *logic, self.surface.source(), text.clone());
        made.with_conditions(conditions)
    }

    fn node(&self, id: ExprId, polarity: usize) -> NodeId {
        self.done[id][polarity].expect("operands are translated before what is built of them")
    }

    fn translate(&mut self, id: ExprId, polarity: usize) -> NodeId {
        let (expr, span) = &self.surface.exprs[id];
        let negated = polarity == NEGATIVE;
        let origin = Origin::Source { span: *span, negated };
        match *expr {
            Expr::Const(value) => self.builder.constant(value != negated, origin),
            Expr::Prop(ref name) => {
                let prop = self.signature.props.get(name).expect("checked before");
                self.builder.lit(prop, !negated, origin)
            }
            Expr::Var(binder) => {
                let var = self.var(binder, polarity);
                self.builder.var(var, origin)
            }
            Expr::Not(e) => self.node(e, 1 - polarity),
            Expr::And(ref es) => self.chain(es, polarity, !negated, origin),
            Expr::Or(ref es) => self.chain(es, polarity, negated, origin),
            Expr::Implies(a, b) => {
                let (a, b) = (self.node(a, 1 - polarity), self.node(b, polarity));
                self.join(negated, a, b, origin)
            }
            Expr::Iff(a, b) => self.equivalence(a, b, polarity, origin),
            Expr::Modal(modality, reg, body) => {
                let modality = if negated { modality.dual() } else { modality };
                let body = self.node(body, polarity);
                self.regular(modality, reg, body, origin)
            }
            Expr::Fix(binder, body) => {
                let body = self.node(body, polarity);
                let var = self.var(binder, polarity);
                self.builder.fix(var, body, origin)
            }
            Expr::State(quantifier, op, e) => {
                let e = self.node(e, polarity);
                self.state_op(quantifier, op, e, negated, origin)
            }
            Expr::Path(quantifier, op, a, b) => {
                let (a, b) = (self.node(a, polarity), self.node(b, polarity));
                self.path_op(quantifier, op, a, b, negated, origin)
            }
            Expr::Linear(..) | Expr::LinearPair(..) | Expr::Quantified(..) => {
                unreachable!("the checks refuse linear time")
            }
            Expr::ForValues(..) | Expr::Val(_) | Expr::Call(..) => {
                unreachable!("formulas with data are instantiated before")
            }
        }
    }

    /// The variable of a binder in one polarity.
    fn var(&mut self, binder: BinderId, polarity: usize) -> VarId {
        let Binder { kind, name, .. } = &self.surface.binders[binder];
        let kind = if polarity == NEGATIVE { kind.dual() } else { *kind };
        let builder = &mut self.builder;
        *self.vars.entry((binder, polarity)).or_insert_with(|| builder.fresh_var(kind, name))
    }

    /// Conjunction if `conjunction`, else disjunction.
    fn join(&mut self, conjunction: bool, a: NodeId, b: NodeId, origin: Origin) -> NodeId {
        if conjunction { self.builder.and(a, b, origin) } else { self.builder.or(a, b, origin) }
    }

    /// A balanced tree, so that ten thousand conjuncts are fourteen levels deep.
    fn chain(&mut self, es: &[ExprId], polarity: usize, and: bool, origin: Origin) -> NodeId {
        let mut level: Vec<NodeId> = es.iter().map(|&e| self.node(e, polarity)).collect();
        while level.len() > 2 {
            level = level
                .chunks(2)
                .map(|pair| match *pair {
                    [a, b] => self.join(and, a, b, Origin::Structure),
                    _ => pair[0],
                })
                .collect();
        }
        match *level {
            [a, b] => self.join(and, a, b, origin),
            _ => level[0],
        }
    }

    fn equivalence(&mut self, a: ExprId, b: ExprId, polarity: usize, origin: Origin) -> NodeId {
        let a = [self.node(a, POSITIVE), self.node(a, NEGATIVE)];
        let b = [self.node(b, POSITIVE), self.node(b, NEGATIVE)];
        let same = self.builder.and(a[0], b[polarity], Origin::Structure);
        let both_not = self.builder.and(a[1], b[1 - polarity], Origin::Structure);
        self.builder.or(same, both_not, origin)
    }

    fn state_op(
        &mut self,
        quantifier: Quantifier,
        op: StateOp,
        e: NodeId,
        negated: bool,
        origin: Origin,
    ) -> NodeId {
        let modality = step(quantifier, negated);
        if let Some(fair) = &mut self.fair {
            return fair.state_op(&mut self.builder, modality, (quantifier, op), e, origin);
        }
        let kind = match op {
            StateOp::Next => {
                return self.builder.modal(modality, &ActionSet::any(), e, origin);
            }
            StateOp::Finally => Fix::Mu,
            StateOp::Globally => Fix::Nu,
        };
        let kind = if negated { kind.dual() } else { kind };
        self.fixpoint(kind, origin, |this, again| {
            let next = this.builder.modal(modality, &ActionSet::any(), again, Origin::Structure);
            this.join(kind == Fix::Nu, e, next, Origin::Structure)
        })
    }

    fn path_op(
        &mut self,
        quantifier: Quantifier,
        op: PathOp,
        a: NodeId,
        b: NodeId,
        negated: bool,
        origin: Origin,
    ) -> NodeId {
        let modality = step(quantifier, negated);
        if let Some(fair) = &mut self.fair {
            return fair.path_op(&mut self.builder, modality, (quantifier, op), [a, b], origin);
        }
        let (kind, release) = match op {
            PathOp::Until => (Fix::Mu, false),
            PathOp::Release => (Fix::Nu, true),
            PathOp::WeakUntil => (Fix::Nu, false),
        };
        let (kind, release) = if negated { (kind.dual(), !release) } else { (kind, release) };
        // U and W: b or (a and next); R: b and (a or next). G Def. 1.
        self.fixpoint(kind, origin, |this, again| {
            let next = this.builder.modal(modality, &ActionSet::any(), again, Origin::Structure);
            let on = this.join(!release, a, next, Origin::Structure);
            this.join(release, b, on, Origin::Structure)
        })
    }

    /// `[R] ψ` and `<R> ψ` for a regular R.
    fn regular(&mut self, modality: Modality, reg: RegId, body: NodeId, origin: Origin) -> NodeId {
        if self.builder.is_constant(body, modality == Modality::Box) {
            // Wherever R leads to or not: [R] true, and never <R> false.
            return body;
        }
        let (regular, span) = &self.surface.regs[reg];
        let inner = Origin::Regular { span: *span, modality, body };
        let origin = if origin == Origin::Structure { inner } else { origin };
        match *regular {
            Regular::Action(ref set) => self.builder.modal(modality, set, body, origin),
            Regular::Matching(_) => unreachable!("formulas with data are instantiated before"),
            Regular::Seq(first, second) => {
                let rest = self.regular(modality, second, body, Origin::Structure);
                self.regular(modality, first, rest, origin)
            }
            Regular::Alt(a, b) => {
                let a = self.regular(modality, a, body, Origin::Structure);
                let b = self.regular(modality, b, body, Origin::Structure);
                self.join(modality == Modality::Box, a, b, origin)
            }
            Regular::Star(once) => self.star(modality, once, body, origin),
            Regular::Plus(once) => self.plus(modality, once, body, origin),
        }
    }

    /// `[R*] ψ` = νX. ψ ∧ [R] X, `<R*> ψ` = µX. ψ ∨ <R> X.
    fn star(&mut self, modality: Modality, once: RegId, body: NodeId, origin: Origin) -> NodeId {
        let kind = if modality == Modality::Box { Fix::Nu } else { Fix::Mu };
        self.fixpoint(kind, origin, |this, again| {
            let next = this.regular(modality, once, again, Origin::Structure);
            this.join(modality == Modality::Box, body, next, Origin::Structure)
        })
    }

    /// `[R+] ψ` = νX. [R] (ψ ∧ X), `<R+> ψ` = µX. <R> (ψ ∨ X): R is translated once, so that nested
    /// repetitions stay linear.
    fn plus(&mut self, modality: Modality, once: RegId, body: NodeId, origin: Origin) -> NodeId {
        let kind = if modality == Modality::Box { Fix::Nu } else { Fix::Mu };
        let span = self.surface.regs[once].1;
        let repeated = Origin::Repeated { span, modality, body };
        self.fixpoint(kind, origin, |this, again| {
            let more = this.join(modality == Modality::Box, body, again, repeated);
            this.regular(modality, once, more, Origin::Structure)
        })
    }

    fn fixpoint(
        &mut self,
        kind: Fix,
        origin: Origin,
        body: impl FnOnce(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        let var = self.builder.fresh_var(kind, "");
        let again = self.builder.var(var, origin);
        let body = body(self, again);
        self.builder.fix(var, body, origin)
    }
}

fn step(quantifier: Quantifier, negated: bool) -> Modality {
    match (quantifier, negated) {
        (Quantifier::All, false) | (Quantifier::Exists, true) => Modality::Box,
        (Quantifier::Exists, false) | (Quantifier::All, true) => Modality::Dia,
    }
}

fn needed_polarities(surface: &Surface) -> IdVec<ExprId, [bool; 2]> {
    let mut needed: IdVec<ExprId, [bool; 2]> =
        surface.exprs.iter().map(|_| [false, false]).collect();
    needed[surface.root] = [true, false];
    // Operands may be shared.
    let mut need = |e: ExprId, [positive, negative]: [bool; 2]| {
        needed[e][POSITIVE] |= positive;
        needed[e][NEGATIVE] |= negative;
        needed[e]
    };
    for (id, (expr, _)) in surface.exprs.iter().rev() {
        let own @ [positive, negative] = need(id, [false; 2]);
        let flipped = [negative, positive];
        let both = [positive || negative; 2];
        match *expr {
            Expr::Not(e) => _ = need(e, flipped),
            Expr::Implies(a, b) => {
                need(a, flipped);
                need(b, own);
            }
            Expr::Iff(a, b) => {
                need(a, both);
                need(b, both);
            }
            _ => expr.operands(|e| _ = need(e, own)),
        }
    }
    needed
}
