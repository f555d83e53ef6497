//! From formulas over expressions to [`Surface`].

use crate::sink::{Parsed, Reported};
use crate::syntax::{Expr as Syntax, ExprId as SyntaxId, Exprs, Infix, Steps};
use logic::{
    ActionSet, BinderId, Distance, Expr, ExprId, Extreme, LinearOp, Logic, Quantifier, Regular,
    StateOp, Surface, SurfaceBuilder,
};
use std::sync::Arc;
use support::Span;

/// Who knows what a formula is about.
pub(crate) trait Atoms {
    /// Whether this is one proposition and not a formula of several.
    fn is_atom(&self, exprs: &Exprs, id: SyntaxId) -> bool {
        exprs.is_pure(id)
    }

    /// An atom: an expression that is true or false in a state.
    fn atom(&mut self, id: SyntaxId) -> Parsed<Expr>;

    /// An operator on values has a formula for an operand.
    fn misplaced(&mut self, span: Span) -> Reported;
}

/// Translates a formula of a text.
pub(crate) fn translate<'a>(
    exprs: &Exprs<'a>,
    root: SyntaxId,
    (logic, text): (Logic, &Arc<str>),
    atoms: &mut impl Atoms,
) -> Parsed<Surface> {
    let mut translation =
        Translation { exprs, atoms, surface: SurfaceBuilder::default(), bound: Vec::new() };
    let root = translation.formula(root)?;
    Ok(translation.surface.finish(logic, text.clone(), root))
}

/// Translates `MIN[from, to]` or `MAX[from, to]`. The formula says that the length is infinite, or that it is finite.
pub(crate) fn translate_distance<'a>(
    exprs: &Exprs<'a>,
    (from, to): (SyntaxId, SyntaxId),
    (extreme, span, text): (Extreme, Span, &Arc<str>),
    atoms: &mut impl Atoms,
) -> Parsed<(Surface, Distance)> {
    let mut translation =
        Translation { exprs, atoms, surface: SurfaceBuilder::default(), bound: Vec::new() };
    let (from, to) = (translation.formula(from), translation.formula(to));
    let (from, to) = (from?, to?);
    let mut surface = translation.surface;
    let mut push = |expr: Expr| surface.expr(expr, span);
    let body = match extreme {
        Extreme::Shortest => {
            let later = push(Expr::State(Quantifier::Exists, StateOp::Finally, to));
            let both = push(Expr::And(vec![from, later]));
            push(Expr::Not(both))
        }
        Extreme::Longest => {
            let later = push(Expr::State(Quantifier::All, StateOp::Finally, to));
            push(Expr::Implies(from, later))
        }
    };
    let root = push(Expr::State(Quantifier::All, StateOp::Globally, body));
    Ok((surface.finish(Logic::Ctl, text.clone(), root), Distance { extreme, from, to }))
}

/// Adds `(G F p -> G F q) & … ->` before a formula of one path, for the compassion of each `(p, q)`.
pub(crate) fn assume_compassion(surface: &mut Surface, assumed: Vec<[Expr; 2]>) {
    if assumed.is_empty() {
        return;
    }
    let span = surface.exprs[surface.root].1;
    let mut push = |expr: Expr| surface.exprs.push((expr, span));
    let mut all = Vec::new();
    for pair in assumed {
        let [often, then] = pair.map(|condition| {
            let met = push(condition);
            let later = push(Expr::Linear(LinearOp::Finally, met));
            push(Expr::Linear(LinearOp::Globally, later))
        });
        all.push(push(Expr::Implies(often, then)));
    }
    let fair = push(Expr::And(all));
    let root = surface.root;
    surface.root = surface.exprs.push((Expr::Implies(fair, root), span));
}

struct Translation<'f, 'a, A> {
    exprs: &'f Exprs<'a>,
    atoms: &'f mut A,
    surface: SurfaceBuilder,
    /// The fixpoint variables around, innermost last.
    bound: Vec<(&'a str, BinderId)>,
}

impl<A: Atoms> Translation<'_, '_, A> {
    fn formula(&mut self, id: SyntaxId) -> Parsed<ExprId> {
        let exprs = self.exprs;
        let span = exprs.span(id);
        let made = match exprs.get(id) {
            _ if self.atoms.is_atom(exprs, id) => self.atoms.atom(id)?,
            Syntax::At(_) | Syntax::Error | Syntax::End => self.atoms.atom(id)?,
            Syntax::Bound(name) => {
                let bound = self.bound.iter().rev().find(|(bound, _)| bound == name);
                Expr::Var(bound.ok_or(Reported)?.1)
            }
            Syntax::Not(a) => Expr::Not(self.formula(*a)?),
            Syntax::Implies(a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::Implies(a?, b?)
            }
            Syntax::Chain(first, rest) => return self.chain(*first, rest, span),
            Syntax::State(quantifier, op, a) => Expr::State(*quantifier, *op, self.formula(*a)?),
            Syntax::Path(quantifier, op, a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::Path(*quantifier, *op, a?, b?)
            }
            Syntax::StateWithin(quantifier, op, steps, a) => {
                let a = self.formula(*a)?;
                return Ok(self.within(*quantifier, *op, *steps, (None, a), span));
            }
            Syntax::UntilWithin(quantifier, steps, a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                let operands = (Some(a?), b?);
                return Ok(self.within(*quantifier, StateOp::Finally, *steps, operands, span));
            }
            Syntax::Linear(op, a) => Expr::Linear(*op, self.formula(*a)?),
            Syntax::LinearPair(op, a, b) => {
                let (a, b) = (self.formula(*a), self.formula(*b));
                Expr::LinearPair(*op, a?, b?)
            }
            Syntax::Quantified(quantifier, a) => Expr::Quantified(*quantifier, self.formula(*a)?),
            Syntax::Modal(modality, a) => {
                let body = self.formula(*a)?;
                let any = self.surface.reg(Regular::Action(ActionSet::any()), span);
                Expr::Modal(*modality, any, body)
            }
            Syntax::Fix(kind, name, body) => {
                let binder = self.surface.binder(*kind, name.text, name.span);
                self.bound.push((name.text, binder));
                let body = self.formula(*body);
                self.bound.pop();
                Expr::Fix(binder, body?)
            }
            _ => return Err(self.atoms.misplaced(span)),
        };
        Ok(self.surface.expr(made, span))
    }

    /// An operator with bounds, written out: from the last state to the first, each with those that follow behind `X`.
    /// With `before`, that holds until then.
    fn within(
        &mut self,
        quantifier: Quantifier,
        op: StateOp,
        steps: Steps,
        (before, body): (Option<ExprId>, ExprId),
        span: Span,
    ) -> ExprId {
        let mut push = |expr: Expr| self.surface.expr(expr, span);
        let mut later = body;
        for state in (0..steps.to).rev() {
            later = push(Expr::State(quantifier, StateOp::Next, later));
            if let Some(before) = before {
                later = push(Expr::And(vec![before, later]));
            }
            if state >= steps.from {
                let both = vec![body, later];
                later = push(match op {
                    StateOp::Globally => Expr::And(both),
                    StateOp::Finally | StateOp::Next => Expr::Or(both),
                });
            }
        }
        later
    }

    fn chain(&mut self, first: SyntaxId, rest: &[(Infix, SyntaxId)], span: Span) -> Parsed<ExprId> {
        let infix = rest[0].0;
        if !matches!(infix, Infix::And | Infix::Or | Infix::Xor | Infix::Xnor | Infix::Iff) {
            return Err(self.atoms.misplaced(span));
        }
        let all = std::iter::once(first).chain(rest.iter().map(|(_, operand)| *operand));
        let parts: Vec<Parsed<ExprId>> = all.map(|operand| self.formula(operand)).collect();
        let parts: Vec<ExprId> = parts.into_iter().collect::<Parsed<_>>()?;
        let is_one = rest.iter().all(|(other, _)| *other == infix);
        match infix {
            Infix::And if is_one => return Ok(self.surface.expr(Expr::And(parts), span)),
            Infix::Or if is_one => return Ok(self.surface.expr(Expr::Or(parts), span)),
            _ => {}
        }
        let mut left = parts[0];
        for (index, (&(infix, _), &right)) in rest.iter().zip(&parts[1..]).enumerate() {
            // The last pair is the whole, with the parentheses around it.
            let is_last = index + 1 == rest.len();
            let pair = self.surface.span(left).to(self.surface.span(right));
            let place = if is_last { span } else { pair };
            let made = match infix {
                Infix::And => Expr::And(vec![left, right]),
                Infix::Or => Expr::Or(vec![left, right]),
                Infix::Xor => Expr::Not(self.surface.expr(Expr::Iff(left, right), place)),
                _ => Expr::Iff(left, right),
            };
            left = self.surface.expr(made, place);
        }
        Ok(left)
    }
}
