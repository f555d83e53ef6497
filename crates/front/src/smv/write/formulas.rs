//! Formulas as SMV text.

use crate::smv::show::{linear_letter, linear_pair_letter};
use logic::{
    Expr, ExprId, Fix, Formula, LinearPairOp, Modality, Node, NodeId, PathOp, PropId, Quantifier,
    StateOp, Surface,
};
use support::Interner;

/// A formula as it was written, with these texts for its propositions.
pub(super) fn surface(surface: &Surface, props: &dyn Fn(&str) -> String) -> String {
    surface_at(surface, surface.root, props)
}

/// The state formula of an invariant.
pub(super) fn invariant(surface: &Surface, props: &dyn Fn(&str) -> String) -> String {
    match surface.exprs[surface.root].0 {
        Expr::State(_, _, body) => surface_at(surface, body, props),
        _ => surface_at(surface, surface.root, props),
    }
}

fn surface_at(surface: &Surface, root: ExprId, props: &dyn Fn(&str) -> String) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (_, (expr, _)) in surface.exprs.iter() {
        let of = |id: &ExprId| texts[id.0 as usize].as_str();
        let joined = |ids: &[ExprId], sign: &str| {
            format!("({})", ids.iter().map(of).collect::<Vec<_>>().join(sign))
        };
        // A variable that is bound twice gets two names.
        let variable = |binder: logic::BinderId| format!("Z_{}", binder.0);
        texts.push(match expr {
            Expr::Const(value) => constant(*value),
            Expr::Prop(name) => props(name),
            Expr::Var(binder) => variable(*binder),
            Expr::Not(a) => format!("!({})", of(a)),
            Expr::And(parts) => joined(parts, " & "),
            Expr::Or(parts) => joined(parts, " | "),
            Expr::Implies(a, b) => format!("({} -> {})", of(a), of(b)),
            Expr::Iff(a, b) => format!("({} <-> {})", of(a), of(b)),
            Expr::Modal(modality, _, a) => format!("{} ({})", brackets(*modality), of(a)),
            Expr::Fix(binder, body) => {
                let kind = surface.binders[*binder].kind;
                format!("({} {}. ({}))", fixpoint(kind), variable(*binder), of(body))
            }
            Expr::State(quantifier, op, a) => {
                let op = match op {
                    StateOp::Next => 'X',
                    StateOp::Finally => 'F',
                    StateOp::Globally => 'G',
                };
                format!("{}{op} ({})", letter(*quantifier), of(a))
            }
            Expr::Path(quantifier, op, a, b) => path(*quantifier, *op, of(a), of(b)),
            Expr::Linear(op, a) => format!("{} ({})", linear_letter(*op), of(a)),
            // NuSMV has no weak until.
            Expr::LinearPair(LinearPairOp::WeakUntil, a, b) => {
                let (a, b) = (of(a), of(b));
                format!("(({b}) V (({a}) | ({b})))")
            }
            Expr::LinearPair(op, a, b) => {
                format!("(({}) {} ({}))", of(a), linear_pair_letter(*op), of(b))
            }
            Expr::Quantified(quantifier, a) => format!("{} ({})", letter(*quantifier), of(a)),
            Expr::ForValues(..) | Expr::Val(_) | Expr::Call(..) => {
                unreachable!("formulas with data are written in normal form")
            }
        });
    }
    texts.swap_remove(root.0 as usize)
}

/// NuSMV knows no other operator of paths than until.
fn path(quantifier: Quantifier, op: PathOp, a: &str, b: &str) -> String {
    let dual = match quantifier {
        Quantifier::All => 'E',
        Quantifier::Exists => 'A',
    };
    match op {
        PathOp::Until => format!("{} [({a}) U ({b})]", letter(quantifier)),
        PathOp::Release => format!("!({dual} [(!({a})) U (!({b}))])"),
        PathOp::WeakUntil => format!("!({dual} [(!({b})) U (!({a}) & !({b}))])"),
    }
}

/// A normal form as a formula of the µ-calculus.
pub(super) fn normal_form(formula: &Formula, props: &Interner<PropId>) -> String {
    let mut texts: Vec<String> = Vec::new();
    for (_, node) in formula.nodes() {
        let of = |id: NodeId| texts[id.0 as usize].as_str();
        texts.push(match node {
            Node::Const(value) => constant(value),
            Node::Lit(prop, true) => props.name(prop).to_owned(),
            Node::Lit(prop, false) => format!("!{}", props.name(prop)),
            Node::And(a, b) => format!("({} & {})", of(a), of(b)),
            Node::Or(a, b) => format!("({} | {})", of(a), of(b)),
            Node::Modal(modality, _, body) => format!("{} {}", brackets(modality), of(body)),
            Node::Var(var) => format!("Z_{}", var.0),
            Node::Fix(var) => {
                let info = formula.var(var);
                format!("({} Z_{}. {})", fixpoint(info.kind), var.0, of(info.body))
            }
        });
    }
    texts.swap_remove(formula.root().0 as usize)
}

fn constant(value: bool) -> String {
    if value { "TRUE" } else { "FALSE" }.to_owned()
}

fn brackets(modality: Modality) -> &'static str {
    if modality == Modality::Box { "[]" } else { "<>" }
}

fn fixpoint(kind: Fix) -> &'static str {
    if kind == Fix::Mu { "mu" } else { "nu" }
}

fn letter(quantifier: Quantifier) -> char {
    if quantifier == Quantifier::All { 'A' } else { 'E' }
}
