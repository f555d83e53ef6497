//! Conditions on a formula before it is translated: variables occur positively, names exist.

use crate::compile::{Family, Signature};
use crate::surface::{Binder, BinderId, Expr, ExprId, Surface};
use support::{Diagnostic, IdVec, Span};

/// All errors. Warnings are pushed to `warnings`.
pub(crate) fn run(
    surface: &Surface,
    signature: &Signature,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    if surface.logic.has_linear_operators() {
        let message = format!("`{}` cannot be asked of this model", surface.logic.name());
        errors.push(Diagnostic::error(message, surface.span, "a formula of linear time"));
    }
    check_polarities(surface, &mut errors);
    errors.extend(check_names(surface, signature, warnings));
    errors
}

/// Checks that the names of a formula exist.
pub fn check_names(
    surface: &Surface,
    signature: &Signature,
    warnings: &mut Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    // On one path a step is like a state: the name of an action is true where it is taken.
    if surface.logic.has_linear_operators() && signature.family == Family::Actions {
        let named = surface.exprs.values().filter_map(|(expr, span)| match expr {
            Expr::Prop(name) => Some((name, span)),
            _ => None,
        });
        warn_of_actions(named, surface, signature, warnings);
        return errors;
    }
    check_props(surface, signature, &mut errors);
    check_actions(surface, signature, &mut errors, warnings);
    errors
}

/// Every occurrence of a variable has to lie under an even number of negations within its fixpoint.
fn check_polarities(surface: &Surface, errors: &mut Vec<Diagnostic>) {
    // (negations, equivalences) above each expression.
    let mut above: IdVec<ExprId, (u32, u32)> = surface.exprs.iter().map(|_| (0, 0)).collect();
    let mut binder: IdVec<BinderId, Option<ExprId>> =
        surface.binders.iter().map(|_| None).collect();
    for (id, (expr, span)) in surface.exprs.iter().rev() {
        let (negations, equivalences) = above[id];
        match *expr {
            Expr::Not(e) => above[e] = (negations + 1, equivalences),
            Expr::Implies(left, right) => {
                above[left] = (negations + 1, equivalences);
                above[right] = (negations, equivalences);
            }
            Expr::Iff(left, right) => {
                above[left] = (negations, equivalences + 1);
                above[right] = (negations, equivalences + 1);
            }
            Expr::Var(b) | Expr::Call(b, _) => {
                let Some(fix) = binder[b] else { continue };
                let Binder { name, span: bound_at, .. } = &surface.binders[b];
                let odd = (above[fix].0 + negations) % 2 == 1;
                if odd || above[fix].1 != equivalences {
                    errors.push(
                        Diagnostic::error(
                            format!("the variable `{name}` occurs under a negation"),
                            *span,
                            "an odd number of negations (or `<->`) lies between here and its fixpoint",
                        )
                        .with_label(*bound_at, "bound here")
                        .with_help(
                            "a fixpoint exists only if its variable occurs positively: under an \
                             even number of `!` and left sides of `->`",
                        ),
                    );
                }
            }
            Expr::Fix(b, body) => {
                binder[b] = Some(id);
                above[body] = (negations, equivalences);
            }
            _ => expr.operands(|e| above[e] = (negations, equivalences)),
        }
    }
}

/// The most messages of a kind; each one searches for the nearest of all names.
const MOST_MESSAGES: usize = 100;

fn check_props(surface: &Surface, signature: &Signature, errors: &mut Vec<Diagnostic>) {
    let unknown = surface.exprs.values().filter_map(|(expr, span)| match expr {
        Expr::Prop(name) if signature.props.get(name).is_none() => Some((name, span)),
        _ => None,
    });
    for (name, span) in unknown.take(MOST_MESSAGES) {
        let binders = surface.binders.values().map(|binder| binder.name.as_str());
        errors.push(match signature.family {
            Family::Props => Diagnostic::error(
                format!("unknown proposition `{name}`"),
                *span,
                "no component declares it",
            )
            .with_help(help_with_prop(name, signature))
            .with_nearest(name, signature.props.names().chain(binders)),
            Family::Actions => {
                let error = Diagnostic::error(
                    format!("unknown name `{name}`"),
                    *span,
                    "this system has actions and no propositions",
                );
                match support::nearest(name, binders) {
                    Some(near) => error.with_help(format!("did you mean the variable `{near}`?")),
                    None => error.with_help(format!(
                        "actions stand in modalities: `<{name}> true` says that `{name}` is possible"
                    )),
                }
            }
        });
    }
}

fn help_with_prop(name: &str, signature: &Signature) -> String {
    let props = signature.props.names();
    if props.len() == 0 {
        return "the components have no propositions".to_owned();
    }
    support::did_you_mean(name, "the propositions are", props)
}

fn check_actions(
    surface: &Surface,
    signature: &Signature,
    errors: &mut Vec<Diagnostic>,
    warnings: &mut Vec<Diagnostic>,
) {
    if signature.family == Family::Props {
        errors.extend(surface.actions.iter().take(MOST_MESSAGES).map(|(name, span)| {
            Diagnostic::error(
                format!("the action `{name}` in a system without actions"),
                *span,
                "the components are Kripke structures: transitions carry no actions",
            )
            .with_help("write `[] f` or `<> f`")
        }));
        return;
    }
    let named = surface.actions.iter().map(|(name, span)| (name, span));
    warn_of_actions(named, surface, signature, warnings);
}

fn warn_of_actions<'a>(
    named: impl Iterator<Item = (&'a String, &'a Span)>,
    surface: &Surface,
    signature: &Signature,
    warnings: &mut Vec<Diagnostic>,
) {
    debug_assert!(signature.actions.is_sorted());
    let occurs = |name: &String| signature.actions.binary_search(name).is_ok() || name == "tau";
    let strange = named.filter(|(name, _)| !occurs(name));
    warnings.extend(strange.take(MOST_MESSAGES).map(|(name, span)| {
        let warning = Diagnostic::warning(
            format!("the action `{name}` never occurs in the system"),
            *span,
            "no transition of the system has it",
        );
        if surface.logic.has_regular_formulas() && name.contains('|') {
            return warning.with_help(format!(
                "`{name}` is a multi-action; an alternative is `{}`",
                name.replace('|', " || ")
            ));
        }
        warning.with_nearest(name, signature.actions.iter().map(String::as_str))
    }));
}
